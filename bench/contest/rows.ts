/** The rows of every contestant's database, as formulas: answers are checked by them and not by another database. */
export const USERS = 500;
export const EVENT_TYPES = 21;
export const BOOKINGS = 200;
/** The last event type of each user is for mutations: no page that is read shows it. */
export const CHANGED_EVENT_TYPE = 21;

const HOUR = 3_600_000;
const at = (epochMilliseconds: number): string => new Date(epochMilliseconds).toISOString();

export function userRow(user: number) {
  return { name: `User ${user}` };
}

/** The k-th event type of a user, from 1. */
export function eventTypeRow(user: number, k: number) {
  return {
    title: `Event type ${k}`,
    slug: `event-type-${k}`,
    description: k % 3 === 0 ? null : `A meeting of user ${user}, kind ${k}`,
    length: 15 * (1 + (k % 4)),
    hidden: k % 10 === 0,
    createdAt: at(Date.UTC(2026, 0, 1) + k * HOUR),
  };
}

/** The n-th booking of a user, from 1, in the order of their starts. */
export function bookingRow(user: number, n: number) {
  const booking = (n - 1) * USERS + user;
  const { title, slug } = eventTypeRow(user, 1 + (n % 20));
  return {
    title: `Booking ${n} with user ${user}`,
    status: ['ACCEPTED', 'PENDING', 'CANCELLED'][n % 3],
    startAt: at(Date.UTC(2026, 0, 1, 9) + n * HOUR),
    endAt: at(Date.UTC(2026, 0, 1, 9, 30) + n * HOUR),
    attendees: (booking % 2 === 0 ? [0, 1] : [0]).map((k) => ({
      name: `Guest ${booking}.${k}`,
      email: `guest${booking}.${k}@example.test`,
      timeZone: 'Europe/Paris',
    })),
    eventType: { title, slug },
  };
}

/** The first page of 20 of a list that is longer. */
export function firstPage<Row>(row: (n: number) => Row) {
  return { nodes: Array.from({ length: 20 }, (_, index) => row(index + 1)), pageInfo: { hasNextPage: true } };
}
