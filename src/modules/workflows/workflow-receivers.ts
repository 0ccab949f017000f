import type { CountedMail } from '../../limits/mail-limit.ts';
import {
  attendeeReceivers,
  hostReceivers,
  type Occasion,
  type Receiver,
} from '../bookings/mails/booking-mail-receivers.ts';
import type { WorkflowStep } from './workflow.rules.ts';

/**
 * Whom a step of a workflow is for, each mailbox once. Nobody, in the name of a team of whose administrators none has a verified
 * address; and no host whose own is not.
 */
export function receiversOfStep({ action }: Pick<WorkflowStep, 'action'>, occasion: Occasion): readonly Receiver[] {
  if (!occasion.verified.isOwner) return [];
  const all = RECEIVERS[action](occasion);
  return [...new Map(all.map((receiver) => [mailboxOf(receiver), receiver])).values()];
}

const RECEIVERS: Readonly<Record<WorkflowStep['action'], (occasion: Occasion) => readonly Receiver[]>> = {
  EMAIL_HOST: (occasion) => hostReceivers(occasion).filter(({ listener }) => listener === 'VERIFIED_HOST'),
  EMAIL_ATTENDEE: attendeeReceivers,
};

export function mailboxOf({ email }: Receiver): string {
  return email.toLowerCase();
}

/** As what a message counts: an address that somebody has typed and that nobody has verified could be anybody's. */
export function countedFor(teamId: string, { email, reader }: Receiver, { event, verified }: Occasion): CountedMail {
  const { userId, network } = event.by;
  const isKnown = reader.role === 'HOST' || reader.name !== null;
  const from = userId !== null && verified.userIds.has(userId) ? null : network;
  return { to: email, purpose: 'NEWS', cause: { kind: 'WORKFLOW', teamId, isKnown, from } };
}
