import { GraphQLError, type ValueNode, valueFromASTUntyped } from 'graphql';
import { shown } from '../../core/text.ts';

/** Words the error for a value that a scalar does not take: the value, and what to give instead. */
export function badValue(scalar: string, value: unknown, advice: string): GraphQLError {
  return new GraphQLError(notOf(scalar, valueInWords(value), advice));
}

/** `7 is not an EmailAddress: give a string.` */
export function notOf(scalar: string, value: string, advice: string): string {
  return `${value} is not ${/^[AEIO]/.test(scalar) ? 'an' : 'a'} ${scalar}: ${advice}.`;
}

/** As it begins, if it is a text. */
export function valueInWords(value: unknown): string {
  if (typeof value === 'string') return shown(value);
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return String(value);
}

/** Makes a scalar read by `parse`, from a variable and in a document: there, a mistake is told with its place. */
export function taking<Value>(parse: (value: unknown) => Value) {
  const parseLiteral = (node: ValueNode, variables?: Readonly<Record<string, unknown>> | null): Value => {
    try {
      return parse(valueFromASTUntyped(node, variables));
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      throw new GraphQLError(error.message, { nodes: node });
    }
  };
  return { parseValue: parse, parseLiteral };
}
