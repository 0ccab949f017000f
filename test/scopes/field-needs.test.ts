import { parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { chooseOperation } from '../../src/scopes/compile.ts';
import { type FieldNeed, fieldsLacking } from '../../src/scopes/field-needs.ts';
import { heldScopes } from '../../src/scopes/held-scopes.ts';
import { walk } from '../../src/scopes/walk.ts';
import { productLike } from './support/product-like.ts';

function lacking(source: string, held: readonly string[] = [], limit?: number): FieldNeed[] {
  const document = parse(source);
  const operation = chooseOperation(document);
  if (operation === undefined) throw new Error('The document has no operation.');
  return fieldsLacking(walk(productLike, document, operation), heldScopes(held), productLike.catalog, limit);
}

const pathsLacking = (source: string, held?: readonly string[], limit?: number) =>
  lacking(source, held, limit).map(({ path }) => path.join('.'));

test('a field is named by coordinate, level, response keys, scopes and position', () => {
  expect(lacking('{\n  t: team(id: 1) {\n    types: eventTypes { nodes { id } }\n  }\n}')).toEqual([
    {
      coordinate: 'Team.eventTypes',
      level: 'TEAM',
      path: ['t', 'types'],
      requires: ['TEAM_EVENT_TYPE_READ'],
      conditional: false,
      location: { line: 3, column: 5 },
    },
  ]);
});

describe('the fields that are listed', () => {
  test('are the outermost: nothing below them that requires no more than they do', () => {
    expect(pathsLacking('{ me { bookings { nodes { id eventType { title id } } } } }')).toEqual([
      'me.bookings',
      'me.bookings.nodes.eventType.title',
      'me.bookings.nodes.eventType.id',
    ]);
  });

  test('are only those whose scopes the caller lacks, with everything that they require', () => {
    const source = '{ me { name bookings { nodes { id } } } team(id: 1) { slug } }';
    expect(pathsLacking(source, ['BOOKING_READ', 'TEAM_PROFILE_READ'])).toEqual(['me.name']);
    expect(pathsLacking(source, ['BOOKING_READ', 'ORG_PROFILE_READ', 'PROFILE_READ'])).toEqual([]);
  });

  test('come shallowest first, and those of a fragment are as deep as the fragment stands', () => {
    expect(
      pathsLacking('{ me { teams { nodes { eventTypes { totalCount } } } ...F } } fragment F on Viewer { name }'),
    ).toEqual(['me.teams', 'me.name', 'me.teams.nodes.eventTypes']);
  });

  test('are cut off at the limit', () => {
    const many = Array.from({ length: 30 }, (_, index) => `f${index}: name`).join(' ');
    expect(pathsLacking(`{ me { ${many} } }`, [], 20)).toHaveLength(20);
    expect(pathsLacking(`{ me { ${many} } }`)).toHaveLength(30);
  });

  test('include a door that owes its base scope', () => {
    expect(lacking('{ me { __typename } }')).toMatchObject([
      { coordinate: 'Query.me', level: 'USER', path: ['me'], requires: ['PROFILE_READ'] },
    ]);
  });

  test('do not include first-party fields, or fields that are not there', () => {
    expect(pathsLacking('{ reviewQueue { clientId } me { sessions { id } nope name } }')).toEqual(['me.name']);
  });

  test('have no position if the document has none', () => {
    const document = parse('{ me { name } }', { noLocation: true });
    const operation = chooseOperation(document);
    const needs = operation
      ? fieldsLacking(walk(productLike, document, operation), heldScopes([]), productLike.catalog)
      : [];
    expect(needs).toHaveLength(1);
    expect(needs[0]).not.toHaveProperty('location');
  });
});

const conditional = (source: string) =>
  lacking(source)
    .filter((need) => need.conditional)
    .map(({ path }) => path.join('.'));

describe('a field is conditional', () => {
  test('under @skip or @include: its own, that of a field above, or that of a fragment', () => {
    expect(conditional('{ me { name @skip(if: true) bookings { nodes { id } } } }')).toEqual(['me.name']);
    expect(conditional('{ me @include(if: true) { name } }')).toEqual(['me.name']);
    expect(conditional('{ me { ...F @skip(if: true) } } fragment F on Viewer { name }')).toEqual(['me.name']);
    expect(conditional('{ me { ... @include(if: true) { name } } }')).toEqual(['me.name']);
  });

  test('not under another directive, nor if another path to it is unconditional', () => {
    expect(conditional('{ me { name @client } }')).toEqual([]);
    expect(conditional('{ me { ...F @skip(if: true) ... { ...F } } } fragment F on Viewer { name }')).toEqual([]);
  });
});
