import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLObjectType,
  type GraphQLType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
} from 'graphql';
import { lazily } from '../../core/lazily.ts';
import { MAX_PAGE_SIZE } from '../../core/page.ts';
import { costOf } from '../../graphql/limits/cost.ts';
import { LIMITS } from '../../graphql/limits/limits.ts';
import { chooseOperation } from '../../scopes/compile.ts';
import type { Standing } from '../../scopes/judgement.ts';
import type { FieldRule, SchemaRules, TypeRule } from '../../scopes/schema-rules.ts';
import { covers, FIRST_PARTY_BIT, NO_SCOPES, NOBODY_BIT, type ScopeSet, union } from '../../scopes/scope-set.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

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

/** One field on the way to the subject of a path. `bound` maps its arguments to parameters of the path. */
export interface Step {
  readonly name: string;
  readonly bound: Readonly<Record<string, string>>;
}

/** The last field of some steps from a root, with what it takes to get there. */
interface FieldChain {
  readonly field: GraphQLField<unknown, unknown>;
  readonly coordinate: string;
  /** Each step as a document calls it. */
  readonly calls: readonly string[];
  /** Parameters of the path, with their types. */
  readonly parameters: readonly (readonly [name: string, type: string])[];
  /** Arguments of the last field that the path does not give. */
  readonly open: readonly GraphQLArgument[];
  /** How many things it answers: one, a page of a list (`LIST`), all of a list (`ITEMS`), or the first of those named (`FIRST`). */
  readonly shape: 'ONE' | 'LIST' | 'ITEMS' | 'FIRST';
  /** The answer, as an object type; undefined for a value. */
  readonly object: ObjectAt | undefined;
}

/** An object type at the place where a document meets it. */
interface ObjectAt {
  readonly type: GraphQLObjectType;
  readonly rule: TypeRule;
  readonly standing: Standing;
  /** The scopes that the field which leads there requires. */
  readonly required: ScopeSet;
}

/** Ways of paging that a path has names of its own for, and the way backwards, which it has not. */
export const PAGING = { limit: 'first', cursor: 'after' } as const;

/** The name that an argument of a field has in addresses. */
export function parameterNamed(argument: string): string {
  return Object.entries(PAGING).find(([, name]) => name === argument)?.[0] ?? argument;
}

const BACKWARDS: readonly string[] = ['last', 'before'];

/** @throws Error for a field that the schema does not have */
export function followed(rules: SchemaRules, root: 'query' | 'mutation', steps: readonly Step[]): FieldChain {
  const calls: string[] = [];
  const parameters: (readonly [string, string])[] = [];
  let at = rootOf(rules, root);
  let last: Pick<FieldChain, 'field' | 'coordinate' | 'open' | 'shape' | 'object'> | undefined;
  for (const [place, { name, bound }] of steps.entries()) {
    const field = at.type.getFields()[name];
    const fieldRule = at.rule.fields.get(name);
    if (!field || !fieldRule) throw new Error(`The schema has no ${at.type.name}.${name}, which a REST path names.`);
    const open = field.args.filter((argument) => !(argument.name in bound) && !BACKWARDS.includes(argument.name));
    const isLast = place === steps.length - 1;
    const given = field.args.flatMap(({ name: argument, type }) => {
      const parameter = bound[argument];
      if (parameter === undefined)
        return isLast && open.some((one) => one.name === argument) ? `${argument}: $${argument}` : [];
      parameters.push([parameter, `${getNamedType(type).name}!`]);
      return `${argument}: ${isListType(getNullableType(type)) ? `[$${parameter}]` : `$${parameter}`}`;
    });
    calls.push(given.length === 0 ? name : `${name}(${given.join(', ')})`);
    const object = objectBehind(field.type, fieldRule, at.standing);
    last = { field, coordinate: fieldRule.coordinate, open, shape: shapeOf(field, bound), object };
    if (object) at = object;
  }
  if (!last) throw new Error('A REST path names no field.');
  return { ...last, calls, parameters };
}

