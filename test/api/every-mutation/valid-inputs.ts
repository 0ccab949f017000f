import { ID_TAGS, newId, publicId, publicOwnedId } from '../../../src/core/id.ts';
import { type RawBuilder, rows, sql } from '../../../src/database/sql.ts';
import { digitsOf, issueCode } from '../../../src/modules/verified-resources/verification-code.ts';
import type { ReceiverKind } from '../../../src/modules/verified-resources/verified-resource.rules.ts';
import { NO_KEY, type TestApi, type TestCaller } from '../../support/api.ts';
import { storeApp } from '../../support/conferencing-apps.ts';
import { storeFeed } from '../../support/feeds.ts';
import { ownedUuidOf, uuidOf } from '../../support/ids.ts';
import { newRoutingForm } from '../../support/routing-forms.ts';
import { storeVerified } from '../../support/verified-resources.ts';
import { type BookingPage, FROM, openBookingPage, TO } from '../booking-pages.ts';

/** An input from a user who may send it. */
export interface ValidInput {
  readonly username: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The fields that name what it is about: of somebody else's, the answer is as if there were none. */
  readonly names: readonly string[];
}

type Make = (world: World) => Promise<ValidInput>;

/** Makes what inputs are about, anew each time. */
class World {
  readonly clientId: string;
  private readonly api: TestApi;
  private readonly codeKey: Uint8Array;
  private count = 0;
  private readonly kept = new Map<string, Promise<string>>();
  private bookable: { readonly page: BookingPage; readonly starts: string[] } | undefined;
  private byAll: string | undefined;
  private ofTeam: { readonly eventTypeId: string; readonly starts: string[] } | undefined;

  constructor(api: TestApi, { clientId, codeKey }: Sender) {
    this.api = api;
    this.clientId = clientId;
    this.codeKey = codeKey;
  }

  slug(): string {
    this.count += 1;
    return `every-${this.count}`;
  }

  async made(name: string, input: Record<string, unknown>, shown: string): Promise<string> {
    const { data, mistakes, codes } = await this.api.as('ada').change(name, input, shown);
    if (mistakes.length > 0 || codes.length > 0) throw new Error(`${name}: ${[...mistakes, ...codes].join(' ')}`);
    return data[shown];
  }

  signedIn(username: string): TestCaller {
    return this.api.signedIn(username);
  }

  /** Made with the first question, for all that follow. */
  once(name: string, make: () => Promise<string>): Promise<string> {
    return this.kept.getOrInsertComputed(name, make);
  }

  async id(of: 'teams' | 'organizations', name: string): Promise<string> {
    const found = await this.rows(sql`select id from ${sql.table(of)} where slug = ${name}`);
    return publicId(({ teams: 'team', organizations: 'organization' } as const)[of], found[0]?.id ?? '');
  }

  /** The id of a demo user, whatever they call themselves by now. */
  userId(username: string): string {
    return this.api.as(username).userId;
  }

  /** The times at which an event type can be booked. */
  async slotsOf(eventTypeId: string): Promise<string[]> {
    const document =
      'query($id: ID!, $from: DateTime!, $to: DateTime!) { slots(eventTypeId: $id, start: $from, end: $to) { start } }';
    const { data } = await this.api.nobody.ask(document, { id: eventTypeId, from: FROM, to: TO });
    return data.slots.map(({ start }: { start: string }) => start);
  }

  rows(statement: RawBuilder<{ id: string }>): Promise<{ id: string }[]> {
    return rows(this.api.database.em.fork(), statement);
  }

  address(): string {
    return `${this.slug()}@mail.test`;
  }

  number(): string {
    this.count += 1;
    return `+49301${1_000_000 + this.count}`;
  }

  /** A feed of Ada's. */
  feed(): Promise<string> {
    return storeFeed(this.api.database.em, this.userId('ada'), 'https://calendar.example/one.ics');
  }

  /** A receiver that is verified for somebody, another one each time. */
  verified(kind: ReceiverKind, owner: string): Promise<string> {
    return storeVerified(this.api.database.em, kind, owner, kind === 'EMAIL' ? this.address() : this.number());
  }

  /** A code that was sent to a receiver for somebody. */
  async code(kind: ReceiverKind, owner: string, receiver: string): Promise<string> {
    const about = { ownerId: uuidOf(owner), subject: kind, receiver };
    return digitsOf(this.codeKey, await issueCode(this.api.database.em.fork(), about));
  }

  /** An app that is not the default of somebody. */
  async secondApp(owner: string): Promise<string> {
    await this.rows(sql`delete from conferencing_apps where app = 'second' returning id`);
    return storeApp(this.api.database.em, owner, 'second', false);
  }

