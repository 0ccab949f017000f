/** The variables in the texts of workflows: which there are, where an unknown one stands, and what a text says with their values. */
import type { Mistake } from '../../core/problem.ts';
import { nameOf, type Path, shown } from '../../core/text.ts';

/** Each variable, with what stands in its place. Times are in the zone and the language of the receiver. */
export const VARIABLES = {
  attendee_name: 'who has booked; to an attendee, their own name',
  host_name: 'the hosts',
  team_name: 'the team',
  event_name: 'the title of the booking',
  event_date: 'the day on which it begins, such as `Monday, 7 December 2026`',
  event_time: 'when it begins, such as `10:00`',
  event_end_time: 'when it ends',
  time_zone: 'the time zone of the times, such as `Europe/Berlin`',
  location: 'where it takes place',
  booking_link: 'the page of the booking, for hosts and for who has booked',
  cancel_link: 'the page on which the booking is cancelled, likewise',
  reschedule_link: 'the page on which the booking is moved, likewise',
} as const;
export type VariableName = keyof typeof VARIABLES;
export type VariableValues = Readonly<Record<VariableName, string>>;

/** For descriptions. */
export const VARIABLES_IN_WORDS = Object.entries(VARIABLES)
  .map(([name, what]) => `\`{${name}}\`: ${what}`)
  .join('; ');

// A brace by itself is a character like any other.
const VARIABLE = /\{(\w+)\}/g;

/** Each variable that is none of ours, with its place in the text. */
export function variableMistakes(path: Path, text: string): Mistake[] {
  return [...text.matchAll(VARIABLE)].flatMap(({ 0: found, 1: name = '', index }) => {
    if (isVariable(name)) return [];
    const before = text.slice(0, index).split('\n');
    const place = `line ${before.length}, character ${(before.at(-1)?.length ?? 0) + 1}`;
    const message = `The ${nameOf(path)} has the variable ${shown(found)} in ${place}, which there is not; the variables are ${Object.keys(VARIABLES).join(', ')}.`;
    return [{ code: 'UNKNOWN_VARIABLE', message, path }];
  });
}

/** The text with the values in it. They are texts and nothing else: braces in one stay what they are. */
export function filled(text: string, values: VariableValues): string {
  return text.replaceAll(VARIABLE, (found, name: string) => (isVariable(name) ? values[name] : found));
}

function isVariable(name: string): name is VariableName {
  return Object.hasOwn(VARIABLES, name);
}

/** In the place of what there is none of, or not for this receiver. */
export const NOTHING = '–';

/** No value writes further lines, be it into a subject or between those of the team. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}
