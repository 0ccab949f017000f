/** One shape for the same thing: what holds for every type of the schema, whichever feature declares it. */
import {
  type GraphQLField,
  type GraphQLInputField,
  GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLScalarType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  parseValue,
  valueFromAST,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { TEXT_SCALARS } from '../../src/graphql/text-scalars.ts';
import { buildSchemas } from '../../src/schema.ts';
import { REQUIREMENT } from '../../src/scopes/requirement.ts';

const { schema } = buildSchemas().forSessions;
const types = Object.values(schema.getTypeMap()).filter((type) => !isIntrospectionType(type));
const objects = types.filter(isObjectType);
const fields = objects.flatMap((type) =>
  Object.values(type.getFields()).map((field) => ({ type, field, coordinate: `${type.name}.${field.name}` })),
);
/** Fields of objects, interfaces and inputs. */
const members = types.flatMap((type): readonly (GraphQLField<unknown, unknown> | GraphQLInputField)[] =>
  'getFields' in type ? Object.values(type.getFields()) : [],
);
const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});

const isPayload = ({ name }: GraphQLObjectType) => name.endsWith('Payload');
const isRoot = (type: GraphQLObjectType) => type === schema.getQueryType();
const canBeNull = ({ type }: GraphQLField<unknown, unknown>) => !isNonNullType(type);
/** In the place of what is not there it has null: which is which is known by the place. */
const isByIds = ({ name, args }: GraphQLField<unknown, unknown>) =>
  name.endsWith('ById') && args.map((arg) => `${arg.name}: ${String(arg.type)}`).join() === 'ids: [ID!]!';
const coordinates = (found: readonly { readonly coordinate: string }[]) => found.map(({ coordinate }) => coordinate);

describe('nullability', () => {
  it('is a field of the root or one with arguments, which fails by itself; `me` cannot', () => {
    const ownFailure = fields.filter(
      ({ type, field }) => isRoot(type) || (field.args.length > 0 && type !== schema.getMutationType()),
    );
    expect(coordinates(ownFailure.filter(({ field }) => !canBeNull(field)))).toEqual(['Query.me']);
    expect(ownFailure.length).toBeGreaterThan(40);
  });

  it('is each field of a payload but userErrors', () => {
    const wrong = fields.filter(
      ({ type, field }) => isPayload(type) && canBeNull(field) === (field.name === 'userErrors'),
    );
    expect(coordinates(wrong)).toEqual([]);
    expect(mutations.filter((mutation) => canBeNull(mutation)).map(({ name }) => name)).toEqual([]);
  });

  it('is no item of a list but of a look-up by ids, no list without arguments, and neither true nor false', () => {
    const wrong = fields.filter(({ type, field }) => {
      const inner = getNullableType(field.type);
      if (isListType(inner))
        return (
          isNonNullType(inner.ofType) === isByIds(field) ||
          (canBeNull(field) && field.args.length === 0 && !isPayload(type))
        );
      return getNamedType(inner).name === 'Boolean' && canBeNull(field);
    });
    expect(coordinates(wrong)).toEqual([]);
  });

  it('is said where a value may be missing: input lists hold no nulls', () => {
    const wrong = types.filter(isInputObjectType).flatMap((type) =>
      Object.values(type.getFields())
        .filter((field) => {
          const inner = getNullableType(field.type);
          return isListType(inner) && !isNonNullType(inner.ofType);
        })
        .map(({ name }) => `${type.name}.${name}`),
    );
    expect(wrong).toEqual([]);
  });
});

const interfaceNamed = (name: string) => schema.getType(name) as GraphQLInterfaceType;

describe('mutations', () => {
  it('each answer a MutationPayload of their own, whose mistakes are UserErrors with codes of their own', () => {
    expect(interfaceNamed('MutationPayload')).toBeInstanceOf(GraphQLInterfaceType);
    for (const { name, args, type } of mutations) {
      const own = name.charAt(0).toUpperCase() + name.slice(1);
      const payload = getNamedType(type) as GraphQLObjectType;
      const mistake = schema.getType(`${own}UserError`) as GraphQLObjectType;
      expect(args.map((arg) => `${arg.name}: ${String(arg.type)}`)).toEqual([`input: ${own}Input!`]);
      expect(String(type)).toBe(`${own}Payload!`);
      expect(payload.getInterfaces()).toEqual([interfaceNamed('MutationPayload')]);
      expect(String(payload.getFields()['userErrors']?.type)).toBe(`[${own}UserError!]!`);
      expect(mistake.getInterfaces()).toEqual([interfaceNamed('UserError')]);
      expect(String(mistake.getFields()['code']?.type)).toBe(`${own}ErrorCode!`);
    }
    expect(Object.keys(interfaceNamed('UserError').getFields())).toEqual(['message', 'path']);
  });
});

