/**
 * rest/ is the API for callers who come from REST: a table of paths, each with the fixed GraphQL document that answers it. The
 * table follows the levels and the schema: what a resource offers at a level has its path there.
 */
import type { SchemaRules } from '../../scopes/schema-rules.ts';
import { followed, type Step } from './chain.ts';
import { changing, type Location, type RestRoute, reading } from './route.ts';

/** Where resources are reached: below which path, through which fields, and how the mutations there are called. */
interface Door {
  readonly path: string;
  readonly steps: readonly Step[];
  readonly prefix: string;
  /** Members of every input there, by the parameter of the path. */
  readonly bound: Readonly<Record<string, string>>;
}

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
];

/** A resource: its name in the schema, in lists and in paths. */
interface Resource {
  readonly noun: string;
  readonly list: string;
  readonly path: string;
  /** What its things are known by; `eventTypeId`, unless it is said. */
  readonly key?: string;
  /** Fields that would make a list too expensive, and are shown of one thing alone. */
  readonly onlyAlone?: readonly string[];
  /** Where one is made, if not in the list of all: the list it is put into, and the parameter that names it. */
  readonly madeIn?: { readonly path: string; readonly parameter: string };
  /** Lists that hang on one of its things, by their paths. */
  readonly below?: Readonly<Record<string, string>>;
  /** What else is done with one of its things: the rest of the mutation's name, by method and path. */
  readonly actions?: Readonly<Record<string, string>>;
}

/** Each gets the paths of what the schema offers of it, at each door. */
const RESOURCES: readonly Resource[] = [
  {
    noun: 'eventType',
    list: 'eventTypes',
    path: 'event-types',
    below: { 'private-links': 'privateLinks', children: 'children' },
  },
  {
    noun: 'privateLink',
    list: 'privateLinks',
    path: 'private-links',
    madeIn: { path: 'event-types/:eventTypeId/private-links', parameter: 'eventTypeId' },
  },
  { noun: 'schedule', list: 'schedules', path: 'schedules' },
  { noun: 'outOfOffice', list: 'outOfOffice', path: 'out-of-office' },
  {
    noun: 'booking',
    list: 'bookings',
    path: 'bookings',
    key: 'uid',
    onlyAlone: [
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
      'POST reschedule': 'Reschedule',
      'POST confirm': 'Confirm',
      'POST decline': 'Decline',
      'POST reassign': 'Reassign',
      'POST request-reschedule': 'RescheduleRequest',
      'POST mark-absence': 'AbsenceMark',
      'POST attendees': 'AttendeeAdd',
      'POST guests': 'GuestsAdd',
      'PATCH location': 'LocationUpdate',
    },
  },
  { noun: 'team', list: 'teams', path: 'teams' },
  { noun: 'organization', list: 'organizations', path: 'organizations' },
  { noun: 'membership', list: 'memberships', path: 'memberships' },
  { noun: 'user', list: 'users', path: 'users' },
  { noun: 'teamInvitation', list: 'teamInvitations', path: 'team-invitations' },
  { noun: 'organizationInvitation', list: 'organizationInvitations', path: 'organization-invitations' },
];

/** What is no resource of the levels. */
function ownPaths(rules: SchemaRules): RestRoute[] {
  const read = (path: string, ...steps: Step[]) => reading(rules, path, steps);
  const [slotReservation, reservation] = ['/v2/slot-reservations', { reservationId: 'reservationId' }];
  const one = `${slotReservation}/:reservationId`;
  return [
    reading(rules, '/v2/me', [ME], { isBare: true }),
    changing(rules, { method: 'PATCH', path: '/v2/me', mutation: 'profileUpdate' }),
    read('/v2/schedules/default', ME, { name: 'defaultSchedule', bound: {} }),
    read('/v2/slots', { name: 'slots', bound: {} }),
    changing(rules, {
      path: slotReservation,
      mutation: 'slotReservationCreate',
      status: 201,
      location: { path: one, parameter: 'reservationId', at: ['reservation', 'id'] },
    }),
    changing(rules, { method: 'PATCH', path: one, mutation: 'slotReservationUpdate', bound: reservation }),
    changing(rules, {
      method: 'DELETE',
      path: one,
      mutation: 'slotReservationDelete',
      bound: reservation,
      status: 204,
    }),
    read('/v2/public-event-types', { name: 'publicEventTypes', bound: {} }),
    read('/v2/public-event-types/:eventTypeId', { name: 'publicEventType', bound: { id: 'eventTypeId' } }),
    read('/v2/public-bookings/:uid', { name: 'publicBooking', bound: { uid: 'uid' } }),
    changing(rules, { path: '/v2/booker-email-verifications', mutation: 'bookerEmailVerificationRequest' }),
  ];
}

