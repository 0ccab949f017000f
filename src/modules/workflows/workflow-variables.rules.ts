/** The variables in the texts of workflows: which there are, where an unknown one stands, and what a text says with their values. */
import type { Mistake } from '../../core/problem.ts';
import { nameOf, type Path, shown } from '../../core/text.ts';

/** The subject of a workflow. */
export type Subject = 'BOOKING' | 'FORM';

/** Each variable, with what stands in its place. Times are in the zone and the language of the receiver. */
const OF_BOOKINGS = {
  attendee_name: 'who has booked; to an attendee, their own name',
  host_name: 'the hosts',
  team_name: 'the team',
  event_name: 'the title of the booking',
  event_date:
    'the day on which it begins, such as `Monday, 7 December 2026`; of a series that is booked or cancelled at once, all days, of a long one the first and the last',
  event_time: 'when it begins, such as `10:00`',
  event_end_time: 'when it ends',
  time_zone: 'the time zone of the times, such as `Europe/Berlin`',
  location: 'where it takes place',
  booking_link: 'the page of the booking, for hosts and for who has booked',
  cancel_link: 'the page on which the booking is cancelled, likewise',
  reschedule_link: 'the page on which the booking is moved, likewise',
} as const;
const OF_FORMS = {
  form_name: 'the name of the form',
  team_name: 'the team',
  next_link: 'where the answers have led: the page on which the event type is booked, or the address',
  answers: 'all answers, each in a line with its question',
} as const;
const VARIABLES: Readonly<Record<Subject, Readonly<Record<string, string>>>> = { BOOKING: OF_BOOKINGS, FORM: OF_FORMS };

/** Values by the names of variables. A form has further ones, by `answerName`. */
export type BookingValues = Readonly<Record<keyof typeof OF_BOOKINGS, string>>;
export type FormValues = Readonly<Record<keyof typeof OF_FORMS, string>>;
export interface Values {
  readonly about: Subject;
  readonly byName: Readonly<Record<string, string>>;
}

const ANSWER = 'answer:';
const ANSWER_NAME = /^answer:[a-z0-9-]+$/;
/** The variable that stands for the answer to the question with this slug. */
export function answerName(slug: string): string {
  return `${ANSWER}${slug}`;
}

/** For descriptions. */
export const VARIABLES_IN_WORDS = `About bookings: ${inWords(OF_BOOKINGS)}. About forms (ROUTING_FORM_SUBMITTED): ${inWords(OF_FORMS)}; \`{${answerName('slug')}}\`: the answer to the question with that slug`;

function inWords(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, what]) => `\`{${name}}\`: ${what}`)
    .join('; ');
}

// A brace by itself is a character like any other, and so is a colon where nothing is asked.
const VARIABLE = { BOOKING: /\{(\w+)\}/g, FORM: /\{(\w+|answer:[a-z0-9-]+)\}/g } as const;

// A text in braces is meant as a variable, however it is spelled: it would be printed as it stands.
const IN_BRACES = /\{([^{}]*)\}/g;
const MEANT_AS_ONE = /^(?:\w+|answer\s*:[^\n]*)$/iu;

/** Each variable that is none of ours, or is not spelled as it should be, with its place in the text. */
export function variableMistakes(path: Path, text: string, about: Subject): Mistake[] {
  return [...text.matchAll(IN_BRACES)].flatMap(({ 0: found, 1: inside = '', index }) => {
    const name = inside.trim();
    if (!MEANT_AS_ONE.test(name)) return [];
    if (name !== inside ? !isVariable(name, about) && !name.includes(':') : isVariable(name, about)) return [];
    const before = text.slice(0, index).split('\n');
    const place = `line ${before.length}, character ${(before.at(-1)?.length ?? 0) + 1}`;
    const known = [...Object.keys(VARIABLES[about]), ...(about === 'FORM' ? [`${answerName('')}…`] : [])];
    const message = `The ${nameOf(path)} has the variable ${shown(found)} in ${place}, which there is not; the variables are ${known.join(', ')}.`;
    return [{ code: 'UNKNOWN_VARIABLE', message, path }];
  });
}

/** The slugs of the questions for whose answers a text of a form asks. */
export function slugsAsked(text: string): readonly string[] {
  const names = [...text.matchAll(VARIABLE.FORM)].map(([, name = '']) => name);
  return names.filter((name) => name.startsWith(ANSWER)).map((name) => name.slice(ANSWER.length));
}

/**
 * The text with the values in it, at most so many characters (UTF-16). Values are texts and nothing else: braces in one stay what
 * they are. What is longer, a value or the whole, ends with `…`.
 */
export function filled(text: string, { about, byName }: Values, most: number): string {
  let length = 0;
  const full = text.replaceAll(VARIABLE[about], (found, name: string, at: number) => {
    if (!isVariable(name, about)) return found;
    // The rest would be cut off.
    if (length > most) return '';
    const given = shortened((Object.hasOwn(byName, name) ? byName[name] : undefined) ?? NOTHING, MAX_VALUE);
    const value = isLink(name) && !BEGINS_WORD.test(text.slice(0, at)) ? ` ${given}` : given;
    length += value.length;
    return value;
  });
  return shortened(full, most);
}

/** A link lets its reader change the booking: as the end of another address, it would go to that one's server. */
function isLink(name: string): boolean {
  return name.endsWith('_link');
}

const BEGINS_WORD = /(?:^|[ \t\r\n])$/;

/** Characters of one value. */
const MAX_VALUE = 5_000;

/** No half of a pair (a surrogate) is left at the end. */
function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

function isVariable(name: string, about: Subject): boolean {
  return Object.hasOwn(VARIABLES[about], name) || (about === 'FORM' && ANSWER_NAME.test(name));
}

/** In the place of what there is none of, or not for this receiver. */
export const NOTHING = '–';
