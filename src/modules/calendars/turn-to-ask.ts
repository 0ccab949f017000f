import { type RawBuilder, sql } from '../../database/sql.ts';
import { FRESH_SECONDS, type Trigger } from './busy-calendar.rules.ts';

/** A process that has asked, and noted no answer for so long, is dead. */
const LONGEST_QUESTION = sql`interval '90 seconds'`;

/**
 * SQL, for the update that sets `asked_at`: whether a feed or a calendar is to be asked now. Of all processes one asks: while it waits
 * for the answer, or where the server wants to be left alone, nobody else does.
 */
export function isToBeAsked(alias: string, trigger: Trigger): RawBuilder<boolean> {
  const of = (column: string) => sql.ref(`${alias}.${column}`);
  const isNew =
    trigger === 'DUE'
      ? sql`${of('next_read_at')} > now()`
      : sql`coalesce(${of('asked_at')} > now() - make_interval(secs => ${FRESH_SECONDS[trigger]}), false)
          or coalesce(${of('resting_until')} > now(), false)`;
  return sql<boolean>`not (${isNew}) and not (${isAsking(alias)} and ${of('asked_at')} > now() - ${LONGEST_QUESTION})`;
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
}

const ASKED_ELSEWHERE_SECONDS = 5;

/** SQL, of a source and its user `u`: in how many seconds to come back to it. It may be due, and asked for by somebody else. */
export function comeBackIn(alias: string, suspendedSeconds: number): RawBuilder<number> {
  const due = sql`ceil(extract(epoch from ${sql.ref(`${alias}.next_read_at`)} - now()))::float8`;
  return sql<number>`case when u.suspended_at is not null then ${suspendedSeconds}::float8
    when ${due} > 0 then ${due} else ${ASKED_ELSEWHERE_SECONDS} end`;
}
