/**
 * rest/ is the API for callers who come from REST: a table of paths, each with the fixed GraphQL document that answers it. The
 * table follows the levels and the schema: what a resource offers at a level has its path there.
 */

import { type GraphQLField, getNamedType, isInputObjectType, isObjectType } from 'graphql';
import { declaredResources } from '../../modules/levels/resource.graphql.ts';
import type { SchemaRules } from '../../scopes/schema-rules.ts';
import { changing, followed, type RestRoute, reading, type Step } from './route.ts';

const ME: Step = { name: 'me', bound: {} };
const ORGANIZATION: Step = { name: 'organization', bound: { id: 'orgId' } };

const DOORS: readonly Door[] = [
  { path: '/v2', steps: [ME], prefix: '', bound: {} },
  {
    path: '/v2/teams/:teamId',
    steps: [{ name: 'team', bound: { id: 'teamId' } }],
    prefix: 'team',
    bound: { teamId: 'teamId' },
  },
  {
    path: '/v2/organizations/:orgId',
    steps: [ORGANIZATION],
    prefix: 'organization',
    bound: { organizationId: 'orgId' },
  },
  // The team must be the organization's, by both the fields that lead there and the inputs.
  {
    path: '/v2/organizations/:orgId/teams/:teamId',
    steps: [ORGANIZATION, { name: 'team', bound: { id: 'teamId' } }],
    prefix: 'team',
    bound: { teamId: 'teamId', organizationId: 'orgId' },
  },
];

/** A resource, whose list and path are derived unless they are said. */
type Unusual = Pick<Resource, 'noun'> & Partial<Resource>;

/**
 * The resources, each of which gets the paths of what the schema offers of it, at each door. One that `resource(...)`
 * declares needs a line for what is unusual about it alone.
 */
const RESOURCES: readonly Unusual[] = [
  {
    noun: 'eventType',
    below: { 'private-links': 'privateLinks', webhooks: 'webhooks', children: 'children' },
    onlyAlone: ['hosts.user.avatarUrl'],
  },
  {
    noun: 'privateLink',
    madeIn: { path: 'event-types/:eventTypeId/private-links', parameter: 'eventTypeId' },
  },
  {
    noun: 'eventTypeWebhook',
    madeIn: { path: 'event-types/:eventTypeId/webhooks', parameter: 'eventTypeId' },
    actions: { 'POST rotate-secret': 'SecretRotate', 'POST take-over': 'TakeOver', 'POST test': 'Test' },
  },
  {
    noun: 'eventTypeWebhookDelivery',
    list: 'eventTypeWebhookDeliveries',
    key: 'webhookDeliveryId',
    actions: { 'POST retry': 'Retry' },
  },
  {
    noun: 'booking',
    // A booking that anybody may make, anybody who has its uid may read.
    readAt: {
      '/v2/bookings/:bookingId': { path: '/v2/public-bookings/:uid', parameter: 'uid', at: ['booking', 'uid'] },
    },
    below: { 'slots-to-move-to': 'slotsToMoveTo' },
    onlyAlone: [
      'hosts.user.avatarUrl',
      'attendees.notes',
      'attendees.responses',
      'calendarLinks',
      'recordings',
      'transcripts',
      'references',
      'conferencingSessions',
    ],
    actions: {
      'POST cancel': 'Cancel',
      'POST cancel-series': 'SeriesCancel',
      'POST reschedule': 'Reschedule',
      'POST confirm': 'Confirm',
      'POST decline': 'Decline',
      'POST reassign': 'Reassign',
      'POST request-reschedule': 'RescheduleRequest',
      'POST mark-absence': 'AbsenceMark',
      'POST attendees': 'AttendeeAdd',
      'POST guests': 'GuestsAdd',
      'PATCH location': 'LocationUpdate',
      'POST rotate-uid': 'UidRotate',
    },
  },
  { noun: 'appointment' },
  { noun: 'reservedSlot' },
  {
    noun: 'webhook',
    below: { deliveries: 'deliveries' },
    actions: { 'POST rotate-secret': 'SecretRotate', 'POST take-over': 'TakeOver', 'POST test': 'Test' },
  },
  {
    noun: 'webhookDelivery',
    list: 'webhookDeliveries',
    actions: { 'POST retry': 'Retry' },
  },
  { noun: 'verifiedEmail' },
  { noun: 'verifiedPhone' },
  { noun: 'routingForm', below: { responses: 'responses' } },
  {
    noun: 'routingFormResponse',
    madeIn: { path: 'routing-forms/:routingFormId/responses', parameter: 'routingFormId' },
  },
  {
    noun: 'conferencingApp',
    made: 'conferencingAppConnect',
    actions: { 'POST disconnect': 'Disconnect', 'POST default': 'DefaultSet' },
  },
  { noun: 'team' },
  { noun: 'organization' },
  {
    noun: 'membership',
    actions: { 'POST transfer-ownership': 'OwnershipTransfer' },
  },
  // A user is invited, as nobody makes an account for somebody else, and keeps it when they are removed.
  { noun: 'user', made: 'invitationCreate', removed: 'Remove' },
  {
    noun: 'invitation',
    actions: { 'POST resend': 'Resend' },
  },
  // A group makes them, among its own.
  { noun: 'teamInvitation', made: null },
  { noun: 'organizationInvitation', made: null },
];

