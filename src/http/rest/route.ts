import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  getNamedType,
  isInputObjectType,
  isNonNullType,
  parse,
} from 'graphql';
import { lazily } from '../../core/lazily.ts';
import { MAX_PAGE_SIZE } from '../../core/page.ts';
import { costOf } from '../../graphql/limits/cost.ts';
import { LIMITS } from '../../graphql/limits/limits.ts';
import { chooseOperation } from '../../scopes/compile.ts';
import type { SchemaRules } from '../../scopes/schema-rules.ts';
import { type FieldChain, followed, type Step } from './chain.ts';
import { fieldsOfPayload, fieldsOfShownPayload, fieldsOfThing, USER_ERRORS } from './selection.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/**
 * A path that a fixed GraphQL document answers. Scopes, limits, roles and errors are those of the document, since it goes
 * through the same door as any other.
 */
export interface RestRoute {
  readonly method: Method;
  /** With parameters as `:teamId`. */
  readonly path: string;
  /** The field of the schema that it is about: its description and its arguments are the path's too. */
  readonly field: GraphQLField<unknown, unknown>;
  /** Where the field stands, such as `Team.eventTypes`. */
  readonly coordinate: string;
  readonly shape: FieldChain['shape'] | 'CHANGE';
  /** The fields that lead to what is answered, in the answer's data. */
  readonly answeredAt: readonly string[];
  /** The fields that a read passes, with the parameters of the path that are their arguments. */
  readonly steps: readonly Step[];
  /** The query parameters: arguments that the path does not give. */
  readonly query: readonly GraphQLArgument[];
  /** The whole input of a mutation, and the parameters of the path that give some of its members. */
  readonly input: readonly GraphQLInputField[];
  readonly bound: Readonly<Record<string, string>>;
  readonly status: 200 | 201 | 204;
  /** The place of a thing that was made. */
  readonly location?: Location | undefined;
  /** Whether what was read is the whole answer, with no envelope around it. */
  readonly isBare: boolean;
  readonly document: () => string;
  /** The most items of a list that can be asked for at once, so that the operation stays within its cost. */
  readonly mostOnPage: () => number | undefined;
  /** The same with the thing that was made or changed in the answer, which takes the scope to read it as well. */
  readonly showing?: () => string;
}

export interface Location {
  readonly path: string;
  /** The parameter of the path that is new. */
  readonly parameter: string;
  /** The fields of the payload that lead to its value. */
  readonly at: readonly string[];
}

interface Reading {
  /** Whether what was read is the whole answer. */
  readonly isBare?: boolean;
  /** Fields that a list leaves out, inner ones as `attendees.notes`. */
  readonly without?: readonly string[] | undefined;
}

/** A path that reads. `steps` are the fields from the root of queries. */
export function reading(
  rules: SchemaRules,
  path: string,
  steps: readonly Step[],
  { isBare = false, without }: Reading = {},
): RestRoute {
  const { field, coordinate, open, shape, parameters, calls, object } = followed(rules, 'query', steps);
  const variables = [...parameters, ...open.map(({ name, type }) => [name, String(type)] as const)];
  const declared = variables.map(([name, type]) => `$${name}: ${type}`).join(', ');
  const document = lazily(() => {
    const fields = object ? fieldsOfThing(object, without) : '';
    const last = shape === 'LIST' ? `nodes { ${fields} } pageInfo { hasNextPage endCursor }` : fields;
    const selected = calls.reduceRight((below, call) => (below === '' ? call : `${call} { ${below} }`), last);
    return `query${declared === '' ? '' : `(${declared})`} { ${selected} }`;
  });
  return {
    method: 'GET',
    path,
    field,
    coordinate,
    shape,
    answeredAt: steps.map(({ name }) => name),
    steps,
    query: open,
    input: [],
    bound: {},
    status: 200,
    isBare,
    document,
    mostOnPage: lazily(() => (shape === 'LIST' ? mostOnPage(rules, document()) : undefined)),
  };
}

/** In steps of five, as the price of a page grows with its size. */
function mostOnPage({ schema }: SchemaRules, text: string): number {
  const document = parse(text);
  const operation = chooseOperation(document);
  const priceOf = (first: number) => (operation ? costOf(schema, document, operation, { first }) : Infinity);
  let most = MAX_PAGE_SIZE;
  while (most > 5 && priceOf(most) > LIMITS.cost) most -= 5;
  return most;
}

interface Changing {
  readonly method?: Method;
  readonly path: string;
  readonly mutation: string;
  /** By member of the input: the parameter of the path that it is. */
  readonly bound?: Readonly<Record<string, string>>;
  readonly status?: 200 | 201 | 204;
  readonly location?: Location | undefined;
}

/** A path that changes something, by one mutation. */
export function changing(rules: SchemaRules, options: Changing): RestRoute {
  const { method = 'POST', path, mutation: name, bound = {}, status = 200, location } = options;
  const { field, coordinate, object } = followed(rules, 'mutation', [{ name, bound: {} }]);
  const type = getNamedType(field.args[0]?.type);
  if (!object || !isInputObjectType(type)) throw new Error(`The mutation ${name} has no input.`);
  const fields = Object.values(type.getFields());
  const strange = Object.keys(bound).find((member) => !(member in type.getFields()));
  if (strange !== undefined) throw new Error(`The input of ${name} has no ${strange}, which ${path} gives.`);
  const documentOf = (selected: string) =>
    `mutation($input: ${type.name}!) { ${name}(input: $input) { ${selected} ${USER_ERRORS} } }`;
  const [own, shown] = [lazily(() => fieldsOfPayload(object)), lazily(() => fieldsOfShownPayload(object))];
  return {
    method,
    path,
    field,
    coordinate,
    shape: 'CHANGE',
    answeredAt: [name],
    steps: [],
    query: [],
    input: fields,
    bound,
    status,
    location,
    isBare: false,
    mostOnPage: () => undefined,
    document: lazily(() => documentOf(own())),
    showing: lazily(() => documentOf(status === 204 ? own() : shown())),
  };
}

/** Members of an input that headers give. */
export const BY_HEADER = { idempotencyKey: 'Idempotency-Key', ifUpdatedAt: 'If-Match' } as const;

export function isByHeader(member: string): member is keyof typeof BY_HEADER {
  return Object.hasOwn(BY_HEADER, member);
}

/** Whether the mutation takes what this header says. */
export function takes({ input }: RestRoute, member: keyof typeof BY_HEADER): boolean {
  return input.some(({ name }) => name === member);
}

const BODIES = new WeakMap<RestRoute, readonly GraphQLInputField[]>();

/** The members that the body of a request can have: the path and the headers give the rest. */
export function bodyOf(route: RestRoute): readonly GraphQLInputField[] {
  return BODIES.getOrInsertComputed(route, ({ input, bound }) =>
    input.filter(({ name }) => !(name in bound) && !isByHeader(name)),
  );
}

export function isRequired({ type, defaultValue }: GraphQLInputField | GraphQLArgument): boolean {
  return isNonNullType(type) && defaultValue === undefined;
}
