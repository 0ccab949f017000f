// Pothos code-first with its scope-auth plugin, served by graphql-yoga with default options.
import { createServer } from 'node:http';
import SchemaBuilder from '@pothos/core';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import { GraphQLError } from 'graphql';
import { createYoga } from 'graphql-yoga';
import { createData, host, makeVerifier, port } from '../common/index.mjs';

const data = createData();
const verify = await makeVerifier();
const builder = new SchemaBuilder({
  plugins: [ScopeAuthPlugin],
  scopeAuth: { authScopes: (context) => ({ scope: (name) => context.auth.scopes.has(name) }) },
});
const P = { authScopes: { scope: 'PROFILE_READ' } };
const E = { authScopes: { scope: 'EVENT_TYPE_READ' } };
const W = { authScopes: { scope: 'EVENT_TYPE_WRITE' } };
const B = { authScopes: { scope: 'BOOKING_READ' } };

const User = builder.objectRef('User').implement({
  fields: (t) => ({
    id: t.exposeID('id', P),
    name: t.exposeString('name', P),
    username: t.exposeString('username', P),
    email: t.exposeString('email', P),
    timeZone: t.exposeString('time_zone', P),
  }),
});
const PageInfo = builder.objectRef('PageInfo').implement({
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNextPage'),
    endCursor: t.exposeString('endCursor', { nullable: true }),
  }),
});
const EventType = builder.objectRef('EventType').implement({
  fields: (t) => ({
    id: t.exposeID('id', E),
    title: t.exposeString('title', E),
    slug: t.exposeString('slug', E),
    description: t.exposeString('description', { ...E, nullable: true }),
    length: t.exposeInt('length', E),
    hidden: t.exposeBoolean('hidden', E),
    position: t.exposeInt('position', E),
    createdAt: t.string({ ...E, resolve: (r) => r.created_at.toISOString() }),
  }),
});
const Attendee = builder.objectRef('Attendee').implement({
  fields: (t) => ({
    name: t.exposeString('name', B),
    email: t.exposeString('email', B),
    timeZone: t.exposeString('time_zone', B),
  }),
});
const Booking = builder.objectRef('Booking').implement({
  fields: (t) => ({
    id: t.exposeID('id', B),
    uid: t.exposeID('uid', B),
    title: t.exposeString('title', B),
    status: t.exposeString('status', B),
    startAt: t.string({ ...B, resolve: (r) => r.start_at.toISOString() }),
    endAt: t.string({ ...B, resolve: (r) => r.end_at.toISOString() }),
    attendees: t.field({ ...B, type: [Attendee], resolve: (r, _a, c) => c.loaders.attendees.load(r.id) }),
    eventType: t.field({ ...B, type: EventType, resolve: (r, _a, c) => c.loaders.eventType.load(r.event_type_id) }),
  }),
});
const connection = (name, node, auth) =>
  builder.objectRef(name).implement({
    fields: (t) => ({
      nodes: t.field({ ...auth, type: [node], resolve: (r) => r.nodes }),
      pageInfo: t.field({ ...auth, type: PageInfo, resolve: (r) => r.pageInfo }),
    }),
  });
const EventTypes = connection('EventTypeConnection', EventType, E);
const Bookings = connection('BookingConnection', Booking, B);
const paging = (t) => ({ first: t.arg.int({ defaultValue: 20 }), after: t.arg.string() });
builder.queryType({
  fields: (t) => ({
    me: t.field({ ...P, type: User, resolve: (_r, _a, c) => c.data.user(c.auth.userId) }),
    eventType: t.field({
      ...E,
      type: EventType,
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_r, a, c) => c.loaders.ownEventType.load({ userId: c.auth.userId, id: Number(a.id) }),
    }),
    eventTypes: t.field({
      ...E,
      type: EventTypes,
      args: paging(t),
      resolve: (_r, a, c) => c.data.eventTypes(c.auth.userId, a.first, a.after),
    }),
    bookings: t.field({
      ...B,
      type: Bookings,
      args: paging(t),
      resolve: (_r, a, c) => c.data.bookings(c.auth.userId, a.first, a.after),
    }),
  }),
});
builder.mutationType({
  fields: (t) => ({
    eventTypeUpdate: t.field({
      ...W,
      type: EventType,
      nullable: true,
      args: { id: t.arg.id({ required: true }), title: t.arg.string({ required: true }) },
      resolve: (_r, a, c) => c.data.updateEventType(c.auth.userId, Number(a.id), a.title),
    }),
  }),
});
const yoga = createYoga({
  schema: builder.toSchema(),
  graphiql: false,
  logging: false,
  async context({ request }) {
    const auth = await verify(request.headers.get('authorization'));
    if (!auth) throw new GraphQLError('Unauthenticated', { extensions: { http: { status: 401 } } });
    return { auth, data, loaders: data.loaders() };
  },
});
createServer(yoga).listen(port, host);
