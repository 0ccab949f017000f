/**
 * Holds mails to people about their own things that are one too many: those that say the same become one, and when
 * there is room again a single mail tells of all of them. So nothing is dropped in silence, and nobody gets more mails.
 */
import { newId } from '../core/id.ts';
import { inLanguages } from '../core/language.ts';
import type { MailContent } from '../core/mail-content.ts';
import { sha256Hex } from '../core/secret.ts';
import type { RowOf } from '../database/columns.ts';
import { ago, changed, type Em, fromNow, row, rows, sql } from '../database/sql.ts';
import { deleteFrom, selectFrom, updateTable } from '../database/statements.ts';
import { sweepOf } from '../database/sweep.ts';
import { type Admission, addressOfMail, type Mail } from '../mail/mailer.ts';
import { HeldNotice, type HeldNoticeOutcome } from './held-notice.entity.ts';
import { HELD_NOTICE_DE } from './held-notice-words.de.rules.ts';
import { HELD_NOTICE_EN } from './held-notice-words.en.rules.ts';
import type { CountedAs, CountedMail, MailLimit } from './mail-limit.ts';
import { receiverKey } from './mail-receivers.ts';

export type IdentifiedMail = Mail & { readonly messageId: string };

export interface Notice {
  readonly mail: IdentifiedMail;
  readonly counted: CountedAs;
}

export interface AdmittedNotice {
  readonly mail: IdentifiedMail;
  readonly admission: Admission;
}

/** The most different notices of a topic that are kept for a mailbox; further ones are only counted. */
export const MOST_NOTICES = 20;
/** The most mails that wait to verify addresses at one mailbox: strangers cause them. */
export const MOST_WELCOMES = 5;
/** A notice that has waited for so long is told to nobody any more. */
const LONGEST_DAYS = 3;

/** Counts notices, each to another mailbox. @returns those to be sent now; the others are held, or known not to come */
export async function admitOrHold(
  em: Em,
  mailLimit: MailLimit,
  notices: readonly Notice[],
): Promise<readonly AdmittedNotice[]> {
  const wanted = notices.map(({ mail, counted }): Wanted => {
    const { subject, parts } = mail;
    const topic = sha256Hex(JSON.stringify(counted));
    const digest = sha256Hex(JSON.stringify([subject, parts]));
    return { receiver: receiverKey(addressOfMail(mail)), topic, digest, mail, counted, userId: null };
  });
  const admissions = await admitEach(em, mailLimit, wanted);
  return notices.flatMap(({ mail }, place) => {
    const admission = admissions[place];
    return admission ? [{ mail, admission }] : [];
  });
}

/**
 * Counts the mail that verifies the address of a new account, like `admitOrHold`. @returns undefined: it is held, or known not to
 * come, which the account's page says
 */
export async function admitOrHoldWelcome(
  em: Em,
  mailLimit: MailLimit,
  userId: string,
  { to, cause, purpose }: CountedMail,
): Promise<Admission | undefined> {
  // It is written when it is sent.
  const mail = { to } as Mail;
  const key = { receiver: receiverKey(to), topic: 'welcome', digest: sha256Hex(userId) };
  const [admission] = await admitEach(em, mailLimit, [{ ...key, mail, counted: { cause, purpose }, userId }]);
  return admission;
}

interface Topic {
  readonly receiver: string;
  readonly topic: string;
}

interface Wanted extends Topic {
  readonly digest: string;
  readonly mail: Mail;
  readonly counted: CountedAs;
  readonly userId: string | null;
}

interface Held extends Wanted {
  readonly outcome: HeldNoticeOutcome;
  /** Null: as the others of its topic. */
  readonly afterSeconds: number | null;
}

