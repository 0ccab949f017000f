import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLType,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
} from 'graphql';
import type { Standing } from '../../scopes/judgement.ts';
import type { FieldRule, SchemaRules, TypeRule } from '../../scopes/schema-rules.ts';
import type { ScopeSet } from '../../scopes/scope-set.ts';

/** One field on the way to the subject of a path. `bound` maps its arguments to parameters of the path. */
export interface Step {
  readonly name: string;
  readonly bound: Readonly<Record<string, string>>;
}

/** The last field of some steps from a root, with what it takes to get there. */
export interface FieldChain {
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
export interface ObjectAt {
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
