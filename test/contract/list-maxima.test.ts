/**
 * Every list has a most, which its price is counted with: a list that says none could hold anything, for the price of
 * nothing. And every most is true: what is written is refused, or cut, beyond it.
 */
import { getNullableType, isListType, isObjectType, type OperationDefinitionNode, parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, newTeamId, newUserId } from '../../src/core/id.ts';
import { Problem } from '../../src/core/problem.ts';
import { rows, sql } from '../../src/database/sql.ts';
import { requireFewIds } from '../../src/graphql/id-arguments.ts';
import { costOf } from '../../src/graphql/limits/cost.ts';
import { priceOf } from '../../src/graphql/limits/price.ts';
import { calendarLinks } from '../../src/modules/bookings/add-to-calendar.rules.ts';
import { guestMistakes } from '../../src/modules/bookings/booking-request.rules.ts';
import { findEventTypeRules } from '../../src/modules/bookings/slots/bookable-event-type.queries.ts';
import { keptCalendars } from '../../src/modules/calendars/connections/calendar-connection.rules.ts';
import { hostMistakes, MAX_HOSTS } from '../../src/modules/event-types/event-type-host.rules.ts';
import { type BookingField, bookingFieldMistakes } from '../../src/modules/event-types/settings/booking-field.rules.ts';
import { embedOriginMistakes } from '../../src/modules/event-types/settings/embed-origin.rules.ts';
import { locationMistakes } from '../../src/modules/event-types/settings/location.rules.ts';
import { EVENT_TYPE_DEFAULTS, schedulingMistakes } from '../../src/modules/event-types/settings/scheduling.rules.ts';
import { inheritedNames } from '../../src/modules/organizations/group-profile.graphql.ts';
import { type Condition, conditionMistakes } from '../../src/modules/routing-forms/condition.rules.ts';
import type { FormField } from '../../src/modules/routing-forms/form-field.rules.ts';
import { type Route, routeMistakes } from '../../src/modules/routing-forms/routing-form.rules.ts';
import { availabilityMistakes, overrideMistakes, WEEK_DAYS } from '../../src/modules/schedules/schedule.rules.ts';
import { webhookFields } from '../../src/modules/webhooks/webhook.commands.ts';
import { WEBHOOK_TRIGGERS } from '../../src/modules/webhooks/webhook.rules.ts';
import { checkedWorkflowFields, newSteps } from '../../src/modules/workflows/workflow-fields.ts';
import { secretCreateMistake } from '../../src/oauth/clients/client-secret.commands.ts';
import { registrationMistakes } from '../../src/oauth/protocol/client-registration.ts';
import { buildSchemas } from '../../src/schema.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

const { forSessions } = buildSchemas();
const LISTS = Object.values(forSessions.schema.getTypeMap())
  .filter((type) => isObjectType(type) && !type.name.startsWith('__'))
  .flatMap((type) => Object.values(isObjectType(type) ? type.getFields() : {}).map((field) => ({ type, field })))
  .filter(({ field }) => isListType(getNullableType(field.type)));
/** `nodes` and `edges` are as long as the page that is asked for. */
const isPage = ({ type, field }: (typeof LISTS)[number]): boolean =>
  type.name.endsWith('Connection') && ['nodes', 'edges'].includes(field.name);

test('every list of the schema says how much it can hold at most', () => {
  const endless = LISTS.filter((list) => {
    const { max, range } = priceOf(list.field);
    return !isPage(list) && !Number.isSafeInteger(max) && range === undefined;
  });
  expect(endless.map(({ type, field }) => `${type.name}.${field.name}`)).toEqual([]);
});

test('every connection is reached by a field with pages', () => {
  const paged = Object.values(forSessions.schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })))
    .filter(({ field }) => /Connection!?$/.test(String(field.type)));
  expect(paged.length).toBeGreaterThan(20);
  const endless = paged.filter(({ field }) => !field.args.some(({ name }) => name === 'first'));
  expect(endless.map(({ type, field }) => `${type.name}.${field.name}`)).toEqual([]);
});

