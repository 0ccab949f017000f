/** Hits the limits of one field of an input: the one that has most, where several are of a kind. */
import { newId, newTeamId, newUserId, publicId } from '../../../src/core/id.ts';
import { row, rows, sql } from '../../../src/database/sql.ts';
import { storeFeed } from '../../support/feeds.ts';
import { idOfUid, ownedUuidOf, unknownId } from '../../support/ids.ts';
import { type As, bothOf, type Hit, type Hits, type Outcome, type Visit } from './limit-hit.ts';

const x = (count: number): string => 'x'.repeat(count);
const many = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));

/** Sends the mutation of somebody signed in, with as much as is asked for. */
const sending =
  (name: string, input: (amount: number) => object, email = 'ada@acme.test'): Hit =>
  async (visit, limit) => {
    const as = await visit.sessionOf(email);
    return bothOf(limit, (amount) => visit.mutation(name, input(amount), as));
  };

const profile = (input: (amount: number) => object): Hit => sending('profileUpdate', input);

let made = 0;
/** A new event type of dan, each time. */
const eventType = (input: (amount: number) => object): Hit =>
  sending(
    'eventTypeCreate',
    (amount) => {
      made += 1;
      return { title: 'Limits', slug: `limits-${made}`, durationInMinutes: 30, ...input(amount) };
    },
    'dan@solo.test',
  );
/** A new team of dan, each time. */
const team = (input: (amount: number) => object): Hit =>
  sending(
    'teamCreate',
    (amount) => {
      made += 1;
      return { name: 'Limits', slug: `limits-${made}`, ...input(amount) };
    },
    'dan@solo.test',
  );
const question = (field: object): object => ({
  bookingFields: [{ slug: 'question', type: 'SELECT', label: 'Which one?', options: ['one'], ...field }],
});
/** So many characters in fields of two hundred: their labels, and an option of each that is longer than it need be. */
function fieldsOf(characters: number): object {
  const full = Math.floor(characters / 400);
  const rest = characters % 400;
  const field = (slug: string, label: number, option: number) => ({
    slug,
    type: 'SELECT',
    label: x(label),
    options: [x(option)],
  });
  const fields = many(full, (index) => field(`f-${index}`, 200, 200));
  // The rest goes where one field gives way to it.
  if (rest > 0) fields.splice(-1, 1, { ...field('f-last', 200, 200), options: [x(200), 'y'.repeat(rest)] });
  return { bookingFields: fields };
}

const schedule = (input: (amount: number) => object): Hit =>
  sending('scheduleCreate', (amount) => ({ name: 'Limits', timeZone: 'UTC', ...input(amount) }), 'dan@solo.test');

/** A booking of another free time of dan's, each time. */
const booking =
  (input: (amount: number) => object): Hit =>
  (visit, limit) =>
    bothOf(limit, async (amount) => book(visit, input(amount)));

const WHO = { name: 'Eve', email: 'eve@example.test', timeZone: 'UTC' };

async function book(visit: Visit, input: object): Promise<Outcome> {
  const free = await freeTimeOf(visit);
  return visit.mutation('bookingCreate', { ...free, attendee: WHO, ...input }, {}, 'booking { uid }');
}

/** The one that an answer holds. */
const uidIn = (text: string): string => /uid_[\w-]+/.exec(text)?.[0] ?? '';

/** The last time of the next days that is free at dan's. */
async function freeTimeOf(visit: Visit) {
  const { text } = await visit.graphql(
    `{ publicEventType(by: { ofUser: { username: "dan", slug: "deep-dive" } }) { id }
       slots(eventType: { ofUser: { username: "dan", slug: "deep-dive" } }, start: "${inDays(2)}", end: "${inDays(20)}") { start } }`,
  );
  const { data } = JSON.parse(text) as { data: { publicEventType: { id: string }; slots: { start: string }[] } };
  return { eventTypeId: data.publicEventType.id, start: data.slots.at(-1)?.start };
}

function inDays(days: number): string {
  return Temporal.Now.instant()
    .add({ hours: 24 * days })
    .toString({ smallestUnit: 'second' });
}

/** As many guests of one booking as there may be, by ten at a time. */
const addGuests: Hit = async (visit, { amount }) => {
  const as: As = await visit.sessionOf('dan@solo.test');
  const { text } = await book(visit, {});
  const bookingId = idOfUid(uidIn(text));
  const add = (from: number, count: number) =>
    visit.mutation('bookingGuestsAdd', { bookingId, guests: many(count, (i) => `guest-${from + i}@example.test`) }, as);
  let within = await add(0, 10);
  for (let added = 10; added < amount; added += 10) within = await add(added, Math.min(10, amount - added));
  return { within, beyond: await add(amount, 1) };
};

