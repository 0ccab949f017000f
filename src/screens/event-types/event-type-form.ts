import { type Mistake, Problem } from '../../core/problem.ts';
import { SLUG_IN_WORDS } from '../../core/text.ts';
import type { RowOf } from '../../database/columns.ts';
import { Selection } from '../../database/selection.ts';
import { EventType } from '../../modules/event-types/event-type.entity.ts';
import type { EventTypeFields } from '../../modules/event-types/event-type.rules.ts';
import type { EventTypePatch } from '../../modules/event-types/event-type-patch.rules.ts';
import type { TextField } from '../kit/form-parts.ts';
import { slugOf } from '../kit/slug.ts';

const COLUMNS = [
  'ownerId',
  'id',
  'title',
  'slug',
  'description',
  'lengthInMinutes',
  'hidden',
  'confirmation',
  'minimumBookingNoticeInMinutes',
  'bufferBeforeInMinutes',
  'bufferAfterInMinutes',
  'updatedAt',
] as const;

/** What the pages read of an event type. */
export const SHOWN = new Selection(EventType, COLUMNS);
export type ShownEventType = Pick<RowOf<typeof EventType>, (typeof COLUMNS)[number]>;

type MinutesName =
  | 'lengthInMinutes'
  | 'minimumBookingNoticeInMinutes'
  | 'bufferBeforeInMinutes'
  | 'bufferAfterInMinutes';
type LineName = 'title' | 'slug' | MinutesName;
type Line = Pick<TextField, 'label' | 'hint'>;

/** The fields of one line, in the order in which they stand in the form. */
export const LINES: Readonly<Record<LineName, Line>> = {
  title: { label: 'Title', hint: 'What people book, such as “Introductory call”.' },
  slug: {
    label: 'End of its address',
    hint: `Use ${SLUG_IN_WORDS.replaceAll('`', '')}. If you change it, links that you have shared stop working.`,
  },
  lengthInMinutes: { label: 'Length in minutes' },
  minimumBookingNoticeInMinutes: { label: 'Notice in minutes', hint: 'How long before its start it must be booked.' },
  bufferBeforeInMinutes: { label: 'Free time before, in minutes' },
  bufferAfterInMinutes: { label: 'Free time after, in minutes' },
};
const MINUTES = Object.keys(LINES).filter((name): name is MinutesName => name.endsWith('InMinutes'));

/** Whether bookings wait for an answer of the host, and what the form says to each. */
export const CONFIRMATIONS: Readonly<Record<EventTypeFields['confirmation']['kind'], string>> = {
  NONE: 'Never: a booking stands at once',
  ALWAYS: 'Always',
  SHORT_NOTICE: 'Only at short notice, as set before',
};

/** A form as it was typed, or as a stored event type fills it. */
export type TypedEventType = Readonly<Record<LineName | 'description' | 'confirmation', string>> & {
  readonly hidden: boolean;
};

export function formOf(eventType: ShownEventType): TypedEventType {
  const { title, slug, description, hidden, confirmation } = eventType;
  const minutes = Object.fromEntries(MINUTES.map((name) => [name, String(eventType[name])]));
  return {
    title,
    slug,
    description: description ?? '',
    confirmation: confirmation.kind,
    hidden,
    ...(minutes as Record<MinutesName, string>),
  };
}

export function typedIn(form: URLSearchParams): TypedEventType {
  const names = [...(Object.keys(LINES) as LineName[]), 'description', 'confirmation'] as const;
  const texts = Object.fromEntries(names.map((name) => [name, form.get(name) ?? '']));
  return { ...(texts as Record<(typeof names)[number], string>), hidden: form.has('hidden') };
}

/** What the form changes. @throws Problem for what is no number */
export function patchOf(typed: TypedEventType): EventTypePatch {
  const { title, slug, description, hidden, confirmation: kind } = typed;
  const confirmation = kind === 'ALWAYS' || kind === 'NONE' ? ({ kind } as const) : undefined;
  return {
    title,
    slug: slug.trim(),
    description: description.trim() || null,
    hidden,
    ...(confirmation && { confirmation }),
    ...minutesOf(typed, MINUTES),
  };
}

/** What a new event type needs. Its slug is made of the title where none was typed. @throws Problem for what is no number */
export function newOf({ title, slug, ...typed }: TypedEventType) {
  return { title, slug: slug.trim() || slugOf(title), ...minutesOf(typed, ['lengthInMinutes']) };
}

function minutesOf<Name extends MinutesName>(
  typed: Readonly<Record<Name, string>>,
  names: readonly Name[],
): Record<Name, number> {
  const mistakes: Mistake[] = [];
  const numbers = names.map((name) => {
    const text = typed[name].trim();
    if (/^\d{1,9}$/.test(text)) return [name, Number(text)];
    const message = `${LINES[name].label}: write a whole number, such as 30.`;
    mistakes.push({ code: 'OUT_OF_RANGE', message, path: [name] });
    return [name, 0];
  });
  Problem.throwIfAny(mistakes);
  return Object.fromEntries(numbers) as Record<Name, number>;
}
