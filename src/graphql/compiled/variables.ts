import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getVariableValues,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import { lazily } from '../../core/lazily.ts';

type Variables = Readonly<Record<string, unknown>>;
/** Reads a value as resolvers get it (GraphQL §3.10). @throws for a value that graphql-js has to look at */
type Coerce = (value: unknown) => unknown;

const NOTHING: Variables = {};

/**
 * Reads an operation's variables as its resolvers get them; undefined where something is wrong with them, which the
 * executor has to tell. An input has dozens of fields, and most requests give one or two of them: only those are looked
 * at.
 */
export function variablesOf(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): (sent: Variables) => Variables | undefined {
  if (variableDefinitions.length === 0) return () => NOTHING;
  // Each mistake repeats all of what was sent; one is enough to hand it on.
  const slowly = (sent: Variables) => getVariableValues(schema, variableDefinitions, sent, { maxErrors: 1 }).coerced;
  const variables = variableDefinitions.map(({ variable, type: node, defaultValue }) => {
    const type = typeFromAST(schema, node);
    const mayBeLeftOut = defaultValue === undefined && !isNonNullType(type);
    return { name: variable.name.value, coerce: isInputType(type) ? coercerOf(type) : notHere, mayBeLeftOut };
  });
  return (sent) => {
    const values = Object.create(null) as Record<string, unknown>;
    try {
      for (const { name, coerce, mayBeLeftOut } of variables) {
        if (Object.hasOwn(sent, name)) values[name] = coerce(sent[name]);
        else if (!mayBeLeftOut) return slowly(sent);
      }
    } catch {
      return slowly(sent);
    }
    return values;
  };
}

function notHere(): never {
  throw new TypeError('This is for graphql-js.');
}

const KNOWN = new WeakMap<GraphQLInputType, Coerce>();

function coercerOf(type: GraphQLInputType): Coerce {
  return KNOWN.getOrInsertComputed(type, () => {
    if (!isNonNullType(type)) {
      const coerce = coercerOfValues(type);
      return (value) => (value == null ? null : coerce(value));
    }
    const coerce = coercerOfValues(type.ofType);
    return (value) => coerce(value ?? notHere());
  });
}

/** Reads values that are there. */
function coercerOfValues(type: GraphQLInputType): Coerce {
  if (isNonNullType(type)) return coercerOf(type);
  if (isListType(type)) {
    const coerce = lazily(() => coercerOf(type.ofType));
    return (value) => (Array.isArray(value) ? value.map((item) => coerce()(item)) : notHere());
  }
  if (isInputObjectType(type)) return coercerOfObjects(type);
  return (value) => {
    const parsed: unknown = type.parseValue(value);
    return parsed === undefined ? notHere() : parsed;
  };
}

function coercerOfObjects(type: GraphQLInputObjectType): Coerce {
  const known = lazily(() => {
    const fields = Object.values(type.getFields());
    return {
      // Input objects with defaults are left to the executor: they are too rare to be worth it.
      isCovered: !type.isOneOf && fields.every(({ defaultValue }) => defaultValue === undefined),
      required: fields.filter((field) => isRequiredInputField(field)).map(({ name }) => name),
      fields: fields.map((field) => ({ name: field.name, coerce: coercerOf(field.type) })),
      places: new Map(fields.map(({ name }, place) => [name, place])),
    };
  });
  return (value) => {
    const { isCovered, required, fields, places } = known();
    if (!isCovered || typeof value !== 'object' || Array.isArray(value)) return notHere();
    const given = value as Variables;
    if (!required.every((name) => Object.hasOwn(given, name))) return notHere();
    const found = Object.keys(given).map((name) => places.get(name) ?? notHere());
    const coerced: Record<string, unknown> = {};
    // In the order of the type, as resolvers have always got them.
    for (const place of found.toSorted((a, b) => a - b)) {
      const { name, coerce } = fields[place] ?? notHere();
      if (given[name] !== undefined) coerced[name] = coerce(given[name]);
    }
    return coerced;
  };
}
