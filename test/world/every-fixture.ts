/**
 * Joins the fixtures of this folder, and derives what the declarations of resources, their entities and the schema say
 * already: the tests that walk the schema take everything from here.
 */
import { readdir } from 'node:fs/promises';
import { type GraphQLField, type GraphQLObjectType, getNamedType, isLeafType, isObjectType } from 'graphql';
import { type IdKind, kindInWords, newId, newTeamId, newUserId } from '../../src/core/id.ts';
import {
  type Column,
  columnOf,
  columnsOf,
  type Entity,
  Selection,
  tableNameOf,
  tableOf,
} from '../../src/database/columns.ts';
import { type Em, type RawBuilder, rows, sql } from '../../src/database/sql.ts';
import { ownedPages } from '../../src/modules/levels/owned.queries.ts';
import { type LevelName, REACH } from '../../src/modules/levels/reach.ts';
import { type Declared, declaredResources } from '../../src/modules/levels/resource.graphql.ts';
import { mutationName } from '../../src/modules/levels/resource-mutations.graphql.ts';
import { ORGANIZATION } from '../../src/modules/organizations/group.ts';
import { TEAM } from '../../src/modules/teams/team-role.ts';
import { buildSchemas } from '../../src/schema.ts';
import type { LevelName as Standing, World } from '../api/standings/world.ts';
import type { TestApi } from '../support/api.ts';
import { uuidNumbered } from '../support/ids.ts';
import {
  by,
  type Class,
  type Connection,
  did,
  type Filling,
  type Fixture,
  groupAt,
  type Make,
  Maker,
  type ManyRows,
  numbered,
  type Operation,
  type Thing,
  tried,
} from './fixture.ts';

const { schema } = buildSchemas().forSessions;
const RESOURCES = declaredResources();
const DOORS = { user: 'Viewer', team: 'Team', organization: 'Organization' } as const;
const USUAL = ['memberships'];

const FIXTURES = await readFixtures();
const THINGS: Readonly<Record<string, Thing>> = joined(({ things }) => things);

/** All fixtures, each behind those whose rows and things it needs. */
async function readFixtures(): Promise<readonly Fixture[]> {
  const files = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.fixture.ts')).toSorted();
  const found = new Map<string, Fixture>();
  for (const file of files) {
    const { fixture } = (await import(`./${file}`)) as { fixture: Fixture };
    found.set(file.replace('.fixture.ts', ''), fixture);
  }
  const inOrder = new Set<Fixture>();
  const put = (name: string): void => {
    const fixture = found.get(name);
    if (!fixture) throw new Error(`There is no test/world/${name}.fixture.ts.`);
    for (const one of fixture.after ?? USUAL) put(one);
    inOrder.add(fixture);
  };
  for (const name of found.keys()) put(name);
  return [...inOrder];
}

/** The entries of all fixtures. @throws Error for what two of them have */
function joined<Value>(part: (fixture: Fixture) => Readonly<Record<string, Value>> | undefined): Record<string, Value> {
  const all: Record<string, Value> = {};
  for (const [name, value] of FIXTURES.flatMap((fixture) => Object.entries(part(fixture) ?? {}))) {
    if (Object.hasOwn(all, name)) throw new Error(`Two fixtures of test/world have ${name}.`);
    all[name] = value;
  }
  return all;
}

/** The declared resources that no fixture has, and the things of fixtures that nothing declares. */
export function unmatchedResources(): readonly string[] {
  const declared = RESOURCES.map(({ kind }) => kind as string);
  const strange = Object.keys(THINGS).filter((kind) => !declared.includes(kind));
  return [...declared.filter((kind) => !Object.hasOwn(THINGS, kind)), ...strange];
}

/** Valid inputs ------------------------------------------------------------------------------------------------------ */

/** A valid input of every mutation that tokens see. */
export const VALID: Readonly<Record<string, Make>> = {
  ...Object.fromEntries(RESOURCES.flatMap((one) => derivedInputs(one, THINGS[one.kind] ?? {}))),
  ...joined(({ inputs }) => inputs),
};

