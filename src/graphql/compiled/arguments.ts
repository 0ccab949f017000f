import {
  type FieldNode,
  type GraphQLField,
  getArgumentValues,
  isRequiredArgument,
  Kind,
  type ValueNode,
} from 'graphql';
import { lazily } from '../../core/lazily.ts';
import type { Run } from '../writers/write.ts';

export const NO_ARGUMENTS: Record<string, unknown> = {};

/** The arguments of a field as its resolver gets them. @throws whatever the executor has to look at */
export function argumentsOf(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
): (run: Pick<Run, 'variables'>) => Record<string, unknown> {
  if (field.args.length === 0) return () => NO_ARGUMENTS;
  const given = node.arguments ?? [];
  if (given.every(({ value }) => isConstant(value))) {
    // A wrong value in a document is told of when it runs, and by the executor.
    const args = lazily(() => getArgumentValues(field, node, {}));
    return () => ({ ...args() });
  }
  const named = new Map(given.map(({ name, value }) => [name.value, variableIn(value)]));
  const names = field.args.flatMap(({ name }) => (named.has(name) ? [[name, named.get(name)] as const] : []));
  const others = field.args.filter(({ name }) => !named.has(name));
  const mayBeLeftOut = others.every((arg) => arg.defaultValue === undefined && !isRequiredArgument(arg));
  return ({ variables }) =>
    (mayBeLeftOut ? valuesOf(names, variables) : undefined) ?? getArgumentValues(field, node, variables);
}

/**
 * Variables are coerced already, to what the arguments take. Undefined where one of the arguments is no variable, or one
 * that was left out or is null: there may be a default, or it may have to be there.
 */
function valuesOf(
  names: readonly (readonly [argument: string, variable: string | undefined])[],
  variables: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  const values: Record<string, unknown> = {};
  for (const [argument, variable] of names) {
    if (variable === undefined || !Object.hasOwn(variables, variable) || variables[variable] == null) return undefined;
    values[argument] = variables[variable];
  }
  return values;
}

function variableIn(value: ValueNode): string | undefined {
  return value.kind === Kind.VARIABLE ? value.name.value : undefined;
}

function isConstant(value: ValueNode): boolean {
  if (value.kind === Kind.LIST) return value.values.every(isConstant);
  if (value.kind === Kind.OBJECT) return value.fields.every((field) => isConstant(field.value));
  return value.kind !== Kind.VARIABLE;
}
