import {
  coerceInputValue,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  validate,
} from 'graphql';
import { MAX_MESSAGE_LENGTH, Problem, shortText } from '../core/problem.ts';
import { asRequestError } from './errors.ts';
import { withAdvice } from './scalars/value-advice.ts';

/** Nobody reads more, and each costs: one over a document of 480 unknown types would take 40 ms. */
const MOST_ERRORS = 20;
const MOST_VARIABLE_ERRORS = 5;

/*
 * Errors repeat what was sent, and the executor repeats all of a variable with each of its errors: 1 MB would be
 * answered by 48 MB. So variables are looked at before it, errors end at a few, and each is as long as people read.
 */

/** The errors of a document; none where it is valid. */
export function documentErrors(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  return validate(schema, document, undefined, { maxErrors: MOST_ERRORS }).map((error) => {
    const refused = advised(error, schema);
    refused.extensions['code'] ??= 'GRAPHQL_VALIDATION_FAILED';
    refused.extensions['http'] ??= { status: 400, spec: true };
    return refused;
  });
}

/** Returns the same list if its errors are few and short. */
export function shortErrors(errors: readonly GraphQLError[]): readonly GraphQLError[] {
  if (errors.length <= MOST_ERRORS && errors.every(({ message }) => message.length <= MAX_MESSAGE_LENGTH))
    return errors;
  return errors.slice(0, MOST_ERRORS).map(shortError);
}

/** Before they are put into words for callers: a wrong page size below a list is one mistake for each of its objects. */
export function withFewMistakes(errors: readonly GraphQLError[]): readonly GraphQLError[] {
  if (errors.length <= MOST_ERRORS) return errors;
  let mistakes = 0;
  return errors.filter(({ originalError }) => {
    // Whatever else went wrong is for the log, and for the status.
    if (!(originalError instanceof Problem)) return true;
    mistakes += 1;
    return mistakes <= MOST_ERRORS;
  });
}

/** The errors of variables that do not fit their types, or are missing. */
export function variableErrors(
  schema: GraphQLSchema,
  { variableDefinitions: definitions = [] }: OperationDefinitionNode,
  variables: unknown,
): readonly GraphQLError[] {
  const errors: GraphQLError[] = [];
  for (const definition of definitions) {
    const name = definition.variable.name.value;
    const type = typeFromAST(schema, definition.type);
    const value: unknown = Object.hasOwn(Object(variables), name)
      ? (variables as Record<string, unknown>)[name]
      : undefined;
    if (!isInputType(type)) continue;
    if (errors.length === MOST_VARIABLE_ERRORS) break;
    const report = (message: string): void => {
      errors.push(asRequestError(new GraphQLError(shortText(message, MAX_MESSAGE_LENGTH), { nodes: definition })));
    };
    if (value === undefined) {
      const isMissing = isNonNullType(type) && definition.defaultValue === undefined;
      if (isMissing) {
        report(withAdvice(`Variable "$${name}" of required type "${String(type)}" was not provided.`, schema));
      }
      continue;
    }
    try {
      coerceInputValue(value, type, (path, _value, error) => {
        const at = path.length > 0 ? ` at "${[name, ...path].join('.')}"` : '';
        report(`Variable "$${name}" got an invalid value${at}; ${withAdvice(error.message, schema)}`);
        if (errors.length === MOST_VARIABLE_ERRORS) throw new Enough();
      });
    } catch (error) {
      if (error instanceof Enough) return errors;
      throw error;
    }
  }
  return errors;
}

class Enough extends Error {}

function advised(error: GraphQLError, schema: GraphQLSchema): GraphQLError {
  return saying(shortText(withAdvice(error.message, schema), MAX_MESSAGE_LENGTH), error);
}

function shortError(error: GraphQLError): GraphQLError {
  return saying(shortText(error.message, MAX_MESSAGE_LENGTH), error);
}

function saying(message: string, error: GraphQLError): GraphQLError {
  if (message === error.message) return error;
  const { nodes = null, source = null, positions = null, path = null, originalError = null, extensions } = error;
  return new GraphQLError(message, { nodes, source, positions, path, originalError, extensions });
}