/** All resources: those that were declared with nothing unusual about them, and those of the table. */
function resources(): Resource[] {
  const declared = declaredResources();
  const unlisted = declared.filter(({ kind }) => !RESOURCES.some(({ noun }) => noun === kind));
  return [...unlisted.map(({ kind }): Unusual => ({ noun: kind })), ...RESOURCES].map((unusual) => {
    const list = declared.find(({ kind }) => kind === unusual.noun)?.list ?? `${unusual.noun}s`;
    return { list, path: inPath(unusual.list ?? list), ...unusual };
  });
}

/** `eventTypes` → `event-types` */
function inPath(name: string): string {
  return name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
}

/** The paths that belong to no resource of the levels. */
function ownPaths(rules: SchemaRules): RestRoute[] {
  const read = (path: string, ...steps: Step[]) => reading(rules, path, steps);
  const [slotReservation, reservation] = ['/v2/slot-reservations', { reservationUid: 'reservationUid' }];
  const one = `${slotReservation}/:reservationUid`;
  const publicOrganization: Step = { name: 'publicOrganization', bound: { organization: 'organization' } };
  return [
    reading(rules, '/v2/me', [ME], { isBare: true }),
    changing(rules, { method: 'PATCH', path: '/v2/me', mutation: 'profileUpdate' }),
    read('/v2/schedules/default', ME, { name: 'defaultSchedule', bound: {} }),
    read('/v2/calendars/busy-times', ME, { name: 'busyTimes', bound: {} }),
    ...calendarPaths(rules),
    changing(rules, { path: '/v2/ics-feeds', mutation: 'icsFeedsSet' }),
    ...bookingPaths(rules),
    read('/v2/slots', { name: 'slots', bound: {} }),
    changing(rules, { path: slotReservation, mutation: 'slotReservationCreate', status: 201 }),
    changing(rules, { method: 'PATCH', path: one, mutation: 'slotReservationUpdate', bound: reservation }),
    changing(rules, {
      method: 'DELETE',
      path: one,
      mutation: 'slotReservationDelete',
      bound: reservation,
      status: 204,
    }),
    read('/v2/public-event-types', { name: 'publicEventTypes', bound: {} }),
    read('/v2/public-event-types/:eventTypeId', { name: 'publicEventType', bound: { 'by.id': 'eventTypeId' } }),
    read('/v2/public-organizations/:organization', publicOrganization),
    read('/v2/public-organizations/:organization/teams', publicOrganization, { name: 'teams', bound: {} }),
    read('/v2/public-teams/:team', { name: 'publicTeam', bound: { team: 'team' } }),
    read('/v2/public-bookings/:uid', { name: 'publicBooking', bound: { uid: 'uid' } }),
    read('/v2/public-routing-forms/:routingFormId', { name: 'publicRoutingForm', bound: { id: 'routingFormId' } }),
    changing(rules, {
      path: '/v2/public-routing-forms/:routingFormId/responses',
      mutation: 'routingFormSubmit',
      bound: { routingFormId: 'routingFormId' },
    }),
    changing(rules, { path: '/v2/booker-email-verifications', mutation: 'bookerEmailVerificationRequest' }),
  ];
}

