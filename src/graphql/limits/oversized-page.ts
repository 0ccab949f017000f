import {
  BREAK,
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type ValueNode,
  visit,
} from 'graphql';
import { pageSizeMistake } from '../../core/page.ts';

const SIZES: readonly string[] = ['first', 'last'];

/**
 * Finds, in an operation that costs too much, a page which no list has, and says where it is asked for. The operation's
 * cost is beside the point then.
 */
export function oversizedPage(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: unknown,
): GraphQLError | undefined {
  const definitions = document.definitions.filter((one) => one === operation || one.kind === Kind.FRAGMENT_DEFINITION);
  let error: GraphQLError | undefined;
  visit(
    { ...document, definitions },
    {
      Field(field) {
        error = errorOf(field, (value) => valueOf(value, operation, variables));
        return error && BREAK;
      },
    },
  );
  return error;
}

function errorOf(field: FieldNode, valueOfNode: (value: ValueNode) => unknown): GraphQLError | undefined {
  for (const { name, value } of field.arguments ?? []) {
    const size = SIZES.includes(name.value) ? valueOfNode(value) : undefined;
    const mistake = typeof size === 'number' ? pageSizeMistake(name.value, size) : undefined;
    if (mistake === undefined) continue;
    const { code, message, path } = mistake;
    return new GraphQLError(message, { nodes: field, extensions: { code, argument: path, http: { status: 400 } } });
  }
  return undefined;
}

function valueOf(value: ValueNode, operation: OperationDefinitionNode, variables: unknown): unknown {
  if (value.kind === Kind.INT) return Number(value.value);
  if (value.kind !== Kind.VARIABLE) return undefined;
  const name = value.name.value;
  const sent = Object.hasOwn(Object(variables), name) ? (variables as Record<string, unknown>)[name] : undefined;
  if (sent !== undefined) return sent;
  const declared = operation.variableDefinitions?.find((one) => one.variable.name.value === name)?.defaultValue;
  return declared?.kind === Kind.INT ? Number(declared.value) : undefined;
}
