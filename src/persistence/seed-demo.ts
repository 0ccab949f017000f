import { newId, newTeamId, newUserId } from '../core/id.ts';
import { instantAt } from '../core/instant.ts';
import { sha256Hex } from '../core/secret.ts';
import { databaseNow } from '../database/database-clock.ts';
import { anyOf, changed, type Em, row, rows, sql } from '../database/sql.ts';
import { deleteFrom, selectFrom } from '../database/statements.ts';
import { DomainEvent } from '../events/domain-event.entity.ts';
import { NOBODY } from '../events/record-event.ts';
import { WEEK_DAYS } from '../modules/accounts/account.rules.ts';
import { hashPassword, isPasswordOf } from '../modules/accounts/password-hash.ts';
import { User } from '../modules/accounts/user.entity.ts';
import { createBooking } from '../modules/bookings/book/book.ts';
import { listSlots } from '../modules/bookings/slots/availability.ts';
import { findEventTypeRules } from '../modules/bookings/slots/bookable-event-type.queries.ts';
import { insertBooking } from '../modules/bookings/stored-booking.ts';
import { EventType } from '../modules/event-types/event-type.entity.ts';
import { Organization, OrganizationMembership } from '../modules/organizations/organization.entity.ts';
import { RoutingForm } from '../modules/routing-forms/routing-form.entity.ts';
import type { Target } from '../modules/routing-forms/routing-form.rules.ts';
import { createFirstSchedule } from '../modules/schedules/schedule.commands.ts';
import { Team, TeamMembership } from '../modules/teams/team.entity.ts';
import { OAuthClient, OAuthClientSecret } from '../oauth/clients/oauth-client.entity.ts';
import {
  DEMO_ADMINISTRATOR,
  DEMO_CLIENTS,
  DEMO_EVENT_TYPES,
  DEMO_FORM,
  DEMO_HOURS,
  DEMO_ORGANIZATION,
  DEMO_PASSWORD,
  DEMO_TEAMS,
  DEMO_USERS,
  type DemoUsername,
} from './demo-data.ts';

type Users = ReadonlyMap<DemoUsername, string>;

/** Fills a database with the demo, once: does nothing where the demo is. For development only. */
export async function seedDemo(em: Em): Promise<void> {
  await em.transactional(async (inner) => {
    // Several processes may start on one empty database at the same moment; the second finds the demo made.
    await changed(inner, sql`select pg_advisory_xact_lock(hashtext('seed-demo'))`);
    if (await row(inner, selectFrom(User, { username: DEMO_ADMINISTRATOR }).select('id'))) return;

    const now = instantAt(await databaseNow(inner));
    const organizationId = newId();
    const users = seedUsers(inner, now, organizationId, await hashPassword(DEMO_PASSWORD));
    seedGroups(inner, now, organizationId, users);
    seedClients(inner, now, users);
    await inner.flush();
    for (const [username, id] of users) await createFirstSchedule(inner, id, hoursOf(username));
    await seedForm(inner, now);
    await seedBookings(inner, ['ada', 'bob', 'cyd', 'dan']);
    // Nobody is told, or the first start would mail all these people.
    await changed(inner, deleteFrom(DomainEvent).where('ownerId', '=', anyOf([...users.values()])));
  });
}

/**
 * Refuses to start a service for others on a database with demo accounts, since whoever knows the README could sign in to them, or
 * be one of their apps. Only accounts that seeding has made count: anybody can sign up with their addresses, but not verify them.
 * @throws Error with what to do
 */
export async function requireNoDemo(em: Em): Promise<void> {
  const found = await rows(
    em,
    selectFrom(User)
      .where('email', '=', anyOf(DEMO_USERS.map(({ email }) => email)))
      .where('emailVerifiedAt', 'is not', null)
      .select(['email', 'passwordHash']),
  );
  const open: string[] = [];
  for (const { email, passwordHash } of found) if (await isPasswordOf(passwordHash, DEMO_PASSWORD)) open.push(email);
  const secrets = DEMO_CLIENTS.flatMap(({ secret }) => (secret === undefined ? [] : [sha256Hex(secret)]));
  const known = await rows(
    em,
    selectFrom(OAuthClientSecret).where('secretHash', '=', anyOf(secrets)).select('clientId'),
  );
  const all = [...open, ...known.map(({ clientId }) => `the client ${clientId}`)];
  if (all.length === 0) return;
  throw new Error(
    `the database holds the demo (${all.join(', ')}), whose passwords and secrets are public, and others than this machine are to reach the service. Begin with an empty database, or give each of these a new password or secret on this machine; to show the demo to everybody who reaches the service, say SEED_DEMO=on, which production refuses.`,
  );
}

