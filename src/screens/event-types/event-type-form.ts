import type { Mistake, Problem } from '../../core/problem.ts';
import type { Path } from '../../core/text.ts';
import type { EventTypePatch } from '../../modules/event-types/event-type.rules.ts';
import { MAX_FIELDS } from '../../modules/event-types/settings/booking-field.rules.ts';
import { MAX_LOCATIONS } from '../../modules/event-types/settings/location.rules.ts';
import { SCHEDULING_TYPES } from '../../modules/event-types/settings/scheduling.rules.ts';
import { type Control, mistakesIn } from '../kit/problem-words.ts';
import { largeForm, slugFrom } from '../kit/request.ts';
import { BASICS } from './basics-part.ts';
import { EMBEDDING } from './embed-part.ts';
import {
  type FieldName,
  type FoldedPart,
  type FormPart,
  FormReader,
  type ShownEventType,
  type Values,
} from './form-part.ts';
import { LOCATIONS } from './locations-part.ts';
import { QUESTIONS } from './questions-part.ts';
import { SEATS } from './seats-part.ts';
import { TIMES } from './times-part.ts';
import { type EventTypeWords, eventTypeWords } from './words/event-type-words.ts';

/** The parts below the basics, in the order in which they stand in the form. */
export const FOLDED: readonly FoldedPart[] = [TIMES, LOCATIONS, QUESTIONS, SEATS, EMBEDDING];
const PARTS: readonly FormPart[] = [BASICS, ...FOLDED];

/** The limits of the form: six fields a question and five a place, with an empty row for one more of each. */
export const LIMITS = largeForm(6 * (MAX_FIELDS + 1) + 5 * (MAX_LOCATIONS + 1));

/** The form as a stored event type fills it. */
export function formOf(eventType: ShownEventType): Values {
  return Object.assign({}, ...PARTS.map(({ filled }) => filled(eventType)));
}

/** The form as it was typed. Browsers send a line break as two characters. */
export function typedIn(form: URLSearchParams): Values {
  return Object.fromEntries([...form].map(([name, value]) => [name, value.replaceAll('\r\n', '\n')]));
}

/**
 * Adds the stored values that the form of a managed event type has no fields for; the form of any other stays as it is.
 */
export function wholeOf(typed: Values, eventType: ShownEventType): Values {
  if (eventType.parentId === null) return typed;
  const { isHidden: _box, ...rest } = formOf(eventType);
  return { ...rest, ...typed };
}

/**
 * Reads the changes of a form: the values of the parts that were sent which differ from the stored event type. So
 * fields that the form does not show stay as they are, and those that only a team decides are not named where they were
 * left alone.
 * @throws FormProblem for a value that cannot be read, in the words of this locale
 */
export function patchOf(typed: Values, eventType: ShownEventType, locale: string): EventTypePatch {
  const words = eventTypeWords(locale);
  const sent = PARTS.filter(({ has }) => Object.keys(typed).some(has));
  const said = saidIn(sent, typed, words);
  const before = new Map(Object.entries(saidIn(sent, formOf(eventType), words)));
  const changed = Object.entries(said).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name)),
  );
  return Object.fromEntries(changed);
}

/** The ids of the parts in which something was typed: somebody who has filled an empty row may want the next one. */
export function touchedParts(typed: Values, eventType: ShownEventType): readonly string[] {
  const before = formOf(eventType);
  const names = [...Object.keys(before), ...Object.keys(typed)].filter(
    (name) => (typed[name] ?? '') !== (before[name] ?? ''),
  );
  return FOLDED.filter(({ has }) => names.some(has)).map(({ id }) => id);
}

/**
 * Reads a new event type. Its slug is made of the title where none was typed.
 * @throws FormProblem for a value that cannot be read
 */
export function newOf(typed: Values, isOfTeam: boolean, locale: string) {
  const words = eventTypeWords(locale);
  const form = new FormReader(typed, words);
  const title = form.text('title');
  const durationInMinutes = form.number('durationInMinutes');
  const schedulingType = SCHEDULING_TYPES.find((one) => one === typed['schedulingType']);
  if (isOfTeam && !schedulingType) form.refuse('schedulingType', words.list.chooseScheduling);
  form.finish();
  const slug = slugFrom(form.text('slug'), title);
  return {
    title,
    slug,
    durationInMinutes,
    ...(isOfTeam && { schedulingType, assignsAllMembers: form.isTicked('assignsAllMembers') }),
  };
}

/** Words the mistakes in a form for a reader of this locale, at the fields of the form. */
export function mistakesOf(problem: Problem | undefined, typed: Values, locale: string): readonly Mistake[] {
  const words = eventTypeWords(locale);
  return mistakesIn(locale, problem, { controlOf: (path) => controlOf(path, typed, words), texts: words.mistakes });
}

function controlOf(path: Path, typed: Values, words: EventTypeWords): Control | undefined {
  const [inside] = PARTS.map((part) => part.controlOf?.(path, typed, words)).filter((control) => control !== undefined);
  const [name] = path;
  return inside ?? (isField(name, words) ? { name, subject: words.fields[name] } : undefined);
}

function isField(name: string, { fields }: EventTypeWords): name is FieldName {
  return Object.hasOwn(fields, name);
}

function saidIn(parts: readonly FormPart[], values: Values, words: EventTypeWords): EventTypePatch {
  const form = new FormReader(values, words);
  const said: EventTypePatch = Object.assign({}, ...parts.map((part) => part.said(form)));
  form.finish();
  return said;
}