const TABLES = new WeakMap<SchemaRules, readonly RestRoute[]>();

/** All paths; where one could be taken for another, it comes first. */
export function restRoutesOf(rules: SchemaRules): readonly RestRoute[] {
  return TABLES.getOrInsertComputed(rules, () => tableOf(rules));
}

/** All that they send to GraphQL's door. */
export function restDocuments(rules: SchemaRules): readonly string[] {
  return restRoutesOf(rules).flatMap(({ document, showing }) => [document(), ...(showing ? [showing()] : [])]);
}

function tableOf(rules: SchemaRules): RestRoute[] {
  const doors = DOORS.filter(({ steps }) => steps[0] !== ME).map(({ path, steps }) => reading(rules, path, steps));
  const resources = DOORS.flatMap((door) => RESOURCES.flatMap((one) => pathsOf(rules, door, one)));
  return [...ownPaths(rules), ...doors, ...resources];
}

function pathsOf(rules: SchemaRules, door: Door, { noun, list, key, path: name, ...more }: Resource): RestRoute[] {
  const { schema } = rules;
  const fields = followed(rules, 'query', door.steps).object?.type.getFields() ?? {};
  const mutations = schema.getMutationType()?.getFields() ?? {};
  const [path, parameter] = [`${door.path}/${name}`, key ?? `${noun}Id`];
  const one = `${path}/:${parameter}`;
  const read = (at: string, steps: readonly Step[], without: readonly string[] = []) =>
    routes.push(reading(rules, at, [...door.steps, ...steps], { without }));
  const routes: RestRoute[] = [];

  if (list in fields) read(path, [{ name: list, bound: {} }], more.onlyAlone);
  const lookUp = [
    { name: noun, bound: { [key ?? 'id']: parameter } },
    { name: `${list}ById`, bound: { ids: parameter } },
  ].find(({ name: field, bound }) => fields[field]?.args.some((argument) => argument.name in bound));
  if (lookUp) read(one, [lookUp]);
  for (const [under, field] of Object.entries(more.below ?? {})) {
    if (lookUp) read(`${one}/${under}`, [lookUp, { name: field, bound: {} }]);
  }

  const change = (
    verb: string,
    method: RestRoute['method'],
    at: string,
    named: readonly string[],
    answer: Answered = {},
  ) => {
    const mutation = door.prefix === '' ? `${noun}${verb}` : `${door.prefix}${capital(noun)}${verb}`;
    if (!(mutation in mutations)) return;
    const bound = { ...door.bound, ...Object.fromEntries(named.map((name) => [name, name])) };
    routes.push(changing(rules, { method, path: at, mutation, bound, ...answer }));
  };
  const { madeIn } = more;
  const made = {
    status: 201,
    location: { path: one, parameter, at: key === undefined ? [parameter] : [noun, key] },
  } as const;
  if (madeIn) change('Create', 'POST', `${door.path}/${madeIn.path}`, [madeIn.parameter], made);
  else change('Create', 'POST', path, [], made);
  change('Update', 'PATCH', one, [parameter]);
  change('Delete', 'DELETE', one, [parameter], { status: 204 });
  for (const [action, verb] of Object.entries(more.actions ?? {})) {
    const [method, under] = action.split(' ') as ['POST' | 'PATCH', string];
    change(verb, method, `${one}/${under}`, [parameter]);
  }
  return routes;
}

interface Answered {
  readonly status?: 201 | 204;
  readonly location?: Location;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