  /** Releases what earlier inputs have kept, which would count for it. */
  private async releaseAll(): Promise<void> {
    await this.rows(sql`delete from occupied_times where expires_at is not null returning holder_id as id`);
    await this.rows(sql`delete from slot_reservations returning id`);
  }

  /** A page with two slots that are free, the same page as long as it has some. */
  async free(): Promise<{ page: BookingPage; start: string; later: string }> {
    await this.releaseAll();
    if (!this.bookable || this.bookable.starts.length < 2) {
      const page = await openBookingPage(this.api);
      this.bookable = { page, starts: await page.slots() };
    }
    const { page, starts } = this.bookable;
    const [start = '', later = ''] = starts.splice(0, 2);
    return { page, start, later };
  }

  /**
   * A slot of an event type of Ada's team that nobody else can be booked by: the same one as long as it has some, since each
   * member more is one more host of whatever all of the team host.
   */
  async freeOfTeam(): Promise<{ eventTypeId: string; start: string }> {
    await this.releaseAll();
    if (!this.ofTeam || this.ofTeam.starts.length === 0) {
      const teamId = await this.id('teams', 'sales');
      const userId = await this.newUser('acme');
      await this.made('teamMembershipCreate', { teamId, userId, role: 'MEMBER' }, 'membershipId');
      const type = { teamId, ...(await newEventType(this)), hosts: [{ userId }] };
      const eventTypeId = await this.made('teamEventTypeCreate', type, 'eventTypeId');
      this.ofTeam = { eventTypeId, starts: await this.slotsOf(eventTypeId) };
    }
    const { eventTypeId, starts } = this.ofTeam;
    const [start = ''] = starts.splice(0, 1);
    return { eventTypeId, start };
  }

  /** An event type that all of a team host; always the same one, for bookings. */
  async hostedByAll(teamId: string): Promise<string> {
    const input = { teamId, ...(await newEventType(this)), minimumBookingNoticeInMinutes: 0 };
    this.byAll ??= await this.made('teamEventTypeCreate', input, 'eventTypeId');
    return this.byAll;
  }

  /** A new user who belongs to nothing, or to Ada's organization. */
  async newUser(belongsTo?: 'acme'): Promise<string> {
    const username = this.slug();
    const user = await this.api.newUser(username);
    if (belongsTo) {
      const input = { ...(await groupOf(this, 'organization')), userId: user.userId, role: 'MEMBER' };
      const membershipId = await this.made('organizationMembershipCreate', input, 'membershipId');
      await this.rows(
        sql`update organization_memberships set accepted = true where id = ${uuidOf(membershipId)} returning id`,
      );
    }
    return user.userId;
  }
}

const HOURS = { start: '2031-01-06T00:00:00Z', end: '2031-01-08T00:00:00Z' };
const PERSON = { name: 'Grace', email: 'grace@example.test', timeZone: 'UTC' };

/** A mutation of a host about a booking of this status; `begun` an hour ago, if so. */
function hosted(input: object, status = 'ACCEPTED', begun = false): Make {
  return async (world) => {
    const { page, start } = await world.free();
    const uid = await page.book(start);
    const id = uuidOf(uid);
    await world.rows(sql`update bookings set status = ${status} where id = ${id} returning id`);
    await world.rows(
      sql`update booking_hosts set status = ${status} where booking_id = ${id} returning booking_id as id`,
    );
    if (begun) {
      await world.rows(sql`update bookings set starts_at = now() - interval '1 hour', ends_at = now() + interval '1 hour'
        where id = ${id} returning id`);
    }
    return { username: page.username, input: { uid, ...input }, names: ['uid'] };
  };
}

/** A public mutation about slots that are free. */
function slotted(
  input: (page: BookingPage, start: string, later: string, world: World) => Promise<object> | object,
): Make {
  return async (world) => {
    const { page, start, later } = await world.free();
    return { username: page.username, input: { ...(await input(page, start, later, world)) }, names: [] };
  };
}

async function reserved(page: BookingPage, start: string): Promise<string> {
  const input = { eventTypeId: page.eventTypeId, start };
  return (await page.host.change('slotReservationCreate', input, 'reservation { id }')).data.reservation.id;
}

/** The same as hosts see it. */
async function heldSlot(world: World, reservationId: string): Promise<string> {
  const { ownerId, id } = ownedUuidOf(reservationId);
  const [held] = await world.rows(
    sql`select handle as id from slot_reservations where owner_id = ${ownerId} and id = ${id}`,
  );
  return publicOwnedId('heldSlot', { ownerId, id: held?.id ?? '' });
}

/** Ada acts for herself, for her team, or for her organization. */
type Group = 'own' | 'team' | 'organization';

