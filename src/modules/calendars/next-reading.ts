import { instantText } from '../../core/instant.ts';
import { fromNow, type RawBuilder, sql } from '../../database/sql.ts';
import type { Interval } from '../schedules/interval.rules.ts';
import { type CpuLeft, FRESH_SECONDS, type Trigger, timeAskedFor } from './busy-calendar.rules.ts';
import { POSTPONED_SECONDS } from './feeds/read-in-thread.ts';

/** A process that has asked, and noted no answer for so long, is dead. */
const LONGEST_QUESTION = sql`interval '90 seconds'`;
const EVER = sql`'(,)'::tstzrange`;
/** The pause between readings; it is twice as long after each failure, up to a day. */
const MINUTES = 15;
const MAX_HOURS = 24;

/**
 * Why somebody asks: somebody is about to take the time `need` of its user's, or anything else. `signal`: aborts once nobody waits for
 * the answer any more; left out, it is always wanted.
 */
export type Reason = { readonly signal?: AbortSignal } & (
  | { readonly trigger: Exclude<Trigger, 'BOOKED'> }
  | { readonly trigger: 'BOOKED'; readonly need: Interval; readonly cpuLeft: CpuLeft }
);

/** SQL: a time as a range. */
export function rangeOf({ start, end }: Interval): RawBuilder<unknown> {
  return sql`tstzrange(${instantText(start)}::timestamptz, ${instantText(end)}::timestamptz)`;
}

/**
 * SQL, for the update that sets `asked_at`: whether a feed or a calendar is to be asked now. Of all processes one asks: while it waits
 * for the answer, or where the server wants to be left alone, nobody else does. What visitors have asked, though, neither puts off
 * nor stands for what the background asks for.
 */
export function isToBeAsked(alias: string, reason: Reason): RawBuilder<boolean> {
  const of = (column: string) => sql.ref(`${alias}.${column}`);
  const ofVisitors = sql`${of('asked_during')} is not null`;
  if (reason.trigger === 'BOOKED') {
    const isKnown = sql`${isRecent(alias, 'asked_at', 'BOOKED')} and coalesce(${of('asked_during')} @> ${rangeOf(reason.need)}, true)`;
    return sql<boolean>`not (${isKnown}) and not ${isResting(alias)} and (not ${isAsking(alias)} or ${isLate(alias)})`;
  }
  const isNew =
    reason.trigger === 'DUE'
      ? sql`${of('next_read_at')} > now()`
      : sql`case when ${ofVisitors} then ${isRecent(alias, 'read_at', reason.trigger)}
          else ${isRecent(alias, 'asked_at', reason.trigger)} end or ${isResting(alias)}`;
  return sql<boolean>`not (${isNew}) and (not ${isAsking(alias)} or ${isLate(alias)} or ${ofVisitors})`;
}

/** SQL: whether a whole calendar is to be asked now. One of all processes asks, and the others count its answer as new. */
export function mayBeAskedAnew(alias: string, trigger: Exclude<Trigger, 'DUE'>): RawBuilder<boolean> {
  return sql<boolean>`not ${isRecent(alias, 'asked_at', trigger)} and (not ${isAsking(alias)} or ${isLate(alias)})`;
}

/**
 * SQL: what the question is about, for `asked_during`; null: all, for the background. Those who wait for a time ask about what is
 * around it; where others have just done so for another time, about all, so that nobody needs a third question.
 */
export function askedDuring(alias: string, reason: Reason): RawBuilder<unknown> {
  if (reason.trigger !== 'BOOKED') return sql`null`;
  return sql`case when ${isRecent(alias, 'asked_at', 'BOOKED')} then ${EVER} else ${rangeOf(timeAskedFor(reason.need))} end`;
}

/** SQL, once `asked_during` is set: whether the question is about all. */
export function isAboutAll(alias: string): RawBuilder<boolean> {
  return sql<boolean>`coalesce(${sql.ref(`${alias}.asked_during`)} = ${EVER}, true)`;
}