/** The last moves of one booking that was moved as often as may be, but for one. */
const moveBooking: Hit = async (visit, { amount }) => {
  const { text } = await book(visit, {});
  const uid = uidIn(text);
  await row(
    visit.app.database.em.fork(),
    sql`update bookings set moves = ${amount - 1} where id = ${ownedUuidOf(uid).id} returning id`,
  );
  const move = async (from: string) => {
    const { start } = await freeTimeOf(visit);
    return visit.mutation('bookingReschedule', { uid: from, start }, {}, 'booking { uid }');
  };
  const within = await move(uid);
  return { within, beyond: await move(uidIn(within.text)) };
};

/** An address within the limits is tried at its server, which tests have none of. */
const UNREACHABLE = '200 NOT_REACHABLE';
const apple = (input: (amount: number) => object): Hit => {
  const account = { username: 'ada@icloud.test', appPassword: 'app-password' };
  const hit = sending('appleCalendarAccountConnect', (amount) => ({ ...account, ...input(amount) }));
  return async (visit, limit) => ({ ...(await hit(visit, limit)), withinIs: UNREACHABLE });
};

/** An address inside of our network, where nobody is asked. */
const caldav = (input: (amount: number) => object): Hit => {
  const account = { server: 'https://127.0.0.1/', username: 'ada', appPassword: 'app-password' };
  const hit = sending('caldavCalendarAccountConnect', (amount) => ({ ...account, ...input(amount) }));
  return async (visit, limit) => ({ ...(await hit(visit, limit)), withinIs: '200 PRIVATE_ADDRESS' });
};

const addConnections: Hit = async (visit, { amount }) => {
  const as: As = await visit.sessionOf('dan@solo.test');
  const connect = () =>
    visit.mutation('appleCalendarAccountConnect', { username: 'one@more.test', appPassword: 'app-password' }, as);
  const store = (from: number, to: number) =>
    rows(
      visit.app.database.em.fork(),
      sql`insert into calendar_connections (user_id, id, provider, account, credentials, created_at, updated_at)
          select u.id, gen_random_uuid(), 'APPLE', 'account ' || n, '', now(), now()
          from users u, generate_series(${from}::int, ${to}::int) n where u.email = 'dan@solo.test' returning id`,
    );
  await store(2, amount);
  const within = await connect();
  await store(1, 1);
  return { within, beyond: await connect(), withinIs: UNREACHABLE };
};

/** One after the other, until there are as many as there may be. */
const addWebhooks: Hit = async (visit, { amount }) => {
  const as: As = await visit.sessionOf('dan@solo.test');
  const add = (index: number) =>
    visit.mutation('webhookCreate', { url: `https://hooks.example/${index}`, triggers: ['BOOKING_CREATED'] }, as);
  for (let index = 1; index < amount; index += 1) await add(index);
  return { within: await add(amount), beyond: await add(amount + 1) };
};

/** All that somebody has, kept by their ids. */
const keepFeeds: Hit = async (visit, limit) => {
  const as: As = await visit.sessionOf('dan@solo.test');
  const { em } = visit.app.database;
  const dan = await row(em.fork(), sql<{ id: string }>`select id from users where username = 'dan'`);
  const userId = publicId('user', dan?.id ?? '');
  const ids = await Promise.all(many(limit.amount + 1, () => storeFeed(em, userId, 'https://calendar.example/')));
  return bothOf(limit, (amount) => visit.mutation('icsFeedsSet', { urls: [], keepIds: ids.slice(0, amount) }, as));
};

/** Ten at a time, which nobody has. */
const askFeeds: Hit = async (visit, { amount }) => {
  const as: As = await visit.sessionOf('dan@solo.test');
  const ask = (count: number) =>
    visit.mutation('icsFeedsSet', { urls: many(count, (n) => `https://nowhere.invalid/${n}`) }, as);
  let within = await ask(10);
  for (let asked = 10; asked < amount; asked += 10) within = await ask(10);
  return { within, beyond: await ask(1), withinIs: '200 FEED_UNREADABLE' };
};

