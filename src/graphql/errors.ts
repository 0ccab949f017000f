import {
  type ASTVisitor,
  coerceInputValue,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  print,
  specifiedRules,
  typeFromAST,
  type ValidationContext,
  validate,
} from 'graphql';
import { MAX_MESSAGE_LENGTH, Problem, shortText } from '../core/problem.ts';
import { failureOf, type Report } from '../database/failure.ts';
import type { RequestVerdict } from '../limits/request-limit.ts';

/**
 * Makes the error that a caller sees. Errors of GraphQL and our own pass as they are, a Problem keeps its code, and a database
 * that cannot be reached is 503. Anything else is a bug of ours: the caller learns only the id under which `report` has logged it.
 */
export function maskError(error: unknown, report: Report): GraphQLError {
  const cause = error instanceof GraphQLError ? (error.originalError ?? error) : error;
  if (error instanceof GraphQLError && cause instanceof GraphQLError) return error;
  const { kind, status, code, message, path, headers, id } = failureOf(cause, report);
  return located(error, message, {
    code,
    ...(path && { argument: path }),
    ...(id && { id }),
    // A mistake that the caller can mend is an error of a field, beside the data of others; one that only time mends is
    // none.
    ...((kind !== 'PROBLEM' || status === 503) && { http: { status, headers } }),
  });
}

function located(error: unknown, message: string, extensions: Record<string, unknown>): GraphQLError {
  if (!(error instanceof GraphQLError)) return new GraphQLError(message, { extensions });
  const { nodes = null, source = null, positions = null, path = null } = error;
  return new GraphQLError(message, { nodes, source, positions, path, extensions });
}

/**
 * A request that never began to run (wrong variables, no such operation) says so by its code. Like one that does not fit the
 * schema, it is 400 as application/graphql-response+json, and 200 as application/json (GraphQL over HTTP, "application/json").
 */
export function asRequestError(error: GraphQLError): GraphQLError {
  if (error.extensions['code'] !== undefined) return error;
  error.extensions['code'] = 'BAD_USER_INPUT';
  error.extensions['http'] = { status: 400, spec: true };
  return error;
}

/** Nobody reads more, and each costs: one over a document of 480 unknown types would take 40 ms. */
const MOST_ERRORS = 20;
const MOST_VARIABLE_ERRORS = 5;

/*
 * Errors repeat what was sent, and the executor repeats all of a variable with each of its errors: 1 MB would be
 * answered by 48 MB. So variables are looked at before it, errors end at a few, and each is as long as people read.
 */

/**
 * A variable in an input of which exactly one field is given must be of a type that cannot be null (GraphQL, “All Variable Usages Are
 * Allowed”). The rule of `graphql` misses those in an input that must be given itself.
 */
function variablesInOneOf(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition: {
      leave(operation) {
        for (const { node, parentType } of context.getRecursiveVariableUsages(operation)) {
          const of = isNonNullType(parentType) ? getNullableType(parentType) : undefined;
          if (!isInputObjectType(of) || !of.isOneOf) continue;
          const name = node.name.value;
          const definition = operation.variableDefinitions?.find(({ variable }) => variable.name.value === name);
          if (!definition || definition.type.kind === Kind.NON_NULL_TYPE) continue;
          const type = print(definition.type);
          const message = `Variable "$${name}" is of type "${type}" but must be non-nullable to be used for OneOf Input Object "${of.name}".`;
          context.reportError(new GraphQLError(message, { nodes: [definition, node] }));
        }
      },
    },
  };
}

const RULES = [...specifiedRules, variablesInOneOf];