/**
 * The same three changes twice: by the uid that a booking's attendee has, whatever the caller holds; and by its id, for a host with
 * the scope. A path is one or the other, so that what it requires does not hang on what is put into it.
 */
function bookingPaths(rules: SchemaRules): RestRoute[] {
  const verbs = { cancel: 'Cancel', 'cancel-series': 'SeriesCancel', reschedule: 'Reschedule' };
  return Object.entries(verbs).flatMap(([under, verb]) => [
    changing(rules, {
      path: `/v2/bookings/:bookingUid/${under}`,
      mutation: `booking${verb}`,
      bound: { uid: 'bookingUid' },
    }),
    changing(rules, {
      path: `/v2/me/bookings/:bookingId/${under}`,
      mutation: `userBooking${verb}`,
      bound: { bookingId: 'bookingId' },
    }),
  ]);
}

/** The paths of calendars of accounts elsewhere. */
function calendarPaths(rules: SchemaRules): RestRoute[] {
  const account = { path: '/v2/calendar-connections/:calendarAccountId', parameter: 'calendarAccountId' };
  const [calendar, bound] = ['/v2/calendars/:calendarId', { calendarId: 'calendarId' }];
  return [
    ...(['apple', 'caldav'] as const).map((by) =>
      changing(rules, {
        path: `/v2/calendar-connections/${by}`,
        mutation: `${by}CalendarAccountConnect`,
        status: 201,
        location: { ...account, at: ['calendarAccountId'] },
      }),
    ),
    changing(rules, {
      path: '/v2/calendar-connections/authorizations',
      mutation: 'calendarAccountConnect',
      status: 201,
    }),
    changing(rules, {
      path: `${account.path}/reconnect`,
      mutation: 'calendarAccountReconnect',
      bound: { calendarAccountId: 'calendarAccountId' },
    }),
    changing(rules, {
      method: 'DELETE',
      path: account.path,
      mutation: 'calendarAccountDisconnect',
      bound: { calendarAccountId: 'calendarAccountId' },
      status: 204,
    }),
    changing(rules, { path: `${calendar}/selection`, mutation: 'selectedCalendarAdd', bound }),
    changing(rules, {
      method: 'DELETE',
      path: `${calendar}/selection`,
      mutation: 'selectedCalendarRemove',
      bound,
      status: 204,
    }),
    changing(rules, { path: `${calendar}/destination`, mutation: 'destinationCalendarSet', bound }),
  ];
}

/** Has a code sent, to what is to be verified for the user or the team of a door. */
function codeRequestsAt(rules: SchemaRules, { path, prefix, bound }: Door): RestRoute[] {
  if (prefix === 'organization') return [];
  return ['email', 'phone'].map((kind) => {
    const request = `${kind}VerificationRequest`;
    const mutation = prefix === '' ? request : `${prefix}${request.charAt(0).toUpperCase()}${request.slice(1)}`;
    return changing(rules, { path: `${path}/${kind}-verifications`, mutation, bound });
  });
}

const TABLES = new WeakMap<SchemaRules, readonly RestRoute[]>();

/** All paths; where one could be taken for another, it comes first. */
export function restRoutesOf(rules: SchemaRules): readonly RestRoute[] {
  return TABLES.getOrInsertComputed(rules, () => tableOf(rules));
}

