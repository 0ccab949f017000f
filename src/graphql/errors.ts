import { GraphQLError } from 'graphql';
import { failureOf, type Report } from '../database/failure.ts';

/**
 * Makes the error that a caller sees. GraphQL's own and ours pass; a Problem keeps its code; a database that is away is
 * 503; anything else is a bug of ours: it gets an id under which `report` has logged it, and nothing else leaves the
 * house.
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