/** Whether so many are refused. */
type Refuses = (count: number) => boolean;

const many = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, i) => item(i));
const RULES = {
  ...EVENT_TYPE_DEFAULTS,
  durationInMinutes: 1,
  durationInMinutesOptions: [],
  schedulingType: null,
  timeZone: 'UTC',
  weekStart: 'MONDAY',
} as const;
const FIELD: BookingField = {
  slug: 'a',
  type: 'SELECT',
  label: 'A',
  placeholder: null,
  isRequired: false,
  isHidden: false,
  options: ['one'],
} as BookingField;
const CLIENT = {
  name: 'App',
  purpose: 'Tests',
  redirectUris: ['https://app.example.test/cb'],
  scopes: ['PROFILE_READ'],
};
const ENTRY = {
  uid: 'u',
  title: 'T',
  description: null,
  location: null,
  start: Temporal.Instant.fromEpochMilliseconds(0),
  end: Temporal.Instant.fromEpochMilliseconds(60_000),
  icsUrl: 'https://gatehouse.test/bookings/u.ics',
};

const CONDITION: Condition = { field: FIELD.slug, operator: 'IS_EMPTY', values: [] };
const ROUTE: Route = { id: 'r', match: 'ALL', conditions: [CONDITION], target: { type: 'MESSAGE', message: 'Hello' } };

const days: Refuses = (count) =>
  availabilityMistakes(['availability'], [
    { days: many(count, (i) => WEEK_DAYS[i % 7] as string), start: '09:00', end: '10:00' },
  ] as never).length > 0;
const lengths: Refuses = (count) =>
  schedulingMistakes({ ...RULES, durationInMinutesOptions: many(count, (i) => i + 1) }).length > 0;
const locations: Refuses = (count) =>
  locationMistakes(['locations'], many(count, (i) => ({ type: 'ADDRESS', value: `Room ${i}` })) as never).length > 0;
const fields: Refuses = (count) =>
  bookingFieldMistakes(
    ['bookingFields'],
    many(count, (i) => ({ ...FIELD, slug: `f${i}` })),
  ).length > 0;
const options: Refuses = (count) =>
  bookingFieldMistakes(['bookingFields'], [{ ...FIELD, options: many(count, (i) => `o${i}`) }]).length > 0;
const hosts: Refuses = (count) =>
  hostMistakes(
    ['hostsSet'],
    many(count, (i) => ({ userId: `u${i}`, isMandatory: false, priority: 2, weight: 100 })),
  ).length > 0;
const seats: Refuses = (count) =>
  schedulingMistakes({ ...RULES, seats: { perSlot: count, showsAttendees: true } }).length > 0;
const occurrences: Refuses = (count) =>
  schedulingMistakes({ ...RULES, recurrence: { frequency: 'DAILY', interval: 1, occurrences: count } }).length > 0;
const guests: Refuses = (count) =>
  guestMistakes(['guests'], ['last@example.test'], {
    allowsGuests: true,
    attendeeEmails: [],
    guestEmails: many(count - 1, (i) => `g${i}@example.test`),
  }).length > 0;
const links: Refuses = (count) => calendarLinks(ENTRY).length < count;
const inherited: Refuses = (count) =>
  inheritedNames({ logoUrl: null, brandColor: null, timeZone: null, weekStart: null, hidesBranding: null }).length <
  count;
const redirectUris: Refuses = (count) =>
  registrationMistakes({ ...CLIENT, redirectUris: many(count, (i) => `https://app.example.test/${i}`) }, 'CONFIDENTIAL')
    .length > 0;
