import { instantText } from '../../core/instant.ts';
import { type RawBuilder, sql } from '../../database/sql.ts';
import type { Interval } from '../schedules/interval.rules.ts';
import { type CpuLeft, FRESH_SECONDS, type Trigger, timeAskedFor } from './busy-calendar.rules.ts';

/** A process that has asked, and noted no answer for so long, is dead. */
const LONGEST_QUESTION = sql`interval '90 seconds'`;
const EVER = sql`'(,)'::tstzrange`;

/** Why somebody asks: somebody is about to take the time `need` of its user's, or anything else. */
export type Reason =
  | { readonly trigger: Exclude<Trigger, 'BOOKED'> }
  | { readonly trigger: 'BOOKED'; readonly need: Interval; readonly cpuLeft: CpuLeft };

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
  const isLate = sql`${of('asked_at')} < now() - ${LONGEST_QUESTION}`;
  if (reason.trigger === 'BOOKED') {
    const isKnown = sql`${isRecent(alias, 'asked_at', 'BOOKED')} and coalesce(${of('asked_during')} @> ${rangeOf(reason.need)}, true)`;
    return sql<boolean>`not (${isKnown}) and not ${isResting(alias)} and (not ${isAsking(alias)} or ${isLate})`;
  }
  const isNew =
    reason.trigger === 'DUE'
      ? sql`${of('next_read_at')} > now()`
      : sql`case when ${ofVisitors} then ${isRecent(alias, 'read_at', reason.trigger)}
          else ${isRecent(alias, 'asked_at', reason.trigger)} end or ${isResting(alias)}`;
  return sql<boolean>`not (${isNew}) and (not ${isAsking(alias)} or ${isLate} or ${ofVisitors})`;
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

/** SQL: how long ago in milliseconds it was asked for what it has answered; null while an answer is waited for, and before the first. */
export function ageOfAnswer(alias: string): RawBuilder<number | null> {
  const asked = sql.ref(`${alias}.asked_at`);
  return sql<
    number | null
  >`case when not ${isAsking(alias)} then round(date_part('epoch', now() - ${asked}) * 1000) end`;
}

/** What came of asking. */
export interface Asked {
  readonly isAnswered: boolean;
  /** When it is due again; undefined: never, as it is gone, or asked for anew. */
  readonly inSeconds: number | undefined;
  /** Whether there is news in it that has not been read in whole. */
  readonly hasMore?: boolean;
}

const ASKED_ELSEWHERE_SECONDS = 5;

/** SQL, of a source and its user `u`: in how many seconds to come back to it. It may be due, and asked for by somebody else. */
export function comeBackIn(alias: string, suspendedSeconds: number): RawBuilder<number> {
  const due = sql`ceil(extract(epoch from ${sql.ref(`${alias}.next_read_at`)} - now()))::float8`;
  return sql<number>`case when u.suspended_at is not null then ${suspendedSeconds}::float8
    when ${due} > 0 then ${due} else ${ASKED_ELSEWHERE_SECONDS} end`;
}