function admitEach(
  em: Em,
  mailLimit: MailLimit,
  wanted: readonly Wanted[],
): Promise<readonly (Admission | undefined)[]> {
  return em.transactional(async (inner) => {
    await lockTopics(inner, wanted);
    // Whoever comes now does not go before those who wait.
    const waiting = await findWaiting(inner, wanted);
    const tried = wanted.filter((one) => !waiting.has(keyOf(one)));
    const decisions = await mailLimit.admit(inner, tried.map(countedMail));
    const decided = new Map(tried.map((one, place) => [one, decisions[place]]));
    const held = wanted.flatMap((one): Held[] => {
      const decision = decided.get(one);
      if (!decision) return [{ ...one, outcome: 'SUMMARY', afterSeconds: null }];
      if (decision.limit === undefined) return [];
      const { limit, secondsToWait } = decision;
      return [
        limit === 'silence'
          ? { ...one, outcome: 'NONE', afterSeconds: null }
          : { ...one, outcome: 'SUMMARY', afterSeconds: secondsToWait },
      ];
    });
    await hold(inner, held);
    return wanted.map((one) => {
      const decision = decided.get(one);
      return decision?.limit === undefined ? decision : undefined;
    });
  });
}

function keyOf({ receiver, topic }: Topic): string {
  return `${receiver} ${topic}`;
}

function countedMail({ mail, counted }: Pick<Wanted, 'mail' | 'counted'>): CountedMail {
  return { to: addressOfMail(mail), ...counted };
}

/**
 * Locks topics: additions to a topic and mails about it come one after the other; in one order, so that no two lock
 * crosswise.
 */
async function lockTopics(em: Em, topics: readonly Topic[]): Promise<void> {
  const keys = [...new Set(topics.map(keyOf))].toSorted();
  await rows(
    em,
    sql`select pg_advisory_xact_lock(hashtextextended(key, 0)) from unnest(${keys}::text[]) with ordinality as of (key, place) order by place`,
  );
}

async function findWaiting(em: Em, topics: readonly Topic[]): Promise<ReadonlySet<string>> {
  const found = await rows(
    em,
    sql<Topic>`
      select distinct h.receiver, h.topic from held_notices h
      join unnest(${topics.map(({ receiver }) => receiver)}::text[], ${topics.map(({ topic }) => topic)}::text[])
        as of (receiver, topic) on h.receiver = of.receiver and h.topic = of.topic
      where h.due_at is not null`,
  );
  return new Set(found.map(keyOf));
}

async function hold(em: Em, held: readonly Held[]): Promise<void> {
  if (held.length === 0) return;
  const texts = (of: (one: Held) => string) => sql`${held.map(of)}::text[]`;
  await changed(
    em,
    sql`insert into held_notices as known
          (receiver, topic, digest, id, subject, mail, counted, user_id, times, outcome, due_at, created_at)
        select receiver, topic, case when has_room or user_id is not null then digest else '' end, id, subject,
          case when has_room and outcome = 'SUMMARY' then mail::jsonb end, counted::jsonb, user_id, 1,
          case when user_id is not null and not has_room then 'NONE' else outcome end,
          case when outcome = 'SUMMARY' and (user_id is null or has_room) then coalesce(others_due_at, now() + make_interval(secs => seconds)) end,
          now()
        from (
          select new.*, of.due_at as others_due_at,
            of.is_there or of.count < case when new.user_id is null then ${MOST_NOTICES}::int else ${MOST_WELCOMES}::int end as has_room
          from unnest(${texts(({ receiver }) => receiver)}, ${texts(({ topic }) => topic)}, ${texts(({ digest }) => digest)},
            ${held.map(() => newId())}::uuid[], ${texts(({ mail }) => mail.subject ?? '')}, ${texts(({ mail }) => JSON.stringify(mail))},
            ${texts(({ counted }) => JSON.stringify(counted))}, ${held.map(({ userId }) => userId)}::uuid[],
            ${texts(({ outcome }) => outcome)}, ${held.map(({ afterSeconds }) => afterSeconds)}::int[])
            as new (receiver, topic, digest, id, subject, mail, counted, user_id, outcome, seconds),
          lateral (
            select count(*)::int as count, coalesce(bool_or(h.digest = new.digest), false) as is_there, min(h.due_at) as due_at
            from held_notices h where h.receiver = new.receiver and h.topic = new.topic and h.due_at is not null
          ) as of
        ) as new
        on conflict (receiver, topic, digest) do update set
          times = case when known.due_at is null then 0 else known.times end + 1,
          created_at = case when known.due_at is null then excluded.created_at else known.created_at end,
          id = case when known.due_at is null then excluded.id else known.id end,
          mail = excluded.mail, counted = excluded.counted, user_id = excluded.user_id, outcome = excluded.outcome, due_at = excluded.due_at`,
  );
}