function derivedInputs(resource: Declared, { make, change }: Thing): (readonly [string, Make])[] {
  if (!make) return [];
  const { kind, changedAt } = resource;
  const fresh = async (maker: Maker, level: LevelName) => ({
    ...(await made(make, maker, level)),
    ...(await ownerAt(resource, maker, level)),
  });
  /** One that is there: made at the first level at which what the level reaches is made. */
  const there = async (maker: Maker, level: LevelName) => {
    const from = madeAt(resource, level);
    const input = { ...(await pathOf(maker, from)), ...(await fresh(maker, from)) };
    return { [`${kind}Id`]: await maker.made(mutationName(from, kind, 'Create'), input, `${kind}Id`) };
  };
  const named = (verb: 'Create' | 'Update' | 'Delete', input: (maker: Maker, level: LevelName) => Promise<object>) =>
    changedAt[verb].map(
      (level) =>
        [
          mutationName(level, kind, verb),
          by(level === 'user' ? 'own' : level, (maker) => input(maker, level)),
        ] as const,
    );
  return [
    ...named('Create', fresh),
    ...(change ? named('Update', async (maker, level) => ({ ...(await there(maker, level)), ...change })) : []),
    ...named('Delete', there),
  ];
}

async function made(make: NonNullable<Thing['make']>, maker: Maker, level: LevelName): Promise<object> {
  return typeof make === 'function' ? make(maker, level) : make;
}

/** The member of an input that names the owner of a new one, beside the path: Ada, or her team. */
async function ownerAt({ rows: table }: Declared, maker: Maker, level: LevelName): Promise<object> {
  if (table?.belongsTo === 'PERSON' && level !== 'user') return { userId: maker.userId('ada') };
  return table?.belongsTo === 'OWNER' && level === 'organization' ? { teamId: await maker.id('teams', 'sales') } : {};
}

async function pathOf(maker: Maker, level: LevelName): Promise<object> {
  if (level === 'user') return {};
  return level === 'team'
    ? { teamId: await maker.id('teams', 'sales') }
    : { organizationId: await maker.id('organizations', 'acme') };
}

function madeAt({ changedAt, rows: table }: Declared, level: LevelName): LevelName {
  const reached = { PERSON: ['user'], OWNER: level === 'user' ? ['user'] : ['team'], GROUP: [] }[
    table?.belongsTo ?? 'GROUP'
  ] as readonly LevelName[];
  return [...reached, level].find((one) => changedAt.Create.includes(one)) ?? level;
}

/** Why rows stay when somebody proves that the address of the account is theirs, by table. */
export const STAYS_OF_THINGS: Readonly<Record<string, string>> = Object.fromEntries(
  RESOURCES.flatMap(({ kind, rows: table }) => {
    const why = THINGS[kind]?.stays;
    return table && why !== undefined ? [[tableNameOf(table.owned.entity), why]] : [];
  }),
);

/** The mutations of things that callers without a verified address may make, change and delete. */
export const FOR_UNVERIFIED: readonly string[] = RESOURCES.filter(({ kind }) => THINGS[kind]?.isForUnverified).flatMap(
  ({ kind, changedAt }) =>
    (['Create', 'Update', 'Delete'] as const).flatMap((verb) =>
      changedAt[verb].map((level) => mutationName(level, kind, verb)),
    ),
);

/** Inputs of a new thing by the row of docs/limits.md that says how many characters one of its fields takes. */
export function longestInputs(): Readonly<Record<string, { mutation: string; input: (characters: number) => object }>> {
  const found = Object.entries(THINGS).flatMap(([kind, { make, longest = {} }]) =>
    Object.entries(longest).map(([limit, field]) => {
      const given = typeof make === 'function' ? {} : make;
      const input = (characters: number) => ({ ...given, [field]: 'x'.repeat(characters) });
      return [limit, { mutation: `${kind}Create`, input }] as const;
    }),
  );
  return Object.fromEntries(found);
}

/** Lists ------------------------------------------------------------------------------------------------------------- */

/** Each connection of the schema, as each kind of reader asks for it. */
export const LISTS: Readonly<Record<string, Connection>> = {
  ...Object.fromEntries(RESOURCES.flatMap(derivedLists)),
  ...joined(({ lists }) => lists),
};