/** The errors of a document; none where it is valid. */
export function documentErrors(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  return validate(schema, document, RULES, { maxErrors: MOST_ERRORS }).map((error) => {
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

/**
 * `extensions.code` of an error is one of these, beside the codes of limits (limits/limits.ts) and of mistakes in
 * arguments (core/problem-code.ts): its HTTP status, what is wrong, and what to do. docs/errors.md is made of this;
 * test/contract/schema-errors.test.ts looks whether all that the sources give stand here.
 */
export const GRAPHQL_ERRORS: Readonly<Record<string, readonly [status: string, says: string]>> = {
  METHOD_NOT_ALLOWED: ['405', 'A mutation was sent by GET, or the method is not supported; send mutations by POST.'],
  UNSUPPORTED_MEDIA_TYPE: ['415', 'The body is not JSON, or is compressed; send `Content-Type: application/json`.'],
  NOT_ACCEPTABLE: [
    '406',
    'None of the types in `Accept` is available; accept `application/graphql-response+json` or `application/json`.',
  ],
  BAD_REQUEST: [
    '400',
    'The body is not JSON, has no document or is a batch, or the `Authorization` header is unusable; the message says which.',
  ],
  REQUEST_ENTITY_TOO_LARGE: ['413', 'The request body is too large; send less at a time.'],
  UNAUTHENTICATED: ['401', 'A token is needed, or the token is unknown, expired or revoked; refresh it.'],
  FOREIGN_REQUEST: [
    '403',
    'A session cookie came by GET, or with a request from another site; send the query by POST, or an access token.',
  ],
  RATE_LIMITED: ['429', 'Too many requests; wait `Retry-After` seconds.'],
  GRAPHQL_PARSE_FAILED: [
    '200, or 400 with `Accept: application/graphql-response+json`',
    'The document cannot be parsed; `locations` says where.',
  ],
  GRAPHQL_VALIDATION_FAILED: [
    '200, or 400 with `Accept: application/graphql-response+json`',
    'The document does not fit the schema; `locations` says where, and the message often suggests the right name.',
  ],
  OPERATION_RESOLUTION_FAILURE: [
    '400',
    'There is no operation of that name, or there are several and none was named; send `operationName`.',
  ],
  BAD_USER_INPUT: [
    '200, or 400 with `Accept: application/graphql-response+json`',
    'A variable is missing or does not fit its type; the message names it, its value and what is accepted.',
  ],
  PERSISTED_QUERY_NOT_SUPPORTED: [
    '200, or 400 with `Accept: application/graphql-response+json`',
    'A hash was sent instead of a document; send the document.',
  ],
  PERSISTED_QUERY_NOT_FOUND: [
    '200 or 400 as above, 404 for a `documentId`',
    'The document is not a trusted one; register it.',
  ],
  DOCUMENT_NOT_TRUSTED: ['403', 'Only trusted documents are accepted; register the document.'],
  INSUFFICIENT_SCOPE: [
    '403',
    'Scopes are missing: `missingScopes` and `fields` name them; send the user through authorization again, or select less.',
  ],
  EXECUTION_TIMEOUT: [
    '504',
    'The operation was stopped after 10 seconds; ask for less. If it was a mutation, check whether it was carried out.',
  ],
  OUTCOME_UNKNOWN: [
    '504',
    'The database was lost before it said whether a change was made, so it may have been carried out: check before you send it again. With the same `idempotencyKey`, you can send it again as it is.',
  ],
  SERVICE_UNAVAILABLE: [
    '503',
    'The database is unavailable, or others were changing the same data (a deadlock); try again after `Retry-After` seconds. If the operation has several mutations, earlier ones may have been carried out: check first.',
  ],
  INTERNAL_SERVER_ERROR: ['500', 'Our fault; quote the id in the message when you report it.'],
};

/** More are read in the schema. */
const MOST_VALUES = 12;

/** Says what to write instead, by the message in which graphql-js names a value and what it is not. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^Int cannot represent /, 'give a whole number without quotes, from -2147483648 to 2147483647'],
  [/^Boolean cannot represent /, 'give true or false, without quotes'],
  [/^(?:String|ID) cannot represent /, 'give a text in quotes'],
  [/^Enum "\w+" cannot represent non-enum value: /, 'write the name of one of its values, without quotes'],
  [/^Enum "\w+" cannot represent non-string value: /, 'give the name of one of its values as a text'],
  [/^Expected (?:non-nullable )?(?:value of )?type "/, 'give a value of that type'],
  [/^Variable "\$\w+" of required type "[^"]+" was not provided\.$/, 'send it in `variables`'],
  [/^Field "[^"]+" of required type "[^"]+" was not provided\.$/, 'give it a value'],
];
const NO_VALUE = /^Value .* does not exist in "(\w+)" enum\.$/s;
const SUGGESTS = /\?$/;

/** A message of graphql-js about a value, with what to write instead, unless it suggests something itself. */
function withAdvice(message: string, schema: GraphQLSchema): string {
  const advice = SUGGESTS.test(message) ? undefined : adviceOn(message, schema);
  return advice === undefined ? message : `${message.replace(/\.$/, '')}; ${advice}.`;
}

function adviceOn(message: string, schema: GraphQLSchema): string | undefined {
  const name = NO_VALUE.exec(message)?.[1];
  if (name === undefined) return ADVICE.find(([pattern]) => pattern.test(message))?.[1];
  const type = schema.getType(name);
  const values = isEnumType(type) ? type.getValues().map((value) => value.name) : [];
  return values.length <= MOST_VALUES ? `its values are ${values.join(', ')}` : 'the schema has its values';
}

export function tooManyRequests({ limit, resetInSeconds }: RequestVerdict): GraphQLError {
  const seconds = resetInSeconds === 1 ? '1 second' : `${resetInSeconds} seconds`;
  return new GraphQLError(`More than ${limit} requests in a minute; wait ${seconds} and send this one again.`, {
    extensions: { code: 'RATE_LIMITED', limit, retryAfterInSeconds: resetInSeconds, http: { status: 429 } },
  });
}
