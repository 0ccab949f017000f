import { Problem } from '../core/problem.ts';
import type { Em } from '../database/sql.ts';
import type { Admission } from '../mail/mailer.ts';
import { admitCounted, type Count, counterKey, type Refusal } from './counters.ts';
import { findReceivers, foldedAddress, receiverKey } from './mail-receivers.ts';
import { networkOf } from './network.ts';
import {
  decideNews,
  decideSummary,
  hourCounter,
  type Lane,
  type LengthOf,
  type NewsMail,
  type NewsOutcome,
  newsOutlook,
} from './news-limit.ts';

/**
 * Mails an hour, unless said otherwise. News of bookings are never dropped in silence (news-limit.ts): `receiver`, `receiverDay`
 * in a day, and `accountsReceiver` to a mailbox, `host` in ten minutes to a host, `network`, `client` and `account` to new
 * receivers, and `line` that may wait. Codes and links that strangers ask for: `access` to a mailbox, `accessNetwork` from a
 * network, `owner` in the name of a user or a team. Codes that an account asks for: `accountCodes`; invitations: by `account`,
 * `groupReceiver` and `accountReceiver`; news that an account sends its own user: `ownAccount`; messages of a team's workflows:
 * `workflows`, `workflowReceiver`, `workflowNetwork`, by the account that causes them and by their receiver; and
 * `workflowLine` that may wait.
 */
export const MAIL_LIMITS = {
  receiver: 5,
  receiverDay: 20,
  accountsReceiver: 60,
  host: 10,
  network: 200,
  client: 2_000,
  account: 500,
  line: 2_000,
  access: 5,
  accessNetwork: 200,
  owner: 200,
  accountReceiver: 50,
  groupReceiver: 5,
  accountCodes: 20,
  ownAccount: 20,
  workflows: 500,
  workflowReceiver: 60,
  workflowNetwork: 20,
  workflowLine: 2_000,
} as const;
export type MailLimitName = keyof typeof MAIL_LIMITS;
export type MailLimits = Readonly<Record<MailLimitName, number>>;

/**
 * The cause of a mail. A stranger is anybody but a signed-in account with a verified address, and is known by the
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
 * The kinds of news that an account sends its user about itself, at an address that is verified. Each has a count of
 * its own: strangers cannot keep it from the user, and an intruder cannot hide a change behind many others.
 */
export const ACCOUNT_NEWS = [
  'APP_ADDED',
  'APP_CUT_OFF',
  'EMAIL_TO_CHANGE',
  'EMAIL_CHANGED',
  'PASSWORD_CHANGED',
  'CONFERENCING_APP_BROKEN',
  'WEBHOOK_DISABLED',
  'WEBHOOKS_PAUSED',
  'CALENDAR_ACCOUNT_FAILING',
  'CALENDAR_UNREADABLE',
  'CALENDAR_UNWRITTEN',
  'CALENDAR_SILENT',
  'ICS_FEED_SILENT',
  'CALENDARS_GONE',
] as const;
export type AccountNews = (typeof ACCOUNT_NEWS)[number];

/** A mail that is to be sent, and all that it counts for. */
export interface CountedMail {
  /** The e-mail address. */
  readonly to: string;
  readonly cause: MailCause;
  /**
   * `ACCESS` is what a receiver needs to get in: a code, a link for a new password. There is more room for it than for `NEWS`.
   * `EXPECTED` are news to somebody whose task they are, at a verified address, as to a host of bookings: there each network
   * has its own count, so that no stranger can keep them from hearing of others.
   */
  readonly purpose: 'ACCESS' | 'NEWS' | 'EXPECTED';
  /** The owner in whose name a code is mailed. */
  readonly ownerId?: string;
  /** The team or the organization that invites. */
  readonly groupId?: string;
}

/** The cause and the purpose that a mail counts for. */
export type CountedAs = Pick<CountedMail, 'cause' | 'purpose'>;

/** `silence`: who reads the mailbox has ended what strangers cause (mail-receivers.ts). */
type MailRefusal = Refusal<MailLimitName | 'silence'>;

export interface MailLimitLog {
  warn(detail: object, message: string): void;
}