async function groupOf(world: World, group: Group): Promise<Record<string, string>> {
  if (group === 'own') return {};
  return group === 'team'
    ? { teamId: await world.id('teams', 'sales') }
    : { organizationId: await world.id('organizations', 'acme') };
}

/** Arguments that name what a mutation is about: one of any kind but a user. */
const ABOUT = Object.keys(ID_TAGS).flatMap((kind) => (kind === 'user' ? [] : [`${kind}Id`]));
/** Those that name something else. */
const BESIDE = ['userId'];

/** By Ada: `input` is made for the group; its ids name what it is about. */
function by(group: Group, input: (world: World) => Promise<object> | object): Make {
  return async (world) => {
    const ofGroup = await groupOf(world, group);
    const own = await input(world);
    const unsaid = Object.keys(own).filter(
      (name) => name.endsWith('Id') && !ABOUT.includes(name) && !BESIDE.includes(name),
    );
    if (unsaid.length > 0)
      throw new Error(`Of what kind is ${unsaid.join()}? Name it after the kind, or list it in BESIDE.`);
    const names = [...Object.keys(ofGroup), ...ABOUT.filter((name) => name in own)];
    return { username: 'ada', input: { ...ofGroup, ...own }, names };
  };
}

/** A change of a booking of Ada's team, by her as its administrator, or as her organization's. */
function ofTeamBooking(group: 'team' | 'organization', status: string, input: object, isSeries = false): Make {
  return async (world) => {
    const ofGroup = await groupOf(world, group);
    const names = [...Object.keys(ofGroup), 'uid'];
    const booked = await teamBooking(status)(world);
    const uid = isSeries ? await inSeries(world, booked) : booked;
    return { username: 'ada', input: { ...ofGroup, uid, ...input }, names };
  };
}

/** Its host did not come. */
function begunOfTeam(group: 'team' | 'organization'): Make {
  return async (world) => {
    const made = await ofTeamBooking(group, 'ACCEPTED', { hosts: [{ hostId: world.userId('bob'), absent: true }] })(
      world,
    );
    const { id } = ownedUuidOf((made.input as { readonly uid: string }).uid);
    await world.rows(sql`update bookings set starts_at = now() - interval '1 hour', ends_at = now() + interval '1 hour'
      where id = ${id} returning id`);
    return made;
  };
}

function newTeamBooking(group: 'team' | 'organization'): Make {
  return async (world) => {
    const ofGroup = await groupOf(world, group);
    const input = { ...ofGroup, ...(await world.freeOfTeam()), attendee: PERSON };
    return { username: 'ada', input, names: [...Object.keys(ofGroup), 'eventTypeId'] };
  };
}

/** Makes a booking the first of a series. */
async function inSeries(world: World, uid: string): Promise<string> {
  await world.rows(sql`update bookings set recurring_id = id where id = ${ownedUuidOf(uid).id} returning id`);
  return uid;
}

/** The uid of a booking of Ada's team, which Bob hosts, and which another one could take over. */
function teamBooking(status: string) {
  return async (world: World): Promise<string> => {
    const teamId = await world.id('teams', 'sales');
    const eventType = ownedUuidOf(await world.hostedByAll(teamId));
    const booking = { ownerId: eventType.ownerId, id: newId() };
    const host = uuidOf(world.userId('bob'));
    // A time at which the other host, in whatever zone, works as well: their schedules say nothing of it.
    await world.rows(sql`update schedules set availability =
      '[{"days":["MONDAY","TUESDAY","WEDNESDAY","THURSDAY","FRIDAY","SATURDAY","SUNDAY"],"start":"00:00","end":"24:00"}]'
      where user_id in (select id from users where username in ('ada', 'bob', 'cyd')) returning id`);
    // Nor anything that was handed to them before.
    await world.rows(
      sql`delete from occupied_times where lower(during) = '2031-03-03T12:00:00Z' returning holder_id as id`,
    );
    await world.rows(sql`insert into bookings (owner_id, id, team_id, event_type_id, title, status, starts_at, ends_at,
        host_ids, guest_emails, metadata, ics_id, created_at, updated_at)
      values (${booking.ownerId}, ${booking.id}, ${booking.ownerId}, ${eventType.id}, 'Talk', ${status},
        '2031-03-03T12:00:00Z', '2031-03-03T12:30:00Z', ${[host]}::uuid[], '{}', '{}', ${booking.id}, now(), now())
      returning id`);
    await world.rows(sql`insert into booking_hosts (user_id, booking_id, owner_id, team_id, event_type_id, status,
        starts_at, ends_at, absent, updated_at)
      select ${host}::uuid, id, owner_id, team_id, event_type_id, status, starts_at, ends_at, false, now()
      from bookings where id = ${booking.id} returning booking_id as id`);
    return publicOwnedId('booking', booking);
  };
}

