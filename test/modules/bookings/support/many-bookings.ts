import type { KyselyPlugin, RootOperationNode } from 'kysely';
import { type Em, rows, sql } from '../../../../src/database/sql.ts';

/** Half-hours one after the other into the past, the newest at `newest`, each with an attendee; two of three accepted. */
export async function fillBookings(
  em: Em,
  { hostId, eventTypeId, count, newest }: { hostId: string; eventTypeId: string; count: number; newest: string },
): Promise<void> {
  const numbered = sql`generate_series(1, ${count}::int) n`;
  const uid = sql`'bkg_u' || ${hostId.slice(4)} || lpad(n::text, 42, '0')`;
  const start = sql`${newest}::timestamptz - n * interval '30 minutes'`;
  const end = sql`${newest}::timestamptz - n * interval '30 minutes' + interval '30 minutes'`;
  const status = sql`case n % 3 when 0 then 'CANCELLED' else 'ACCEPTED' end`;
  await rows(
    em,
    sql`insert into bookings (owner_id, uid, user_id, event_type_id, title, status, starts_at, ends_at, host_ids,
          guest_emails, metadata, ics_uid, created_at, updated_at)
        select ${hostId}, ${uid}, ${hostId}, ${eventTypeId}, 'Talk', ${status}, ${start}, ${end}, array[${hostId}], '{}',
          '{}', n::text, ${start}, ${start} from ${numbered}`,
  );
  await rows(
    em,
    sql`insert into booking_hosts (user_id, booking_uid, owner_id, event_type_id, status, starts_at, ends_at, absent,
          created_at, updated_at)
        select ${hostId}, ${uid}, ${hostId}, ${eventTypeId}, ${status}, ${start}, ${end}, false, ${start}, ${start}
        from ${numbered}`,
  );
  await rows(
    em,
    sql`insert into booking_attendees (owner_id, booking_uid, id, name, email, time_zone, responses, absent, created_at)
        select ${hostId}, ${uid}, 'att', 'N', 'n' || n || '@example.test', 'UTC', '{}', false, ${start} from ${numbered}`,
  );
  await rows(
    em,
    sql`insert into occupied_times (host_id, holder_id, during)
        select ${hostId}, ${uid}, tstzrange(${start}, ${end}) from ${numbered} where n % 3 > 0`,
  );
}

export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

const BIG_TABLES = ['bookings', 'booking_hosts', 'booking_attendees', 'occupied_times'];

/** The plans of every statement that `run` sends; none of them is carried out but the database's clock. */
export async function plansOf(em: Em, run: (em: Em) => Promise<unknown>): Promise<PlanNode[]> {
  const fork = em.fork();
  const plans: PlanNode[] = [];
  const kysely = fork.getKysely().withPlugin(explaining(plans));
  fork.getKysely = (() => kysely) as unknown as typeof fork.getKysely;
  await run(fork);
  return plans;
}

export function nodesOf(plans: readonly PlanNode[]): PlanNode[] {
  return plans.flatMap((plan) => [plan, ...nodesOf(plan.Plans ?? [])]);
}

/** The tables of bookings that are read whole. */
export function wholeReads(plans: readonly PlanNode[]): string[] {
  return nodesOf(plans)
    .filter((node) => node['Node Type'].includes('Seq Scan'))
    .map((node) => node['Relation Name'] ?? '')
    .filter((table) => BIG_TABLES.includes(table));
}

function explaining(plans: PlanNode[]): KyselyPlugin {
  return {
    transformQuery: ({ node }): RootOperationNode => {
      if (node.kind !== 'RawNode' || node.sqlFragments.at(-1) === ' as now') return node;
      const [first = '', ...rest] = node.sqlFragments;
      return { ...node, sqlFragments: [`explain (format json) ${first}`, ...rest] };
    },
    transformResult: async ({ result }) => {
      const explained = (result.rows as { 'QUERY PLAN'?: readonly { Plan: PlanNode }[] }[])[0]?.['QUERY PLAN'];
      if (!explained) return result;
      plans.push(...explained.map(({ Plan }) => Plan));
      return { rows: [] };
    },
  };
}
