import type { OwnedId } from '../../../core/id.ts';
import { oneLine } from '../../../core/text.ts';
import { selectColumns, selectColumnsAs } from '../../../database/columns.ts';
import { changed, type Em, row, sql } from '../../../database/sql.ts';
import { selectFrom, updateTable } from '../../../database/statements.ts';
import type { RecordedEvent } from '../../../events/record-event.ts';
import { findMailedUsers, isVerifiedOwner } from '../../bookings/mails/booking-mail.queries.ts';
import { findBookingPlaces } from '../../event-types/booking-url.queries.ts';
import { bookingUrl } from '../../event-types/booking-url.rules.ts';
import { EventType } from '../../event-types/event-type.entity.ts';
import { RoutingForm } from '../../routing-forms/routing-form.entity.ts';
import type { Answered, Target } from '../../routing-forms/routing-form.rules.ts';
import { RoutingFormResponse } from '../../routing-forms/routing-form-response.entity.ts';
import { findBrand, lookOf } from '../../teams/inherited-profile.queries.ts';
import type { ReceiverKind } from '../../verified-resources/verified-resource.rules.ts';
import type { WorkflowAction, WorkflowStep } from '../workflow.rules.ts';
import { NOTHING } from '../workflow-variables.rules.ts';
import { answersOf, formValues, type Reader } from './form-values.rules.ts';
import { type Addressee, type Matter, oneForEachMailbox } from './matter.ts';
import type { SendingTeam } from './sending-team.queries.ts';

export type FormSubmitted = Extract<RecordedEvent, { readonly type: 'ROUTING_FORM_SUBMITTED' }>;

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
      valuesFor: (teamName, publicUrl) =>
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

/** Adds to the number of messages about the response that are not sent, which the team sees. */
async function noteUnsent(em: Em, key: OwnedId, count: number): Promise<void> {
  if (count === 0) return;
  const response = updateTable(RoutingFormResponse, key);
  await changed(
    em,
    response.set((eb) => ({ unsentMails: eb('unsentMails', '+', count) })),
  );
}

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
  if (target.kind === 'URL') return () => target.url;
  if (target.kind === 'MESSAGE') return () => NOTHING;
  const { ownerId, id } = target;
  const place = (await findBookingPlaces(em, [ownerId])).get(ownerId);
  const eventType = await row(em, selectFrom(EventType, { ownerId, id }).select('slug'));
  return (publicUrl) => (eventType && place !== undefined ? bookingUrl(publicUrl, place, eventType.slug) : NOTHING);
}