function derivedLists({ rows: table, list, listedAt }: Declared): (readonly [string, Connection])[] {
  if (!table) return [];
  const { owned, belongsTo } = table;
  const whole = Selection.whole(owned.entity);
  return listedAt.map((level) => {
    const reach = REACH[level][belongsTo];
    const group = { user: undefined, team: TEAM, organization: ORGANIZATION }[level];
    const passesOver = reach.length > 0 && !(level === 'organization' && owned.isDenormalized);
    const page: Connection['lists'][number] = (em, many, request) => {
      const parentId = { user: many.userId, team: many.teamId, organization: many.organizationId }[level];
      return ownedPages(em, owned, { reach, group, actorId: many.userId }, [parentId], request, whole);
    };
    return [`${DOORS[level]}.${list}`, { passesOver, lists: [page] }] as const;
  });
}

/** Rows by the ten thousand in each table that has a list. */
export async function fillLists(em: Em, count: number): Promise<ManyRows> {
  const ids = Array.from({ length: count }, newUserId);
  const [userId = '', quietUserId = '', administratorId = '', memberId = ''] = ids;
  const [organizationId, teamId, clientId] = [newId(), newTeamId(), 'client-0'];
  const [eventTypeId, managedId, webhookId, routingFormId] = [newId(), newId(), newId(), newId()];
  const named = { organizationId, memberId, teamId, eventTypeId, managedId, clientId, webhookId, routingFormId };
  const many: ManyRows = { ids, userId, quietUserId, administratorId, ...named };
  for (const { things = {}, many: further } of FIXTURES) {
    const ofThings = Object.entries(things).flatMap(([kind, thing]) => rowsOf(kind, thing, many, count));
    for (const statement of [...ofThings, ...(further?.(many, count) ?? [])]) await rows(em, statement);
  }
  return many;
}

function rowsOf(
  kind: string,
  { many: said = {} }: Thing,
  many: ManyRows,
  count: number,
): readonly RawBuilder<unknown>[] {
  if (typeof said === 'function') return said(many, count);
  const table = RESOURCES.find((one) => one.kind === kind)?.rows;
  if (!table) return [];
  const { entity, owner, isDenormalized } = table.owned;
  const ownerId = sql.ref('owner_id');
  const given: Record<string, RawBuilder<unknown>> = {
    id: uuidNumbered('0'),
    ...(columnsOf(entity).has('userId') && { userId: sql`nullif(owner_id, ${many.teamId})` }),
    ...(columnsOf(entity).has('teamId') && { teamId: sql`nullif(owner_id, ${many.userId})` }),
    ...(isDenormalized && { organizationId: sql`${many.organizationId}::uuid` }),
    [owner]: ownerId,
    ...said,
  };
  const columns = [...columnsOf(entity)].flatMap(([name, column]) => {
    const value = given[name] ?? (isLeftOut(entity, name, column) ? undefined : valueOf(entity, name, column));
    return value ? [{ name, value }] : [];
  });
  const owners = table.belongsTo === 'PERSON' ? [many.userId] : [many.userId, many.teamId];
  const isOfTeams = owner === 'teamId';
  return [
    sql`insert into ${tableOf(entity)} (${sql.join(columns.map(({ name }) => sql.ref(columnOf(name))))})
        select ${sql.join(columns.map(({ value }) => value))}
        from ${numbered(count)}, unnest(${isOfTeams ? [many.teamId] : owners}::uuid[]) owner_id`,
  ];
}

function isLeftOut(entity: Entity, name: string, { isNullable }: Column): boolean {
  const { properties } = (
    entity as unknown as { meta: { properties: Record<string, { default?: unknown; defaultRaw?: unknown }> } }
  ).meta;
  const { default: byDefault, defaultRaw } = properties[name] ?? {};
  return isNullable || byDefault !== undefined || defaultRaw !== undefined;
}

const VALUES: Readonly<Record<string, RawBuilder<unknown>>> = {
  TextType: sql`n::text`,
  StringType: sql`n::text`,
  UuidType: uuidNumbered('0'),
  InstantType: sql`now()`,
  IntegerType: sql`0`,
  BooleanType: sql`false`,
  JsonType: sql`'[]'::jsonb`,
  ArrayType: sql`'{}'`,
};

function valueOf(entity: Entity, name: string, { type }: Column): RawBuilder<unknown> {
  const value = VALUES[type];
  if (value) return value;
  throw new Error(`Rows of ${entity.meta.className} need a ${name} (${type}): say it in "many" of their fixture.`);
}

/** Visibility -------------------------------------------------------------------------------------------------------- */

/** The readers of each field that fixtures name, by type. */
const CLASSES: ReadonlyMap<string, Class> = readClasses();