/** How many more codes and links than other mails a mailbox can be sent in an hour, so that its owner gets in whatever strangers cause. */
const KEPT_FOR_ACCESS = 2;

/** A stranger by the network address that they call from. */
export function strangerAt(address: string): MailCause {
  return { kind: 'STRANGER', from: networkOf(address) };
}

const ADMITTED = {} as Admission;
const LOG_PAUSE_MS = 60_000;

/** News of what was done to an account, for its user. The address must be verified: another may be anybody's. */
export function ownAccount(news: AccountNews): CountedAs {
  return { cause: { kind: 'OWN_ACCOUNT', news }, purpose: 'EXPECTED' };
}

/** Counts mails in the database, for all processes. Without `limits`, everything may be sent. */
export class MailLimit {
  /** Undefined: everything may be sent. */
  readonly limits: MailLimits | undefined;
  readonly #log: MailLimitLog;
  /** Not reported yet. */
  readonly #unsent = new Map<string, { readonly messages: number; readonly quietUntil: number }>();

  constructor(limits: MailLimits | undefined, log: MailLimitLog) {
    this.limits = limits;
    this.#log = log;
  }

  /** Decides what becomes of news of bookings (`decideNews`), in a transaction. */
  async decide(
    em: Em,
    mails: readonly NewsMail[],
    lengthOf: LengthOf,
    turn?: { readonly isInLine: boolean },
  ): Promise<readonly NewsOutcome[]> {
    if (!this.limits) return mails.map(() => ({ kind: 'SENT' }));
    const outcomes = await decideNews(em, this.limits, mails, lengthOf, turn);
    const lost = outcomes.filter((outcome) => outcome.kind === 'NONE' && !outcome.isSilenced).length;
    if (lost > 0)
      this.#log.warn({ limit: 'line', mails: lost }, 'Mails are not sent: the line of who causes them is full.');
    return outcomes;
  }

  /** Decides about a summary of such news (`decideSummary`), in a transaction. */
  async decideSummary(em: Em, to: string, lane: Lane): Promise<NewsOutcome> {
    return this.limits ? decideSummary(em, this.limits, to, lane) : { kind: 'SENT' };
  }

  /** Foresees the outcome of a mail to somebody new that this sender would cause now (`newsOutlook`). */
  async outlook(em: Em, line: string, lengthOf: LengthOf): Promise<'SENT' | 'WAITING' | 'NONE'> {
    return this.limits ? newsOutlook(em, this.limits, line, lengthOf) : 'SENT';
  }

  /** The admission of a mail that was decided to be sent. */
  admissionOf(_outcome: { readonly kind: 'SENT' }): Admission {
    return ADMITTED;
  }

  /** Counts mails before they are sent (`admitCounted`). */
  async admit(em: Em, mails: readonly CountedMail[]): Promise<readonly (Admission | MailRefusal)[]> {
    const limits = this.limits;
    if (!limits || mails.length === 0) return mails.map(() => ADMITTED);
    const silenced = await findSilenced(em, mails);
    // A mail that is not sent anyway counts for nothing.
    const counts = mails.map((mail) => (silenced.has(mail) ? [] : countsOf(mail, limits)));
    const refusals = await admitCounted(em, counts, ({ limit }, place) => this.#report(limit, mails[place]));
    return mails.map((mail, place) => silenced.get(mail) ?? refusals[place] ?? ADMITTED);
  }

  /**
   * Messages end unsent, which the log says: of what, why and how many. Once a minute at most, with all since then, as whoever floods
   * receivers must not flood the log too.
   */
  reportUnsent(of: 'notices' | 'workflows', reason: string, count: number): void {
    if (count === 0) return;
    const key = `${of} ${reason}`;
    const { messages, quietUntil } = this.#unsent.get(key) ?? { messages: 0, quietUntil: 0 };
    const [all, now] = [messages + count, performance.now()];
    if (now < quietUntil) return void this.#unsent.set(key, { messages: all, quietUntil });
    this.#unsent.set(key, { messages: 0, quietUntil: now + LOG_PAUSE_MS });
    this.#log.warn({ of, messages: all }, `Messages are not sent. ${reason}`);
  }

  /** For a mail that was requested as such. @throws TooManyMails */
  async require(em: Em, mail: CountedMail): Promise<Admission> {
    const [decision = ADMITTED] = await this.admit(em, [mail]);
    if (decision.limit === undefined) return decision;
    throw decision.limit === 'silence'
      ? new MailsDeclined(decision.secondsToWait)
      : new TooManyMails(decision.secondsToWait);
  }

  #report(limit: MailLimitName, mail: CountedMail | undefined): void {
    if (!mail) return;
    const { cause, ownerId } = mail;
    this.#log.warn({ limit, cause, ownerId }, 'Mails are held back by MAIL_LIMITS.');
  }
}