/** Notices whose time has come: those of a mailbox and a topic. */
export interface DueNotices extends Topic {
  readonly kind: 'NOTICES';
}

/** SQL */
export const HAS_DUE_NOTICES = sql<boolean>`exists (select from held_notices where due_at <= now())`;

/** Takes up what is due, for whoever calls: should that process die before it is done, it is due again in ten minutes. */
export async function takeDueNotices(em: Em, most: number): Promise<readonly DueNotices[]> {
  const taken = await rows(
    em,
    sql<Topic>`
      with due as (
        select receiver, topic, digest from held_notices where due_at <= now() order by due_at limit ${most}::int
        for update skip locked
      )
      update held_notices h set due_at = now() + interval '10 minutes' from due
      where h.receiver = due.receiver and h.topic = due.topic and h.digest = due.digest returning h.receiver, h.topic`,
  );
  const topics = new Map(taken.map((one) => [keyOf(one), one]));
  return [...topics.values()].map(({ receiver, topic }) => ({ kind: 'NOTICES', receiver, topic }));
}

export interface HeldNoticeSettings {
  readonly mailLimit: MailLimit;
  /** Sees to it that it is sent, in the transaction that takes it out of what waits. */
  readonly handOver: (em: Em, notice: AdmittedNotice) => Promise<void>;
  /** Sends the mail that verifies a user's address, with a link made for it, unless it is verified by now. */
  readonly sendVerification: (em: Em, userId: string, admission: Admission) => Promise<void>;
}

const HELD = ['digest', 'id', 'subject', 'mail', 'counted', 'userId', 'times'] as const;

type HeldRow = Pick<RowOf<typeof HeldNotice>, (typeof HELD)[number]>;

/** Tells of what is held, if there is room for it. */
export async function sendDueNotices(em: Em, due: DueNotices, settings: HeldNoticeSettings): Promise<void> {
  const verified = await em.transactional(async (inner): Promise<readonly Verified[]> => {
    await lockTopics(inner, [due]);
    await expire(inner, due, settings.mailLimit);
    const waiting = selectFrom(HeldNotice, keyIn(due)).where('dueAt', 'is not', null);
    const held = await rows(inner, waiting.select(HELD).orderBy('id').forUpdate());
    return due.topic === 'welcome'
      ? admitWelcomes(inner, due, held, settings)
      : sendTogether(inner, due, held, settings);
  });
  // A link goes straight to the mail server: it lies in no queue.
  for (const { userId, admission } of verified) {
    await settings.sendVerification(em, userId, admission);
    await forgetHeldWelcome(em, userId);
  }
}

interface Verified {
  readonly userId: string;
  readonly admission: Admission;
}

/** The key of a due topic, without its kind. */
function keyIn({ receiver, topic }: Topic): Topic {
  return { receiver, topic };
}

async function sendTogether(
  em: Em,
  due: Topic,
  held: readonly HeldRow[],
  { mailLimit, handOver }: HeldNoticeSettings,
): Promise<readonly Verified[]> {
  const first = held.find(({ mail }) => mail !== null);
  if (!first?.mail) return [];
  const [decision] = await mailLimit.admit(em, [countedMail({ mail: first.mail, counted: first.counted })]);
  if (decision?.limit === 'silence') await end(em, due, 'NONE');
  else if (decision?.limit !== undefined) await postpone(em, due, decision.secondsToWait);
  else if (decision) {
    await changed(em, deleteFrom(HeldNotice, keyIn(due)).where('dueAt', 'is not', null));
    await handOver(em, { mail: summaryOf(held, first.mail as IdentifiedMail), admission: decision });
  }
  return [];
}

async function admitWelcomes(
  em: Em,
  due: Topic,
  held: readonly HeldRow[],
  { mailLimit }: HeldNoticeSettings,
): Promise<readonly Verified[]> {
  const verified: Verified[] = [];
  for (const { mail, counted, userId } of held) {
    if (!mail || userId === null) continue;
    const [decision] = await mailLimit.admit(em, [countedMail({ mail, counted })]);
    if (decision?.limit === 'silence') {
      await end(em, due, 'NONE');
      break;
    }
    if (decision?.limit !== undefined) {
      await postpone(em, due, decision.secondsToWait);
      break;
    }
    if (decision) verified.push({ userId, admission: decision });
  }
  return verified;
}