const secrets: Refuses = (count) => secretCreateMistake({ type: 'CONFIDENTIAL' }, count - 1) !== undefined;
const calendars: Refuses = (count) => {
  const listed = { name: 'Work', isPrimary: false, isReadOnly: false };
  return keptCalendars(many(count, (i) => ({ ...listed, externalId: `calendar-${i}` }))).length < count;
};
const triggers: Refuses = (count) => {
  const given = many(count, (i) => WEBHOOK_TRIGGERS[i % WEBHOOK_TRIGGERS.length] ?? 'BOOKING_CREATED');
  return (
    webhookFields({ allowsPrivate: false, holder: 'ORGANIZATION' }).triggers.check?.(['triggers'], given) !== undefined
  );
};
const byIds: Refuses = (count) => {
  try {
    requireFewIds(many(count, String));
    return false;
  } catch (error) {
    return error instanceof Problem;
  }
};
const STEP = { action: 'EMAIL_HOST', subject: 'New', body: 'Hello' } as const;
const mistakes: Refuses = (count) =>
  problemOf(many(count, () => ({ code: 'REQUIRED', message: 'a' }))).mistakes.length < count;
const path: Refuses = (count) =>
  (problemOf([{ code: 'REQUIRED', message: 'a', path: many(count, String) }]).mistakes[0].path?.length ?? 0) < count;

function problemOf(given: Parameters<typeof Problem.throwIfAny>[0]): Problem {
  try {
    Problem.throwIfAny(given);
  } catch (error) {
    if (error instanceof Problem) return error;
  }
  throw new Error('A problem was expected.');
}

