import { readFile } from 'node:fs/promises';
import { defineEntity, p } from '@mikro-orm/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ID_TAGS, type OwnedKind, ownedIdOf, publicId } from '../../src/core/id.ts';
import { rows, sql } from '../../src/database/sql.ts';
import { InstantType } from '../../src/database/temporal-types.ts';
import { rowType } from '../../src/graphql/row.ts';
import { insertOwned, updateOwned } from '../../src/modules/levels/change-owned.ts';
import type { OwnedTable } from '../../src/modules/levels/owned.queries.ts';
import { resource } from '../../src/modules/levels/resource.graphql.ts';
import { reads, writes } from '../../src/scopes/declare.ts';
import type { TestApi, TestCaller } from '../support/api.ts';
import { uuidOf } from '../support/ids.ts';

// A resource that nobody has: notes of a person. What stands between these two lines is all that it takes.
// ----------------------------------------------------------------------------------------------------------------------
const Note = defineEntity({
  name: 'Note',
  tableName: 'notes',
  properties: {
    userId: p.uuid().primary(),
    id: p.uuid().primary(),
    body: p.text(),
    colour: p.text().nullable(),
    createdAt: p.type(InstantType),
    updatedAt: p.type(InstantType),
  },
});
Object.assign(ID_TAGS, { note: 'not' });
const NOTE = 'note' as OwnedKind;
const NOTES: OwnedTable<typeof Note> = { entity: Note, kind: NOTE, owner: 'userId' };
const data = reads('SCHEDULE');
const describes = { user: 'Yours.', team: 'Of its members.', organization: 'Of its members.' };

resource({
  type: rowType(Note, 'Note', {
    description: 'What somebody wants to remember.',
    fields: (t) => ({
      id: t.ownedId(['userId', 'id'], NOTE, { requires: data }),
      body: t.column('body', { requires: data }),
      colour: t.column('colour', { requires: data }),
      headline: t.from(['body', 'colour'], {
        type: 'String',
        requires: data,
        resolve: ({ body, colour }) => `${colour ?? 'plain'}: ${body}`,
      }),
    }),
  }),
  owned: NOTES,
  belongsTo: 'PERSON',
  reads: data,
  writes: writes('SCHEDULE'),
  list: { name: 'notes', describes },
  create: {
    input: (t) => ({ body: t.string({ required: true }) }),
    run: (em, owner, input) => insertOwned(em, NOTES, owner, input),
    describes,
  },
  update: {
    input: (t) => ({ body: t.string() }),
    run: (em, owner, id, patch, shown) => updateOwned(em, NOTES, owner, id, patch, shown),
    describes,
  },
  delete: { describes },
});
// ----------------------------------------------------------------------------------------------------------------------

// The schema is built when this is imported, so what was declared above belongs to it.
const { openTestApi } = await import('../support/api.ts');
const { buildSchemas } = await import('../../src/schema.ts');
const { restRoutesOf } = await import('../../src/http/rest/table.ts');
const { restPage } = await import('../../src/cli/rest-page.ts');

let api: TestApi;
const ids: Record<string, string> = {};

beforeAll(async () => {
  api = await openTestApi();
  const em = api.database.em.fork();
  await rows(
    em,
    sql`create table notes (user_id uuid not null references users (id) on delete cascade, id uuid not null,
          body text not null, colour text, created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
          primary key (user_id, id))`,
  );
  const [found] = await rows(
    em,
    sql<{ acme: string; sales: string; studio: string }>`
      select (select id from organizations where slug = 'acme') as acme,
        (select id from teams where slug = 'sales') as sales, (select id from teams where slug = 'studio') as studio`,
  );
  if (!found) throw new Error('The demo is not there.');
  Object.assign(ids, {
    acme: publicId('organization', found.acme),
    sales: publicId('team', found.sales),
    studio: publicId('team', found.studio),
  });
});
afterAll(() => api.close());

const LEVELS = ['user', 'team', 'organization'] as const;
type Level = (typeof LEVELS)[number];

/** The scopes of the level, the names of its mutations, its path, and the caller who may act there on Cyd's behalf. */
const AT = {
  user: { read: 'SCHEDULE_READ', write: 'SCHEDULE_WRITE', prefix: 'note', path: () => ({}), actor: 'cyd' },
  team: {
    read: 'TEAM_SCHEDULE_READ',
    write: 'TEAM_SCHEDULE_WRITE',
    prefix: 'teamNote',
    path: () => ({ teamId: ids['sales'] }),
    actor: 'bob',
  },
  organization: {
    read: 'ORG_SCHEDULE_READ',
    write: 'ORG_SCHEDULE_WRITE',
    prefix: 'organizationNote',
    path: () => ({ organizationId: ids['acme'] }),
    actor: 'ada',
  },
} as const;

