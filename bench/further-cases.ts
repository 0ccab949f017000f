/**
 * Documents that the contest does not have, for a comparison with another checkout (against.ts): nobody can have made the service
 * fast for them alone. They are written in what the schema has had for long, so that an earlier checkout understands them as well.
 */
import { publicOwnedId } from '../src/core/id.ts';
import type { GraphQLRequest } from './contest/cases.ts';
import { eventTypeId, userId } from './contest/gatehouse-rows.ts';

interface FurtherCase {
  /** The n-th request, of this user. */
  readonly request: (user: number, n: number) => GraphQLRequest;
  /** It is asked with a token that lacks the scope. */
  readonly isRefused?: true;
}

const asked = (query: string): FurtherCase => ({ request: () => ({ query }) });

const idOf = (user: number, k: number): string =>
  publicOwnedId('eventType', { ownerId: userId(user), id: eventTypeId(user, k) });

const PAGE_INFO = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

export const FURTHER_CASES: Readonly<Record<string, FurtherCase>> = {
  typename: asked('{ __typename }'),
  introspection: asked('{ __type(name: "EventType") { name kind fields { name type { kind name } } } }'),
  profile: asked(
    '{ me { id name username email timeZone weekStart locale bio avatarUrl metadata createdAt updatedAt } }',
  ),
  aliases: asked('{ a: me { id } b: me { name } c: me { email x: username y: username } }'),
  fragments: asked(
    `{ me { ...Whole } } fragment Whole on Viewer { ...Named eventTypes(first: 3) { nodes { ...Type } } }
     fragment Named on Viewer { id name } fragment Type on EventType { id slug title }`,
  ),
  include: {
    request: (_, n) => ({
      query: 'query($a: Boolean!) { me { id ... @include(if: $a) { eventTypes(first: 2) { nodes { id } } } } }',
      variables: { a: n % 2 === 0 },
    }),
  },
  skip: {
    request: (_, n) => ({
      query: 'query($a: Boolean!) { me { id name @skip(if: $a) email @skip(if: $a) } }',
      variables: { a: n % 2 === 0 },
    }),
  },
  edges: asked(`{ me { eventTypes(first: 20) { edges { cursor node { id } } ${PAGE_INFO} } } }`),
  'page-info': asked(`{ me { eventTypes(first: 5) { ${PAGE_INFO} } } }`),
  all: asked('{ me { eventTypes(first: 100) { nodes { id slug title description color createdAt updatedAt } } } }'),
  last: asked('{ me { bookings(last: 5) { nodes { id title start } } } }'),
  attendees: asked('{ me { bookings(first: 20) { nodes { id attendees { name email timeZone } } } } }'),
  deep: asked(
    '{ me { bookings(first: 10) { nodes { id status description createdAt updatedAt eventType { id slug title } } } } }',
  ),
  two: asked('{ me { eventTypes(first: 5) { nodes { id title } } bookings(first: 5) { nodes { id title } } } }'),
  first: {
    request: (_, n) => ({
      query: 'query($n: Int) { me { eventTypes(first: $n) { nodes { id title slug } } } }',
      variables: { n: 1 + (n % 20) },
    }),
  },
  one: {
    request: (user, n) => ({
      query: 'query($id: ID!) { me { eventType(id: $id) { id title slug createdAt updatedAt } } }',
      variables: { id: idOf(user, 1 + (n % 10)) },
    }),
  },
  "somebody else's": {
    request: (user, n) => ({
      query: 'query($id: ID!) { me { eventType(id: $id) { id title } } }',
      variables: { id: idOf(user + 1, 1 + (n % 10)) },
    }),
  },
  'by ids': {
    request: (user) => ({
      query: 'query($ids: [ID!]!) { me { eventTypesById(ids: $ids) { id title slug } } }',
      variables: { ids: [idOf(user, 3), idOf(user, 1), idOf(user + 1, 2), idOf(user, 7)] },
    }),
  },
  'refused list': {
    request: () => ({ query: '{ me { bookings(first: 5) { nodes { id title } } } }' }),
    isRefused: true,
  },
  'refused input': {
    request: (user) => ({
      query:
        'mutation($input: EventTypeUpdateInput!) { eventTypeUpdate(input: $input) { userErrors { code message } } }',
      variables: { input: { eventTypeId: idOf(user, 1), title: '' } },
    }),
  },
};