function readClasses(): Map<string, Class> {
  const all = new Map<string, Class>();
  for (const [type, classes] of FIXTURES.flatMap(({ fields = {} }) => Object.entries(fields))) {
    for (const [of, names] of Object.entries(classes) as [Class, string][]) {
      for (const coordinate of names.split(' ').map((name) => `${type}.${name}`)) {
        if (all.has(coordinate)) throw new Error(`${coordinate} is in the fixtures of test/world twice.`);
        all.set(coordinate, of);
      }
    }
  }
  return all;
}

/** The lists and look-ups that `resource(...)` declares: the caller's own, and what administrators are shown of a group. */
const DECLARED_FIELDS: ReadonlyMap<string, Class> = new Map(
  RESOURCES.flatMap(({ list, listedAt, lookUp, lookedUpAt }) => {
    const names = (level: LevelName): string[] => [
      ...(list !== undefined && listedAt.includes(level) ? [list, `${list}ById`] : []),
      ...(lookUp !== undefined && lookedUpAt.includes(level) ? [lookUp] : []),
    ];
    return (Object.keys(DOORS) as LevelName[]).flatMap((level) =>
      names(level).map(
        (name) => [`${DOORS[level]}.${name}`, level === 'user' ? 'AS_ABOVE' : 'GROUP_ADMINISTRATORS'] as const,
      ),
    );
  }),
);

/** The readers of a field. @throws Error if no fixture says them and they cannot be derived */
export function classOf(coordinate: string): Class {
  const found = CLASSES.get(coordinate) ?? derivedClassOf(coordinate);
  if (!found) throw new Error(`Who is shown ${coordinate}? Say it in "fields" of a fixture in test/world.`);
  return found;
}

/** Fields that a fixture names although they are derived, or that are not there: each is said once. */
export function superfluousFields(): readonly string[] {
  return [...CLASSES].flatMap(([coordinate, of]) =>
    !fieldAt(coordinate) || derivedClassOf(coordinate) === of ? [coordinate] : [],
  );
}

function derivedClassOf(coordinate: string): Class | undefined {
  const declared = DECLARED_FIELDS.get(coordinate);
  if (declared) return declared;
  const found = fieldAt(coordinate);
  // A door shows itself to more people than what is behind it: each of its fields is said.
  if (!found || ['Query', ...Object.values(DOORS)].includes(found.type.name)) return undefined;
  const { field, type } = found;
  // So is each field that anybody reads without a token: whoever adds one decides that the whole world may know it.
  if (accessOf(field) === 'PUBLIC') return undefined;
  const first = type.getFields()['id'] ?? Object.values(type.getFields())[0];
  const isAsItsObject = first !== undefined && scopesOf(field) === scopesOf(first);
  return isLeafType(getNamedType(field.type)) && isAsItsObject ? 'AS_ABOVE' : undefined;
}

function fieldAt(coordinate: string): { field: GraphQLField<unknown, unknown>; type: GraphQLObjectType } | undefined {
  const [typeName = '', name = ''] = coordinate.split('.');
  const type = schema.getType(typeName);
  const field = isObjectType(type) ? type.getFields()[name] : undefined;
  return isObjectType(type) && field ? { field, type } : undefined;
}

function scopesOf(field: GraphQLField<unknown, unknown>): string {
  return JSON.stringify(requirementOf(field) ?? null);
}

function accessOf(field: GraphQLField<unknown, unknown>): string | undefined {
  return requirementOf(field)?.access;
}

function requirementOf({ extensions }: GraphQLField<unknown, unknown>): { readonly access?: string } | undefined {
  return (extensions['directives'] as { requiresScope?: { readonly access?: string } } | undefined)?.requiresScope;
}

/** Gives somebody one of everything. */
export async function fillPerson(filling: Filling, who: { as: Filling['owner']; colleagueId: string }): Promise<void> {
  for (const { things = {}, fillPerson: fill } of FIXTURES) {
    for (const [kind, thing] of Object.entries(things)) await fillOne(kind, thing, 'user', who.as, {}, who.colleagueId);
    await fill?.(filling, who.as, who.colleagueId);
  }
}

