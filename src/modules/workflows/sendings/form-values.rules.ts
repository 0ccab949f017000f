import { oneLine } from '../../../core/text.ts';
import { ours, saidBy } from '../../bookings/mails/said.rules.ts';
import type { Answers } from '../../routing-forms/condition.rules.ts';
import type { FormField } from '../../routing-forms/form-field.rules.ts';
import type { Answered } from '../../routing-forms/routing-form.rules.ts';
import { answerName, type FormValues, NOTHING, type Values } from '../workflow-variables.rules.ts';

/**
 * The reader of answers: the team; the submitter, if that is an account with this verified address; or anybody, whose
 * address or number somebody may just have typed.
 */
export type Reader = 'TEAM' | 'SUBMITTER' | 'ANYBODY';

/**
 * The values of a form's variables, as they may be written. `isVerified`: whether the e-mail address of the person who answered
 * is verified.
 */
export function formValues(
  { fields, answers }: Answered,
  { reader, isVerified }: { readonly reader: Reader; readonly isVerified: boolean },
  others: Omit<FormValues, 'answers'>,
): Values {
  const said = fields.map((field) => ({ field, text: sayable(field, answers, reader, isVerified) }));
  const lines = said.flatMap(({ field, text }) => (text === undefined ? [] : `${oneLine(field.label)}: ${text}`));
  const byAnswer = said.map(({ field, text }) => [answerName(field.slug), text ?? NOTHING] as const);
  const values: FormValues = { ...others, answers: lines.join('\n') || NOTHING };
  return { about: 'FORM', byName: { ...values, ...Object.fromEntries(byAnswer) } };
}

/** The answer to the first answered question of a type; empty where there is none. */
export function answersOf({ fields, answers }: Answered, type: FormField['type']): readonly string[] {
  const given = fields.flatMap((field) => (field.type === type ? (textOf(answers, field) ?? []) : []));
  return given.slice(0, 1);
}

/**
 * An answer in one line; undefined where there is none, or it is not for this reader. What the team has offered to choose from is its
 * own words. Anything else, strangers could have us write to anybody; the team itself hears it, but no link in it.
 */
function sayable(field: FormField, answers: Answers, reader: Reader, isVerified: boolean): string | undefined {
  const text = textOf(answers, field);
  if (text === undefined || field.options.length > 0 || reader === 'SUBMITTER') return text;
  if (reader === 'ANYBODY') return undefined;
  const isWords = field.type === 'TEXT' || field.type === 'TEXTAREA';
  const none = { isOwner: true, userIds: new Set<string>() };
  return isWords
    ? saidBy({ kind: 'ATTENDEE', verified: isVerified }, text, { listener: 'VERIFIED_HOST', locale: 'en' }, none)
    : ours(text);
}

function textOf(answers: Answers, { slug }: FormField): string | undefined {
  const answer = Object.hasOwn(answers, slug) ? answers[slug] : undefined;
  const texts: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
  const said = texts.filter((text) => typeof text === 'string' || typeof text === 'number').join(', ');
  return said === '' ? undefined : oneLine(said);
}