/** All that they send to GraphQL's door. */
export function restDocuments(rules: SchemaRules): readonly string[] {
  return restRoutesOf(rules).flatMap(({ documents }) => documents());
}

function tableOf(rules: SchemaRules): RestRoute[] {
  const groups = DOORS.filter(({ steps }) => steps[0] !== ME && steps.length === 1);
  const doors = groups.map(({ path, steps }) => reading(rules, path, steps));
  const departures = DOORS.filter(({ prefix }) => prefix !== '').map(({ path, steps }) =>
    reading(rules, `${path}/departure`, [...steps, { name: 'departure', bound: {} }]),
  );
  const ofResources = DOORS.flatMap((door) => resources().flatMap((one) => pathsOf(rules, door, one, DOORS)));
  const codeRequests = DOORS.flatMap((door) => codeRequestsAt(rules, door));
  const routes = [...ownPaths(rules), ...doors, ...departures, ...codeRequests, ...ofResources];
  const readable = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path));
  // A thing without an address of its own is told by its id alone.
  return routes.map((route) =>
    route.location && !readable.has(route.location.path) ? { ...route, location: undefined } : route,
  );
}

/**
 * Where resources are reached: below which path, through which fields, and how the mutations there are called. A mutation whose
 * input lacks a member that is bound here has no path.
 */
export interface Door {
  readonly path: string;
  readonly steps: readonly Step[];
  readonly prefix: string;
  /** Members of every input there, by the parameter of the path. */
  readonly bound: Readonly<Record<string, string>>;
}

/** A resource: its name in the schema, in lists and in paths. */
interface Resource {
  readonly noun: string;
  readonly list: string;
  readonly path: string;
  /** The argument that names one of its things; `eventTypeId`, unless it is said. */
  readonly key?: string;
  /** Fields that would make a list too expensive, and are shown of one thing alone. */
  readonly onlyAlone?: readonly string[];
  /** The name of the mutation that makes one, unless it is `eventTypeCreate`; null if none at this door does. */
  readonly made?: string | null;
  /** The rest of the name of the mutation that takes one away, unless it is `Delete`. */
  readonly removed?: string;
  /** Where one that was made is read, unless at its own path: by that path. */
  readonly readAt?: Readonly<Record<string, NonNullable<RestRoute['location']>>>;
  /** Where one is made, if not in the list of all: the list it is put into, and the parameter that names it. */
  readonly madeIn?: { readonly path: string; readonly parameter: string };
  /** Lists that hang on one of its things, by their paths. */
  readonly below?: Readonly<Record<string, string>>;
  /** The other mutations of one of its things: the rest of the mutation's name, by method and path. */
  readonly actions?: Readonly<Record<string, string>>;
}

/** The paths of what the schema offers of a resource at a door. */
function pathsOf(rules: SchemaRules, door: Door, resource: Resource, doors: readonly Door[]): RestRoute[] {
  return [...readsOf(rules, door, resource), ...changesOf(rules, door, resource, doors)];
}

/** The path of one thing of a resource, and the parameter in it that names the thing. */
function oneOf(door: Door, { noun, key, path }: Resource) {
  const parameter = key ?? `${noun}Id`;
  return { parameter, one: `${door.path}/${path}/:${parameter}` };
}

function readsOf(rules: SchemaRules, door: Door, resource: Resource): RestRoute[] {
  const { noun, list, key, path, below = {}, onlyAlone } = resource;
  const fields = followed(rules, 'query', door.steps).object?.type.getFields() ?? {};
  const { parameter, one } = oneOf(door, resource);
  const all = { name: list, bound: {} };
  const routes =
    list in fields ? [reading(rules, `${door.path}/${path}`, [...door.steps, all], { without: onlyAlone })] : [];
  const lookUp = [
    { name: noun, bound: { [key ?? 'id']: parameter } },
    { name: `${list}ById`, bound: { ids: parameter } },
  ].find(({ name, bound }) => fields[name]?.args.some((argument) => argument.name in bound));
  if (!lookUp) return routes;
  const steps = [...door.steps, lookUp];
  const under = Object.entries(below).map(([name, field]) =>
    reading(rules, `${one}/${name}`, [...steps, { name: field, bound: {} }]),
  );
  return [...routes, reading(rules, one, steps), ...under];
}