/** Tests of one webhook, and before them messages that are to be sent once more and are not there: those count too, and send nothing. */
const testWebhooks: Hit = async (visit, { amount }) => {
  const as: As = await visit.sessionOf('bob@acme.test');
  const input = { url: 'https://hooks.example/', triggers: ['BOOKING_CREATED'] };
  const { text } = await visit.mutation('webhookCreate', input, as, 'webhookId');
  const webhookId = /whk_[\w-]+/.exec(text)?.[0] ?? '';
  const ask = () => visit.mutation('webhookTest', { webhookId, trigger: 'BOOKING_CREATED' }, as);
  const webhookDeliveryId = unknownId('webhookDelivery', ownedUuidOf(webhookId).ownerId);
  for (let asked = 1; asked < amount; asked += 1)
    await visit.mutation('webhookDeliveryRetry', { webhookDeliveryId }, as);
  return { within: await ask(), beyond: await ask() };
};

const cancel: Hit = async (visit, { amount }) => {
  const { text } = await book(visit, {});
  const uid = uidIn(text);
  const ask = (count: number) => visit.mutation('bookingCancel', { uid, reason: x(count) });
  // A refused request changes nothing, so the same booking is cancelled afterwards.
  const beyond = await ask(amount + 1);
  return { beyond, within: await ask(amount) };
};

const askSlots: Hit = (visit, limit) =>
  bothOf(limit, (amount) =>
    visit.graphql(
      `{ slots(eventType: { ofUser: { username: "dan", slug: "deep-dive" } }, start: "${inDays(1)}", end: "${inDays(1 + amount)}") { start } }`,
    ),
  );

const askBusyTimes: Hit = async (visit, limit) => {
  const as = await visit.sessionOf('dan@solo.test');
  return bothOf(limit, (amount) =>
    visit.graphql(`{ me { busyTimes(start: "${inDays(1)}", end: "${inDays(1 + amount)}") { start } } }`, {}, as),
  );
};

const askPage: Hit = (visit, limit) =>
  bothOf(limit, (amount) => visit.graphql(`{ publicEventTypes(username: "ada", first: ${amount}) { nodes { id } } }`));

const lookUp: Hit = async (visit, limit) => {
  const as = await visit.sessionOf('dan@solo.test');
  const document = 'query ($ids: [ID!]!) { me { eventTypesById(ids: $ids) { id } } }';
  return bothOf(limit, (amount) => visit.graphql(document, { ids: many(amount, (i) => `evt_${i}`) }, as));
};

/** Somebody new in a new team of ada, booked so often from tomorrow on. */
async function departingAfter(visit: Visit, bookings: number): Promise<object> {
  const em = visit.app.database.em.fork();
  const [userId, teamId, membershipId] = [newUserId(), newTeamId(), newId()];
  for (const statement of [
    sql`insert into users (id, email, username, name, password_hash, time_zone, week_start, time_format, locale, metadata,
          is_administrator, created_at, updated_at, email_verified_at)
        values (${userId}, ${`${userId}@example.test`}, ${userId}, 'A', 'none', 'UTC', 'MONDAY', 24, 'en', '{}', false, now(), now(), now())`,
    sql`insert into teams (id, slug, name, time_zone, week_start, hides_branding, is_private, metadata, created_at, updated_at)
        values (${teamId}, ${teamId}, 'Team', 'UTC', 'MONDAY', false, false, '{}', now(), now())`,
    sql`insert into team_memberships (id, team_id, user_id, role, accepted, created_at)
        select ${membershipId}::uuid, ${teamId}::uuid, ${userId}::uuid, 'MEMBER', true, now()
        union all select ${newId()}::uuid, ${teamId}::uuid, id, 'OWNER', true, now() from users where username = 'ada'`,
    sql`insert into booking_hosts (user_id, booking_id, owner_id, team_id, event_type_id, status, starts_at, ends_at, absent, updated_at)
        select ${userId}::uuid, b.id, ${teamId}::uuid, ${teamId}::uuid, ${newId()}::uuid, 'ACCEPTED',
          now() + n * interval '1 day', now() + n * interval '1 day' + interval '1 hour', false, now()
        from unnest(${many(bookings, () => newId())}::uuid[]) with ordinality as b(id, n)`,
  ]) {
    await rows(em, statement);
  }
  const membership = { teamId: publicId('team', teamId), membershipId: publicId('membership', membershipId) };
  return { ...membership, upcomingBookings: 'CANCEL', reason: 'They have left.' };
}