const typesOf = (type: GraphQLObjectType) =>
  Object.fromEntries(Object.values(type.getFields()).map((field) => [field.name, String(field.type)]));

describe('lists by pages', () => {
  const connections = objects.filter(({ name }) => name.endsWith('Connection'));

  it('are connections as Relay has them, with their nodes beside', () => {
    for (const connection of connections) {
      const { edges, nodes, pageInfo, ...rest } = typesOf(connection);
      const edge = schema.getType(connection.name.replace(/Connection$/, 'Edge')) as GraphQLObjectType;
      const { cursor, node, ...others } = typesOf(edge);
      expect([edges, cursor, nodes]).toEqual([`[${edge.name}!]!`, 'String!', `[${node}]!`]);
      expect(pageInfo).toMatch(/^(?:Public)?PageInfo!$/);
      expect([rest, others]).toEqual([{}, {}]);
    }
    expect(connections.length).toBeGreaterThan(10);
  });

  it('take first, after, last and before, and no other field does', () => {
    const paged = fields.filter(({ field }) => getNamedType(field.type).name.endsWith('Connection'));
    const takes = ({ field }: (typeof fields)[number]) => field.args.map((arg) => `${arg.name}: ${String(arg.type)}`);
    const page = ['first: Int', 'after: String', 'last: Int', 'before: String'];
    expect(coordinates(paged.filter((one) => !page.every((argument) => takes(one).includes(argument))))).toEqual([]);
    const others = fields.filter((one) => !paged.includes(one));
    expect(coordinates(others.filter((one) => page.some((argument) => takes(one).includes(argument))))).toEqual([]);
  });
});

describe('look-ups by ids', () => {
  it('stand beside a list, of the same things, for the same scopes', () => {
    const found = objects.flatMap((type) => {
      const all = type.getFields();
      return Object.values(all).flatMap((byIds) => {
        const list = all[byIds.name.slice(0, -'ById'.length)];
        return isByIds(byIds) ? [{ byIds, list, name: `${type.name}.${byIds.name}` }] : [];
      });
    });
    for (const { byIds, list, name } of found) {
      expect([name, `${getNamedType(byIds.type).name}Connection`]).toEqual([name, getNamedType(list?.type)?.name]);
      expect([name, byIds.extensions[REQUIREMENT]]).toEqual([name, list?.extensions[REQUIREMENT]]);
    }
    expect(found.length).toBeGreaterThan(10);
  });
});