/** Beside each list the rule that keeps it so short. Those of the last part are kept by statements: see below. */
const BOUNDED: Readonly<Record<string, Refuses | 'STATEMENT'>> = {
  'WeeklyHours.days': days,
  'Schedule.availability': (count) =>
    availabilityMistakes(['a'], many(count, () => ({ days: ['MONDAY'], start: '09:00', end: '10:00' })) as never)
      .length > 0,
  'Schedule.overrides': (count) =>
    overrideMistakes(
      ['o'],
      many(count, () => ({ date: '2030-01-01', start: '09:00', end: '10:00' })),
    ).length > 0,
  'RoutingForm.fields': fields,
  'RoutingFormResponse.fields': fields,
  'RoutingFormField.options': options,
  'PublicRoutingForm.fields': fields,
  'RoutingForm.routes': (count) =>
    routeMistakes(
      many(count, () => ROUTE),
      [FIELD as FormField],
      () => ['routes'],
    ).length > 0,
  'RoutingFormRoute.conditions': (count) =>
    conditionMistakes(
      ['c'],
      many(count, () => CONDITION),
      [FIELD as FormField],
    ).length > 0,
  'RoutingFormCondition.values': (count) =>
    conditionMistakes(
      ['c'],
      [{ ...CONDITION, operator: 'ANY_OF', values: many(count, () => 'one') }],
      [FIELD as FormField],
    ).length > 0,
  'BookingField.options': options,
  'EventType.durationInMinutesOptions': lengths,
  'PublicEventType.durationInMinutesOptions': lengths,
  'EventType.embedOrigins': (count) =>
    embedOriginMistakes(
      ['embedOrigins'],
      many(count, (i) => `https://${i}.example`),
    ).length > 0,
  'EventType.locations': locations,
  'PublicEventType.locations': locations,
  'EventType.bookingFields': fields,
  'PublicEventType.bookingFields': fields,
  'EventType.hosts': hosts,
  'PublicBooking.otherAttendeeNames': seats,
  'Booking.attendees': seats,
  'BookingCreatePayload.bookings': occurrences,
  'BookingSeriesCancelPayload.bookings': occurrences,
  'BookingSeriesCancelPayload.keptBookings': occurrences,
  'UserBookingSeriesCancelPayload.bookings': occurrences,
  'TeamBookingSeriesCancelPayload.bookings': occurrences,
  'OrganizationBookingSeriesCancelPayload.bookings': occurrences,
  'TeamBookingCreatePayload.bookings': occurrences,
  'OrganizationBookingCreatePayload.bookings': occurrences,
  'Booking.guests': guests,
  'Booking.calendarLinks': links,
  'Team.inherited': inherited,
  'OAuthClient.redirectUris': redirectUris,
  'OAuthClientRevision.redirectUris': redirectUris,
  'OAuthClient.secrets': secrets,
  // Each scope that there is, once (client.commands.ts).
  'OAuthClient.scopes': 'STATEMENT',
  'OAuthClientRevision.scopes': 'STATEMENT',
  'AuthorizedGrant.scopes': 'STATEMENT',
  'Workflow.steps': (count) =>
    newSteps(
      many(count, () => STEP),
      'BOOKING',
    ).mistakes.length > 0,
  // One for each step.
  'Team.workflowPreview': (count) =>
    newSteps(
      many(count, () => STEP),
      'BOOKING',
    ).mistakes.length > 0,
  'Workflow.eventTypeIds': (count) => checkedWorkflowFields({ eventTypeIds: many(count, String) }).mistakes.length > 0,
  'Workflow.routingFormIds': (count) =>
    checkedWorkflowFields({ routingFormIds: many(count, String) }).mistakes.length > 0,
  'Webhook.triggers': triggers,
  'CalendarAccount.calendars': calendars,
  'EventTypeWebhook.triggers': triggers,
  // In the statement that notes one (attempt-delivery.ts).
  'WebhookDelivery.attempts': 'STATEMENT',
  // More are refused when they are saved (save-feeds.ts): the hit of `ics-feeds` in limits.
  'IcsFeedsSetPayload.icsFeeds': 'STATEMENT',
  // `limit` in its own statement (authorized-apps.ts).
  'AuthorizedApp.grants': 'STATEMENT',
  // The same (departure.queries.ts, end-membership.ts).
  'MembershipDeparture.eventTypes': 'STATEMENT',
  'MembershipDeparture.managedEventTypes': 'STATEMENT',
  'TeamMembershipDeletePayload.eventTypesWithoutHost': 'STATEMENT',
  'OrganizationMembershipDeletePayload.eventTypesWithoutHost': 'STATEMENT',
  'OrganizationUserRemovePayload.eventTypesWithoutHost': 'STATEMENT',
  // `limit` in their own statement (webhook.queries.ts).
  'TeamMembershipUpdatePayload.pausedWebhooks': 'STATEMENT',
  'OrganizationMembershipUpdatePayload.pausedWebhooks': 'STATEMENT',
  'TeamMembershipDeletePayload.pausedWebhooks': 'STATEMENT',
  'OrganizationMembershipDeletePayload.pausedWebhooks': 'STATEMENT',
  'OrganizationUserRemovePayload.pausedWebhooks': 'STATEMENT',
  'UserSuspendPayload.pausedWebhooks': 'STATEMENT',
  // Hosts of a booking are hosts of its event type, and a team with all its members has only so many.
  'Appointment.hosts': 'STATEMENT',
  'PublicBooking.hosts': 'STATEMENT',
  'Booking.hosts': 'STATEMENT',
  // `limit` in their own statement (booking-parts.queries.ts).
  'Booking.mails': 'STATEMENT',
  // One request names these people: the booker, and guests (booking-request.rules.ts).
  'BookingCreatePayload.mails': 'STATEMENT',
  'TeamBookingCreatePayload.mails': 'STATEMENT',
  'OrganizationBookingCreatePayload.mails': 'STATEMENT',
  // test/http/conferencing-callback.test.ts
  'Booking.recordings': 'STATEMENT',
  'Booking.transcripts': 'STATEMENT',
  'Booking.references': 'STATEMENT',
  'Booking.conferencingSessions': 'STATEMENT',
};

