import type { OwnedId } from '../../../core/id.ts';
import { oneLine } from '../../../core/text.ts';
import { selectColumns, selectColumnsAs } from '../../../database/columns.ts';
import { changed, type Em, row, sql } from '../../../database/sql.ts';
import { selectFrom, updateTable } from '../../../database/statements.ts';
import type { RecordedEvent } from '../../../events/record-event.ts';
import { findMailedUsers, isVerifiedOwner } from '../../bookings/mails/booking-mail.queries.ts';
import { ours, saidBy } from '../../bookings/mails/mailed-texts.rules.ts';
import { bookingUrl } from '../../event-types/booking-url.rules.ts';
import { EventType } from '../../event-types/event-type.entity.ts';
import { findBookingPlaces } from '../../event-types/public/public-event-type.queries.ts';
import type { Answers } from '../../routing-forms/condition.rules.ts';
import type { FormField } from '../../routing-forms/form-field.rules.ts';
import { RoutingForm, RoutingFormResponse } from '../../routing-forms/routing-form.entity.ts';
import type { Answered, Target } from '../../routing-forms/routing-form.rules.ts';
import { findBrand, lookOf } from '../../teams/team.queries.ts';
import type { ReceiverKind } from '../../verified-resources/verified-resource.rules.ts';
import type { SendingTeam } from '../verified-receivers.queries.ts';
import type { WorkflowAction, WorkflowStep } from '../workflow.rules.ts';
import { answerName, type FormValues, NOTHING, type Values } from '../workflow-variables.rules.ts';
import { type Addressee, type Matter, oneForEachMailbox } from './matter.ts';

export type FormSubmitted = Extract<RecordedEvent, { readonly type: 'ROUTING_FORM_SUBMITTED' }>;

interface Receivers {
  readonly kind: ReceiverKind;
  readonly to: readonly string[];
  /** Whether they are the team's own, as it has verified. */
  readonly isTeams: boolean;
}

const typed = (kind: ReceiverKind, to: readonly string[]): Receivers => ({ kind, to, isTeams: false });
const named = (kind: ReceiverKind, { sendTo }: WorkflowStep, { verified }: SendingTeam): Receivers => ({
  kind,
  to: sendTo !== null && verified.has(sendTo) ? [sendTo] : [],
  isTeams: true,
});

/**
 * The reader of answers: the team; the submitter, if that is an account with this verified address; or anybody, whose
 * address or number somebody may just have typed.
 */
type Reader = 'TEAM' | 'SUBMITTER' | 'ANYBODY';

const RECEIVERS: Readonly<
  Record<WorkflowAction, (answered: Answered, step: WorkflowStep, team: SendingTeam) => Receivers>
> = {
  // A form has no hosts.
  EMAIL_HOST: () => typed('EMAIL', []),
  EMAIL_ATTENDEE: (answered) => typed('EMAIL', answersOf(answered, 'EMAIL')),
  EMAIL_ADDRESS: (_answered, step, team) => named('EMAIL', step, team),
  SMS_ATTENDEE: (answered) => typed('PHONE', answersOf(answered, 'PHONE')),
  SMS_NUMBER: (_answered, step, team) => named('PHONE', step, team),
};

/** The answers to a form of a team, as far as messages may tell of them; undefined once the response is gone. */
export async function formMatter(
  em: Em,
  { ownerId: teamId, responseId, by }: FormSubmitted,
): Promise<Matter | undefined> {
  const found = await findResponse(em, { ownerId: teamId, id: responseId });
  if (!found) return undefined;
  const isAnsweredFor = await isVerifiedOwner(em, teamId);
  const look = lookOf(await findBrand(em, teamId));
  const [user] = by.userId === null ? [] : await findMailedUsers(em, [by.userId]);
  const submitter = user?.isVerified && !user.isSuspended ? user.email.toLowerCase() : null;
  const next = await nextOf(em, found.target);
  const addressee = (kind: ReceiverKind, to: string, isTeams: boolean): Addressee => {
    const isSubmitter = kind === 'EMAIL' && to.toLowerCase() === submitter;
    const reader: Reader = isTeams ? 'TEAM' : isSubmitter ? 'SUBMITTER' : 'ANYBODY';
    return {
      by: kind,
      to,
      name: null,
      isKnown: reader !== 'ANYBODY',
      isExpected: isTeams,
      userId: submitter === null ? null : by.userId,
      network: submitter === null ? by.network : null,
      look,
      valuesFor: (teamName, { publicUrl }) =>
        formValues(
          found,
          { reader, isVerified: submitter !== null },
          { team_name: oneLine(teamName), form_name: oneLine(found.formName), next_link: next(publicUrl) },
        ),
      calendarsFor: () => ({}),
    };
  };
  return {
    id: responseId,
    ownerId: teamId,
    addresseesOf: (step, team) => {
      if (!isAnsweredFor) return [];
      const { kind, to, isTeams } = RECEIVERS[step.action](found, step, team);
      return oneForEachMailbox(to.map((one) => addressee(kind, one, isTeams)));
    },
    noteUnsent: (inner, count) => noteUnsent(inner, { ownerId: teamId, id: responseId }, count),
  };
}

/** The answer to the first answered question of a type; empty where there is none. */
function answersOf({ fields, answers }: Answered, type: FormField['type']): readonly string[] {
  const given = fields.flatMap((field) => (field.type === type ? (textOf(answers, field) ?? []) : []));
  return given.slice(0, 1);
}

function textOf(answers: Answers, { slug }: FormField): string | undefined {
  const answer = Object.hasOwn(answers, slug) ? answers[slug] : undefined;
  const texts: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
  const said = texts.filter((text) => typeof text === 'string' || typeof text === 'number').join(', ');
  return said === '' ? undefined : oneLine(said);
}

interface Found extends Answered {
  readonly target: Target;
  readonly formName: string;
}

function findResponse(em: Em, { ownerId, id }: OwnedId): Promise<Found | undefined> {
  return row(
    em,
    sql<Found>`
      select ${selectColumns(RoutingFormResponse, ['fields', 'answers', 'target'], 'r')},
        ${selectColumnsAs(RoutingForm, { formName: 'name' }, 'f')}
      from routing_form_responses r join routing_forms f on f.owner_id = r.owner_id and f.id = r.form_id
      where r.owner_id = ${ownerId} and r.id = ${id}`,
  );
}

/** The address to which the answers have led, by the service's own. */
async function nextOf(em: Em, target: Target): Promise<(publicUrl: string) => string> {
  if (target.type === 'URL') return () => target.url;
  if (target.type === 'MESSAGE') return () => NOTHING;
  const { ownerId, id } = target;
  const place = (await findBookingPlaces(em, [ownerId])).get(ownerId);
  const eventType = await row(em, selectFrom(EventType, { ownerId, id }).select('slug'));
  return (publicUrl) => (eventType && place !== undefined ? bookingUrl(publicUrl, place, eventType.slug) : NOTHING);
}

/**
 * The values of a form's variables, as they may be written. `isVerified`: whether the e-mail address of the person who answered
 * is verified.
 */
function formValues(
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

/** Adds to the number of messages about the response that are not sent, which the team sees. */
async function noteUnsent(em: Em, key: OwnedId, count: number): Promise<void> {
  if (count === 0) return;
  const response = updateTable(RoutingFormResponse, key);
  await changed(
    em,
    response.set((eb) => ({ unsentMails: eb('unsentMails', '+', count) })),
  );
}
