/** The heaviest documents that are known, over what fillHeavily makes: where searches begin, and what a test sends again. */
import { getIntrospectionQuery } from 'graphql';
import type { HeavyData } from './heavy-data.ts';

type Documents = Readonly<Record<string, (heavy: HeavyData) => string>>;

const times = (count: number, write: (index: number) => string): string =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: ${write(index)}`).join(' ')} }`;
const inDays = (days: number): string =>
  Temporal.Now.instant()
    .add({ hours: Math.round(24 * days) })
    .toString({ smallestUnit: 'second' });
const slots = (owner: string, days: number): string =>
  `slots(eventType: { ${owner} }, start: "${inDays(1)}", end: "${inDays(1 + days)}") { start end date remainingSeatCount }`;
const SLUG = 'slug: "every-minute"';
const ofUser = ({ username }: HeavyData): string => `ofUser: { username: "${username}", ${SLUG} }`;
const ofTeam = ({ teamSlug }: HeavyData): string => `ofTeam: { team: "${teamSlug}", ${SLUG} }`;
const page = (heavy: HeavyData, first: number, fields: string): string =>
  `publicEventTypes(username: "${heavy.username}", first: ${first}) { nodes { ${fields} } }`;
const booking = ({ bookingUid }: HeavyData, fields: string): string =>
  `publicBooking(uid: "${bookingUid}") { ${fields} }`;
const mine = (fields: string): string => `{ me { ${fields} } }`;

export const HEAVY_FOR_NOBODY: Documents = {
  '20 times the slots of 92 days, one a minute': (heavy) => times(20, () => slots(ofUser(heavy), 92)),
  'as many slots as there may be': (heavy) => times(1, () => slots(ofUser(heavy), 8)),
  'an hour with 500 hosts, three times': (heavy) => times(3, () => slots(ofTeam(heavy), 1 / 24)),
  'five days with 500 hosts': (heavy) => times(1, () => slots(ofTeam(heavy), 5)),
  '20 pages of public event types': (heavy) => times(20, () => page(heavy, 100, 'id')),
  'a page of public event types with all that they ask': (heavy) =>
    times(1, () => page(heavy, 100, 'title description bookingFields { slug label options }')),
  '20 times a booking with a thousand seats': (heavy) =>
    times(20, () => booking(heavy, 'uid hosts { user { name } } otherAttendeeNames')),
  'the whole schema': () => getIntrospectionQuery(),
};

export const HEAVY_FOR_AN_APP: Documents = {
  'schedules with all hours and overrides': () =>
    mine('schedules(first: 40) { nodes { name availability { days start end } overrides { date start end } } }'),
  'as many overrides as there may be': () => mine('schedules(first: 49) { nodes { overrides { date } } }'),
  '2,000 wrong page sizes': () =>
    mine(`organizations(first: 100) { nodes ${times(20, () => 'teams(first: -1) { nodes { id } }')} }`),
  'attendees of seats': () => mine('bookings(first: 45) { nodes { attendees { name email } } }'),
  'notes of all bookings': () => mine('bookings(first: 100) { nodes { id notes responses } }'),
};
