import { GraphQLEnumType, GraphQLObjectType, GraphQLSchema, GraphQLString, parse, validateSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { SCOPES } from '../../src/scopes/catalog.ts';
import { entering, FIRST_PARTY, INHERIT, PUBLIC, reads, writes } from '../../src/scopes/declare.ts';
import {
  describedAlone,
  describeRequirement,
  directiveArguments,
  directiveDefinition,
  withBaseScopes,
  withRequirement,
  withScopeDirective,
} from '../../src/scopes/directive.ts';
import { declaredRequirement, type Requirement } from '../../src/scopes/requirement.ts';
import { rulesOf } from '../../src/scopes/schema-rules.ts';
import { requiredBy } from './support/schema.ts';

const name = { type: GraphQLString, description: 'The name.' };
const viewer = { name: 'Viewer', fields: { name: withRequirement(name, reads('PROFILE'), 'Viewer.name') } };
const me = { type: new GraphQLObjectType(withBaseScopes(viewer, reads('PROFILE', ['USER']), 'Viewer')) };
const query = { name: 'Query', fields: { me: withRequirement(me, entering('USER', INHERIT), 'Query.me') } };
const schema = new GraphQLSchema({ query: new GraphQLObjectType(query) });

describe('the directive is defined', () => {
  test('with the 46 scopes, the levels and the accesses as enums', () => {
    expect(validateSchema(withScopeDirective(schema))).toEqual([]);
    const valuesOf = (name: string) => {
      const type = withScopeDirective(schema).getType(name);
      return type instanceof GraphQLEnumType ? type.getValues().map((value) => value.name) : undefined;
    };
    expect(valuesOf('Scope')).toEqual(SCOPES);
    expect(valuesOf('ScopeLevel')).toEqual(['USER', 'TEAM', 'ORGANIZATION']);
    expect(valuesOf('ScopeAccess')).toEqual(['SCOPED', 'INHERIT', 'PUBLIC', 'FIRST_PARTY']);
  });

  test('with a list for each level, an access and a level to enter, on fields and objects', () => {
    const { definitions } = parse(directiveDefinition(), { noLocation: true });
    const directive = withScopeDirective(schema).getDirective('requiresScope');
    expect(definitions).toHaveLength(4);
    expect(directive?.args.map(({ name, type, defaultValue }) => [name, String(type), defaultValue])).toEqual([
      ['user', '[Scope!]', undefined],
      ['team', '[Scope!]', undefined],
      ['organization', '[Scope!]', undefined],
      ['access', 'ScopeAccess!', 'SCOPED'],
      ['enters', 'ScopeLevel', undefined],
    ]);
    expect(directive?.locations).toEqual(['FIELD_DEFINITION', 'OBJECT']);
    expect(directive?.description).toBe('What an access token must hold for an operation that selects this field.');
  });

  test('with the enum that the schema has already', () => {
    const Scope = new GraphQLEnumType({
      name: 'Scope',
      values: Object.fromEntries(SCOPES.map((name) => [name, {}])),
      description: 'Ours.',
    });
    const query = new GraphQLObjectType({ name: 'Query', fields: { scope: { type: Scope } } });
    const defined = withScopeDirective(new GraphQLSchema({ query }));
    expect(defined.getType('Scope')?.description).toBe('Ours.');
    expect(validateSchema(withScopeDirective(defined))).toEqual([]);
  });

  test('without touching what the schema enforces', () => {
    expect(requiredBy(rulesOf(withScopeDirective(schema)), '{ me { name } }')).toEqual(['PROFILE_READ']);
    expect(requiredBy(rulesOf(withScopeDirective(schema)), '{ me { __typename } }')).toEqual(['PROFILE_READ']);
  });
});

test('the enforced directive is also where schema printers look for applied directives, expanded', () => {
  expect(me.type.extensions['directives']).toEqual({ requiresScope: { user: ['PROFILE_READ'] } });
  expect(query.fields.me.extensions['directives']).toEqual({ requiresScope: { access: 'INHERIT', enters: 'USER' } });
  expect(me.type.getFields()['name']?.extensions['directives']).toEqual({ requiresScope: reads('PROFILE') });
});

describe('a requirement is shown', () => {
  test.each<[Requirement, Record<string, unknown>, string]>([
    [
      reads('WEBHOOK'),
      { user: ['WEBHOOK_READ'], organization: ['ORG_WEBHOOK_READ'] },
      'Scopes: WEBHOOK_READ (user), ORG_WEBHOOK_READ (organization).',
    ],
    [
      entering('TEAM', writes('APPS')),
      { team: ['TEAM_APPS_WRITE'], enters: 'TEAM' },
      'Scopes: TEAM_APPS_WRITE (team).',
    ],
    [
      { user: ['BOOKING_READ', 'APPS_READ'] },
      { user: ['BOOKING_READ', 'APPS_READ'] },
      'Scopes: BOOKING_READ and APPS_READ (user).',
    ],
    [
      { ...reads('PROFILE'), enters: 'TEAM' },
      { ...reads('PROFILE'), enters: 'TEAM' },
      'Scopes: TEAM_PROFILE_READ (team).',
    ],
    [INHERIT, { access: 'INHERIT' }, 'Scopes: those of the field that leads here.'],
    [PUBLIC, { access: 'PUBLIC' }, 'Scopes: none, this is public.'],
    [entering('USER', FIRST_PARTY), { access: 'FIRST_PARTY', enters: 'USER' }, 'Signed-in sessions only.'],
  ])('%j', (requirement, directive, words) => {
    expect(directiveArguments(requirement)).toEqual(directive);
    expect(describeRequirement(undefined, requirement)).toBe(words);
    expect(describeRequirement('What it is.', requirement)).toBe(`What it is.\n\n${words}`);
    const field = withRequirement({ description: 'What it is.' }, requirement, 'Thing.field');
    expect([field.description, describedAlone(field)]).toEqual([`What it is.\n\n${words}`, 'What it is.']);
  });
});

test('a field without a requirement keeps its description in print, whatever that says', () => {
  expect(describedAlone({ description: 'A line.\n\nScopes: none.' })).toBe('A line.\n\nScopes: none.');
});

describe('a field is built with its requirement', () => {
  test('besides whatever else its config says', () => {
    const config = { type: GraphQLString, extensions: { other: 1, directives: { tag: { name: 'x' } } } };
    const built = withRequirement(config, PUBLIC, 'Query.open');
    expect(declaredRequirement(built)).toBe(PUBLIC);
    expect(built).toMatchObject({
      type: GraphQLString,
      extensions: { other: 1, directives: { tag: { name: 'x' }, requiresScope: { access: 'PUBLIC' } } },
    });
  });

  test('or not at all, if there is none or it cannot be enforced', () => {
    const missing = undefined as unknown as Requirement;
    expect(() => withRequirement({}, missing, 'Viewer.name')).toThrow(
      'Viewer.name cannot be built: it declares no requirement',
    );
    const empty = { user: [] } as unknown as Requirement;
    expect(() => withRequirement({}, empty, 'Viewer.name')).toThrow('its user list is empty');
    expect(() => withBaseScopes({}, { team: ['BOOKING_READ'] }, 'Team')).toThrow(
      'Team cannot be built: its team list holds no scope of its level',
    );
  });
});
