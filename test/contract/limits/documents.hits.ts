/** Hits the limits of one document. Most are asked of `__type`, which costs nothing and whose fields repeat at will. */
import { newUserId } from '../../../src/core/id.ts';
import { rows, sql } from '../../../src/database/sql.ts';
import { uuidNumbered } from '../../support/ids.ts';
import { bothOf, type Hits, type Outcome, type Visit } from './limit-hit.ts';

const times = (count: number, write: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => write(index)).join(' ');
const type = (selection: string, alias = ''): string => `${alias} __type(name: "PublicEventType") { ${selection} }`;
const asking = (write: (amount: number) => string) => (visit: Visit, limit: Parameters<typeof bothOf>[0]) =>
  bothOf(limit, (amount) => visit.graphql(write(amount)));

/** Fields that may be selected again and again, none of them more than 50 times. */
function plainFields(count: number): string {
  return ['name', 'kind', 'description', 'specifiedByURL']
    .map((field, index) => times(Math.min(50, Math.max(0, count - 50 * index)), () => field))
    .join(' ');
}

/** A document of so many tokens: the braces around all, and ten tokens around the fields of each type. */
function ofTokens(tokens: number): string {
  const roots: string[] = [];
  for (let left = tokens - 2; left > 0; ) {
    // The last one needs enough for its own ten and a field.
    const fields = left > 240 ? 150 : left > 210 ? left - 10 - 100 : left - 10;
    roots.push(type(plainFields(fields), `a${roots.length}:`));
    left -= 10 + fields;
  }
  return `{ ${roots.join(' ')} }`;
}

/** A document of so many fields, most of them by fragments in fragments: 256 in each root field. */
function ofSelections(fields: number): string {
  const full = Math.floor(fields / 256);
  const rest = fields % 256;
  return `{ ${times(full, (index) => type('...Chain', `a${index}:`))} ${rest > 0 ? type(plainFields(rest - 1)) : ''} }
    fragment Chain on __Type { ${'ofType { ...Names '.repeat(5)} ${'}'.repeat(5)} }
    fragment Names on __Type { ${times(50, () => 'name')} }`;
}

/** Lists of the schema inside one another: types, and from there fields of fields. */
const ofSchemaLists = (lists: number): string =>
  `{ __schema { types { ${'fields { type { '.repeat(lists - 1)} name ${'} }'.repeat(lists - 1)} } } }`;

const inLists = (depth: number): string => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
const listOf = (depth: number): unknown => (depth === 0 ? 1 : [listOf(depth - 1)]);

const ANY_BOOKING =
  'eventTypeId: "none", start: "2030-01-01T10:00:00Z", attendee: { name: "Eve", email: "eve@example.test", timeZone: "UTC" }';

/** Twenty event types of ada whose texts make the data of an answer exactly so long. */
async function withAnswerOf(visit: Visit, bytes: number): Promise<Outcome> {
  const ask = () => visit.graphql('{ publicEventTypes(username: "answers", first: 100) { nodes { description } } }');
  const em = visit.app.database.em.fork();
  const describe = (each: number, first: number) =>
    rows(
      em,
      sql`update event_types e set description = repeat('x', ${each}::int + case when slug = 'a-1' then ${first}::int else 0 end)
          from users u where u.id = e.owner_id and u.username = 'answers'`,
    );
  await describe(0, 0);
  const { text } = await ask();
  const left = bytes - JSON.stringify(JSON.parse(text).data).length;
  await describe(Math.floor(left / 100), left % 100);
  return ask();
}

async function someoneWithAnswers(visit: Visit): Promise<void> {
  const id = newUserId();
  const em = visit.app.database.em.fork();
  await rows(
    em,
    sql`insert into users (id, email, username, name, password_hash, time_zone, week_start, time_format, locale, metadata,
          is_administrator, created_at, updated_at, email_verified_at)
        values (${id}, 'answers@example.test', 'answers', 'A', 'none', 'UTC', 'MONDAY', 24, 'en', '{}', false, now(), now(), now())`,
  );
  await rows(
    em,
    sql`insert into event_types (owner_id, id, user_id, slug, title, duration_in_minutes, is_hidden, metadata, created_at, updated_at)
        select ${id}::uuid, ${uuidNumbered('0')}, ${id}::uuid, 'a-' || n, 'A', 30, false, '{}',
          now(), now() from generate_series(1, 100) n`,
  );
}

export const hits: Hits = {
  'answer-bytes': async (visit, limit) => {
    await someoneWithAnswers(visit);
    return bothOf(limit, (bytes) => withAnswerOf(visit, bytes));
  },
  'document-characters': asking((amount) => '{ __typename }'.padEnd(amount)),
  'document-tokens': asking(ofTokens),
  'document-depth': asking(
    (amount) => `{ ${type(`${'ofType {'.repeat(amount - 2)} name ${'}'.repeat(amount - 2)}`)} }`,
  ),
  'document-selections': asking(ofSelections),
  'document-aliases': asking(
    (amount) => `{ publicEventTypes(username: "ada") { nodes { ${times(amount, (i) => `a${i}: slug`)} } } }`,
  ),
  'document-directives': asking(
    (amount) => `{ ${type(times(amount, (i) => `${i % 2 === 0 ? 'name' : 'kind'} @include(if: true)`))} }`,
  ),
  'document-root-fields': asking((amount) => `{ ${times(amount, () => '__typename')} }`),
  'document-repetitions': asking((amount) => `{ ${type(times(amount, () => 'name'))} }`),
  'alias-length': asking((amount) => `{ ${'a'.repeat(amount)}: __typename }`),
  'argument-depth': async (visit, limit) => ({
    ...(await bothOf(limit, (amount) =>
      visit.graphql(
        `mutation { bookingCreate(input: { ${ANY_BOOKING}, responses: { a: ${inLists(amount - 2)} } }) { userErrors { code } } }`,
      ),
    )),
    withinIs: '200 NOT_FOUND',
  }),
  'variable-depth': (visit, limit) =>
    bothOf(limit, (amount) => visit.graphql('{ __typename }', { unused: listOf(amount) })),
  'variable-values': (visit, limit) =>
    bothOf(limit, (amount) => visit.graphql('{ __typename }', { unused: Array.from({ length: amount - 1 }, () => 1) })),
  'introspection-lists': asking(ofSchemaLists),
  'introspection-aliases': asking(
    (amount) => `{ ${type(amount === 0 ? 'name' : times(amount, (i) => `a${i}: name`))} }`,
  ),
  'single-mutations': (visit, limit) =>
    bothOf(limit, (amount) =>
      visit.graphql(
        `mutation { ${times(amount, (i) => `m${i}: bookerEmailVerificationRequest(input: { eventTypeId: "none", email: "eve${i}@example.test" }) { userErrors { code } }`)} }`,
      ),
    ),
  'operation-cost': async (visit, limit) => ({
    ...(await bothOf(limit, (amount) => {
      // Pages in pages, which cost 49905 together, `me` and one more page.
      const sizes = [100, 100, 100, 100, 89];
      const pages = sizes.map(
        (size, n) => `p${n}: organizations(first: 100) { nodes { teams(first: ${size}) { nodes { id } } } }`,
      );
      return visit.graphql(
        `{ me { ${pages.join(' ')} z: organizations(first: ${amount - 49_907}) { nodes { id } } } }`,
      );
    })),
    // A document over the limit is refused before it is known who asks.
    withinIs: '401 UNAUTHENTICATED',
  }),
};
