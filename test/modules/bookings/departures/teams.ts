/** Teams with hosts, event types and bookings as they are drawn, which have just lost a member. */
import * as fc from 'fast-check';
import { newId } from '../../../../src/core/id.ts';
import { type Em, rows, sql } from '../../../../src/database/sql.ts';
import type { Departing } from '../../../../src/modules/bookings/departures/settle-bookings.ts';
import { Asking } from '../../../../src/modules/calendars/fresh-calendars.ts';
import { TEAM } from '../../../../src/modules/teams/team-role.ts';
import type { TestApi, TestCaller } from '../../../support/api.ts';
import { NEW_ID, ownedUuidOf, uuidOf } from '../../../support/ids.ts';
import { slotOn } from '../support/booked-hosts.ts';

/** Half-hours after nine o'clock: of a day of ten hours, so that some are past the hours of all. */
const time = fc.record({ day: fc.integer({ min: 0, max: 4 }), half: fc.integer({ min: 0, max: 18 }) });
type Time = typeof time extends fc.Arbitrary<infer Value> ? Value : never;

/** Draws a team. */
export const teams = fc.record({
  hosts: fc.array(
    fc.record({
      priority: fc.integer({ min: 0, max: 1 }),
      weight: fc.integer({ min: 1, max: 3 }),
      isSuspended: fc.boolean(),
      away: fc.option(time),
      busy: fc.array(time, { maxLength: 3 }),
      occupied: fc.uniqueArray(time, { maxLength: 4, selector: ({ day, half }) => `${day} ${half}` }),
      reserved: fc.option(time),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  types: fc.array(
    fc.record({
      schedulingType: fc.constantFrom('ROUND_ROBIN', 'COLLECTIVE'),
      before: fc.constantFrom(0, 15, 40),
      after: fc.constantFrom(0, 10),
      hosts: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
      isMandatory: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  bookings: fc.uniqueArray(
    fc.record({
      time,
      type: fc.nat(2),
      isLong: fc.boolean(),
      isPending: fc.boolean(),
      other: fc.option(fc.nat(4)),
    }),
    { minLength: 1, maxLength: 25, selector: ({ time: { day, half } }) => `${day} ${half}` },
  ),
  choice: fc.record({
    upcomingBookings: fc.constantFrom('REASSIGN' as const, 'REASSIGN' as const, 'CANCEL' as const),
    toUserId: fc.option(fc.nat(4)),
    ifNobodyIsFree: fc.constantFrom('KEEP' as const, 'CANCEL' as const),
  }),
});
export type Drawn = typeof teams extends fc.Arbitrary<infer Value> ? Value : never;

let count = 0;

const startOf = ({ day, half }: Time) => slotOn(day, '09:00').add({ minutes: 30 * half });

/** A team with what is drawn; the leaver, whom it has lost already, and what was chosen. */
export async function madeOf(
  { api, owner }: { readonly api: TestApi; readonly owner: TestCaller },
  { hosts, types, bookings, choice }: Drawn,
): Promise<Departing> {
  count += 1;
  const em = () => api.database.em.fork();
  const { teamId } = (await owner.change('teamCreate', { slug: `settling-${count}`, name: 'Team' }, 'teamId')).data;
  const names = ['leaver', ...hosts.map((_, n) => `host-${n}`)].map((name) => `${name}-${count}`);
  const [leaver, ...others] = (await api.newUsers(names)).map(({ userId }) => uuidOf(userId));
  if (leaver === undefined) throw new Error('Nobody is there.');
  const id = uuidOf(teamId);
  await rows(
    em(),
    sql`insert into team_memberships (id, team_id, user_id, role, accepted, created_at)
        select ${NEW_ID}, ${id}::uuid, user_id, 'MEMBER', true, now() from unnest(${others}::uuid[]) as one (user_id)`,
  );
  const eventTypeIds: string[] = [];
  for (const [n, { schedulingType, before, after, hosts: isHost, isMandatory }] of types.entries()) {
    const input = { slug: `type-${n}`, title: 'Type', durationInMinutes: 30, schedulingType };
    const buffers = { bufferBeforeInMinutes: before, bufferAfterInMinutes: after };
    const { data } = await owner.change(
      'teamEventTypeCreate',
      { teamId, ...input, ...buffers, hosts: [] },
      'eventTypeId',
    );
    const eventType = ownedUuidOf(data.eventTypeId);
    eventTypeIds.push(eventType.id);
    const named = others.flatMap((userId, index) => (isHost[index] ? [{ userId, ...hosts[index] }] : []));
    await rows(
      em(),
      sql`insert into event_type_hosts (owner_id, event_type_id, user_id, membership_id, is_mandatory, priority, weight)
          select ${id}::uuid, ${eventType.id}::uuid, one.user_id, m.id, ${isMandatory} and number = 1, priority, weight
          from unnest(${named.map(({ userId }) => userId)}::uuid[], ${named.map(({ priority = 0 }) => priority)}::int[],
            ${named.map(({ weight = 1 }) => weight)}::int[]) with ordinality as one (user_id, priority, weight, number)
          join team_memberships m on m.team_id = ${id} and m.user_id = one.user_id`,
    );
  }
  for (const [index, { away, busy, occupied, reserved, isSuspended }] of hosts.entries()) {
    const userId = others[index] ?? '';
    await takesTime(em(), userId, { away, busy, occupied, reserved });
    if (isSuspended && index > 1) await rows(em(), sql`update users set suspended_at = now() where id = ${userId}`);
  }
  const all = bookings.map(({ time: at, type, isLong, isPending, other }) => {
    const ofTeam = other === null ? undefined : others[other];
    return {
      id: newId(),
      type: eventTypeIds[type % eventTypeIds.length] ?? '',
      status: isPending ? 'PENDING' : 'ACCEPTED',
      start: startOf(at).toString(),
      minutes: isLong ? 30 : 20,
      hostIds: ofTeam === undefined ? [leaver] : [ofTeam, leaver],
    };
  });
  await store(em(), id, leaver, all);
  const mandatoryIn = new Set(types.flatMap(({ isMandatory }, n) => (isMandatory ? [eventTypeIds[n] ?? ''] : [])));
  const toUserId =
    choice.upcomingBookings === 'REASSIGN' && choice.toUserId !== null ? (others[choice.toUserId] ?? null) : null;
  const by = { userId: uuidOf(owner.userId), network: null };
  const given = { ...choice, toUserId, reason: 'Gone' };
  return { group: TEAM, groupId: id, userId: leaver, mandatoryIn, by, choice: given, asking: new Asking(false) };
}

const texts = (times: readonly (Time | null)[]) => times.flatMap((one) => (one ? [startOf(one).toString()] : []));

async function takesTime(
  em: Em,
  userId: string,
  { away, busy, occupied, reserved }: Pick<Drawn['hosts'][number], 'away' | 'busy' | 'occupied' | 'reserved'>,
) {
  const half = sql`tstzrange(at, at + interval '30 minutes')`;
  await rows(
    em,
    sql`insert into out_of_office (user_id, id, starts_at, ends_at, reason, created_at, updated_at)
        select ${userId}::uuid, ${NEW_ID}, at, at + interval '2 hours', 'VACATION', now(), now()
        from unnest(${texts([away])}::timestamptz[]) as one (at)`,
  );
  await rows(
    em,
    sql`insert into busy_periods (user_id, source_id, during)
        select ${userId}::uuid, ${NEW_ID}, ${half} from unnest(${texts(busy)}::timestamptz[]) as one (at)`,
  );
  await rows(
    em,
    sql`insert into occupied_times (host_id, holder_id, during)
        select ${userId}::uuid, ${NEW_ID}, ${half} from unnest(${texts(occupied)}::timestamptz[]) as one (at)`,
  );
  // A reservation that is over, which nobody has swept away yet.
  await rows(
    em,
    sql`insert into occupied_times (host_id, holder_id, during, expires_at)
        select ${userId}::uuid, ${NEW_ID}, ${half}, now() - interval '1 minute'
        from unnest(${texts([reserved])}::timestamptz[]) as one (at) on conflict do nothing`,
  );
}

interface Booked {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly start: string;
  readonly minutes: number;
  readonly hostIds: readonly string[];
}

async function store(em: Em, teamId: string, leaver: string, all: readonly Booked[]): Promise<void> {
  const end = sql`starts_at + make_interval(mins => minutes)`;
  const booked = sql`unnest(${all.map(({ id }) => id)}::uuid[], ${all.map(({ type }) => type)}::uuid[],
    ${all.map(({ status }) => status)}::text[], ${all.map(({ start }) => start)}::timestamptz[],
    ${all.map(({ minutes }) => minutes)}::int[], ${all.map(({ hostIds }) => hostIds.join())}::text[])
    as one (id, type, status, starts_at, minutes, hosts)`;
  const hosts = sql`string_to_array(hosts, ',')::uuid[]`;
  await rows(
    em,
    sql`insert into bookings (owner_id, id, team_id, event_type_id, title, status, starts_at, ends_at, host_ids, ics_id,
          created_at, updated_at)
        select ${teamId}::uuid, id, ${teamId}::uuid, type, 'Talk', status, starts_at, ${end}, ${hosts}, id, now(), now()
        from ${booked}`,
  );
  await rows(
    em,
    sql`insert into booking_hosts (user_id, booking_id, owner_id, team_id, event_type_id, status, starts_at, ends_at, absent, updated_at)
        select unnest(${hosts}), id, ${teamId}::uuid, ${teamId}::uuid, type, status, starts_at, ${end}, false, now() from ${booked}`,
  );
  await rows(
    em,
    sql`insert into occupied_times (host_id, holder_id, team_id, during)
        select ${leaver}::uuid, id, ${teamId}::uuid, tstzrange(starts_at, ${end}) from ${booked}`,
  );
}