/** A change of a resource: its mutation, how it is reached, and the parameters that name what it is about. */
interface Change extends Omit<Parameters<typeof changing>[1], 'bound'> {
  readonly named: readonly string[];
}

function changesOf(rules: SchemaRules, door: Door, resource: Resource, doors: readonly Door[]): RestRoute[] {
  const { noun, path, madeIn, removed = 'Delete', actions = {} } = resource;
  const { parameter, one } = oneOf(door, resource);
  const mutations = rules.schema.getMutationType()?.getFields() ?? {};
  // A thing that is a door itself is changed by the mutations behind it: one team of an organization by a team's
  // (specification §2.4).
  const behind = doors.find((other) => other.path === one);
  const nameOf = (verb: string) => (behind ? `${behind.prefix}${verb}` : mutationName(door, noun, verb));
  const { made = `${noun}Create` } = resource;
  const creation = made === null ? '' : mutationName(door, made, '');
  const payload = getNamedType(mutations[creation]?.type);
  const at = idInPayload(resource, isObjectType(payload) ? Object.keys(payload.getFields()) : []);
  const changes: Change[] = [
    {
      mutation: creation,
      path: `${door.path}/${madeIn?.path ?? path}`,
      named: madeIn ? [madeIn.parameter] : [],
      status: 201,
      // An invited person is no user yet, and has no address.
      ...(at && { location: resource.readAt?.[one] ?? { path: one, parameter, at } }),
    },
    { mutation: nameOf('Update'), method: 'PATCH', path: one, named: [parameter] },
    {
      mutation: nameOf(removed),
      method: 'DELETE',
      path: one,
      named: [parameter],
      status: statusOf(mutations[nameOf(removed)]),
    },
    ...Object.entries(actions).map(([action, verb]) => {
      const [method, under] = action.split(' ') as ['POST' | 'PATCH', string];
      return { mutation: nameOf(verb), method, path: `${one}/${under}`, named: [parameter] };
    }),
  ];
  return changes.flatMap(({ named, ...change }) => {
    const at = change.path === one && behind ? behind.bound : door.bound;
    const bound = { ...at, ...Object.fromEntries(named.map((name) => [name, name])) };
    const input = getNamedType(mutations[change.mutation]?.args[0]?.type);
    const members = isInputObjectType(input) ? input.getFields() : undefined;
    const isThere = members && Object.keys(bound).every((member) => member in members);
    return isThere ? [changing(rules, { ...change, bound })] : [];
  });
}

/** A deletion has nothing to answer, but for what else has become of the thing. */
function statusOf(deletion: GraphQLField<unknown, unknown> | undefined): 200 | 204 {
  const payload = getNamedType(deletion?.type);
  return isObjectType(payload) && Object.keys(payload.getFields()).length > 2 ? 200 : 204;
}

/** The name of a mutation, such as `teamEventTypeCreate`. */
function mutationName({ prefix }: Door, noun: string, verb: string): string {
  return prefix === '' ? `${noun}${verb}` : `${prefix}${noun.charAt(0).toUpperCase()}${noun.slice(1)}${verb}`;
}

/** Where a payload has the id of what was made, if it has that. */
function idInPayload({ noun, key }: Resource, members: readonly string[]): readonly string[] | undefined {
  const named = [`${noun}Id`, `${noun}Uid`].find((name) => members.includes(name));
  if (named !== undefined) return [named];
  return members.includes(noun) ? [noun, key ?? 'id'] : undefined;
}
