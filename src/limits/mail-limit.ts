import { Problem } from '../core/problem.ts';
import type { Em } from '../database/sql.ts';
import type { Admission } from '../mail/mailer.ts';
import { admitCounted, type Count, counterKey, type Refusal } from './counters.ts';
import { foldedAddress } from './folded-address.ts';
import { networkOf } from './network.ts';

/**
 * Mails an hour. What strangers cause is limited by who receives it, from which network it comes, whose event type it is
 * about, and which booking; what a verified account causes, by the account, and by whom it writes to; codes that it asks for, by the
 * account, and as a stranger's by who receives them; invitations also by the group and whom it invites; what an account tells
 * its own user, by who receives it; what a team has sent by its workflows, by the team, by the account that causes it, and by whom it writes to.
 */
export const MAIL_LIMITS = {
  receiver: 5,
  network: 20,
  owner: 200,
  booking: 30,
  account: 500,
  accountReceiver: 50,
  accountsReceiver: 60,
  groupReceiver: 5,
  accountCodes: 20,
  ownAccount: 20,
  workflows: 500,
  workflowReceiver: 60,
} as const;
export type MailLimitName = keyof typeof MAIL_LIMITS;
export type MailLimits = Readonly<Record<MailLimitName, number>>;

/**
 * Who causes a mail. A stranger is anybody but a signed-in account with a verified address, and is known by the
 * network alone: accounts that are not verified cost nothing, so each would be a way around the limit.
 */
export type MailCause =
  | { readonly kind: 'STRANGER'; readonly from: string }
  | { readonly kind: 'ACCOUNT'; readonly userId: string }
  /** An account with a verified address sends a code to one that may be anybody's: to its receiver that is as a stranger's. */
  | { readonly kind: 'CODE'; readonly userId: string }
  | { readonly kind: 'OWN_ACCOUNT'; readonly news: AccountNews }
  | WorkflowCause;

/** A workflow of a team. It takes nothing of what is left to other mails, and is held back like those of strangers where it may be strangers who direct it. */
interface WorkflowCause {
  readonly kind: 'WORKFLOW';
  readonly teamId: string;
  /** Whether the receiver has shown that the address is theirs. */
  readonly isKnown: boolean;
  /** The verified account that has started it, if one has. */
  readonly userId: string | null;
  /** The network of the stranger who has started it; null: nobody has, or an account. */
  readonly from: string | null;
}

/**
 * What an account tells its user of itself, at an address that is verified. Each has a count of its own: strangers cannot
 * keep it from the user, and an intruder cannot hide a change behind many others.
 */
export type AccountNews =
  | 'APP_ADDED'
  | 'APP_CUT_OFF'
  | 'EMAIL_TO_CHANGE'
  | 'EMAIL_CHANGED'
  | 'PASSWORD_CHANGED'
  | 'CONFERENCING_APP_BROKEN'
  | 'WEBHOOK_DISABLED'
  | 'CALENDAR_ACCOUNT_FAILING'
  | 'CALENDAR_UNREADABLE'
  | 'CALENDAR_UNWRITTEN'
  | 'CALENDARS_GONE';

/** A mail that is to be sent, and all that it counts for. */
export interface CountedMail {
  /** The e-mail address. */
  readonly to: string;
  readonly cause: MailCause;
  /**
   * `NEWS` leaves the last two mails of an hour to what a receiver needs to get in: a code, a link for a new password.
   * `EXPECTED` are news to somebody whose task they are, at a verified address, as to a host of bookings: there each network
   * has its own count, so that no stranger can keep them from hearing of others.
   */
  readonly purpose: 'ACCESS' | 'NEWS' | 'EXPECTED';
  /** Whose event type it is about. */
  readonly ownerId?: string;
  readonly bookingId?: string;
  /** The team or the organization that invites. */
  readonly groupId?: string;
}

/** As whose and as what a mail counts. */
export type CountedAs = Pick<CountedMail, 'cause' | 'purpose'>;

type MailRefusal = Refusal<MailLimitName>;

export interface MailLimitLog {
  warn(detail: object, message: string): void;
}

/** Of the mails to a receiver, those that news leave to codes and links. */
const KEPT_FOR_ACCESS = 2;

/** A stranger by the network address that they call from. */
export function strangerAt(address: string): MailCause {
  return { kind: 'STRANGER', from: networkOf(address) };
}

const ADMITTED = {} as Admission;

/** News of what was done to an account, for its user. The address must be verified: another may be anybody's. */
export function ownAccount(news: AccountNews): CountedAs {
  return { cause: { kind: 'OWN_ACCOUNT', news }, purpose: 'EXPECTED' };
}

/** Counts mails in the database, for all processes. Without `limits`, everything may be sent. */
export class MailLimit {
  readonly #limits: MailLimits | undefined;
  readonly #log: MailLimitLog;

  constructor(limits: MailLimits | undefined, log: MailLimitLog) {
    this.#limits = limits;
    this.#log = log;
  }