async function postpone(em: Em, due: Topic, seconds: number): Promise<void> {
  await changed(em, updateWaiting(due).set({ dueAt: fromNow(seconds, 'secs') }));
}

async function end(em: Em, due: Topic, outcome: HeldNoticeOutcome): Promise<void> {
  await changed(em, updateWaiting(due).set({ outcome, dueAt: null, mail: null }));
}

async function expire(em: Em, due: Topic, mailLimit: MailLimit): Promise<void> {
  const old = updateWaiting(due).where('createdAt', '<', ago(LONGEST_DAYS, 'days'));
  const expired = await rows(em, old.set({ outcome: 'EXPIRED', dueAt: null, mail: null }).returning('times'));
  const count = expired.reduce((sum, { times }) => sum + times, 0);
  mailLimit.reportUnsent('notices', `They have waited for ${LONGEST_DAYS} days.`, count);
}

function updateWaiting({ receiver, topic }: Topic) {
  return updateTable(HeldNotice, { receiver, topic }).where('dueAt', 'is not', null);
}

const wordsFor = inLanguages(HELD_NOTICE_EN, { de: HELD_NOTICE_DE });

/** The one mail that tells of all: itself, if there is no other. */
function summaryOf(
  held: readonly Pick<HeldRow, 'subject' | 'mail' | 'times'>[],
  first: IdentifiedMail,
): IdentifiedMail {
  const count = held.reduce((sum, { times }) => sum + times, 0);
  return count === 1 ? first : { ...first, ...noticesContent(held, first) };
}

/** Writes a mail in the place of several. */
export function noticesContent(
  held: readonly { readonly mail: MailContent | null; readonly times: number }[],
  first: MailContent,
): Pick<MailContent, 'subject' | 'parts'> {
  const words = wordsFor(first.locale ?? 'en');
  const count = held.reduce((sum, { times }) => sum + times, 0);
  const parts = held.flatMap(({ mail, times }): MailContent['parts'] => {
    if (mail === null) return [];
    return [times === 1 ? words.once(mail.subject) : words.times(mail.subject, times), ...mail.parts];
  });
  const untold = held.reduce((sum, { mail, times }) => (mail === null ? sum + times : sum), 0);
  return {
    subject: words.subject(first.subject, count - 1),
    parts: [words.lead, ...parts, ...(untold === 0 ? [] : [words.more(untold)])],
  };
}

const SHOWN = ['subject', 'times', 'outcome', 'dueAt', 'createdAt'] as const;

/** A notice that has not been sent, as its receiver sees it. */
export type HeldNoticeRow = Pick<RowOf<typeof HeldNotice>, (typeof SHOWN)[number]>;

/** Finds what was not mailed to somebody about their own things; the address must be verified as theirs. */
export function findHeldNotices(em: Em, email: string): Promise<readonly HeldNoticeRow[]> {
  const theirs = selectFrom(HeldNotice, { receiver: receiverKey(email) }).where('userId', 'is', null);
  return rows(em, theirs.select(SHOWN).orderBy('id').limit(100));
}

/** Finds the held mail that verifies the address of this account; undefined where it was sent. */
export function findHeldWelcome(em: Em, userId: string): Promise<HeldNoticeRow | undefined> {
  return row(em, selectFrom(HeldNotice, { userId }).select(SHOWN).limit(1));
}

/** Called once the welcome, or one that replaces it, was sent. */
export async function forgetHeldWelcome(em: Em, userId: string): Promise<void> {
  await changed(em, deleteFrom(HeldNotice, { userId }));
}

/** How many wait, and of how many is known that they do not come, of the last 30 days. */
export const HELD_NOTICES = selectFrom(HeldNotice).select([
  sql<number>`count(*) filter (where due_at is not null)::int`.as('waiting'),
  sql<number>`count(*) filter (where due_at is null)::int`.as('unsent'),
]);

/** Forgets what was not told a month ago. */
export const forgetNotices = sweepOf(HeldNotice, 'createdAt', sql`now() - interval '30 days'`);
