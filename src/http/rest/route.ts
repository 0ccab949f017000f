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
import { chooseOperation, compileOperation } from '../../scopes/compile.ts';
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
  /** The document that takes the fewest scopes. */
  readonly document: () => string;
  /** The document of a change that shows all that a caller with these scopes may see of what was made or changed. */
  readonly documentFor: (held: ScopeSet) => string;
  /** All of them; the last one shows the most. */
  readonly documents: () => readonly string[];
  /** The document of a list with its count, if a variable says so (`COUNT`). */
  readonly counting?: () => string;
  /** The most items of a list that can be asked for at once, so that the operation stays within its cost. */
  readonly mostOnPage: () => number | undefined;
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
  const fields = lazily(() => (object ? fieldsOfThing(object, without) : ''));
  const documentOf = (last: string, declared: typeof variables) => {
    const names = declared.map(([name, type]) => `$${name}: ${type}`).join(', ');
    const selected = calls.reduceRight((below, call) => (below === '' ? call : `${call} { ${below} }`), last);
    return `query${names === '' ? '' : `(${names})`} { ${selected} }`;
  };
  const page = () => `nodes { ${fields()} } pageInfo { hasNextPage endCursor }`;
  const document = lazily(() => documentOf(shape === 'LIST' ? page() : fields(), variables));
  const counting = lazily(() =>
    documentOf(`${page()} ${COUNTS.map((name) => `${name} @include(if: $${COUNT})`).join(' ')}`, [
      ...variables,
      [COUNT, 'Boolean!'],
    ]),
  );
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
    documentFor: document,
    documents: () => [document()],
    ...(shape === 'LIST' && { counting }),
    mostOnPage: lazily(() => (shape === 'LIST' ? mostOnPage(rules, counting()) : undefined)),
  };
}

/** The query parameter of a list that asks for its count, and the fields of a list that tell it. */
export const COUNT = 'count';
export const COUNTS = ['totalCount', 'isMoreThan'] as const;

/** In steps of five, as the price of a page grows with its size. */
function mostOnPage(rules: SchemaRules, document: string): number {
  let most = MAX_PAGE_SIZE;
  while (most > 5 && !isAffordable(rules, document, { first: most })) most -= 5;
  return most;
}

function isAffordable(
  { schema }: SchemaRules,
  text: string,
  variables: Readonly<Record<string, number>> = {},
): boolean {
  const document = parse(text);
  const operation = chooseOperation(document);
  return operation !== undefined && costOf(schema, document, operation, variables) <= LIMITS.cost;
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
  const showing = lazily(() => showingOf(rules, object, documentOf, status === 204));
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
    document: () => showing().document(NO_SCOPES),
    documentFor: (held) => showing().document(held),
    documents: () => showing().all(),
  };
}

/**
 * The documents of a change: with the scopes of the change alone, and with each part of its payload that takes others. So nobody is
 * refused a change because of what its answer could show.
 */
function showingOf(
  rules: SchemaRules,
  payload: ObjectAt,
  documentOf: (selected: string) => string,
  isEmpty: boolean,
): { document: (held: ScopeSet) => string; all: () => readonly string[] } {
  const others = isEmpty ? [] : scopesOfParts(payload).filter((one) => !covers(payload.required, one));
  const known = new Map<string, string>();
  const showing = (parts: readonly ScopeSet[]) => {
    const allowed = parts.reduce(union, payload.required);
    return known.getOrInsertComputed(`${allowed.lo} ${allowed.hi}`, () => {
      const whole = documentOf(fieldsWithin(payload, allowed, [ERRORS]));
      // All bookings of a series cost more than an operation may, and a list shows them.
      return isAffordable(rules, whole)
        ? whole
        : documentOf(fieldsWithin(payload, allowed, [ERRORS, ...listsOf(payload)]));
    });
  };
  return {
    document(held) {
      return showing(covers(held, payload.required) ? others.filter((one) => covers(held, one)) : []);
    },
    all() {
      const sets = others.reduce<ScopeSet[][]>((found, one) => [...found, ...found.map((set) => [...set, one])], [[]]);
      return [...new Set(sets.map(showing).toReversed())].toReversed();
    },
  };
}

/** The scopes that the members of a payload take, each set once. */
function scopesOfParts({ rule, standing }: ObjectAt): ScopeSet[] {
  const all = [...rule.fields.values()].map(({ judgements }) => judgements[standing].required);
  return all
    .filter((one) => !covers(one, NOBODY_BIT) && !covers(one, FIRST_PARTY_BIT))
    .filter((one, place, ones) => ones.findIndex(({ lo, hi }) => lo === one.lo && hi === one.hi) === place);
}

function listsOf({ type }: ObjectAt): string[] {
  return Object.values(type.getFields()).flatMap((field) =>
    isListType(getNullableType(field.type)) ? field.name : [],
  );
}

/** The scopes that the document of a path takes. */
export function requiredBy(rules: SchemaRules, document: string): ScopeSet {
  const compiled = compileOperation(rules, parse(document));
  if (!compiled) throw new Error(`The document of a REST path is not one operation: ${document}`);
  return compiled.required;
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

/** The members that the body of a request can have: the path and the headers give the rest. A path that names a team names its organization or does not ask for it. */
export function bodyOf(route: RestRoute): readonly GraphQLInputField[] {
  return BODIES.getOrInsertComputed(route, ({ input, bound }) =>
    input.filter(({ name }) => {
      const isOwner = name in bound || ('teamId' in bound && name === 'organizationId');
      return !isOwner && !isByHeader(name);
    }),
  );
}

export function isRequired({ type, defaultValue }: GraphQLInputField | GraphQLArgument): boolean {
  return isNonNullType(type) && defaultValue === undefined;
}

/** One field on the way to the subject of a path. `bound` maps its arguments, or one member of one (`by.id`), to parameters of the path. */
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
    const given = new Set(Object.keys(bound).map((path) => path.split('.')[0]));
    const open = field.args.filter((argument) => !given.has(argument.name) && !BACKWARDS.includes(argument.name));
    const isLast = place === steps.length - 1;
    const taken = field.args.flatMap(({ name: argument, type }) => {
      if (!given.has(argument))
        return isLast && open.some((one) => one.name === argument) ? `${argument}: $${argument}` : [];
      const named = getNamedType(type);
      const members = isInputObjectType(named) ? Object.values(named.getFields()) : [];
      const inside = members.find((member) => `${argument}.${member.name}` in bound);
      const parameter = bound[inside ? `${argument}.${inside.name}` : argument] ?? '';
      parameters.push([parameter, `${getNamedType(inside?.type ?? type).name}!`]);
      if (inside) return `${argument}: { ${inside.name}: $${parameter} }`;
      return `${argument}: ${isListType(getNullableType(type)) ? `[$${parameter}]` : `$${parameter}`}`;
    });
    calls.push(taken.length === 0 ? name : `${name}(${taken.join(', ')})`);
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
const ERRORS = 'userErrors';
const USER_ERRORS = `${ERRORS} { code message path }`;

/** These name a thing: all of it requires what they require. */
const KEYS = ['id', 'uid'] as const;

/**
 * The fields of a thing that anyone who may see it at all may see: without arguments, at the same level, requiring nothing more.
 * Lists of other things have paths of their own.
 */
function fieldsOfThing(object: ObjectAt, without: readonly string[] = []): string {
  return fieldsWithin(object, union(object.required, scopesOfKey(object)), without);
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
