import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { spoiltIds, unknownId, uuidOf } from '../support/ids.ts';
import { groupId } from './every-value/things-there.ts';

let api: TestApi;
let acme: string;
let sales: string;
let salesTypes: string[];
beforeAll(async () => {
  api = await openTestApi();
  acme = await groupId(api, 'organization', 'acme');
  sales = await groupId(api, 'team', 'sales');
  const { data } = await api.as('ada').ask(`{ team(id: "${sales}") { eventTypes { nodes { id } } } }`);
  salesTypes = idsOf(data.team.eventTypes);
});
afterAll(() => api.close());

interface Listed {
  readonly nodes: readonly { readonly id: string }[];
}

const idsOf = ({ nodes }: Listed): string[] => nodes.map(({ id }) => id);

async function ownEventTypes(username: string): Promise<string[]> {
  return idsOf((await api.as(username).ask('{ me { eventTypes { nodes { id } } } }')).data.me.eventTypes);
}

/** Each of these by its id, under an alias of its own: `a0`, `a1` and so on. */
function aliased(field: string, ids: readonly string[], selection = 'id', argument = 'id'): string {
  return ids.map((id, n) => `a${n}: ${field}(${argument}: ${JSON.stringify(id)}) { ${selection} }`).join(' ');
}

/** The ids that were found, in the order of the aliases. */
const found = (parent: Readonly<Record<string, { readonly id: string } | null>>): (string | null)[] =>
  Object.values(parent).map((one) => one?.id ?? null);

describe('look-ups of one kind in one document are one statement', () => {
  test('and show what is one’s own, in the places where it was asked for', async () => {
    const [own, others] = [await ownEventTypes('bob'), await ownEventTypes('ada')];
    const nothing = unknownId('eventType', uuidOf(api.as('bob').userId));
    expect([own.length, others.length]).toEqual([3, 3]);
    const spoilt = Object.values(spoiltIds(own[0] ?? ''));
    // A document has at most thirty aliases.
    for (const some of [[...others, ...own, nothing], spoilt.slice(0, 12), spoilt.slice(12)]) {
      const asked = [...some, ...own.toReversed()];
      const { data, statements, codes } = await api.as('bob').ask(`{ me { ${aliased('eventType', asked)} } }`);
      expect(found(data.me)).toEqual(asked.map((id) => (own.includes(id) ? id : null)));
      expect([statements, codes.filter((code) => code !== 'BAD_INPUT')]).toEqual([1, []]);
    }
  });

  test('with variables as with texts', async () => {
    const own = await ownEventTypes('bob');
    const [variables, aliases] = [
      own.map((_, n) => `$v${n}: ID!`),
      own.map((_, n) => `a${n}: eventType(id: $v${n}) { id }`),
    ];
    const given = Object.fromEntries(own.map((id, n) => [`v${n}`, id]));
    const { data, statements } = await api
      .as('bob')
      .ask(`query(${variables.join()}) { me { ${aliases.join(' ')} } }`, given);
    expect([found(data.me), statements]).toEqual([own, 1]);
  });

  test('for each selection, with what is selected', async () => {
    const own = await ownEventTypes('bob');
    const { data, statements } = await api.as('bob').ask(`{ me {
      ${own.map((id, n) => `id${n}: eventType(id: "${id}") { id } slug${n}: eventType(id: "${id}") { slug }`).join(' ')}
    } }`);
    const { id0, slug0, id2, slug2 } = data.me;
    expect([id0, slug0, id2, slug2]).toEqual([
      { id: own[0] },
      { slug: 'intro' },
      { id: own[2] },
      { slug: 'hidden-review' },
    ]);
    expect(statements).toBe(2);
  });

  test('but for those of nothing that is an id, which are none', async () => {
    const { data, statements } = await api.as('bob').ask(`{ me { ${aliased('eventType', ['', 'x'])} } }`);
    expect([found(data.me), statements]).toEqual([[null, null], 0]);
  });
});