function rootOf(
  { schema, roots }: SchemaRules,
  root: 'query' | 'mutation',
): Omit<ObjectAt, 'required'> & Partial<ObjectAt> {
  const type = root === 'query' ? schema.getQueryType() : schema.getMutationType();
  const rule = roots[root];
  if (!type || !rule) throw new Error(`The schema has no ${root}.`);
  return { type, rule, standing: 'OUTSIDE' };
}

/** The object behind a field: of a connection, its nodes. */
function objectBehind(returned: GraphQLType, { judgements, output }: FieldRule, from: Standing): ObjectAt | undefined {
  const type = getNamedType(returned);
  const [rule] = output;
  if (!isObjectType(type) || !rule) return undefined;
  const { standing, required } = judgements[from];
  const nodes = type.getFields()['nodes'];
  const nodesRule = rule.fields.get('nodes');
  if (!isConnection(type) || !nodes || !nodesRule) return { type, rule, standing, required };
  const behind = objectBehind(nodes.type, nodesRule, standing);
  return behind && { ...behind, required };
}

function isConnection({ name }: GraphQLObjectType): boolean {
  return name.endsWith('Connection');
}

function shapeOf({ type, args }: GraphQLField<unknown, unknown>, bound: Step['bound']): FieldChain['shape'] {
  const named = getNamedType(type);
  if (isObjectType(named) && isConnection(named)) return 'LIST';
  if (!isListType(getNullableType(type))) return 'ONE';
  return args.some(({ name, type: taken }) => name in bound && isListType(getNullableType(taken))) ? 'FIRST' : 'ITEMS';
}

/** Every mutation is asked for this beside its own fields. */
const USER_ERRORS = 'userErrors { code message path }';

/** These name a thing: all of it requires what they require. */
const KEYS = ['id', 'uid'] as const;

/**
 * The fields of a thing that anyone who may see it at all may see: without arguments, at the same level, requiring nothing more.
 * Lists of other things have paths of their own.
 */
function fieldsOfThing(object: ObjectAt, without: readonly string[] = []): string {
  return fieldsWithin(object, union(object.required, scopesOfKey(object)), without);
}

/** The fields of a mutation's payload that its own scope shows. */
function fieldsOfPayload(payload: ObjectAt): string {
  return fieldsWithin(payload, payload.required, ['userErrors']);
}

/** The same with the thing that was made or changed, which takes the scope to read it too. */
function fieldsOfShownPayload(payload: ObjectAt): string {
  const rules = [...payload.rule.fields.values()].map(({ judgements }) => judgements[payload.standing].required);
  const allowed = rules
    .filter((one) => !covers(one, NOBODY_BIT) && !covers(one, FIRST_PARTY_BIT))
    .reduce(union, payload.required);
  return fieldsWithin(payload, allowed, ['userErrors']);
}

function scopesOfKey({ rule, standing }: ObjectAt): ScopeSet {
  const key = KEYS.map((name) => rule.fields.get(name)).find((field) => field !== undefined);
  return key?.judgements[standing].required ?? NO_SCOPES;
}

/** `without`: fields that are left out, inner ones as `attendees.notes`. */
function fieldsWithin(
  { type, rule, standing }: Omit<ObjectAt, 'required'>,
  allowed: ScopeSet,
  without: readonly string[],
): string {
  return Object.values(type.getFields())
    .filter(({ args, deprecationReason }) => args.length === 0 && deprecationReason == null)
    .filter(({ name }) => !without.includes(name))
    .flatMap(({ name, type: returned }) => {
      const field = rule.fields.get(name);
      // A field that enters another level leads to another thing.
      if (!field || field.judgements[standing].standing !== standing) return [];
      if (!covers(allowed, field.judgements[standing].required)) return [];
      const named = getNamedType(returned);
      if (isLeafType(named)) return name;
      const [below] = field.output;
      if (!isObjectType(named) || !below || named === type) return [];
      const inner = without.filter((one) => one.startsWith(`${name}.`)).map((one) => one.slice(name.length + 1));
      const selected = fieldsWithin({ type: named, rule: below, standing }, allowed, inner);
      return selected === '' ? [] : `${name} { ${selected} }`;
    })
    .join(' ');
}
