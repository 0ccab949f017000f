/** Messages of workflows that wait for room: each is judged again when it is looked at, and goes in the order in which it came. */
import { type Selected, selectColumns } from '../../../database/columns.ts';
import { ago, anyOf, changed, type Em, fromNow, NOW, rows, sql } from '../../../database/sql.ts';
import { selectFrom, updateTable } from '../../../database/statements.ts';
import { sweepOf } from '../../../database/sweep.ts';
import type { ReceiverKind } from '../../verified-resources/verified-resource.rules.ts';
import { WorkflowSending } from '../workflow.entity.ts';
import { DAYS_KEPT, type SendingStatus } from '../workflow.rules.ts';
import type { Addressee, Matter } from './matter.ts';
import type { NotifiedEvent, PlanSettings } from './plan-messages.ts';
import { refusedBy } from './room-left.ts';
import { findSendings, judge, type SendingRow } from './send-sending.ts';

/** Messages of a team whose time has come, all by mail or all by SMS. */
export interface DueSendings {
  readonly kind: 'WORKFLOW';
  readonly teamId: string;
  readonly by: ReceiverKind;
  readonly ids: readonly string[];
}

/** SQL */
export const HAS_DUE_SENDINGS = sql<boolean>`exists (select from workflow_sendings where due_at <= now())`;

const HELD = selectColumns(WorkflowSending, ['id', 'receiver', 'event', 'stepId'], 's');

type HeldRow = Selected<typeof HELD> & { readonly hasExpired: boolean };

interface DueSending {
  readonly id: string;
  readonly receiver: string;
  readonly event: NotifiedEvent;
  readonly addressee: Addressee;
  readonly matter: Matter;
}

/** Counts the sendings that wait, and those of the last 30 days that are known never to be sent. */
export const HELD_SENDINGS = sql<{ readonly waiting: number; readonly unsent: number }>`
  select (select count(*)::int from workflow_sendings where status = 'WAITING') as waiting,
    (select count(*)::int from workflow_sendings where status in ('NONE', 'EXPIRED') and created_at > ${NOW} - interval '30 days') as unsent`;

export const removeOldSendings = sweepOf(WorkflowSending, 'createdAt', ago(DAYS_KEPT, 'days'));

/** How many messages one transaction judges and counts. */
const AT_ONCE = 50;

/** Takes up what is due, for whoever calls: should that process die before it is done, it is due again in ten minutes. */
export async function takeDueSendings(em: Em, most: number): Promise<readonly DueSendings[]> {
  const taken = await rows(
    em,
    sql<{ teamId: string; id: string; by: ReceiverKind }>`
      with due as (
        select team_id, id from workflow_sendings where due_at <= now() order by due_at, id limit ${most}::int
        for update skip locked
      )
      update workflow_sendings s set due_at = now() + interval '10 minutes' from due
      where s.team_id = due.team_id and s.id = due.id
      returning ${selectColumns(WorkflowSending, ['teamId', 'id'], 's')},
        case when s.receiver like 'tel:%' then 'PHONE' else 'EMAIL' end as by`,
  );
  const ofTeams = Map.groupBy(taken, ({ teamId, by }) => `${teamId} ${by}`);
  return [...ofTeams.values()].flatMap((all) => {
    const [first] = all;
    if (!first) return [];
    const ids = all.map(({ id }) => id).toSorted();
    return Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, chunk) => ({
      kind: 'WORKFLOW' as const,
      teamId: first.teamId,
      by: first.by,
      ids: ids.slice(chunk * AT_ONCE, (chunk + 1) * AT_ONCE),
    }));
  });
}

/** Hands over what there is room for; the rest waits on, unless it makes no sense any more. */
export async function sendDueSendings(em: Em, { teamId, ids }: DueSendings, settings: PlanSettings): Promise<void> {
  await em.transactional(async (inner) => {
    const held = await lockHeld(inner, teamId, ids);
    const judged = await judgeAll(inner, teamId, held);
    for (const [status, some] of Map.groupBy(judged.ended, ({ status }) => status))
      await end(
        inner,
        teamId,
        some.map(({ id }) => id),
        status,
      );
    const expired = judged.ended.filter(({ status }) => status === 'EXPIRED');
    for (const { matter } of expired) await matter?.noteUnsent(inner, 1);
    settings.mailLimit.reportUnsent('workflows', 'They have waited until they made no sense.', expired.length);
    await sendOrPostpone(inner, teamId, judged.due, settings);
  });
}

