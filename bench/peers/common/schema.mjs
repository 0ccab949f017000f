// The one schema of all SDL-first peers. directive(scope) prints the peer's own scope directive.
export function typeDefs(definition, directive) {
  const p = directive('PROFILE_READ');
  const e = directive('EVENT_TYPE_READ');
  const b = directive('BOOKING_READ');
  const w = directive('EVENT_TYPE_WRITE');
  return /* GraphQL */ `
    ${definition}
    type Query {
      me: User! ${p}
      eventType(id: ID!): EventType ${e}
      eventTypes(first: Int = 20, after: String): EventTypeConnection! ${e}
      bookings(first: Int = 20, after: String): BookingConnection! ${b}
    }
    type Mutation { eventTypeUpdate(id: ID!, title: String!): EventType ${w} }
    type User { id: ID! ${p} name: String! ${p} username: String! ${p} email: String! ${p} timeZone: String! ${p} }
    type PageInfo { hasNextPage: Boolean! endCursor: String }
    type EventTypeConnection { nodes: [EventType!]! ${e} pageInfo: PageInfo! ${e} }
    type EventType {
      id: ID! ${e} title: String! ${e} slug: String! ${e} description: String ${e}
      length: Int! ${e} hidden: Boolean! ${e} position: Int! ${e} createdAt: String! ${e}
    }
    type BookingConnection { nodes: [Booking!]! ${b} pageInfo: PageInfo! ${b} }
    type Booking {
      id: ID! ${b} uid: ID! ${b} title: String! ${b} status: String! ${b} startAt: String! ${b} endAt: String! ${b}
      attendees: [Attendee!]! ${b} eventType: EventType! ${b}
    }
    type Attendee { name: String! ${b} email: String! ${b} timeZone: String! ${b} }
  `;
}

/** context: { auth: { userId, scopes }, data, loaders } */
export const resolvers = {
  Query: {
    me: (_r, _a, c) => c.data.user(c.auth.userId),
    eventType: (_r, a, c) => c.loaders.ownEventType.load({ userId: c.auth.userId, id: Number(a.id) }),
    eventTypes: (_r, a, c) => c.data.eventTypes(c.auth.userId, a.first, a.after),
    bookings: (_r, a, c) => c.data.bookings(c.auth.userId, a.first, a.after),
  },
  Mutation: { eventTypeUpdate: (_r, a, c) => c.data.updateEventType(c.auth.userId, Number(a.id), a.title) },
  User: { timeZone: (u) => u.time_zone },
  EventType: { createdAt: (t) => t.created_at.toISOString() },
  Booking: {
    startAt: (b) => b.start_at.toISOString(),
    endAt: (b) => b.end_at.toISOString(),
    attendees: (b, _a, c) => c.loaders.attendees.load(b.id),
    eventType: (b, _a, c) => c.loaders.eventType.load(b.event_type_id),
  },
  Attendee: { timeZone: (t) => t.time_zone },
};
