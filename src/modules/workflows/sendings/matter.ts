/**
 * sendings/ writes down the messages that an event leads to, each once, and sends them. It decides on the receivers and
 * the words, and whether a message still makes sense. It may import the folder around it.
 */
import type { Em } from '../../../database/sql.ts';
import type { Mail } from '../../../mail/mailer.ts';
import type { MailedPages } from '../../bookings/mails/booking-mail-meeting.ts';
import type { MailLook } from '../../teams/team.queries.ts';
import type { ReceiverKind } from '../../verified-resources/verified-resource.rules.ts';
import type { SendingTeam } from '../verified-receivers.queries.ts';
import type { WorkflowStep } from '../workflow.rules.ts';
import type { Values } from '../workflow-variables.rules.ts';

/** The matter of messages: the people whom a step is for, and what may be said to them. */
export interface Matter {
  /** The id that messages about it have in common. */
  readonly id: string;
  /** The owner: a team, or a person who was booked by what a team manages. */
  readonly ownerId: string;
  /** Each receiver once; nobody, in the name of a team that nobody answers for. */
  readonly addresseesOf: (step: WorkflowStep, team: SendingTeam) => readonly Addressee[];
  /** Adds to the number of messages about it that are not sent. */
  readonly noteUnsent: (em: Em, count: number) => Promise<void>;
}

/** A person that a step is for. */
export interface Addressee {
  readonly by: ReceiverKind;
  /** An e-mail address, or a number in E.164. */
  readonly to: string;
  /** How a mail addresses them; null for nobody in particular. */
  readonly name: string | null;
  /** Whether they have shown that the address or the number is theirs. */
  readonly isKnown: boolean;
  /** Whether it is their task, as a host's or the team's own; others were named by somebody. */
  readonly isExpected: boolean;
  /** The verified account that has caused it, if one has. */
  readonly userId: string | null;
  /** The network of the stranger who has caused it; null: nobody has, or an account. */
  readonly network: string | null;
  /** How mails look. */
  readonly look: MailLook;
  readonly valuesFor: (teamName: string, pages: MailedPages) => Values;
  /** Attaches the entries for calendars, in the name of the organizer. */
  readonly calendarsFor: (organizer: string) => Pick<Mail, 'calendar' | 'attachedCalendars'>;
}

/** One spelling for each mailbox or phone, by which it is remembered who got a message. */
export function mailboxOf({ by, to }: Pick<Addressee, 'by' | 'to'>): string {
  return by === 'PHONE' ? `tel:${to}` : to.toLowerCase();
}

/** Each mailbox once, for the first receiver who has it. */
export function oneForEachMailbox(addressees: readonly Addressee[]): readonly Addressee[] {
  const seen = new Set<string>();
  return addressees.filter((one) => seen.size < seen.add(mailboxOf(one)).size);
}
