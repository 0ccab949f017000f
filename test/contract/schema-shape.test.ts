/** One shape for the same thing: what holds for every type of the schema, whichever feature declares it. */
import {
  type GraphQLField,
  type GraphQLInputField,
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
  it('is a field of the root or one with arguments, which fails by itself; `me` and `viewer` cannot', () => {
    const ownFailure = fields.filter(
      ({ type, field }) => isRoot(type) || (field.args.length > 0 && type !== schema.getMutationType()),
    );
    expect(coordinates(ownFailure.filter(({ field }) => !canBeNull(field)))).toEqual(['Query.me', 'Query.viewer']);
    expect(ownFailure.length).toBeGreaterThan(40);
  });

  it('is each field of a payload but userErrors', () => {
    const wrong = fields.filter(
      ({ type, field }) => isPayload(type) && canBeNull(field) === (field.name === 'userErrors'),
    );
    expect(coordinates(wrong)).toEqual([]);
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

describe('mutations', () => {
  it('each take an input and answer a payload of their own, whose mistakes are UserErrors', () => {
    for (const { name, args, type } of mutations) {
      const own = name.charAt(0).toUpperCase() + name.slice(1);
      expect(args.map((arg) => `${arg.name}: ${String(arg.type)}`)).toEqual([`input: ${own}Input!`]);
      // Otherwise an error would take the answers of the operation's other mutations along.
      expect(String(type)).toBe(`${own}Payload`);
      expect(String((getNamedType(type) as GraphQLObjectType).getFields()['userErrors']?.type)).toBe('[UserError!]!');
    }
    const mistake = (schema.getType('UserError') as GraphQLObjectType).getFields();
    expect(Object.values(mistake).map(({ name, type }) => `${name}: ${String(type)}`)).toEqual([
      'code: UserErrorCode!',
      'message: String!',
      'path: [String!]!',
    ]);
  });
});

describe('names', () => {
  /** A thing and what is done to it: no name ends in the thing. */
  const VERBS =
    /(?:Create|Update|Delete|Set|Add|Remove|Connect|Reconnect|Disconnect|Request|Resend|Retry|Rotate|Test|Submit|Cancel|Confirm|Decline|Reassign|Reschedule|Mark|Approve|Reject|Suspend|Reinstate|Revoke|Revive|TakeOver|Transfer|Change)$/;

  it('of mutations are a thing and a verb', () => {
    expect(
      mutations.map(({ name }) => name).filter((name) => name.replace(VERBS, '') === '' || !VERBS.test(name)),
    ).toEqual([]);
  });

  /** Rules and settings: each does something. Everything else is a state, which a thing is in or not. */
  const DOES = ['allows', 'assigns', 'ends', 'hides', 'includes', 'passes', 'requires', 'revokes', 'shows'];

  it('of booleans are a state (`isActive`), or what a setting does (`requiresAuthentication`)', () => {
    const said = new RegExp(`^(?:is|has|was|are|can|${DOES.join('|')})[A-Z]`);
    const booleans = members.filter(({ type }) => getNamedType(type).name === 'Boolean').map(({ name }) => name);
    expect(booleans.filter((name) => !said.test(name))).toEqual([]);
    expect(DOES.filter((verb) => !booleans.some((name) => name.startsWith(verb)))).toEqual([]);
  });

  it('of how many there are end in `Count`, and of nothing else', () => {
    const numbers = members.filter(({ type }) => getNamedType(type).name === 'Int');
    const counted = numbers.filter(({ description }) => /^How (?:many|often)/.test(description ?? ''));
    // How long something is, and a part of another number, are said by what they are of.
    const others = new Set(counted.map(({ name }) => name).filter((name) => !/(?:Count|^count)$/.test(name)));
    expect(others).toEqual(new Set(['days', 'interval', 'perSlot', 'value']));
    expect(members.filter((one) => one.name.endsWith('Count') && !numbers.includes(one))).toEqual([]);
  });

  it('say a type by `type`', () => {
    expect(members.filter(({ name }) => /kind$/i.test(name)).map(({ name }) => name)).toEqual([]);
    expect(types.filter(({ name }) => name.endsWith('Kind')).map(({ name }) => name)).toEqual([]);
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
      expect([rest, others]).toEqual([{ totalCount: 'Int', isMoreThan: 'Int' }, {}]);
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

const isTime = (node: GraphQLObjectType, name: string) =>
  getNamedType(node.getFields()[name]?.type)?.name === 'DateTime';
/** `CREATED_AT` → `createdAt` */
const inCamelCase = (name: string) => name.toLowerCase().replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

describe('what narrows and sorts a list', () => {
  const PAGE = new Set(['first', 'after', 'last', 'before']);
  const named = fields.flatMap(({ field, coordinate }) => {
    const { name } = getNamedType(field.type);
    const node = name.endsWith('Connection') ? schema.getType(name.slice(0, -'Connection'.length)) : undefined;
    if (!isObjectType(node)) return [];
    const given = field.args.filter((argument) => !PAGE.has(argument.name));
    return given.map(({ name: argument, type }) => ({
      node,
      argument,
      input: getNamedType(type),
      coordinate: `${coordinate}(${argument}:)`,
    }));
  });
  /** The inputs of an argument, each with the nodes of its lists. */
  const inputsOf = (wanted: string) =>
    named.flatMap(({ argument, input, node }) =>
      argument === wanted && isInputObjectType(input)
        ? [{ node, input, members: Object.values(input.getFields()) }]
        : [],
    );

  it('is its `filter` and its `orderBy`, which are named after its nodes', () => {
    const NAMES: Readonly<Record<string, string>> = { filter: 'FilterInput', orderBy: 'OrderInput' };
    const others = named.filter(({ argument, input, node }) => input.name !== `${node.name}${NAMES[argument] ?? ' '}`);
    // These say whose list it is: there is none without.
    expect(coordinates(others)).toEqual([
      'Query.publicEventTypes(username:)',
      'Query.publicEventTypes(team:)',
      'Query.publicEventTypes(organization:)',
    ]);
    expect(named.length).toBeGreaterThan(20);
  });

  it('takes several values by a plural, and each value of an enum so', () => {
    const members = inputsOf('filter').flatMap(({ input, members }) =>
      members.map((one) => ({ ...one, of: input.name })),
    );
    const wrong = members.filter(({ name, type }) => {
      const isList = isListType(getNullableType(type));
      return isList ? !name.endsWith('s') : isEnumType(getNamedType(type));
    });
    expect(wrong.map(({ of, name }) => `${of}.${name}`)).toEqual([]);
    expect(members.filter(({ type }) => isListType(type)).length).toBeGreaterThan(5);
  });

  it('names a time as the nodes do, and by `during` the one from their start to their end', () => {
    const ranges = inputsOf('filter').flatMap(({ input, members, node }) =>
      members
        .filter(({ type }) => getNamedType(type).name === 'TimeRangeInput')
        .map(({ name }) => ({
          coordinate: `${input.name}.${name}`,
          node,
          times: name === 'during' ? ['start', 'end'] : [name],
        })),
    );
    expect(coordinates(ranges.filter(({ node, times }) => !times.every((time) => isTime(node, time))))).toEqual([]);
    expect(ranges.length).toBeGreaterThan(5);
    const orders = inputsOf('orderBy').flatMap(({ input, members, node }) => {
      expect(members.map(({ name, type }) => `${name}: ${String(type)}`)).toEqual([
        `field: ${node.name}OrderField!`,
        'direction: OrderDirection!',
      ]);
      const by = getNamedType(input.getFields()['field']?.type);
      return isEnumType(by) ? by.getValues().map(({ name }) => ({ node, name })) : [];
    });
    expect(orders.filter(({ node, name }) => !isTime(node, inCamelCase(name)))).toEqual([]);
    expect(orders.length).toBeGreaterThan(3);
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

  it('of inputs end in Input', () => {
    const inputs = types.filter(isInputObjectType).map(({ name }) => name);
    expect(inputs.filter((name) => !name.endsWith('Input'))).toEqual([]);
    expect(inputs.length).toBeGreaterThan(100);
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

  it('give a uid to whoever has booked or reserved, and to nobody else', () => {
    const withUid = objects.filter((type) => type.getFields()['uid']);
    expect(withUid.map(({ name }) => name).toSorted()).toEqual(['PublicBooking', 'SlotReservation']);
  });

  it('of enums are not given to the same values twice', () => {
    const seen = new Map<string, string>();
    const twice: string[] = [];
    for (const type of types) {
      if (!('getValues' in type)) continue;
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
