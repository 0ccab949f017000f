import { type Em, row, sql } from '../database/sql.ts';
import { type DomainEventType, JOBS_CHANNEL } from '../events/record-event.ts';
import { NEW_JOB_ID } from './job-queue.ts';

/** A queue, and the events that become its jobs. */
export interface Subscription {
  readonly queue: string;
  readonly hears: readonly DomainEventType[];
  readonly goesFirst?: boolean;
}

/**
 * Makes of each of the oldest events one job for each subscriber, and deletes the event, in one statement: so each is
 * told once, also when the process dies in the middle. Events of one booking are told in their order, so one process
 * relays at a time. @returns how many events there were
 */
export async function relayEvents(em: Em, subscriptions: readonly Subscription[], limit: number): Promise<number> {
  const pairs = subscriptions.flatMap(({ queue, hears, goesFirst = false }) =>
    hears.map((type) => ({ queue, type, first: goesFirst })),
  );
  const waiting = new Set(pairs.filter(({ first }) => first).map(({ type }) => type));
  // Null: whatever the event tells of.
  const inApp = pairs.map(({ type, first }) => (waiting.has(type) ? first : null));
  const relayed = await row(
    em,
    sql<{ count: number }>`
      with turn as (select pg_try_advisory_xact_lock(hashtext('gatehouse: relay')) as is_mine),
      taken as (
        delete from domain_events where (owner_id, id) in (
          select e.owner_id, e.id from domain_events e where (select is_mine from turn)
          order by e.occurred_at, e.id limit ${limit}::int for update skip locked)
        returning *),
      told as (
        insert into jobs.job (id, queue, order_key, owner, data)
        select ${NEW_JOB_ID}, next.queue, next.thread, next.owner, next.data
        from (
          -- An account may make any number of groups, so what is about a booking is done in the turns of its first host.
          select subscriber.queue, coalesce(e.data->'booking'->'hostIds'->>0, e.owner_id::text) as owner,
            e.data->'booking'->>'thread' as thread, e.data || jsonb_build_object('id', e.id,
            'ownerId', e.owner_id, 'type', e.type, 'occurredAt', e.occurred_at) as data
          from taken e join unnest(${pairs.map(({ queue }) => queue)}::text[], ${pairs.map(({ type }) => type)}::text[],
              ${inApp}::boolean[]) as subscriber(queue, type, in_app)
            on subscriber.type = e.type and coalesce(subscriber.in_app = (e.data->'booking'->'meetsInApp' is not null), true)
          order by e.occurred_at, e.id
        ) as next
        returning 1)
      select (select count(*)::int from taken) as count,
        (select pg_notify(${JOBS_CHANNEL}, '') from told limit 1)::text as announced`,
  );
  return relayed?.count ?? 0;
}
