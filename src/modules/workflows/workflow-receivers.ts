import { type Em, row, sql } from '../../database/sql.ts';
import type { CountedMail } from '../../limits/mail-limit.ts';
import { statusAfterEvent } from '../bookings/booking-transitions.rules.ts';
import {
  attendeeReceivers,
  hostReceivers,
  type Occasion,
  type Receiver,
} from '../bookings/mails/booking-mail-receivers.ts';
import { inherited } from '../teams/inherited-profile.queries.ts';
import { findVerified } from '../verified-resources/verified-resource.queries.ts';
import { addressesOf, type WorkflowStep } from './workflow.rules.ts';

/** What is to be known of a team to send to its own addresses. */
export interface SendingTeam {
  /** IANA name. */
  readonly timeZone: string;
  readonly verified: ReadonlySet<string>;
}

/**
 * Whom a step of a workflow is for, each mailbox once. Nobody, in the name of a team of whose administrators none has a verified
 * address; and no host whose own is not.
 */
export function receiversOfStep(
  step: Pick<WorkflowStep, 'action' | 'sendTo'>,
  occasion: Occasion,
  team: SendingTeam,
): readonly Receiver[] {
  if (!occasion.verified.isOwner) return [];
  const all =
    step.action === 'EMAIL_ADDRESS' ? addressReceivers(step.sendTo, occasion, team) : RECEIVERS[step.action](occasion);
  return [...new Map(all.map((receiver) => [mailboxOf(receiver), receiver])).values()];
}

const RECEIVERS: Readonly<
  Record<Exclude<WorkflowStep['action'], 'EMAIL_ADDRESS'>, (occasion: Occasion) => readonly Receiver[]>
> = {
  EMAIL_HOST: (occasion) => hostReceivers(occasion).filter(({ listener }) => listener === 'VERIFIED_HOST'),
  EMAIL_ATTENDEE: attendeeReceivers,
};

/** Somebody beside the booking, whose address the team has verified: as such they are told what guests are, and no link. */
function addressReceivers(
  address: string | null,
  { event, booking }: Occasion,
  { timeZone, verified }: SendingTeam,
): readonly Receiver[] {
  if (address === null || !verified.has(address)) return [];
  return [
    {
      reader: { role: 'GUEST', name: null, timeZone, locale: 'en', timeFormat: null },
      listener: 'ANYBODY',
      email: address,
      news: { kind: 'BOOKED' },
      uid: null,
      status: statusAfterEvent(event.type, booking.status),
    },
  ];
}

/** The team whose steps these are, with those of their addresses that are verified by now. */
export async function findSendingTeam(em: Em, teamId: string, steps: readonly WorkflowStep[]): Promise<SendingTeam> {
  const addresses = addressesOf(steps);
  if (addresses.length === 0) return { timeZone: 'UTC', verified: new Set() };
  const found = await row(
    em,
    sql<Pick<SendingTeam, 'timeZone'>>`select ${inherited('timeZone')} as "timeZone"
      from teams t left join organizations o on o.id = t.organization_id where t.id = ${teamId}`,
  );
  return { timeZone: found?.timeZone ?? 'UTC', verified: await findVerified(em, 'EMAIL', teamId, addresses) };
}

export function mailboxOf({ email }: Receiver): string {
  return email.toLowerCase();
}

/** As what a message counts: an address that somebody has typed and that nobody has verified could be anybody's. */
export function countedFor(teamId: string, { email, reader }: Receiver, { event, verified }: Occasion): CountedMail {
  const { userId, network } = event.by;
  const isKnown = reader.role !== 'ATTENDEE' || reader.name !== null;
  const from = userId !== null && verified.userIds.has(userId) ? null : network;
  return { to: email, purpose: 'NEWS', cause: { kind: 'WORKFLOW', teamId, isKnown, from } };
}