describe('so are those of', () => {
  test('schedules', async () => {
    const schedulesOf = async (username: string) =>
      idsOf((await api.as(username).ask('{ me { schedules { nodes { id } } } }')).data.me.schedules);
    const [own, others] = [await schedulesOf('bob'), await schedulesOf('ada')];
    const asked = [...others, ...own, ...own, unknownId('schedule')];
    const { data, statements } = await api.as('bob').ask(`{ me { ${aliased('schedule', asked)} } }`);
    expect([found(data.me), statements]).toEqual([[...others.map(() => null), ...own, ...own, null], 1]);
  });

  test('a host’s bookings', async () => {
    const uids = await rows(
      api.database.em.fork(),
      sql<{ name: string }>`select u.username as name from booking_hosts h join users u on u.id = h.user_id limit 1`,
    );
    const host = uids[0]?.name ?? '';
    const other = host === 'ada' ? 'dan' : 'ada';
    const bookingsOf = async (username: string): Promise<string[]> => {
      const { data } = await api.as(username).ask('{ me { bookings { nodes { uid } } } }');
      return data.me.bookings.nodes.map(({ uid }: { readonly uid: string }) => uid);
    };
    const own = await bookingsOf(host);
    const others = (await bookingsOf(other)).filter((uid) => !own.includes(uid));
    const asked = [...others, ...own, unknownId('booking')];
    const { data, statements } = await api.as(host).ask(`{ me { ${aliased('booking', asked, 'id: uid', 'uid')} } }`);
    expect([found(data.me), statements]).toEqual([[...others.map(() => null), ...own, null], 1]);
    expect(own.length).toBeGreaterThan(1);
  });

  test('a team’s event types, for its administrators', async () => {
    const asked = [...(await ownEventTypes('ada')), ...salesTypes, unknownId('eventType')];
    const ask = (username: string) =>
      api.as(username).ask(`{ team(id: "${sales}") { ${aliased('eventType', asked)} } }`);
    const shown = asked.map((id) => (salesTypes.includes(id) ? id : null));
    for (const username of ['ada', 'bob']) {
      const { data, statements } = await ask(username);
      expect([found(data.team), statements]).toEqual([shown, 2]);
    }
    const [member, stranger] = [await ask('cyd'), await ask('dan')];
    expect([found(member.data.team), member.statements]).toEqual([asked.map(() => null), 1]);
    expect([stranger.data.team, stranger.statements]).toEqual([null, 1]);
    expect(salesTypes).toHaveLength(2);
  });

  test('an organization’s event types, those of its teams and members, for its administrators', async () => {
    const reached = [...salesTypes, ...(await ownEventTypes('bob')), ...(await ownEventTypes('ada'))];
    const asked = [...(await ownEventTypes('dan')), ...reached, unknownId('eventType')];
    const ask = (username: string) =>
      api.as(username).ask(`{ organization(id: "${acme}") { ${aliased('eventType', asked)} } }`);
    const [owner, member] = [await ask('ada'), await ask('bob')];
    const shown = asked.map((id) => (reached.includes(id) ? id : null));
    expect([found(owner.data.organization), owner.statements]).toEqual([shown, 2]);
    expect([found(member.data.organization), member.statements]).toEqual([asked.map(() => null), 1]);
  });

  test.each([
    ['team', 'organization'],
    ['organization', 'team'],
  ])('memberships of a %s, and not those of a %s', async (door, other) => {
    const membershipsOf = async (kind: string): Promise<string[]> => {
      const { data } = await api
        .as('ada')
        .ask(`{ group: ${kind}(id: "${of[kind]}") { memberships { nodes { id } } } }`);
      return idsOf(data.group.memberships);
    };
    const of: Readonly<Record<string, string>> = { team: sales, organization: acme };
    const [own, others] = [await membershipsOf(door), await membershipsOf(other)];
    const asked = [...others, ...own, unknownId('membership')];
    const ask = (username: string) =>
      api.as(username).ask(`{ group: ${door}(id: "${of[door]}") { ${aliased('membership', asked)} } }`);
    const [owner, member] = [await ask('ada'), await ask('cyd')];
    expect([found(owner.data.group), owner.statements]).toEqual([[...others.map(() => null), ...own, null], 2]);
    expect([found(member.data.group), member.statements]).toEqual([asked.map(() => null), 1]);
    expect(own).toHaveLength(3);
  });

  test('teams, by themselves and in their organization', async () => {
    const studio = await groupId(api, 'team', 'studio');
    const asked = [studio, sales, unknownId('team'), sales];
    const { data, statements } = await api
      .as('ada')
      .ask(`{ ${aliased('team', asked)} organization(id: "${acme}") { ${aliased('team', asked)} } }`);
    const { organization, ...alone } = data;
    const shown = [null, sales, null, sales];
    expect([found(alone), found(organization), statements]).toEqual([shown, shown, 3]);
    const dan = await api.as('dan').ask(`{ ${aliased('team', asked)} }`);
    expect([found(dan.data), dan.statements]).toEqual([[studio, null, null, null], 1]);
  });
});
