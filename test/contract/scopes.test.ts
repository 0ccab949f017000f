import { type GraphQLNamedType, getNamedType, isLeafType, isObjectType, parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { buildSchemas } from '../../src/schema.ts';
import { ANONYMOUS, authorize, type Caller, sessionCaller, tokenCaller } from '../../src/scopes/authorize.ts';
import { compileOperation } from '../../src/scopes/compile.ts';
import { heldScopes, unrestrictedScopes } from '../../src/scopes/held-scopes.ts';
import { type ContractPath, contractPaths, readContract } from './contract-paths.ts';

const contract = readContract();
const paths = contractPaths(contract);
const { forSessions, forTokens } = buildSchemas();

/** Every field at every level, with the engine's requirement of its document. */
const operations = paths.map((path) => {
  const compiled = compileOperation(forSessions.rules, parse(path.document));
  if (!compiled) throw new Error(`${path.document} is not one operation.`);
  return { path, compiled };
});

/** The paths on which the engine and the contract do not agree about a caller. */
function disagreements(caller: Caller, isPromised: (path: ContractPath) => boolean): string[] {
  return operations
    .filter(({ path, compiled }) => (authorize(compiled, caller) === undefined) !== isPromised(path))
    .map(({ path }) => `${path.title}: ${path.document}`);
}

test('the documents reach every field that the contract lists, and are valid', () => {
  expect(new Set(paths.map(({ coordinate }) => coordinate))).toEqual(new Set(Object.keys(contract.manifest.fields)));
  const invalid = paths.flatMap(({ document }) => validate(forSessions.schema, parse(document)));
  expect(invalid.map(({ message }) => message)).toEqual([]);
});

describe('a document runs exactly when schema/scopes.json says so', () => {
  test.each(contract.scopes)('for a token with %s alone', (scope) => {
    const team = scope.replace(/^ORG_/, 'TEAM_');
    const opened = new Set([scope, ...(contract.scopes.includes(team) ? [team] : [])]);
    const caller = tokenCaller(heldScopes([scope]));
    expect(disagreements(caller, ({ required }) => required.isSubsetOf(opened))).toEqual([]);
  });

  test('for callers without a token', () => {
    expect(disagreements(ANONYMOUS, ({ required }) => required.size === 0)).toEqual([]);
  });

  test('for a token without scopes', () => {
    expect(disagreements(tokenCaller(heldScopes([])), ({ required }) => required.size === 0)).toEqual([]);
  });

  test('for an unrestricted token', () => {
    const all = new Set(contract.scopes);
    expect(disagreements(tokenCaller(unrestrictedScopes()), ({ required }) => required.isSubsetOf(all))).toEqual([]);
  });

  test('for a token with all scopes but one of those that it needs', () => {
    const wrong = operations.flatMap(({ path, compiled }) =>
      [...path.required]
        .filter((scope) => authorize(compiled, tokenCaller(heldScopes(withoutGranting(scope)))) === undefined)
        .map((scope) => `${path.title} without ${scope}`),
    );
    expect(wrong).toEqual([]);
  });

  test('for a signed-in session', () => {
    expect(disagreements(sessionCaller(), ({ required }) => !required.has('NOBODY'))).toEqual([]);
  });
});

/** All scopes except one, and except those that grant it too. */
function withoutGranting(scope: string): string[] {
  return contract.scopes.filter((one) => one !== scope && one.replace(/^ORG_/, 'TEAM_') !== scope);
}

test('fields that need a session do not exist in the schema that tokens see, and everything else does', () => {
  const wrong = paths.filter(({ document, required }) => {
    const isKnown = validate(forTokens.schema, parse(document)).length === 0;
    return isKnown === required.has('FIRST_PARTY');
  });
  expect(wrong.map(({ title }) => title)).toEqual([]);
});

describe('the three doors', () => {
  /** Organizations have no scope for these, so the team's own opens them wherever the team is. */
  const ofTeamsAlone = Object.entries(contract.manifest.fields).flatMap(([coordinate, { enters, scopes }]) => {
    const twins = scopes?.TEAM?.map((scope) => scope.replace(/^TEAM_/, 'ORG_')) ?? [];
    const isAlone = coordinate.startsWith('Team.') && enters === 'TEAM' && twins.length > 0;
    return isAlone && !twins.every((twin) => contract.scopes.includes(twin)) ? [coordinate] : [];
  });
  const entering = Object.entries(contract.manifest.fields).flatMap(([coordinate, { enters }]) =>
    enters === undefined || coordinate.startsWith('Mutation.') ? [] : [`${coordinate} → ${enters}`],
  );

  test('each is where it is documented, and nothing else changes the level of a query', () => {
    const documented = [
      'Organization.team → TEAM',
      'Query.me → USER',
      'Query.organization → ORGANIZATION',
      'Query.team → TEAM',
      'Query.viewer → USER',
      'Team.organization → ORGANIZATION',
      'Viewer.organizationInvitations → ORGANIZATION',
      'Viewer.organizations → ORGANIZATION',
      'Viewer.teamInvitations → TEAM',
      'Viewer.teams → TEAM',
      ...ofTeamsAlone.map((coordinate) => `${coordinate} → TEAM`),
    ];
    expect(entering.toSorted()).toEqual(documented.toSorted());
  });

  test('a mutation enters the level that its name begins with', () => {
    const wrong = Object.entries(contract.manifest.fields).filter(([coordinate, { access, enters }]) => {
      const [, group] = /^Mutation\.(team|organization)[A-Z]/.exec(coordinate) ?? [];
      return coordinate.startsWith('Mutation.') && access === 'SCOPED' && enters !== (group ?? 'user').toUpperCase();
    });
    expect(wrong).toEqual([]);
  });

  test('judge the teams in an organization’s list by its scopes, wherever organizations have scopes for them', () => {
    const below = paths.filter(({ title }) => /^Team\..* at ORGANIZATION$/.test(title));
    const all = Object.keys(contract.manifest.fields).filter(
      (coordinate) => coordinate.startsWith('Team.') && !ofTeamsAlone.includes(coordinate),
    );
    expect(new Set(below.map(({ coordinate }) => coordinate))).toEqual(new Set(all));
    const others = below.filter(({ required }) => [...required].some((scope) => !scope.startsWith('ORG_')));
    expect(others.map(({ title }) => title)).toEqual([]);
  });
});

test('every mutation needs a WRITE scope, or is public, or needs a session', () => {
  const lax = paths.filter(
    ({ coordinate, required }) =>
      coordinate.startsWith('Mutation.') &&
      contract.manifest.fields[coordinate]?.access !== 'PUBLIC' &&
      ![...required].some((scope) => scope.endsWith('_WRITE') || scope === 'FIRST_PARTY'),
  );
  expect(lax.map(({ title }) => title)).toEqual([]);
});

test('a mutation’s own field needs nothing but WRITE scopes: reading is paid for by selecting', () => {
  const readers = Object.entries(contract.manifest.fields).filter(
    ([coordinate, { scopes }]) =>
      coordinate.startsWith('Mutation.') &&
      Object.values(scopes ?? {})
        .flat()
        .some((scope) => scope.endsWith('_READ')),
  );
  expect(readers.map(([coordinate]) => coordinate)).toEqual([]);
});

test('with the WRITE scope alone a payload shows ids, userErrors and where to go on, and nothing else', () => {
  const { schema, manifest } = contract;
  const shown = new Set<string>();
  const types = new Set<GraphQLNamedType>();
  const isFreeBelow = (coordinate: string) => ['INHERIT', 'PUBLIC'].includes(manifest.fields[coordinate]?.access ?? '');
  for (const [name, { type }] of Object.entries(schema.getMutationType()?.getFields() ?? {})) {
    if (manifest.fields[`Mutation.${name}`]?.access === 'SCOPED') types.add(getNamedType(type));
  }
  expect(types.size).toBeGreaterThan(40);
  // The set grows while it is read.
  for (const type of types) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      if (!isFreeBelow(`${type.name}.${field.name}`)) continue;
      const below = getNamedType(field.type);
      if (isLeafType(below)) shown.add(type.name === 'UserError' ? `userErrors.${field.name}` : field.name);
      else types.add(below);
    }
  }
  const ids = [...shown].filter((name) => /(?:Id|Uid)$/.test(name));
  // The payload of calendarAccountConnect: it reads nothing.
  expect(shown).toEqual(
    new Set([...ids, 'authorizationUrl', 'userErrors.code', 'userErrors.message', 'userErrors.path']),
  );
});

test('every scope opens something', () => {
  const opened = new Set(paths.flatMap(({ required }) => [...required]));
  expect(contract.scopes.filter((scope) => !opened.has(scope))).toEqual([]);
});
