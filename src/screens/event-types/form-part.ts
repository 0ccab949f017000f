import type { Mistake } from '../../core/problem.ts';
import type { Path } from '../../core/text.ts';
import { Selection } from '../../database/columns.ts';
import { EventType } from '../../modules/event-types/event-type.entity.ts';
import type { EventTypeRow } from '../../modules/event-types/event-type.queries.ts';
import type { EventTypePatch } from '../../modules/event-types/event-type.rules.ts';
import type { Html } from '../kit/layout.ts';
import { type Control, FormProblem } from '../kit/problem-words.ts';
import type { EventTypeWords } from './words/event-type-words.ts';

const COLUMNS = [
  'ownerId',
  'id',
  'title',
  'slug',
  'description',
  'durationInMinutes',
  'isHidden',
  'confirmation',
  'scheduleId',
  'minimumBookingNoticeInMinutes',
  'bufferBeforeInMinutes',
  'bufferAfterInMinutes',
  'slotIntervalInMinutes',
  'bookingWindow',
  'seats',
  'locations',
  'bookingFields',
  'embedOrigins',
  'schedulingType',
  'parentId',
  'assignsAllMembers',
  'updatedAt',
] as const;

/** The columns that the pages read of an event type. */
export const SHOWN = new Selection(EventType, COLUMNS);
export type ShownEventType = Pick<EventTypeRow, (typeof COLUMNS)[number]>;

/** Whether it is a team's; else a user's. */
export function isOfTeam({ schedulingType }: Pick<ShownEventType, 'schedulingType'>): boolean {
  return schedulingType !== null;
}

/** The values of a form's fields, by their names. A box that is not ticked is not there. */
export type Values = Readonly<Record<string, string>>;

/**
 * The parts of the form that event types differ in beside their values: what there is to choose from, and its address.
 */
export interface Choices {
  readonly isOfTeam: boolean;
  /** The host's schedules by their public ids, their default one as an empty text; of a team, whose hosts have theirs, none. */
  readonly schedules: readonly (readonly [id: string, name: string])[];
  /** The slugs of the conferencing apps that its owner has connected. */
  readonly apps: readonly string[];
  /** Where more of them are connected. */
  readonly appsPath: string;
  /** The address of its booking page; undefined for a managed event type, as each host has their own. */
  readonly bookingUrl: string | undefined;
}

/** Some of the fields of an event type's form, and what they mean. */
export interface FormPart {
  /** The fields as a stored event type fills them. */
  readonly filled: (eventType: ShownEventType) => Values;
  /** Whether a field is one of its own. */
  readonly has: (name: string) => boolean;
  /** Reads the fields as the command takes them. */
  readonly said: (form: FormReader) => EventTypePatch;
  /** The field that a mistake of the command is about, where it is not called as the command calls it. */
  readonly controlOf?: (path: Path, values: Values, words: EventTypeWords) => Control | undefined;
}

/** The values that a part is shown with. */
export interface PartPage {
  readonly values: Values;
  readonly mistakes: readonly Mistake[];
  readonly choices: Choices;
  readonly words: EventTypeWords;
  /** BCP 47, the reader's. */
  readonly locale: string;
}

/** A part that stands on the page as a line until it is opened. */
export interface FoldedPart extends FormPart {
  /** Its title is that of the words of this name. */
  readonly id: 'times' | 'where' | 'questions' | 'places' | 'websites';
  /** How it stands, in a few words. */
  readonly gist: (eventType: ShownEventType, words: EventTypeWords, locale: string) => string;
  readonly content: (page: PartPage) => Html;
}

/** The name of a field that does not stand in rows. */
export type FieldName = keyof EventTypeWords['fields'];

/** Reads a form and collects what cannot be read, in the words of its sender. */
export class FormReader {
  readonly values: Values;
  readonly words: EventTypeWords;
  readonly #mistakes: Mistake[] = [];

  constructor(values: Values, words: EventTypeWords) {
    this.values = values;
    this.words = words;
  }

  text(name: string): string {
    return (this.values[name] ?? '').trim();
  }

  isTicked(name: string): boolean {
    return this.values[name] !== undefined;
  }

  number(name: FieldName): number {
    const text = this.text(name);
    if (/^\d{1,9}$/.test(text)) return Number(text);
    const message = this.words.noNumber(this.words.fields[name]);
    this.#mistakes.push({ code: 'OUT_OF_RANGE', message, path: [name] });
    return 0;
  }

  /** Refuses a list to choose from, where nothing was chosen that is on it. */
  refuse(name: string, message: string): void {
    this.#mistakes.push({ code: 'REQUIRED', message, path: [name] });
  }

  optionalNumber(name: FieldName): number | null {
    return this.text(name) === '' ? null : this.number(name);
  }

  /** @throws FormProblem with everything that cannot be read */
  finish(): void {
    FormProblem.throwIfAny(this.#mistakes);
  }
}
