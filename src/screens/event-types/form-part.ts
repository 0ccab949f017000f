import { type Mistake, Problem } from '../../core/problem.ts';
import type { Path } from '../../core/text.ts';
import { Selection } from '../../database/selection.ts';
import { EventType } from '../../modules/event-types/event-type.entity.ts';
import type { EventTypeRow } from '../../modules/event-types/event-type.queries.ts';
import type { EventTypePatch } from '../../modules/event-types/event-type-patch.rules.ts';
import type { Html } from '../kit/layout.ts';

const COLUMNS = [
  'ownerId',
  'id',
  'title',
  'slug',
  'description',
  'lengthInMinutes',
  'hidden',
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
  'updatedAt',
] as const;

/** What the pages read of an event type. */
export const SHOWN = new Selection(EventType, COLUMNS);
export type ShownEventType = Pick<EventTypeRow, (typeof COLUMNS)[number]>;

/** What stands in the fields of a form, by their names. A box that is not ticked is not there. */
export type Values = Readonly<Record<string, string>>;

/** What the form offers to choose from, beside what every form of an event type does. */
export interface Choices {
  /** The host's schedules by their public ids, their default one as an empty text. */
  readonly schedules: readonly (readonly [id: string, name: string])[];
  /** The slugs of the conferencing apps that the host has connected. */
  readonly apps: readonly string[];
}

/** Some of the fields of an event type's form, and what they mean. */
export interface FormPart {
  /** The fields as a stored event type fills them. */
  readonly filled: (eventType: ShownEventType) => Values;
  /** Whether a field is one of its own. */
  readonly has: (name: string) => boolean;
  /** What the fields say, for the command. */
  readonly said: (form: FormReader) => EventTypePatch;
  /** The field that a mistake of the command is about, where it is not called as the command calls it. */
  readonly fieldOf?: (path: Path, values: Values) => string | undefined;
}

/** A part that stands on the page as a line until it is opened. */
export interface FoldedPart extends FormPart {
  readonly id: string;
  readonly title: string;
  /** How it stands, in a few words. */
  readonly gist: (eventType: ShownEventType) => string;
  readonly content: (values: Values, mistakes: readonly Mistake[], choices: Choices) => Html;
}

/** Reads a form and gathers what cannot be read. */
export class FormReader {
  readonly values: Values;
  readonly #mistakes: Mistake[] = [];

  constructor(values: Values) {
    this.values = values;
  }

  text(name: string): string {
    return (this.values[name] ?? '').trim();
  }

  isTicked(name: string): boolean {
    return this.values[name] !== undefined;
  }

  number(name: string, label: string): number {
    const text = this.text(name);
    if (/^\d{1,9}$/.test(text)) return Number(text);
    const message = `${label}: write a whole number, such as 30.`;
    this.#mistakes.push({ code: 'OUT_OF_RANGE', message, path: [name] });
    return 0;
  }

  /** Of a list to choose from, where nothing was chosen that is on it. */
  refuse(name: string, message: string): void {
    this.#mistakes.push({ code: 'REQUIRED', message, path: [name] });
  }

  optionalNumber(name: string, label: string): number | null {
    return this.text(name) === '' ? null : this.number(name, label);
  }

  /** @throws Problem with everything that cannot be read */
  finish(): void {
    Problem.throwIfAny(this.#mistakes);
  }
}