function seedUsers(em: Em, now: Temporal.Instant, organizationId: string, passwordHash: string): Users {
  const invited = new Set<DemoUsername>(
    DEMO_ORGANIZATION.members.filter(({ role }) => role !== 'OWNER').map(({ username }) => username),
  );
  const ids = new Map<DemoUsername, string>();
  for (const user of withIds(DEMO_USERS, newUserId)) {
    ids.set(user.username, user.id);
    em.create(User, {
      ...user,
      emailVerifiedAt: now,
      ...(invited.has(user.username) && { origin: 'ORGANIZATION', madeById: organizationId }),
      passwordHash,
      weekStart: 'MONDAY',
      timeFormat: 24,
      locale: 'en',
      metadata: {},
      isAdministrator: user.username === DEMO_ADMINISTRATOR,
      createdAt: now,
      updatedAt: now,
    });
    seedEventTypes(em, now, { ownerId: user.id, user: user.id }, DEMO_EVENT_TYPES);
  }
  return ids;
}

function seedGroups(em: Em, now: Temporal.Instant, organization: string, users: Users): void {
  const { slug, name, members } = DEMO_ORGANIZATION;
  const profile = { weekStart: 'MONDAY', isPrivate: false, metadata: {}, createdAt: now, updatedAt: now } as const;
  em.create(Organization, { ...profile, id: organization, slug, name, timeZone: 'Europe/Berlin' });

  const memberships = new Map<DemoUsername, string>();
  for (const { id, username, role } of withIds(members, newId)) {
    memberships.set(username, id);
    const user = userId(users, username);
    em.create(OrganizationMembership, { id, organization, user, role, accepted: true, createdAt: now });
  }
  for (const team of DEMO_TEAMS) {
    const id = newTeamId();
    em.create(Team, {
      ...profile,
      id,
      slug: team.slug,
      name: team.name,
      organization: team.isInOrganization ? organization : null,
      timeZone: 'Europe/Berlin',
      hidesBranding: false,
    });
    for (const { id: membershipId, username, role } of withIds(team.members, newId)) {
      em.create(TeamMembership, {
        id: membershipId,
        team: id,
        user: userId(users, username),
        organizationMembership: team.isInOrganization ? (memberships.get(username) ?? null) : null,
        role,
        accepted: true,
        createdAt: now,
      });
    }
    seedEventTypes(em, now, { ownerId: id, team: id, assignsAllMembers: true }, team.eventTypes);
  }
}

function seedEventTypes(
  em: Em,
  now: Temporal.Instant,
  owner: {
    readonly ownerId: string;
    readonly user?: string;
    readonly team?: string;
    readonly assignsAllMembers?: boolean;
  },
  eventTypes: typeof DEMO_EVENT_TYPES,
): void {
  for (const eventType of withIds(eventTypes, newId)) {
    em.create(EventType, { ...eventType, ...owner, metadata: {}, createdAt: now, updatedAt: now });
  }
}

function seedClients(em: Em, now: Temporal.Instant, users: Users): void {
  for (const { secret, redirectUris, scopes, ...client } of DEMO_CLIENTS) {
    const review = { reviewedAt: now, reviewedBy: userId(users, DEMO_ADMINISTRATOR) };
    em.create(OAuthClient, {
      ...client,
      owner: userId(users, 'ada'),
      developerName: DEMO_USERS.find(({ username }) => username === 'ada')?.name ?? null,
      purpose: 'Shows what an app can do here.',
      requiresPkce: false,
      redirectUris: [...redirectUris],
      scopes: [...scopes],
      submittedAt: now,
      ...(client.status !== 'PENDING' && review),
      createdAt: now,
      updatedAt: now,
    });
    if (secret === undefined) continue;
    em.create(OAuthClientSecret, {
      client: client.clientId,
      id: newId(),
      slot: 1,
      name: 'demo',
      hint: secret.slice(-4),
      secretHash: sha256Hex(secret),
      createdAt: now,
    });
  }
}