/** Too many mails; `secondsToWait` belongs into `Retry-After`. It says nothing about whether anybody is there. */
export class TooManyMails extends Problem {
  readonly secondsToWait: number;

  constructor(secondsToWait: number, message = tooMany(secondsToWait)) {
    super('TOO_MANY_MAILS', message);
    this.secondsToWait = secondsToWait;
  }
}

function tooMany(secondsToWait: number): string {
  const minutes = Math.ceil(secondsToWait / 60);
  return `Too many mails were requested; wait ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} and try again.`;
}

/** For a mailbox whose reader has ended what strangers cause. */
class MailsDeclined extends TooManyMails {
  constructor(secondsToWait: number) {
    const days = Math.ceil(secondsToWait / 86_400);
    const end = `for ${days} more ${days === 1 ? 'day' : 'days'}`;
    super(
      secondsToWait,
      `Whoever reads this mailbox has stopped mails that strangers cause, ${end}; if it is yours, allow them again by the page that such a mail links to, or sign in.`,
    );
  }
}

/**
 * Finds the mails that strangers cause to mailboxes that want none of them: all kinds but those that are asked for to
 * get into an account.
 */
async function findSilenced(em: Em, mails: readonly CountedMail[]): Promise<ReadonlyMap<CountedMail, MailRefusal>> {
  const byStrangers = mails.filter(isByStranger);
  if (byStrangers.length === 0) return new Map();
  const known = await findReceivers(
    em,
    byStrangers.map(({ to }) => receiverKey(to)),
  );
  return new Map(
    byStrangers.flatMap((mail) => {
      const secondsToWait = known.get(receiverKey(mail.to))?.silentSeconds ?? 0;
      return secondsToWait > 0 ? [[mail, { limit: 'silence', secondsToWait }] as const] : [];
    }),
  );
}

function isByStranger({ cause, purpose, ownerId }: CountedMail): boolean {
  if (cause.kind === 'WORKFLOW') return !cause.isKnown && cause.userId === null;
  return cause.kind === 'STRANGER' && (purpose === 'NEWS' || (purpose === 'ACCESS' && ownerId !== undefined));
}

function countsOf(
  { to, cause, purpose, ownerId, groupId }: CountedMail,
  limits: MailLimits,
): readonly Count<MailLimitName>[] {
  const receiver = foldedAddress(to);
  const count = (limit: MailLimitName, ...subject: readonly string[]): Count<MailLimitName> => ({
    limit,
    key: counterKey('mail', limit, ...subject),
    most: limits[limit],
  });
  // Together with what is mailed about bookings (news-limit.ts).
  const ofHour = { limit: 'receiver', key: hourCounter(to), most: limits.receiver } as const;
  const toGetIn = [count('access', receiver), { ...ofHour, most: limits.receiver + KEPT_FOR_ACCESS }];
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
      ...toGetIn,
      // Codes have a count of their own, so that mails which strangers cause leave room for them.
      ...(ownerId === undefined ? [] : [count('owner', 'codes', ownerId)]),
    ];
  }
  const { from } = cause;
  return [
    count('accessNetwork', from),
    ...{ EXPECTED: [count('access', receiver, from)], NEWS: [ofHour], ACCESS: toGetIn }[purpose],
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
      ...(from === null ? [] : [count('workflowNetwork', teamId, from)]),
    ];
  }
  return [
    ...ofAll,
    count('receiver', workflow, receiver),
    count('owner', workflow, teamId),
    ...(from === null ? [] : [count('workflowNetwork', from)]),
  ];
}