function isRecent(alias: string, column: string, trigger: Exclude<Trigger, 'DUE'>): RawBuilder<boolean> {
  const at = sql.ref(`${alias}.${column}`);
  return sql<boolean>`coalesce(${at} > now() - make_interval(secs => ${FRESH_SECONDS[trigger]}), false)`;
}

function isResting(alias: string): RawBuilder<boolean> {
  return sql<boolean>`coalesce(${sql.ref(`${alias}.resting_until`)} > now(), false)`;
}

/** SQL: whether an answer is waited for. */
function isAsking(alias: string): RawBuilder<boolean> {
  const of = (column: string) => sql.ref(`${alias}.${column}`);
  return sql<boolean>`coalesce(${of('asked_at')} > coalesce(${of('answered_at')}, '-infinity'), false)`;
}

function isLate(alias: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${alias}.asked_at`)} < now() - ${LONGEST_QUESTION}`;
}

/** SQL: how long ago in milliseconds it was asked for what it has answered; null while an answer is waited for, and before the first. */
export function ageOfAnswer(alias: string): RawBuilder<number | null> {
  const asked = sql.ref(`${alias}.asked_at`);
  return sql<
    number | null
  >`case when not ${isAsking(alias)} then round(date_part('epoch', now() - ${asked}) * 1000) end`;
}

/** The result of asking. */
export interface Asked {
  readonly isAnswered: boolean;
  /** When it is due again; undefined: never, as it is gone, or asked for anew. */
  readonly inSeconds: number | undefined;
  /** Whether there is, or may be, news in it that has not been read in whole. */
  readonly hasMore?: boolean;
}

/**
 * SQL: when a feed or a calendar is read next. After each failure the pause is twice as long, up to a day; a tenth more or less keeps
 * those of one server apart. `leastSeconds`: when the server wants to be asked again, if it has said so.
 */
export function nextReading(failures: number, leastSeconds = 0): RawBuilder<string> {
  const minutes = Math.min(MINUTES * 2 ** Math.min(failures, 10), MAX_HOURS * 60) * (0.9 + 0.2 * Math.random());
  return sql<string>`now() + make_interval(secs => ${Math.max(Math.round(minutes * 60), leastSeconds)}::int)`;
}

/** IN_PART: not all is known after it, so that the next reading stays due when it was. Else it has failed. */
export type QuestionEnd =
  | 'WHOLE'
  | 'IN_PART'
  | { readonly restSeconds?: number | undefined; readonly isPostponed?: boolean | undefined };

/**
 * The columns that say when it is asked again. A question of a visitor's that was in vain neither counts as a failure nor puts off
 * the next reading.
 */
export function nextQuestion(end: QuestionEnd, failures: number, { trigger }: Pick<Reason, 'trigger'>) {
  if (end === 'IN_PART') return { restingUntil: null };
  if (end === 'WHOLE') return { failures: 0, nextReadAt: nextReading(0), restingUntil: null };
  const { restSeconds = 0, isPostponed = false } = end;
  const restingUntil = restSeconds > 0 ? fromNow(restSeconds, 'secs') : null;
  if (trigger !== 'DUE') return { restingUntil };
  if (isPostponed) return { nextReadAt: fromNow(POSTPONED_SECONDS, 'secs'), restingUntil };
  return { failures: failures + 1, nextReadAt: nextReading(failures + 1, restSeconds), restingUntil };
}

/** How often somebody who is suspended is looked at again. */
const SUSPENDED_SECONDS = 3_600;
const ASKED_ELSEWHERE_SECONDS = 5;

/** SQL, of a source and its user `u`: in how many seconds to come back to it. It may be due, and asked for by somebody else. */
export function comeBackIn(alias: string): RawBuilder<number> {
  const due = sql`ceil(extract(epoch from ${sql.ref(`${alias}.next_read_at`)} - now()))::float8`;
  return sql<number>`case when u.suspended_at is not null then ${SUSPENDED_SECONDS}::float8
    when ${due} > 0 then ${due} else ${ASKED_ELSEWHERE_SECONDS} end`;
}