export const hits: Hits = {
  'departure-bookings': async (visit, limit) => {
    const as = await visit.sessionOf('ada@acme.test');
    return bothOf(limit, async (amount) =>
      visit.mutation('teamMembershipDelete', await departingAfter(visit, amount), as),
    );
  },
  'page-size': askPage,
  ids: lookUp,
  'slots-days': askSlots,
  'busy-times-days': askBusyTimes,
  'person-name': profile((amount) => ({ name: x(amount) })),
  'slug-length': eventType((amount) => ({ slug: x(amount) })),
  bio: profile((amount) => ({ bio: x(amount) })),
  'group-name': team((amount) => ({ name: x(amount) })),
  'group-bio': team((amount) => ({ bio: x(amount) })),
  'url-length': profile((amount) => ({ avatarUrl: 'https://example.test/'.padEnd(amount, 'x') })),
  'metadata-keys': profile((amount) => ({ metadata: Object.fromEntries(many(amount, (i) => [`key-${i}`, 'x'])) })),
  // Keys that are there stay, so one of them makes room.
  'metadata-key': profile((amount) => ({ metadata: { 'key-0': null, [x(amount)]: 'x' } })),
  'metadata-value': profile((amount) => ({ metadata: { 'key-1': null, key: x(amount) } })),
  title: eventType((amount) => ({ title: x(amount) })),
  description: eventType((amount) => ({ description: x(amount) })),
  'embed-origins': eventType((amount) => ({ embedOrigins: many(amount, (i) => `https://${i}.example`) })),
  locations: eventType((amount) => ({ locations: many(amount, (i) => ({ type: 'ADDRESS', address: `Room ${i}` })) })),
  'location-label': eventType((amount) => ({ locations: [{ type: 'ADDRESS', address: 'Room', label: x(amount) }] })),
  'location-address': eventType((amount) => ({ locations: [{ type: 'ADDRESS', address: x(amount) }] })),
  'booking-fields': eventType((amount) => ({
    bookingFields: many(amount, (i) => ({ slug: `f-${i}`, type: 'TEXT', label: 'Why?' })),
  })),
  'field-label': eventType((amount) => question({ label: x(amount) })),
  'field-options': eventType((amount) => question({ options: many(amount, String) })),
  'field-option': eventType((amount) => question({ options: [x(amount)] })),
  'field-characters': eventType(fieldsOf),
  lengths: eventType((amount) => ({
    durationInMinutes: 1,
    durationInMinutesOptions: many(amount, (i) => i + 1),
  })),
  seats: eventType((amount) => ({ seats: { perSlot: amount, showsAttendees: false } })),
  occurrences: eventType((amount) => ({ recurrence: { frequency: 'WEEKLY', interval: 1, occurrences: amount } })),
  'weekly-hours': schedule((amount) => ({
    availability: many(amount, (i) => ({
      days: ['MONDAY'],
      start: `${String(Math.floor(i / 6)).padStart(2, '0')}:${i % 6}0`,
      end: `${String(Math.floor(i / 6)).padStart(2, '0')}:${i % 6}5`,
    })),
  })),
  overrides: schedule((amount) => ({
    overrides: many(amount, (i) => ({ date: Temporal.PlainDate.from('2040-01-01').add({ days: i }).toString() })),
  })),
  'attendee-name': booking((amount) => ({ attendee: { ...WHO, name: x(amount) } })),
  'email-length': booking((amount) => ({ attendee: { ...WHO, email: emailOf(amount) } })),
  'booking-notes': booking((amount) => ({ notes: x(amount) })),
  'guests-at-once': booking((amount) => ({ guests: many(amount, (i) => `guest-${i}@example.test`) })),
  guests: addGuests,
  'booking-moves': moveBooking,
  'booking-reason': cancel,
  'calendar-connections': addConnections,
  'calendar-account': apple((amount) => ({ username: x(amount) })),
  'accepted-hosts': caldav((amount) => ({
    acceptedHosts: Array.from({ length: amount }, (_, n) => `dav${n}.example`),
  })),
  'app-password': apple((amount) => ({ appPassword: x(amount) })),
  webhooks: addWebhooks,
  'ics-feeds': keepFeeds,
  'ics-feed-tries': askFeeds,
  'webhook-sends': testWebhooks,
};

/** The labels of a domain have at most 63 characters, and what stands before it 64. */
function emailOf(length: number): string {
  const domain = ['test'];
  let left = length - 'e@test'.length;
  while (left > 1) {
    const label = x(Math.min(60, left - 1));
    domain.unshift(label);
    left -= label.length + 1;
  }
  return `e${x(left)}@${domain.join('.')}`;
}