/** People without a right: a member without a role, and somebody from elsewhere. */
const REFUSED = { user: [], team: ['cyd', 'dan'], organization: ['cyd', 'bob', 'dan'] } as const;

function target(level: Level, of = 'cyd'): Record<string, unknown> {
  return level === 'user' ? {} : { ...AT[level].path(), userId: api.as(of).userId };
}

async function make(level: Level, caller: TestCaller = api.as(AT[level].actor), of?: string) {
  return caller.change(`${AT[level].prefix}Create`, { ...target(level, of), body: `by ${level}` }, 'noteId');
}

async function made(level: Level): Promise<string> {
  const { data: payload, mistakes } = await make(level);
  expect(mistakes).toEqual([]);
  return payload.noteId;
}

describe.each(LEVELS)('a resource made of one declaration, at the level of a %s', (level) => {
  const { read, write, prefix, actor } = AT[level];

  test('is made for its owner, changed, shown as it is by then, and deleted', async () => {
    const noteId = await made(level);
    expect(ownedIdOf(NOTE, noteId)?.ownerId).toBe(uuidOf(api.as('cyd').userId));
    const input = { ...AT[level].path(), noteId };
    const changed = await api
      .as(actor)
      .change(`${prefix}Update`, { ...input, body: 'new' }, 'note { id body headline }');
    expect(changed.data.note).toEqual({ id: noteId, body: 'new', headline: 'plain: new' });
    const removed = await api.as(actor).change(`${prefix}Delete`, input, 'noteId');
    expect(removed.data).toMatchObject({ noteId, userErrors: [] });
    const again = await api.as(actor).change(`${prefix}Delete`, input, 'noteId');
    expect(again.mistakes).toEqual(['NOT_FOUND noteId']);
  });

  test.each(['Create', 'Update', 'Delete'])('%s needs its WRITE scope and no other', async (verb) => {
    const noteId = await made(level);
    const body = verb === 'Delete' ? {} : { body: 'x' };
    const input = { ...(verb === 'Create' ? target(level) : { ...AT[level].path(), noteId }), ...body };
    const refused = await api.as(actor, [read]).change(`${prefix}${verb}`, input, 'noteId');
    expect(refused.codes).toEqual(['INSUFFICIENT_SCOPE']);
    const done = await api.as(actor, [write]).change(`${prefix}${verb}`, input, 'noteId');
    expect(done.mistakes).toEqual([]);
  });

  test('shows its rows only to those who may read them', async () => {
    const input = { ...target(level), body: 'x' };
    const refused = await api.as(actor, [write]).change(`${prefix}Create`, input, 'note { body }');
    expect(refused.codes).toEqual(['INSUFFICIENT_SCOPE']);
    const shown = await api.as(actor, [read, write]).change(`${prefix}Create`, input, 'note { body }');
    expect(shown.data.note).toEqual({ body: 'x' });
  });

  test.each(REFUSED[level])('refuses %s, who may not, and changes nothing', async (username) => {
    const noteId = await made(level);
    const caller = api.as(username);
    const expected = username === 'dan' ? /^NOT_FOUND / : /^FORBIDDEN /;
    const input = { ...AT[level].path(), noteId };
    for (const change of [
      await make(level, caller),
      await caller.change(`${prefix}Update`, { ...input, body: 'stolen' }, 'noteId'),
      await caller.change(`${prefix}Delete`, input, 'noteId'),
    ]) {
      expect(change.mistakes).toEqual([expect.stringMatching(expected)]);
    }
    const [row] = await rows(
      api.database.em.fork(),
      sql<{ body: string }>`select body from notes where id = ${ownedIdOf(NOTE, noteId)?.id}`,
    );
    expect(row?.body).toBe(`by ${level}`);
  });

  test('answers the same for what is not there and for what belongs to somebody out of reach', async () => {
    const { data: payload } = await make('user', api.as('dan'));
    for (const noteId of [payload.noteId, 'not_nonsense']) {
      const input = { ...AT[level].path(), noteId };
      expect((await api.as(actor).change(`${prefix}Update`, { ...input, body: 'x' }, 'noteId')).mistakes).toEqual([
        'NOT_FOUND noteId',
      ]);
    }
    if (level === 'user') return;
    expect((await make(level, api.as(actor), 'dan')).mistakes).toEqual(['NOT_FOUND userId']);
  });

  test('is made once under an idempotency key', async () => {
    const input = { ...target(level), body: 'once', idempotencyKey: `key-of-${level}-0000000000` };
    const answers = await Promise.all([1, 2, 3].map(() => api.as(actor).change(`${prefix}Create`, input, 'noteId')));
    expect(new Set(answers.map(({ data: payload }) => payload.noteId)).size).toBe(1);
  });
});

