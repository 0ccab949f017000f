/** How many entries a list has, as far as lists are counted. That every list counts what it shows is read in every-value.test.ts. */
import { isObjectType, parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changed, sql } from '../../src/database/sql.ts';
import { costOf } from '../../src/graphql/limits/cost.ts';
import { buildSchemas } from '../../src/schema.ts';
import { chooseOperation } from '../../src/scopes/compile.ts';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { uuidOf } from '../support/ids.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

async function addAbsences(of: TestCaller, count: number): Promise<void> {
  await changed(
    api.database.em.fork(),
    sql`insert into out_of_office (user_id, id, starts_at, ends_at, reason, created_at, updated_at)
        select ${uuidOf(of.userId)}::uuid, gen_random_uuid(), now(), now() + interval '1 day', '', now(), now()
        from generate_series(1, ${count}::int)`,
  );
}

test('every list of the schema tells its count', () => {
  const connections = Object.values(buildSchemas().forSessions.schema.getTypeMap())
    .filter(isObjectType)
    .filter(({ name }) => name.endsWith('Connection'));
  expect(connections.length).toBeGreaterThan(30);
  const uncounted = connections.filter((type) => {
    const { totalCount, isMoreThan } = type.getFields();
    return String(totalCount?.type) !== 'Int' || String(isMoreThan?.type) !== 'Int';
  });
  expect(uncounted.map(({ name }) => name)).toEqual([]);
});

describe('a count', () => {
  test('is exact up to a thousand, and then says that there is more', async () => {
    const counted = await api.newUser('counted');
    const ask = '{ me { outOfOffice(first: 1) { nodes { id } totalCount isMoreThan } } }';
    const count = async () => (await counted.ask(ask)).data.me.outOfOffice;
    expect(await count()).toEqual({ nodes: [], totalCount: 0, isMoreThan: null });
    await addAbsences(counted, 1_000);
    expect(await count()).toMatchObject({ totalCount: 1_000, isMoreThan: null });
    await addAbsences(counted, 1);
    expect(await count()).toMatchObject({ totalCount: null, isMoreThan: 1_000 });
  });

  test('is of the whole list, wherever its page is, and with nothing else of it', async () => {
    const reader = await api.newUser('reader');
    await addAbsences(reader, 5);
    const first = (await reader.ask('{ me { outOfOffice(first: 2) { totalCount pageInfo { endCursor } } } }')).data.me;
    expect(first.outOfOffice.totalCount).toBe(5);
    const { data } = await reader.ask(
      'query ($after: String) { me { outOfOffice(first: 2, after: $after) { totalCount edges { cursor } } last: outOfOffice(last: 1) { totalCount } } }',
      { after: first.outOfOffice.pageInfo.endCursor },
    );
    expect(data.me.outOfOffice).toMatchObject({ totalCount: 5, edges: { length: 2 } });
    expect(data.me.last.totalCount).toBe(5);
  });

  test('is of those of a list that its filter leaves', async () => {
    const { data } = await api.as('ada').ask(
      `{ me { all: bookings { nodes { status } totalCount }
          some: bookings(filter: { statuses: [ACCEPTED] }, first: 1) { totalCount }
          none: bookings(filter: { attendeeEmail: "nobody@example.org" }) { totalCount } } }`,
    );
    const accepted = data.me.all.nodes.filter(({ status }: { status: string }) => status === 'ACCEPTED');
    expect(data.me).toMatchObject({
      all: { totalCount: data.me.all.nodes.length },
      some: { totalCount: accepted.length },
      none: { totalCount: 0 },
    });
  });

  test('costs what reading a thousand entries of an index is worth, and only where it is selected', () => {
    const { schema } = buildSchemas().forTokens;
    const cost = (selected: string) => {
      const document = parse(`{ me { schedules(first: 10) { ${selected} } } }`);
      const operation = chooseOperation(document);
      if (!operation) throw new Error('There is no operation.');
      return costOf(schema, document, operation, {});
    };
    expect(cost('nodes { id } totalCount')).toBe(cost('nodes { id }') + 20);
  });

  test('takes the scope of its list', async () => {
    const { codes } = await api.as('ada', ['PROFILE_READ']).ask('{ me { schedules { totalCount } } }');
    expect(codes).toEqual(['INSUFFICIENT_SCOPE']);
  });
});