  /** Counts mails before they are sent (`admitCounted`). */
  async admit(em: Em, mails: readonly CountedMail[]): Promise<readonly (Admission | MailRefusal)[]> {
    const limits = this.#limits;
    if (!limits || mails.length === 0) return mails.map(() => ADMITTED);
    const refusals = await admitCounted(
      em,
      mails.map((mail) => countsOf(mail, limits)),
      ({ limit }, place) => this.#report(limit, mails[place]),
    );
    return refusals.map((refusal) => refusal ?? ADMITTED);
  }

  /** Undefined for a mail that is too many. */
  async admitOne(em: Em, mail: CountedMail): Promise<Admission | undefined> {
    const [decision] = await this.admit(em, [mail]);
    return decision?.limit === undefined ? decision : undefined;
  }

  /** For a mail that was requested as such. @throws TooManyMails */
  async require(em: Em, mail: CountedMail): Promise<Admission> {
    const [decision = ADMITTED] = await this.admit(em, [mail]);
    if (decision.limit === undefined) return decision;
    throw new TooManyMails(decision.secondsToWait);
  }

  #report(limit: MailLimitName, mail: CountedMail | undefined): void {
    if (!mail) return;
    const { to, cause, ownerId, bookingId } = mail;
    this.#log.warn({ limit, to, cause, ownerId, bookingId }, 'Mails are held back by MAIL_LIMITS.');
  }
}

/** Too many mails; `secondsToWait` belongs into `Retry-After`. It says nothing about whether anybody is there. */
export class TooManyMails extends Problem {
  readonly secondsToWait: number;

  constructor(secondsToWait: number) {
    const minutes = Math.ceil(secondsToWait / 60);
    super(
      'TOO_MANY_MAILS',
      `Too many mails were requested; wait ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} and try again.`,
    );
    this.secondsToWait = secondsToWait;
  }
}

function countsOf(
  { to, cause, purpose, ownerId, bookingId, groupId }: CountedMail,
  limits: MailLimits,
): readonly Count<MailLimitName>[] {
  const receiver = foldedAddress(to);
  const count = (limit: MailLimitName, ...subject: readonly string[]): Count<MailLimitName> => ({
    limit,
    key: counterKey('mail', limit, ...subject),
    most: limits[limit],
  });
  if (cause.kind === 'OWN_ACCOUNT') return [count('ownAccount', receiver, cause.news)];
  if (cause.kind === 'ACCOUNT') {
    return [
      count('account', cause.userId),
      count('accountReceiver', cause.userId, receiver),
      ...(groupId === undefined ? [] : [count('groupReceiver', groupId, receiver)]),
      // Many accounts must not write more to somebody than one may. Those who have to do something about it are mailed
      // all the same.
      ...(purpose === 'EXPECTED' ? [] : [count('accountsReceiver', receiver)]),
    ];
  }
  if (cause.kind === 'WORKFLOW') return countsOfWorkflow(cause, purpose, receiver, count);
  if (cause.kind === 'CODE') {
    return [
      count('accountCodes', cause.userId),
      count('receiver', receiver),
      // A count of their own: whatever strangers cause takes no code from anybody.
      ...(ownerId === undefined ? [] : [count('owner', 'codes', ownerId)]),
    ];
  }
  const { from } = cause;
  const forNews = Math.max(1, limits.receiver - KEPT_FOR_ACCESS);
  return [
    count('network', from),
    count('receiver', receiver, from),
    ...(purpose === 'EXPECTED' ? [] : [count('receiver', receiver)]),
    ...(purpose === 'NEWS' ? [{ ...count('receiver', receiver, 'news'), most: forNews }] : []),
    ...(bookingId === undefined ? [] : [count('booking', bookingId)]),
    ...(ownerId === undefined ? [] : [count('owner', ownerId)]),
  ];
}

function countsOfWorkflow(
  { teamId, isKnown, userId, from }: WorkflowCause,
  purpose: CountedMail['purpose'],
  receiver: string,
  count: (limit: MailLimitName, ...subject: readonly string[]) => Count<MailLimitName>,
): readonly Count<MailLimitName>[] {
  const workflow = 'workflow';
  const toNamed = [
    count('accountsReceiver', workflow, receiver),
    ...(userId === null
      ? []
      : [count('account', workflow, userId), count('accountReceiver', workflow, userId, receiver)]),
  ];
  const ofAll = [
    count('workflows', teamId),
    // Teams cost nothing: by many of them, nobody must be written to more than by accounts, nor an account write more.
    ...(purpose === 'EXPECTED' ? [] : toNamed),
  ];
  if (isKnown) {
    return [
      ...ofAll,
      count('workflowReceiver', teamId, receiver),
      // No stranger uses up what a team has for its own people.
      ...(from === null ? [] : [count('network', workflow, teamId, from)]),
    ];
  }
  return [
    ...ofAll,
    count('receiver', workflow, receiver),
    count('owner', workflow, teamId),
    ...(from === null ? [] : [count('network', workflow, from)]),
  ];
}