/** How many messages about each of these wait. */
export async function countWaiting(em: Em, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const waiting = selectFrom(WorkflowSending, { status: 'WAITING' }).where('aboutId', '=', anyOf(ids));
  const found = await rows(em, waiting.groupBy('aboutId').select(['aboutId', sql<number>`count(*)::int`.as('count')]));
  return new Map(found.map(({ aboutId, count }) => [aboutId, count]));
}

/** A message that has waited for so long makes no sense any more. */
const LONGEST_DAYS = 3;

function lockHeld(em: Em, teamId: string, ids: readonly string[]): Promise<readonly HeldRow[]> {
  return rows(
    em,
    sql<HeldRow>`select ${HELD}, s.created_at < ${ago(LONGEST_DAYS, 'days')} as "hasExpired" from workflow_sendings s
      where s.team_id = ${teamId} and s.id = any(${ids}::uuid[]) and s.status = 'WAITING' and s.event is not null
      order by s.id for update`,
  );
}

interface EndedSending {
  readonly id: string;
  readonly status: Extract<SendingStatus, 'DROPPED' | 'EXPIRED'>;
  readonly matter?: Matter;
}

async function judgeAll(
  em: Em,
  teamId: string,
  held: readonly HeldRow[],
): Promise<{ readonly due: readonly DueSending[]; readonly ended: readonly EndedSending[] }> {
  const due: DueSending[] = [];
  const ended: EndedSending[] = [];
  for (const ofEvent of Map.groupBy(held, ({ event }) => JSON.stringify(event)).values()) {
    const event = ofEvent[0]?.event as NotifiedEvent;
    const ids = ofEvent.map(({ id }) => id);
    const found = new Map((await findSendings(em, teamId, ids, event)).map((one) => [one.id, one]));
    for (const { id, receiver, hasExpired } of ofEvent) {
      const sending: SendingRow | undefined = found.get(id);
      const judged = sending ? await judge(em, { teamId, event }, sending, { hasWaited: true }) : undefined;
      if (judged?.kind === 'DUE' && !hasExpired)
        due.push({ id, receiver, event, addressee: judged.addressee, matter: judged.matter });
      else if (judged && judged.kind !== 'MOOT') ended.push({ id, status: 'EXPIRED', matter: judged.matter });
      else ended.push({ id, status: 'DROPPED' });
    }
  }
  return { due: due.toSorted((a, b) => (a.id < b.id ? -1 : 1)), ended };
}

/** They do not wait any more. */
async function end(em: Em, teamId: string, ids: readonly string[], status: SendingStatus): Promise<void> {
  if (ids.length === 0) return;
  const sendings = updateTable(WorkflowSending, { teamId })
    .where('id', '=', anyOf(ids))
    .where('status', '=', 'WAITING');
  await changed(em, sendings.set({ status, line: null, event: null, dueAt: null }));
}

async function sendOrPostpone(
  em: Em,
  teamId: string,
  due: readonly DueSending[],
  settings: PlanSettings,
): Promise<void> {
  const refused = await refusedBy(
    em,
    teamId,
    due.map(({ addressee }) => addressee),
    settings,
  );
  const waits = new Map<string, number>();
  const silenced: DueSending[] = [];
  for (const [place, { limit, secondsToWait }] of refused) {
    const sending = due[place];
    if (!sending) continue;
    if (limit === 'silence') silenced.push(sending);
    else if (!waits.has(sending.receiver)) waits.set(sending.receiver, secondsToWait);
  }
  await end(
    em,
    teamId,
    silenced.map(({ id }) => id),
    'NONE',
  );
  for (const { matter } of silenced) await matter.noteUnsent(em, 1);
  for (const [receiver, seconds] of waits) {
    // All that waits for them waits as long: none goes before another.
    const theirs = updateTable(WorkflowSending, { teamId, receiver, status: 'WAITING' });
    await changed(em, theirs.set({ dueAt: fromNow(seconds, 'secs') }));
  }
  const toSend = due.filter((_, place) => !refused.has(place));
  await end(
    em,
    teamId,
    toSend.map(({ id }) => id),
    'PENDING',
  );
  await settings.handOver(
    em,
    toSend.map(({ id, event, addressee: { by } }) => ({ teamId, id, by, event })),
  );
}