const newEventType = async (world: World) =>
  ({ slug: world.slug(), title: 'Talk', lengthInMinutes: 30 }) as Record<string, unknown>;
const ownEventType = async (world: World) => ({
  eventTypeId: await world.made('eventTypeCreate', await newEventType(world), 'eventTypeId'),
});
const teamEventType = async (world: World) => ({
  eventTypeId: await world.made(
    'teamEventTypeCreate',
    { teamId: await world.id('teams', 'sales'), ...(await newEventType(world)) },
    'eventTypeId',
  ),
});
const ownSchedule = async (world: World) => ({
  scheduleId: await world.made('scheduleCreate', { name: 'Hours' }, 'scheduleId'),
});
const ownAbsence = async (world: World) => ({
  outOfOfficeId: await world.made('outOfOfficeCreate', HOURS, 'outOfOfficeId'),
});
const ada = async (world: World) => ({ userId: world.userId('ada') });
const ownLink = async (world: World) => ({
  privateLinkId: await world.made('privateLinkCreate', await ownEventType(world), 'privateLinkId'),
});
const teamLink = async (world: World) => ({
  privateLinkId: await world.made(
    'teamPrivateLinkCreate',
    { teamId: await world.id('teams', 'sales'), ...(await teamEventType(world)) },
    'privateLinkId',
  ),
});
const APPLE_ACCOUNT = { username: 'ada@icloud.test', appPassword: 'app-password' };
const ownConnection = async (world: World) => ({
  calendarAccountId: await world.made('appleCalendarConnect', APPLE_ACCOUNT, 'calendarAccountId'),
});
/** An account whose password its server has refused. */
const refusedConnection = async (world: World) => {
  const { calendarAccountId } = await ownConnection(world);
  const { ownerId, id } = ownedUuidOf(calendarAccountId);
  await world.rows(
    sql`update calendar_connections set refused_at = now(), failing_since = now() where user_id = ${ownerId} and id = ${id}`,
  );
  return { calendarAccountId };
};
/** The primary one of its account, which can be written to. */
const ownCalendar = async (world: World) => {
  const { ownerId, id } = ownedUuidOf((await ownConnection(world)).calendarAccountId);
  const [calendar] = await world.rows(
    sql`select id from connected_calendars where connection_id = ${id} and is_primary`,
  );
  return { calendarId: publicOwnedId('calendar', { ownerId, id: calendar?.id ?? '' }) };
};
const newWebhook = (world: World) => ({ url: `https://hooks.example/${world.slug()}`, triggers: ['BOOKING_CREATED'] });
/** The kinds of webhooks by how their mutations are called: whose they are, what they are about, the argument that names one. */
const WEBHOOKS = {
  webhook: { group: 'own', about: async () => ({}), id: 'webhookId' },
  organizationWebhook: { group: 'organization', about: async () => ({}), id: 'webhookId' },
  eventTypeWebhook: { group: 'own', about: ownEventType, id: 'eventTypeWebhookId' },
  teamEventTypeWebhook: { group: 'team', about: teamEventType, id: 'eventTypeWebhookId' },
} as const;
type WebhookKind = keyof typeof WEBHOOKS;
const newWebhookOf = (kind: WebhookKind) => async (world: World) => ({
  ...(await WEBHOOKS[kind].about(world)),
  ...newWebhook(world),
});
const aWebhook = (kind: WebhookKind) => async (world: World) => {
  const { group, id } = WEBHOOKS[kind];
  const input = { ...(await groupOf(world, group)), ...(await newWebhookOf(kind)(world)) };
  return { [id]: await world.made(`${kind}Create`, input, id) };
};
/** The same one each time: there are only so many of a user or an organization. */
const keptWebhook = (kind: WebhookKind) => async (world: World) => {
  const { id } = WEBHOOKS[kind];
  return { [id]: await world.once(kind, async () => (await aWebhook(kind)(world))[id] ?? '') };
};
/** The same, set by an app, or by Ada herself. */
const webhookSetBy = (kind: WebhookKind, app: (world: World) => string | null) => async (world: World) => {
  const named = await keptWebhook(kind)(world);
  const { id } = ownedUuidOf(named[WEBHOOKS[kind].id] ?? '');
  await world.rows(sql`update webhooks set client_id = ${app(world)}::text where id = ${id} returning id`);
  return named;
};
/** One whose secret the app that asks may have. Where nobody lets the app in, it pauses. */
const setWebhook = (kind: WebhookKind) => webhookSetBy(kind, ({ clientId }) => clientId);
/** One that Ada answers for, so that it sends. */
const sendingWebhook = (kind: WebhookKind) => webhookSetBy(kind, () => null);
/** One that nobody answers for, by the address that it has. */
const pausedWebhook = (kind: WebhookKind) => async (world: World) => {
  const named = await aWebhook(kind)(world);
  const { id } = ownedUuidOf(named[WEBHOOKS[kind].id] ?? '');
  const [paused] = await world.rows(sql`update webhooks set set_by_id = null where id = ${id} returning url as id`);
  return { ...named, url: paused?.id ?? '' };
};
const aDelivery = (kind: WebhookKind) => async (world: World) => {
  const { group } = WEBHOOKS[kind];
  const input = {
    ...(await groupOf(world, group)),
    ...(await sendingWebhook(kind)(world)),
    trigger: 'BOOKING_CREATED',
  };
  const webhookDeliveryId = await world.made(`${kind}Test`, input, 'webhookDeliveryId');
  await world.rows(
    sql`update webhook_deliveries set status = 'GIVEN_UP' where id = ${ownedUuidOf(webhookDeliveryId).id} returning id`,
  );
  return { webhookDeliveryId };
};
const WORKFLOW = {
  name: 'Welcome',
  trigger: 'NEW_BOOKING',
  steps: [{ action: 'EMAIL_HOST', subject: 'New: {event_name}', body: '{attendee_name} has booked.' }],
};
/** There are only so many of a team, so what was made before is deleted, but for the one that is kept. */
const newWorkflow = async (world: World) => {
  await world.rows(sql`delete from workflows where name = ${WORKFLOW.name} returning id`);
  return WORKFLOW;
};
const teamWorkflow = async (world: World, name = WORKFLOW.name) => ({
  workflowId: await world.made(
    'teamWorkflowCreate',
    { teamId: await world.id('teams', 'sales'), ...(await newWorkflow(world)), name },
    'workflowId',
  ),
});
const keptWorkflow = async (world: World) => ({
  workflowId: await world.once('workflow', async () => (await teamWorkflow(world, 'Kept')).workflowId),
});
/** An app that is not connected, since there is one of its kind at the most. */
const unconnectedApp = async (world: World) => {
  await world.rows(sql`delete from conferencing_apps where app = 'video' returning id`);
  return { app: 'video' };
};
/** An app beside the default. */
const secondApp = (group: 'own' | 'team') => async (world: World) => {
  const owner = group === 'own' ? world.userId('ada') : await world.id('teams', 'sales');
  return { conferencingAppId: await world.secondApp(owner) };
};
/** Something that is verified for Ada or her team, which no other test has. */
const verified = (kind: ReceiverKind, group: 'own' | 'team') => async (world: World) => {
  const owner = group === 'own' ? world.userId('ada') : await world.id('teams', 'sales');
  return { [kind === 'EMAIL' ? 'verifiedEmailId' : 'verifiedPhoneId']: await world.verified(kind, owner) };
};
/** Forms are made with a session, and the same one serves all. */
const form = (group: 'team' | 'organization') => async (world: World) => ({
  routingFormId: await world.once(`form of the ${group}`, async () =>
    newRoutingForm(world.signedIn('ada'), (await groupOf(world, group)) as { teamId: string }),
  ),
});
const ANSWERS = { answers: { company: 'ACME' } };
const formResponse = (group: 'team' | 'organization') => async (world: World) => ({
  routingFormResponseId: await world.made(
    `${group}RoutingFormResponseCreate`,
    { ...(await groupOf(world, group)), ...(await form(group)(world)), ...ANSWERS },
    'routingFormResponseId',
  ),
});
function ofWebhooks(kind: WebhookKind): Record<string, Make> {
  const { group } = WEBHOOKS[kind];
  return {
    [`${kind}Create`]: by(group, newWebhookOf(kind)),
    [`${kind}Update`]: by(group, and(aWebhook(kind), { active: false })),
    [`${kind}Delete`]: by(group, aWebhook(kind)),
    [`${kind}SecretRotate`]: by(group, setWebhook(kind)),
    [`${kind}TakeOver`]: by(group, pausedWebhook(kind)),
    [`${kind}Test`]: by(group, and(sendingWebhook(kind), { trigger: 'BOOKING_CREATED' })),
    [`${kind}DeliveryRetry`]: by(group, aDelivery(kind)),
  };
}
/** A receiver of Ada's or her team's, with a code that was sent there. */
const codeFor = (kind: ReceiverKind, group: 'own' | 'team') => async (world: World) => {
  const owner = group === 'own' ? world.userId('ada') : await world.id('teams', 'sales');
  const receiver = kind === 'EMAIL' ? world.address() : world.number();
  return { [kind === 'EMAIL' ? 'email' : 'phone']: receiver, code: await world.code(kind, owner, receiver) };
};
const newOrganizationTeam = async (world: World) => ({
  teamId: await world.made(
    'organizationTeamCreate',
    { ...(await groupOf(world, 'organization')), slug: world.slug(), name: 'Team' },
    'teamId',
  ),
});
const newMembership = (group: 'team' | 'organization') => async (world: World) => ({
  membershipId: await world.made(
    `${group}MembershipCreate`,
    {
      ...(await groupOf(world, group)),
      userId: await world.newUser(group === 'team' ? 'acme' : undefined),
      role: 'MEMBER',
    },
    'membershipId',
  ),
});
const newInvitation = (group: 'team' | 'organization') => async (world: World) => ({
  invitationId: await world.made(
    `${group}Invite`,
    { ...(await groupOf(world, group)), email: `${world.slug()}@mail.test`, role: 'MEMBER' },
    'invitationId',
  ),
});
/** A membership that was accepted, of a group that Ada owns, whomever she handed it over to before. */
async function accepted(world: World, table: string, made: { readonly membershipId: string }): Promise<string> {
  const id = uuidOf(made.membershipId);
  await world.rows(
    sql`update ${sql.table(table)} set role = 'OWNER' where user_id = ${uuidOf(world.userId('ada'))} returning id`,
  );
  await world.rows(sql`update ${sql.table(table)} set accepted = true where id = ${id} returning id`);
  return made.membershipId;
}
const and =
  (make: (world: World) => Promise<object>, more: object) =>
  async (world: World): Promise<object> => ({ ...(await make(world)), ...more });