/** The hours of a demo user; undefined where they have the usual ones. */
function hoursOf(username: DemoUsername) {
  const hours = DEMO_HOURS[username];
  return hours && [{ days: WEEK_DAYS.slice(0, 5), ...hours }];
}

function userId(users: Users, username: DemoUsername): string {
  const id = users.get(username);
  if (id === undefined) throw new Error(`The demo has no user ${username}.`);
  return id;
}

/** Each with an id, in the order of the list. */
function withIds<Item extends object>(
  items: readonly Item[],
  makeId: () => string,
): (Item & { readonly id: string })[] {
  return items.map((item) => ({ ...item, id: makeId() }));
}

const GUEST = { name: 'Grace Hopper', email: 'grace@guest.test', timeZone: 'UTC', locale: null, phone: null };
const WEEK_IN_MS = 7 * 24 * 60 * 60 * 1_000;

/** For each user two bookings to come, which take their time as any booking does, and one that is over. */
async function seedBookings(em: Em, usernames: readonly string[]): Promise<void> {
  const now = instantAt(await databaseNow(em));
  for (const username of usernames) {
    const eventType = await findEventTypeRules(em, { owner: { username }, slug: 'intro' });
    if (!eventType) throw new Error(`The demo has no event type intro of ${username}.`);
    const range = { start: now.add({ hours: 24 }), end: now.add({ hours: 24 * 15 }) };
    const slots = await listSlots(em, eventType, {
      ...range,
      timeZone: 'UTC',
      durationInMinutes: null,
      rescheduled: null,
    });
    for (const index of [3, 21]) {
      const start = instantAt(slots[index]?.start ?? Number.NaN);
      const what = { guests: [], location: null, notes: 'Looking forward to it.', responses: {}, metadata: {} };
      const how = { durationInMinutes: null, reservationId: null, occurrences: null, idempotencyKey: null };
      await createBooking(em, eventType, { start, attendee: GUEST, ...what, ...how }, NOBODY);
    }
    // Nobody can book the past, so what is over is written as it would have been.
    const [first] = slots;
    if (!first) throw new Error(`${username} has no slots.`);
    const past = { start: first.start - 2 * WEEK_IN_MS, end: first.end - 2 * WEEK_IN_MS };
    const rest = {
      hostIds: eventType.hosts.map(({ userId }) => userId),
      location: null,
      guestEmails: [],
      heldGuestEmails: [],
      seats: null,
      metadata: {},
    };
    const attendees = [{ ...GUEST, notes: null, responses: {}, seatId: null, verified: false }];
    await insertBooking(em, eventType, { id: newId(), status: 'ACCEPTED', attendees, ...past, ...rest });
  }
}

/** A routing form of a team of the demo, whose event types are there. */
async function seedForm(em: Em, now: Temporal.Instant): Promise<void> {
  const { team: slug, name, description, fields, routes, fallback } = DEMO_FORM;
  const team = await row(em, selectFrom(Team, { slug }).select('id'));
  if (!team) throw new Error(`The demo has no team ${slug}.`);
  const ownerId = team.id;
  const offered = await rows(em, selectFrom(EventType, { ownerId }).select(['slug', 'id']));
  const ids = new Map(offered.map((eventType) => [eventType.slug, eventType.id]));
  const leadingTo = (eventType: string): Target => {
    const id = ids.get(eventType);
    if (id === undefined) throw new Error(`The demo has no event type ${eventType} of ${slug}.`);
    return { type: 'EVENT_TYPE', ownerId, id };
  };
  em.create(RoutingForm, {
    ownerId,
    id: newId(),
    team: ownerId,
    name,
    description,
    isActive: true,
    version: 1,
    fields: fields.map((field) => ({ placeholder: null, options: [], ...field })),
    routes: routes.map(({ when, ...target }) => ({
      id: newId(),
      match: 'ALL',
      conditions: [when],
      target: 'message' in target ? { type: 'MESSAGE', message: target.message } : leadingTo(target.eventType),
    })),
    fallback: leadingTo(fallback.eventType),
    createdAt: now,
    updatedAt: now,
  });
  await em.flush();
}
