import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, publicOwnedId } from '../../src/core/id.ts';
import { rows, sql } from '../../src/database/sql.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { ownedUuidOf, spoiltIds, unknownId, uuidOf } from '../support/ids.ts';
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
      const { data } = await api.as(username).ask('{ me { bookings { nodes { id } } } }');
      return data.me.bookings.nodes.map(({ id }: { readonly id: string }) => id);
    };
    const own = await bookingsOf(host);
    const others = (await bookingsOf(other)).filter((uid) => !own.includes(uid));
    const asked = [...others, ...own, unknownId('booking')];
    const { data, statements } = await api.as(host).ask(`{ me { ${aliased('booking', asked, 'id', 'id')} } }`);
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

describe('what is listed below something is looked up at the doors, by those who are shown it there', () => {
  const DOOR: Readonly<Record<string, (field: string) => string>> = {
    me: (field) => `{ door: me { ${field} } }`,
    team: (field) => `{ door: team(id: "${sales}") { ${field} } }`,
    organization: (field) => `{ door: organization(id: "${acme}") { ${field} } }`,
  };
  /** The callers who find the thing of this id, each with the door. */
  async function finders(field: string, id: string): Promise<string[]> {
    const all: string[] = [];
    for (const username of ['ada', 'bob', 'cyd', 'dan']) {
      for (const [door, at] of Object.entries(DOOR)) {
        const { data, codes } = await api.as(username).ask(at(`found: ${field}(id: "${id}") { id }`));
        expect(codes).toEqual([]);
        if (data.door?.found) all.push(`${username} at ${door}`);
        expect([undefined, null, id]).toContain(data.door?.found?.id ?? data.door?.found);
      }
    }
    return all;
  }
  const SEEN = {
    ada: ['ada at me', 'ada at organization'],
    cyd: ['ada at organization', 'cyd at me'],
    dan: ['dan at me'],
    sales: ['ada at team', 'ada at organization', 'bob at team'],
  };
  /** An event type of each of these, with a private link, a webhook and a message to it. */
  async function thingsOf(whose: keyof typeof SEEN) {
    const caller = api.as(whose === 'sales' ? 'bob' : whose);
    const [ofTeam, path] = [whose === 'sales', whose === 'sales' ? { teamId: sales } : {}];
    const named = (name: string) => (ofTeam ? `team${name.charAt(0).toUpperCase()}${name.slice(1)}` : name);
    const own = ofTeam ? salesTypes[0] : (await ownEventTypes(whose))[0];
    const input = { ...path, eventTypeId: own };
    const link = await caller.change(named('privateLinkCreate'), input, 'privateLinkId');
    const to = { url: `https://${whose}.example/${newId()}`, triggers: ['BOOKING_CREATED'] };
    const webhook = await caller.change(named('eventTypeWebhookCreate'), { ...input, ...to }, 'eventTypeWebhookId');
    const { ownerId, id: webhookId } = ownedUuidOf(webhook.data.eventTypeWebhookId);
    const id = newId();
    await rows(
      api.database.em.fork(),
      sql`insert into webhook_deliveries (owner_id, id, webhook_id, event_id, trigger, payload, status, attempts, created_at)
          values (${ownerId}, ${id}, ${webhookId}, ${newId()}, 'BOOKING_CREATED', '', 'DELIVERED', '[]', now())`,
    );
    return {
      privateLink: link.data.privateLinkId,
      eventTypeWebhook: webhook.data.eventTypeWebhookId,
      eventTypeWebhookDelivery: publicOwnedId('webhookDelivery', { ownerId, id }),
    };
  }

  test.each(Object.keys(SEEN) as (keyof typeof SEEN)[])('of %s: links, webhooks and messages', async (whose) => {
    for (const [field, id] of Object.entries(await thingsOf(whose))) {
      expect([field, id]).toEqual([field, expect.stringMatching(/^[a-z]{3}_/)]);
      expect([field, (await finders(field, id)).toSorted()]).toEqual([field, SEEN[whose].toSorted()]);
    }
  });

  test('not those of somebody who stands above, for which the organization’s administrators have no keys', async () => {
    const eve = await api.newUser('eve');
    await rows(
      api.database.em.fork(),
      sql`insert into organization_memberships (id, organization_id, user_id, role, accepted, created_at)
          values (${newId()}, ${uuidOf(acme)}, ${uuidOf(eve.userId)}, 'ADMIN', true, now())`,
    );
    const [above, below] = [await thingsOf('ada'), await thingsOf('cyd')];
    for (const field of ['privateLink', 'eventTypeWebhook', 'eventTypeWebhookDelivery'] as const) {
      const document = `{ organization(id: "${acme}") { ${aliased(field, [above[field], below[field]])} } }`;
      expect([field, found((await eve.ask(document)).data.organization)]).toEqual([field, [null, below[field]]]);
    }
  });

  test('the members of an organization, by their ids', async () => {
    const at = (username: string) => api.as(username).userId;
    const document = `{ organization(id: "${acme}") { ${aliased('user', [at('cyd'), at('dan'), at('ada')])} } }`;
    const [owner, member] = [await api.as('ada').ask(document), await api.as('bob').ask(document)];
    expect([found(owner.data.organization), owner.statements]).toEqual([[at('cyd'), null, at('ada')], 2]);
    expect(found(member.data.organization)).toEqual([null, null, null]);
  });

  test('slots that are kept, as long as they are', async () => {
    const [eventTypeId] = await ownEventTypes('cyd');
    const query =
      'query($e: ID!) { slots(eventType: { id: $e }, start: "2031-03-03T00:00:00Z", end: "2031-03-08T00:00:00Z") { start } }';
    const { slots } = (await api.nobody.ask(query, { e: eventTypeId })).data;
    await api.nobody.change('slotReservationCreate', { eventTypeId, start: slots[0].start }, 'reservation { uid }');
    const { data } = await api.as('cyd').ask('{ me { reservedSlots { nodes { id title } } } }');
    const [held] = data.me.reservedSlots.nodes;
    const document = `{ me { reservedSlot(id: "${held.id}") { id title } } }`;
    expect((await api.as('cyd').ask(document)).data.me.reservedSlot).toEqual(held);
    expect((await api.as('bob').ask(document)).data.me.reservedSlot).toBeNull();
    await api.as('cyd').change('reservedSlotDelete', { reservedSlotId: held.id }, 'reservedSlotId');
    expect((await api.as('cyd').ask(document)).data.me.reservedSlot).toBeNull();
  });
});