/** A valid input for every mutation that tokens see. A test names the one that is missing. */
const VALID: Readonly<Record<string, Make>> = {
  bookerEmailVerificationRequest: slotted(({ eventTypeId }) => ({ eventTypeId, email: PERSON.email })),
  bookingCancel: slotted(async (page, start) => ({ uid: await page.book(start) })),
  bookingSeriesCancel: slotted(async (page, start, _later, world) => ({
    uid: await inSeries(world, await page.book(start)),
  })),
  bookingCreate: slotted(({ eventTypeId }, start) => ({ eventTypeId, start, attendee: PERSON })),
  bookingReschedule: slotted(async (page, start, later) => ({ uid: await page.book(start), start: later })),
  slotReservationCreate: slotted(({ eventTypeId }, start) => ({ eventTypeId, start })),
  slotReservationDelete: slotted(async (page, start) => ({ reservationId: await reserved(page, start) })),
  slotReservationUpdate: slotted(async (page, start) => ({ reservationId: await reserved(page, start) })),

  heldSlotDelete: async (world) => {
    const { page, start } = await world.free();
    const heldSlotId = await heldSlot(world, await reserved(page, start));
    return { username: page.username, input: { heldSlotId }, names: ['heldSlotId'] };
  },
  teamHeldSlotDelete: by('team', async (world) => {
    const { data } = await world
      .signedIn('ada')
      .change('slotReservationCreate', await world.freeOfTeam(), 'reservation { id }');
    return { heldSlotId: await heldSlot(world, data.reservation.id) };
  }),

  bookingAbsenceMark: hosted({ hostAbsent: true }, 'ACCEPTED', true),
  bookingAttendeeAdd: hosted({ attendee: { ...PERSON, email: 'lin@example.test' } }),
  bookingConfirm: hosted({}, 'PENDING'),
  bookingDecline: hosted({}, 'PENDING'),
  bookingGuestsAdd: hosted({ guests: ['guest@example.test'] }),
  bookingLocationUpdate: hosted({ location: { type: 'LINK', value: 'https://meet.example/1' } }),
  bookingRescheduleRequest: hosted({}),
  ...Object.fromEntries(
    (['team', 'organization'] as const).flatMap((group) => [
      [`${group}BookingCreate`, newTeamBooking(group)],
      [`${group}BookingCancel`, ofTeamBooking(group, 'ACCEPTED', { reason: 'Ill' })],
      [`${group}BookingSeriesCancel`, ofTeamBooking(group, 'ACCEPTED', { reason: 'Ill' }, true)],
      [`${group}BookingConfirm`, ofTeamBooking(group, 'PENDING', {})],
      [`${group}BookingDecline`, ofTeamBooking(group, 'PENDING', {})],
      [`${group}BookingReassign`, ofTeamBooking(group, 'ACCEPTED', {})],
      [`${group}BookingRescheduleRequest`, ofTeamBooking(group, 'ACCEPTED', {})],
      [`${group}BookingGuestsAdd`, ofTeamBooking(group, 'ACCEPTED', { guests: ['guest@example.test'] })],
      [
        `${group}BookingAttendeeAdd`,
        ofTeamBooking(group, 'ACCEPTED', { attendee: { ...PERSON, email: 'lin@example.test' } }),
      ],
      [
        `${group}BookingLocationUpdate`,
        ofTeamBooking(group, 'ACCEPTED', { location: { type: 'LINK', value: 'https://meet.example/1' } }),
      ],
      [`${group}BookingAbsenceMark`, begunOfTeam(group)],
    ]),
  ),
  bookingReassign: async (world) => ({
    username: 'bob',
    input: { uid: await teamBooking('ACCEPTED')(world) },
    names: ['uid'],
  }),

  eventTypeCreate: by('own', newEventType),
  eventTypeUpdate: by('own', and(ownEventType, { title: 'Other' })),
  eventTypeDelete: by('own', ownEventType),
  teamEventTypeCreate: by('team', newEventType),
  teamEventTypeUpdate: by('team', and(teamEventType, { title: 'Other' })),
  teamEventTypeDelete: by('team', teamEventType),
  organizationEventTypeCreate: by('organization', async (world) => ({
    ...(await newEventType(world)),
    teamId: await world.id('teams', 'sales'),
  })),
  organizationEventTypeUpdate: by('organization', and(teamEventType, { title: 'Other' })),
  organizationEventTypeDelete: by('organization', teamEventType),

  privateLinkCreate: by('own', ownEventType),
  privateLinkUpdate: by('own', and(ownLink, { maxUsageCount: 3 })),
  privateLinkDelete: by('own', ownLink),
  teamPrivateLinkCreate: by('team', teamEventType),
  teamPrivateLinkUpdate: by('team', and(teamLink, { maxUsageCount: 3 })),
  teamPrivateLinkDelete: by('team', teamLink),

  scheduleCreate: by('own', () => ({ name: 'Hours' })),
  scheduleUpdate: by('own', and(ownSchedule, { name: 'Other' })),
  scheduleDelete: by('own', ownSchedule),
  teamScheduleCreate: by('team', and(ada, { name: 'Hours' })),
  teamScheduleUpdate: by('team', and(ownSchedule, { name: 'Other' })),
  teamScheduleDelete: by('team', ownSchedule),
  organizationScheduleCreate: by('organization', and(ada, { name: 'Hours' })),
  organizationScheduleUpdate: by('organization', and(ownSchedule, { name: 'Other' })),
  organizationScheduleDelete: by('organization', ownSchedule),

  outOfOfficeCreate: by('own', () => HOURS),
  outOfOfficeUpdate: by('own', and(ownAbsence, { notes: 'Away' })),
  outOfOfficeDelete: by('own', ownAbsence),
  teamOutOfOfficeCreate: by('team', and(ada, HOURS)),
  teamOutOfOfficeUpdate: by('team', and(ownAbsence, { notes: 'Away' })),
  teamOutOfOfficeDelete: by('team', ownAbsence),
  organizationOutOfOfficeCreate: by('organization', and(ada, HOURS)),
  organizationOutOfOfficeUpdate: by('organization', and(ownAbsence, { notes: 'Away' })),
  organizationOutOfOfficeDelete: by('organization', ownAbsence),

  teamWorkflowCreate: by('team', newWorkflow),
  teamWorkflowUpdate: by('team', and(keptWorkflow, { isActive: false })),
  teamWorkflowDelete: by('team', (world) => teamWorkflow(world)),
  appleCalendarConnect: by('own', () => APPLE_ACCOUNT),
  caldavCalendarConnect: by('own', () => ({ ...APPLE_ACCOUNT, server: 'cloud.example' })),
  calendarConnect: by('own', () => ({ provider: 'GOOGLE' })),
  calendarReconnect: by('own', refusedConnection),
  calendarDisconnect: by('own', ownConnection),
  selectedCalendarAdd: by('own', ownCalendar),
  selectedCalendarRemove: by('own', ownCalendar),
  destinationCalendarSet: by('own', ownCalendar),

  ...ofWebhooks('webhook'),
  ...ofWebhooks('organizationWebhook'),
  ...ofWebhooks('eventTypeWebhook'),
  ...ofWebhooks('teamEventTypeWebhook'),

  // A feed that is there goes.
  icsFeedsSave: by('own', async (world) => {
    await world.feed();
    return { urls: [] };
  }),
  conferencingAppConnect: by('own', unconnectedApp),
  conferencingAppDisconnect: by('own', secondApp('own')),
  conferencingAppDefaultSet: by('own', secondApp('own')),
  teamConferencingAppConnect: by('team', unconnectedApp),
  teamConferencingAppDisconnect: by('team', secondApp('team')),
  teamConferencingAppDefaultSet: by('team', secondApp('team')),

  emailVerificationRequest: by('own', (world) => ({ email: world.address() })),
  emailVerify: by('own', codeFor('EMAIL', 'own')),
  phoneVerificationRequest: by('own', (world) => ({ phone: world.number() })),
  phoneVerify: by('own', codeFor('PHONE', 'own')),
  teamPhoneVerificationRequest: by('team', (world) => ({ phone: world.number() })),
  teamPhoneVerify: by('team', codeFor('PHONE', 'team')),
  teamEmailVerificationRequest: by('team', (world) => ({ email: world.address() })),
  teamEmailVerify: by('team', codeFor('EMAIL', 'team')),
  verifiedEmailDelete: by('own', verified('EMAIL', 'own')),
  verifiedPhoneDelete: by('own', verified('PHONE', 'own')),
  teamVerifiedEmailDelete: by('team', verified('EMAIL', 'team')),
  teamVerifiedPhoneDelete: by('team', verified('PHONE', 'team')),
  routingFormSubmit: async (world) => ({
    username: 'ada',
    input: { ...(await form('team')(world)), ...ANSWERS },
    names: ['routingFormId'],
  }),
  ...Object.fromEntries(
    (['team', 'organization'] as const).flatMap((group) => [
      [`${group}RoutingFormResponseCreate`, by(group, and(form(group), ANSWERS))],
      [`${group}RoutingFormResponseUpdate`, by(group, and(formResponse(group), ANSWERS))],
      [`${group}RoutingFormResponseDelete`, by(group, formResponse(group))],
    ]),
  ),

  profileUpdate: by('own', () => ({ bio: 'Hello' })),
  teamCreate: by('own', (world) => ({ slug: world.slug(), name: 'Team' })),
  teamUpdate: by('own', and(newOrganizationTeam, { name: 'Other' })),
  teamDelete: by('own', newOrganizationTeam),
  organizationTeamCreate: by('organization', (world) => ({ slug: world.slug(), name: 'Team' })),
  organizationTeamUpdate: by('organization', and(newOrganizationTeam, { name: 'Other' })),
  organizationTeamDelete: by('organization', newOrganizationTeam),
  teamInvite: by('team', (world) => ({ email: `${world.slug()}@mail.test`, role: 'MEMBER' })),
  teamInvitationResend: by('team', newInvitation('team')),
  teamInvitationDelete: by('team', newInvitation('team')),
  organizationInvite: by('organization', (world) => ({ email: `${world.slug()}@mail.test`, role: 'MEMBER' })),
  organizationInvitationResend: by('organization', newInvitation('organization')),
  organizationInvitationDelete: by('organization', newInvitation('organization')),
  teamMembershipCreate: by('team', async (world) => ({ userId: await world.newUser('acme'), role: 'MEMBER' })),
  teamMembershipUpdate: by('team', and(newMembership('team'), { role: 'ADMIN' })),
  teamMembershipDelete: by('team', newMembership('team')),
  teamMembershipOwnershipTransfer: by('team', async (world) => ({
    membershipId: await accepted(world, 'team_memberships', await newMembership('team')(world)),
  })),
  organizationMembershipCreate: by('organization', async (world) => ({
    userId: await world.newUser(),
    role: 'MEMBER',
  })),
  organizationMembershipUpdate: by('organization', and(newMembership('organization'), { role: 'ADMIN' })),
  organizationMembershipOwnershipTransfer: by('organization', async (world) => ({
    membershipId: await accepted(world, 'organization_memberships', await newMembership('organization')(world)),
  })),
  organizationUserCreate: by('organization', (world) => ({ email: `${world.slug()}@mail.test` })),
  organizationUserUpdate: by('organization', async (world) => ({
    userId: await world.newUser('acme'),
    timeZone: 'Asia/Kolkata',
  })),
  organizationUserDelete: by('organization', async (world) => ({ userId: await world.newUser('acme') })),
  organizationMembershipDelete: by('organization', newMembership('organization')),
};

export const NAMES_WITH_INPUT: readonly string[] = Object.keys(VALID);

/** The app that sends inputs, and the service that gets them. */
interface Sender {
  /** The app that sends them. */
  readonly clientId: string;
  /** The key that codes are derived under there. */
  readonly codeKey: Uint8Array;
}

/** Answers a valid input of a mutation, about things of its own each time. */
export function validInputs(
  api: TestApi,
  sender: Sender = { clientId: 'test', codeKey: NO_KEY },
): (name: string) => Promise<ValidInput> {
  const world = new World(api, sender);
  return (name) => {
    const make = VALID[name];
    if (!make) throw new Error(`No valid input of ${name} is known.`);
    return make(world);
  };
}