describe('what is derived from its declaration', () => {
  test('has paths by REST at each level, and a row in docs/rest.md', async () => {
    const routes = restRoutesOf(buildSchemas().forTokens.rules);
    const paths = routes.filter(({ path }) => path.includes('/notes')).map(({ method, path }) => `${method} ${path}`);
    const below = ['', '/organizations/:orgId', '/organizations/:orgId/teams/:teamId', '/teams/:teamId'];
    const offered = [
      'GET /notes',
      'POST /notes',
      'GET /notes/:noteId',
      'PATCH /notes/:noteId',
      'DELETE /notes/:noteId',
    ];
    const expected = below.flatMap((door) => offered.map((one) => one.replace(' ', ` /v2${door}`)));
    // Within an organization's team, a change is the team's, whose input names no organization.
    expect(expected).toEqual(expect.arrayContaining(paths));
    expect(paths).toEqual(
      expect.arrayContaining(expected.filter((one) => !one.includes('/teams/:teamId') || /GET/.test(one))),
    );
    const page = restPage(await readFile('docs/rest.md', 'utf8'), routes);
    expect(page).toContain('| `notes`, `notes/:noteId` | the list, one | creates, updates, deletes |\n');
  });

  test('has lists whose plans are looked at, and readers; and is named as long as no fixture has it', async () => {
    const { classOf, LISTS, unmatchedResources } = await import('../world/every-fixture.ts');
    expect(unmatchedResources()).toEqual(['note']);
    const lists = Object.keys(LISTS).filter((name) => name.endsWith('.notes'));
    expect(lists).toEqual(['Viewer.notes', 'Team.notes', 'Organization.notes']);
    const readers = ['Viewer.note', 'Team.notes', 'Organization.notesById', 'Note.body', 'Note.headline'].map(classOf);
    expect(readers).toEqual(['AS_ABOVE', 'GROUP_ADMINISTRATORS', 'GROUP_ADMINISTRATORS', 'AS_ABOVE', 'AS_ABOVE']);
  });
});

describe('its lists and look-ups', () => {
  const DOORS = {
    user: (selection: string) => `query ($id: ID) { me { id: __typename ${selection} } }`.replace('($id: ID) ', ''),
    team: (selection: string) => `{ team(id: "${ids['sales']}") { ${selection} } }`,
    organization: (selection: string) => `{ organization(id: "${ids['acme']}") { ${selection} } }`,
  };

  test.each(LEVELS)('stand at the door of a %s: pages that go on at their cursor, and by ids', async (level) => {
    for (let index = 0; index < 3; index += 1) await made(level);
    const caller = api.as(AT[level].actor, [AT[level].read]);
    const door = level === 'user' ? 'me' : level;
    const listed = async (args: string) => {
      const { data: answer } = await caller.ask(
        DOORS[level](`notes${args} { nodes { id } pageInfo { endCursor hasNextPage } }`),
      );
      return answer[door].notes;
    };
    const all = await listed('(first: 100)');
    const [first, rest] = [await listed('(first: 1)'), []] as [typeof all, string[]];
    let page = first;
    while (page) {
      rest.push(...page.nodes.map(({ id }: { id: string }) => id));
      page = page.pageInfo.hasNextPage ? await listed(`(first: 1, after: "${page.pageInfo.endCursor}")`) : undefined;
    }
    expect(rest).toEqual(all.nodes.map(({ id }: { id: string }) => id));
    const { data: one } = await caller.ask(DOORS[level](`note(id: "${rest[0]}") { id }`));
    expect(one[door].note).toEqual({ id: rest[0] });
    const ids = [...rest.toReversed(), 'not_nonsense', rest[0]];
    const { data: several, statements } = await caller.ask(
      DOORS[level](`notesById(ids: ${JSON.stringify(ids)}) { id }`),
    );
    expect(several[door].notesById).toEqual(ids.map((id) => (id === 'not_nonsense' ? null : { id })));
    expect(statements).toBe(level === 'user' ? 1 : 2);
  });

  test('show nothing to a member without a role', async () => {
    const { data: answer } = await api.as('cyd').ask(DOORS.team('notes { nodes { id } } notesById(ids: []) { id }'));
    expect(answer.team).toEqual({ notes: null, notesById: null });
  });

  test('need the scope of the level at which they are reached', async () => {
    const { codes } = await api.as('bob', ['SCHEDULE_READ']).ask(DOORS.team('notes { nodes { id } }'));
    expect(codes).toEqual(['INSUFFICIENT_SCOPE']);
    const byIds = await api.as('bob', ['SCHEDULE_READ']).ask(DOORS.team('notesById(ids: []) { id }'));
    expect(byIds.codes).toEqual(['INSUFFICIENT_SCOPE']);
    const byOrganization = await api.as('bob', ['ORG_SCHEDULE_READ']).ask(DOORS.team('notes { nodes { id } }'));
    expect(byOrganization.codes).toEqual([]);
  });
});