test('the mistakes of a mutation are no longer than their price, however many and long they are', () => {
  const source = 'mutation { userSuspend(input: { userId: "u" }) { userErrors { code message path } } }';
  const document = parse(source);
  const [operation] = document.definitions;
  const cost = costOf(forSessions.schema, document, operation as OperationDefinitionNode, {});
  // A mutation itself counts 10.
  expect(cost).toBe(20);
  const code = 'EMAIL_VERIFICATION_REQUIRED';
  for (const length of [1, 60, 125, 500, 1_000]) {
    for (const path of [[], ['attendee'], many(3, () => 'a'.repeat(40)), many(30, () => 'a'.repeat(200))]) {
      const { mistakes: given } = problemOf(many(200, () => ({ code, message: 'a'.repeat(length), path })));
      expect(given.length).toBeGreaterThan(0);
      expect(JSON.stringify(given).length).toBeLessThanOrEqual((cost - 10) * 1_000);
    }
  }
});

/** The rule that bounds such a list, wherever it stands. */
const RULE_BY_NAME: readonly (readonly [RegExp, Refuses])[] = [
  [/^UserError\.path$/, path],
  [/\.userErrors$/, mistakes],
  [/ById$/, byIds],
];

describe('a list is no longer than its price says:', () => {
  const lists = LISTS.filter((list) => !isPage(list) && priceOf(list.field).range === undefined);
  test.each(lists.map((list) => [`${list.type.name}.${list.field.name}`, list] as const))('%s', (name, { field }) => {
    const { max = Number.NaN } = priceOf(field);
    const own = RULE_BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? BOUNDED[name];
    if (own === undefined) throw new Error(`Nothing shows that ${name} has at most ${max}; add what keeps it so.`);
    if (own === 'STATEMENT') return;
    expect({ max, isRefused: own(max) }).toEqual({ max, isRefused: false });
    expect({ max: max + 1, isRefused: own(max + 1) }).toEqual({ max: max + 1, isRefused: true });
  });
});

describe('a list is kept short by its statement:', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  test('an event type of a whole team has as many hosts as one whose hosts are named, and those named are among them', async () => {
    const em = database.em.fork();
    const [teamId, id] = [newTeamId(), newId()];
    const ids = many(503, newUserId);
    const last = ids.at(-1) ?? '';
    for (const statement of [
      sql`insert into users (id, email, username, name, password_hash, time_zone, week_start, time_format, locale, metadata,
            is_administrator, created_at, updated_at, email_verified_at)
          select id, id::text, id::text, id::text, 'none', 'UTC', 'MONDAY', 24, 'en', '{}', false, now(), now(), now()
          from unnest(${ids}::uuid[]) id`,
      sql`insert into teams (id, slug, name, time_zone, week_start, hides_branding, is_private, metadata, created_at, updated_at)
          values (${teamId}, 'many', 'Many', 'UTC', 'MONDAY', false, false, '{}', now(), now())`,
      sql`insert into team_memberships (id, team_id, user_id, role, accepted, created_at)
          select id, ${teamId}::uuid, id, 'MEMBER', true, now() from unnest(${ids}::uuid[]) id`,
      sql`insert into event_types (owner_id, id, team_id, slug, title, duration_in_minutes, is_hidden, metadata, scheduling_type,
            assigns_all_members, created_at, updated_at)
          values (${teamId}, ${id}, ${teamId}, 'all', 'All', 30, false, '{}', 'COLLECTIVE', true, now(), now())`,
      sql`insert into event_type_hosts (owner_id, event_type_id, user_id, membership_id, is_mandatory, priority, weight)
          values (${teamId}, ${id}, ${last}, ${last}, true, 4, 100)`,
    ]) {
      await rows(em, statement);
    }
    const found = await findEventTypeRules(em, { ownerId: teamId, id });
    expect(found?.hosts).toHaveLength(MAX_HOSTS);
    expect(found?.hosts.map(({ userId }) => userId)).toContain(last);
  });
});