/** Gives the team and its organization one of everything. */
export async function fillGroups(filling: Filling): Promise<void> {
  const { owner, teamId, world } = filling;
  const colleagueId = world.member.userId;
  for (const { things = {}, fillGroups: fill } of FIXTURES) {
    for (const [kind, thing] of Object.entries(things)) {
      const belongsTo = RESOURCES.find((one) => one.kind === kind)?.rows?.belongsTo;
      if (belongsTo === 'OWNER' || belongsTo === 'GROUP')
        await fillOne(kind, thing, 'team', owner, { teamId }, colleagueId);
      if (belongsTo === 'GROUP')
        await fillOne(kind, thing, 'organization', owner, { organizationId: world.organizationId }, colleagueId);
    }
    await fill?.(filling);
  }
}

async function fillOne(
  kind: string,
  { full, make }: Thing,
  level: LevelName,
  who: Filling['owner'],
  path: object,
  colleagueId: string,
): Promise<void> {
  const given = full === undefined && typeof make !== 'function' ? make : full;
  const resource = RESOURCES.find((one) => one.kind === kind);
  if (!given || !resource?.changedAt.Create.includes(level)) return;
  const input = typeof given === 'function' ? given(colleagueId) : given;
  await did(who, mutationName(level, kind, 'Create'), { ...path, ...input }, `${kind}Id`);
}

/** Standings --------------------------------------------------------------------------------------------------------- */

const OF_GROUP = [...derivedOperations('PERSON'), ...FIXTURES.flatMap(({ operations }) => operations?.group ?? [])];
const OF_TEAM = [...OF_GROUP, ...FIXTURES.flatMap(({ operations }) => operations?.team ?? [])];

/** The operations of administrators on people, at each level. */
export const OPERATIONS: Readonly<Record<Standing, readonly Operation[]>> = {
  'team of an organization': OF_TEAM,
  'stand-alone team': OF_TEAM,
  organization: [
    ...OF_GROUP,
    ...derivedOperations('OWNER'),
    ...FIXTURES.flatMap(({ operations }) => operations?.organization ?? []),
  ],
};

/** On things that belong to people: made for them, changed and deleted by others. */
function derivedOperations(belongsTo: 'PERSON' | 'OWNER'): readonly Operation[] {
  const level = belongsTo === 'PERSON' ? 'team' : 'organization';
  const of = RESOURCES.filter((one) => one.rows?.belongsTo === belongsTo && one.changedAt.Create.includes(level));
  return of.flatMap((one) => operationsOn(one, THINGS[one.kind] ?? {}));
}

function operationsOn({ kind, changedAt }: Declared, { make, change = {} }: Thing): Operation[] {
  if (!make || !changedAt.Create.includes('user')) return [];
  const [id, noun] = [`${kind}Id`, `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`];
  const what = `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kindInWords(kind)} of theirs`;
  const fresh = ({ api }: World) => made(make, makerOf(api), 'user');
  const own = async (world: World, target: Filling['owner']) => did(target, `${kind}Create`, await fresh(world), id);
  return [
    {
      name: `make ${what}`,
      prepare: async (world, level, { userId }) => {
        const { prefix, of } = groupAt(world, level);
        return tried(`${prefix}${noun}Create`, { ...of, userId, ...(await fresh(world)) });
      },
    },
    {
      name: `change ${what}`,
      prepare: async (world, level, target) => {
        const { prefix, of } = groupAt(world, level);
        return tried(`${prefix}${noun}Update`, { ...of, [id]: await own(world, target), ...change });
      },
    },
    {
      name: `delete ${what}`,
      prepare: async (world, level, target) => {
        const { prefix, of } = groupAt(world, level);
        // Another one stays, as the last schedule must.
        await own(world, target);
        return tried(`${prefix}${noun}Delete`, { ...of, [id]: await own(world, target) });
      },
    },
  ];
}

const MAKERS = new WeakMap<TestApi, Maker>();

function makerOf(api: TestApi): Maker {
  return MAKERS.getOrInsertComputed(api, () => new Maker(api, { clientId: 'test', codeKey: new Uint8Array(32) }));
}

/** The tables of what belongs to people: each row of somebody's could be changed by an administrator. */
export const TABLES_OF_PEOPLE: readonly {
  readonly kind: IdKind;
  readonly table: RawBuilder<unknown>;
  readonly owner: string;
}[] = RESOURCES.flatMap(({ kind, rows: table }) =>
  table && table.belongsTo !== 'GROUP'
    ? [{ kind, table: tableOf(table.owned.entity), owner: columnOf(table.owned.owner) }]
    : [],
);