describe('names', () => {
  it('of types are PascalCase, of fields and arguments camelCase, of enum values CAPITALS', () => {
    const [pascal, camel, capitals] = [
      /^(?:OAuth|URL|[A-Z][a-z\d]+)+$/,
      /^[a-z\d]+(?:[A-Z][a-z\d]+)*$/,
      /^[A-Z\d]+(?:_[A-Z\d]+)*$/,
    ];
    const named = members.flatMap((one) => [one, ...('args' in one ? one.args : [])]);
    const wrong = [
      ...types.filter((type) => !isSpecifiedScalarType(type) && !pascal.test(type.name)),
      ...named.filter(({ name }) => !camel.test(name)),
      ...types.filter(isEnumType).flatMap((type) => type.getValues().filter(({ name }) => !capitals.test(name))),
    ];
    expect(wrong.map(({ name }) => name)).toEqual([]);
    expect(named.length).toBeGreaterThan(1_500);
  });

  it('of inputs end in Input, but for what narrows and sorts a list', () => {
    const others = types.filter(isInputObjectType).filter(({ name }) => !name.endsWith('Input'));
    expect(others.map(({ name }) => name)).toEqual(['BookingFilter', 'BookingSort']);
  });

  it('end in Id or Ids where the type is ID; clients have the id that OAuth gives them', () => {
    const wrong = members.filter(({ name, type }) => {
      const isId = getNamedType(type).name === 'ID';
      return (
        isId !== /(?:^id|(?<!By)Ids?)$/.test(name) &&
        !['clientId', 'hostsRemove', 'stepsRemove', 'stepsOrder', 'routesRemove', 'routesOrder'].includes(name)
      );
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it('of a type for everybody are those of the type that it shows a part of', () => {
    const twins = types.filter(({ name }) => name.startsWith('Public')).map(({ name }) => name.slice('Public'.length));
    // A team that manages an event type is a Team to its members, and to others no more than its name.
    const without = twins.filter((name) => !schema.getType(name));
    expect(without).toEqual(['ManagingTeam']);
  });

  it('begin with what they are about: a whole has start and end, a search from and to, a moment ends in At', () => {
    const times = fields.filter(({ field }) => getNamedType(field.type).name === 'DateTime');
    const wrong = times.filter(({ field: { name } }) => !/^(start|end|\w+At)$/.test(name));
    expect(coordinates(wrong)).toEqual([]);
    expect(coordinates(fields.filter(({ field: { name } }) => /^(starts|ends|begins)At$/.test(name)))).toEqual([]);
  });

  it('are good for caches: an object with a uid has it as its id', () => {
    const withUid = objects.filter((type) => type.getFields()['uid']);
    expect(withUid.map(({ name }) => name).toSorted()).toEqual(['Booking', 'PublicBooking']);
    for (const type of withUid) expect(String(type.getFields()['id']?.type)).toBe('ID!');
  });

  it('of enums are not given to the same values twice', () => {
    const seen = new Map<string, string>();
    const twice: string[] = [];
    for (const type of types) {
      if (!('getValues' in type) || type.name.endsWith('ErrorCode')) continue;
      const values = type
        .getValues()
        .map(({ name }) => name)
        .toSorted()
        .join(' ');
      const other = seen.get(values);
      if (other) twice.push(`${other} = ${type.name}`);
      seen.set(values, type.name);
    }
    expect(twice).toEqual([]);
  });
});

/** An update names what is to change. */
const scalarAt = (scalar: string, coordinate: string) =>
  scalar === 'Metadata' && coordinate.includes('UpdateInput.') ? 'MetadataPatch' : scalar;

describe('a scalar says what a value holds', () => {
  const own = types.filter(isScalarType).filter((type) => !isSpecifiedScalarType(type));
  const SCALARS: readonly (readonly [RegExp, string])[] = [
    [/[uU]rl$|^redirectUris$/, 'URL'],
    [/^e?mail$|Email$/, 'EmailAddress'],
    [/[tT]imeZone$/, 'TimeZone'],
    [/^date$/, 'Date'],
    [/^metadata$/, 'Metadata'],
    [/At$/, 'DateTime'],
  ];

  it('wherever there is one: in answers, inputs and arguments', () => {
    const answers = fields.map(({ field, coordinate }) => ({
      name: field.name,
      of: getNamedType(field.type),
      coordinate,
    }));
    const values = fields.flatMap(({ field, coordinate }) =>
      field.args.map(({ name, type }) => ({ name, of: getNamedType(type), coordinate: `${coordinate}(${name}:)` })),
    );
    const inputs = types.filter(isInputObjectType).flatMap((type) =>
      Object.values(type.getFields()).map((field) => ({
        name: field.name,
        of: getNamedType(field.type),
        coordinate: `${type.name}.${field.name}`,
      })),
    );
    const named = [...answers, ...values, ...inputs].filter(({ of }) => isScalarType(of) && of.name !== 'Boolean');
    const found = named.flatMap(({ name, of, coordinate }) =>
      SCALARS.flatMap(([pattern, scalar]) =>
        pattern.test(name) && of.name !== scalarAt(scalar, coordinate) ? [`${coordinate}: ${of.name}`] : [],
      ),
    );
    expect(found).toEqual([]);
    const used = new Set(named.map(({ of }) => of.name));
    expect(own.filter(({ name }) => !used.has(name))).toEqual([]);
  });

  it('and by which specification', () => {
    expect(own.map(({ name }) => name).toSorted()).toEqual(
      ['BookingResponses', 'DateTime', 'Metadata', 'MetadataPatch', ...Object.keys(TEXT_SCALARS)].toSorted(),
    );
    expect(own.filter(({ specifiedByURL }) => !specifiedByURL?.startsWith('https://'))).toEqual([]);
  });

  it('takes any text, since the rules of what takes it say what is wrong; and nothing but texts', () => {
    for (const name of Object.keys(TEXT_SCALARS)) {
      const type = schema.getType(name) as GraphQLScalarType;
      expect(type.parseValue('no such thing')).toBe('no such thing');
      expect(valueFromAST(parseValue('"no such thing"'), type)).toBe('no such thing');
      for (const value of [7, true, ['a'], { a: 'b' }]) {
        expect(() => type.parseValue(value)).toThrow(new RegExp(`is not an? ${name}: give a string`));
        expect(valueFromAST(parseValue(typeof value === 'object' ? '["a"]' : String(value)), type)).toBeUndefined();
      }
      // graphql-js would take the name of an enum's value for a text.
      expect(valueFromAST(parseValue('BERLIN'), type)).toBeUndefined();
    }
  });
});
