import type { Mistake } from '../../core/problem.ts';
import type { EventTypePatch } from '../../modules/event-types/event-type-patch.rules.ts';
import { slugOf } from '../kit/slug.ts';
import { BASICS, LINES } from './basics-part.ts';
import { type FoldedPart, type FormPart, FormReader, type ShownEventType, type Values } from './form-part.ts';
import { LOCATIONS } from './locations-part.ts';
import { QUESTIONS } from './questions-part.ts';
import { SEATS } from './seats-part.ts';
import { TIMES } from './times-part.ts';

/** The parts below the basics, in the order in which they stand in the form. */
export const FOLDED: readonly FoldedPart[] = [TIMES, LOCATIONS, QUESTIONS, SEATS];
const PARTS: readonly FormPart[] = [BASICS, ...FOLDED];

/** The form as a stored event type fills it. */
export function formOf(eventType: ShownEventType): Values {
  return Object.assign({}, ...PARTS.map(({ filled }) => filled(eventType)));
}

/** The form as it was typed. Browsers send a line break as two characters. */
export function typedIn(form: URLSearchParams): Values {
  return Object.fromEntries([...form].map(([name, value]) => [name, value.replaceAll('\r\n', '\n')]));
}

/**
 * What the form changes: of the parts that were sent, what they say else than the stored event type. So what the form does
 * not show stays as it is, and what only a team decides is not named where it was left alone.
 * @throws Problem for what cannot be read
 */
export function patchOf(typed: Values, eventType: ShownEventType): EventTypePatch {
  const sent = PARTS.filter(({ has }) => Object.keys(typed).some(has));
  const said = saidIn(sent, typed);
  const before = new Map(Object.entries(saidIn(sent, formOf(eventType))));
  const changed = Object.entries(said).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name)),
  );
  return Object.fromEntries(changed);
}

/** The ids of the parts in which something was typed: who has filled an empty row may want the next one. */
export function touchedParts(typed: Values, eventType: ShownEventType): readonly string[] {
  const before = formOf(eventType);
  const names = [...Object.keys(before), ...Object.keys(typed)].filter((name) => typed[name] !== before[name]);
  return FOLDED.filter(({ has }) => names.some(has)).map(({ id }) => id);
}

/** What a new event type needs. Its slug is made of the title where none was typed. @throws Problem for what is no number */
export function newOf(typed: Values) {
  const form = new FormReader(typed);
  const title = form.text('title');
  const lengthInMinutes = form.number('lengthInMinutes', LINES.lengthInMinutes.label);
  form.finish();
  return { title, slug: form.text('slug') || slugOf(title), lengthInMinutes };
}

/** Mistakes of the command at the fields of the form; about the whole where it has no such field. */
export function atFields(mistakes: readonly Mistake[], typed: Values): readonly Mistake[] {
  return mistakes.map(({ code, message, path: [first, ...rest] = [] }) => {
    if (first === undefined) return { code, message };
    const [inside] = PARTS.map(({ fieldOf }) => fieldOf?.([first, ...rest], typed)).filter(
      (name) => name !== undefined,
    );
    const name = inside ?? first;
    return PARTS.some(({ has }) => has(name)) ? { code, message, path: [name] } : { code, message };
  });
}

function saidIn(parts: readonly FormPart[], values: Values): EventTypePatch {
  const form = new FormReader(values);
  const said: EventTypePatch = Object.assign({}, ...parts.map((part) => part.said(form)));
  form.finish();
  return said;
}
