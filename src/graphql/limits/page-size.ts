import { type FieldNode, type GraphQLField, Kind, type OperationDefinitionNode, type ValueNode } from 'graphql';
import { instantFrom } from '../../core/instant.ts';
import { DEFAULT_PAGE_SIZE } from '../../core/page.ts';
import { priceOf } from './price.ts';

/** How many items a list may hold: known from the document, or from the request's variables. */
export interface PageSize {
  /** Equal for equal sizes */
  readonly key: string;
  /** `undefined` if it depends on variables */
  readonly fixed: number | undefined;
  readonly with: (variables: unknown) => number;
}

/** `undefined`: not given */
type Bound = number | { readonly variable: string; readonly otherwise: number | undefined } | undefined;

const MAX_INT = 2 ** 31 - 1;

export function fixedSize(size: number): PageSize {
  return { key: String(size), fixed: size, with: () => size };
}

/** The size of this many lists of this size. */
export function scaled(size: PageSize, factor: number): PageSize {
  if (factor === 1) return size;
  const { key, fixed } = size;
  return {
    key: `${factor} of ${key}`,
    fixed: fixed === undefined ? undefined : fixed * factor,
    with: (variables) => size.with(variables) * factor,
  };
}

/** The page size that is requested of a field with `first` or `last`; `undefined` for a field without pages. */
export function pageSizeOf(
  field: FieldNode,
  definition: GraphQLField<unknown, unknown>,
  operation: OperationDefinitionNode,
): PageSize | undefined {
  if (!definition.args.some(({ name }) => name === 'first' || name === 'last')) return undefined;
  const first = boundOf('first', field, definition, operation);
  const last = boundOf('last', field, definition, operation);
  if (typeof first === 'number') return fixedSize(first);
  if (first === undefined && typeof last !== 'object') return fixedSize(last ?? DEFAULT_PAGE_SIZE);
  // Clients that page both ways pass both as variables, one of them null.
  return {
    key: JSON.stringify([first ?? null, last ?? null]),
    fixed: undefined,
    with: (variables) => valueOf(first, variables) ?? valueOf(last, variables) ?? DEFAULT_PAGE_SIZE,
  };
}

function boundOf(
  name: string,
  field: FieldNode,
  definition: GraphQLField<unknown, unknown>,
  operation: OperationDefinitionNode,
): Bound {
  const given = field.arguments?.find((argument) => argument.name.value === name)?.value;
  if (given?.kind === Kind.VARIABLE) {
    const variable = given.name.value;
    const declared = operation.variableDefinitions?.find((one) => one.variable.name.value === variable);
    return { variable, otherwise: literal(declared?.defaultValue) };
  }
  return given ? literal(given) : count(definition.args.find((argument) => argument.name === name)?.defaultValue);
}

function valueOf(bound: Bound, variables: unknown): number | undefined {
  if (typeof bound !== 'object') return bound;
  const sent = sentIn(variables, bound.variable);
  return sent === undefined ? bound.otherwise : count(sent);
}

function literal(node: ValueNode | undefined): number | undefined {
  return node?.kind === Kind.INT ? count(Number(node.value)) : undefined;
}

/** Reads a count. A value that is none is refused when the operation runs; here it is as if it were not given. */
function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) ? Math.min(Math.max(value, 0), MAX_INT) : undefined;
}

/** How many items a list argument has that says how long a field is; `undefined` for a field whose price names none. */
export function itemsAskedFor(
  field: FieldNode,
  definition: GraphQLField<unknown, unknown>,
  operation: OperationDefinitionNode,
): PageSize | undefined {
  const { sizedBy } = priceOf(definition);
  if (sizedBy === undefined) return undefined;
  const given = field.arguments?.find((argument) => argument.name.value === sizedBy)?.value;
  if (given?.kind !== Kind.VARIABLE) return fixedSize(itemsIn(given));
  const variable = given.name.value;
  const declared = operation.variableDefinitions?.find((one) => one.variable.name.value === variable);
  const otherwise = itemsIn(declared?.defaultValue);
  return {
    key: `as many as $${variable}`,
    fixed: undefined,
    with: (variables) => {
      const sent = sentIn(variables, variable);
      return sent === undefined ? otherwise : Array.isArray(sent) ? sent.length : 1;
    },
  };
}

/** Counts the items of a value; one that is no list is taken for a list of itself (GraphQL §3.11). */
function itemsIn(node: ValueNode | undefined): number {
  return node?.kind === Kind.LIST ? node.values.length : 1;
}

const DAY_IN_MS = 86_400_000;

/** The days that are requested of a field, at least one; `undefined` for a field whose price has no range. */
export function daysOf(
  field: FieldNode,
  definition: GraphQLField<unknown, unknown>,
  operation: OperationDefinitionNode,
): PageSize | undefined {
  const { range } = priceOf(definition);
  if (!range) return undefined;
  const [start, end] = range.map((name) => timeOf(name, field, operation));
  const days = (variables: unknown) => daysBetween(start?.with(variables), end?.with(variables));
  const isFixed = start?.isFixed === true && end?.isFixed === true;
  return { key: `${start?.key} to ${end?.key}`, fixed: isFixed ? days(undefined) : undefined, with: days };
}

interface Time {
  readonly key: string;
  readonly isFixed: boolean;
  readonly with: (variables: unknown) => unknown;
}

function timeOf(name: string, field: FieldNode, operation: OperationDefinitionNode): Time {
  const given = field.arguments?.find((argument) => argument.name.value === name)?.value;
  if (given?.kind !== Kind.VARIABLE) {
    const text = given?.kind === Kind.STRING ? given.value : undefined;
    return { key: JSON.stringify(text ?? null), isFixed: true, with: () => text };
  }
  const variable = given.name.value;
  const declared = operation.variableDefinitions?.find((one) => one.variable.name.value === variable)?.defaultValue;
  const otherwise = declared?.kind === Kind.STRING ? declared.value : undefined;
  return { key: `$${variable}`, isFixed: false, with: (variables) => sentIn(variables, variable) ?? otherwise };
}

/** Counts the days between two times. A value that is none is refused when the operation runs. */
function daysBetween(start: unknown, end: unknown): number {
  const [from, to] = [instantFrom(String(start)), instantFrom(String(end))];
  return from && to ? Math.max(1, Math.ceil((to.epochMilliseconds - from.epochMilliseconds) / DAY_IN_MS)) : 1;
}

function sentIn(variables: unknown, name: string): unknown {
  return Object.hasOwn(Object(variables), name) ? (variables as Record<string, unknown>)[name] : undefined;
}
