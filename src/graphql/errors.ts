import { randomUUID } from 'node:crypto';
import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { Problem } from '../core/problem.ts';
import { isDatabaseAway } from '../database/database-away.ts';

export type ReportError = (error: unknown, id: string) => void;

/**
 * What a caller sees of an error. GraphQL's own and ours pass; a Problem keeps its code; a database that is away is 503;
 * anything else is a bug of ours: it gets an id under which `report` has logged it, and nothing else leaves the house.
 */
export function maskError(error: unknown, report: ReportError): GraphQLError {
  const cause = error instanceof GraphQLError ? (error.originalError ?? error) : error;
  if (error instanceof GraphQLError && cause instanceof GraphQLError) return error;
  if (cause instanceof Problem) {
    return located(error, cause.message, {
      code: cause.code,
      ...(cause.mistakes[0].path && { argument: cause.mistakes[0].path }),
    });
  }
  if (isDatabaseAway(cause)) {
    return located(error, 'The service cannot reach its database at the moment; try again in a few seconds.', {
      code: 'SERVICE_UNAVAILABLE',
      http: { status: 503, headers: { 'Retry-After': '5' } },
    });
  }
  const id = randomUUID();
  report(cause, id);
  return located(error, `Something went wrong on our side; quote ${id} when you report it.`, {
    code: 'INTERNAL_SERVER_ERROR',
    id,
    http: { status: 500 },
  });
}

function located(error: unknown, message: string, extensions: Record<string, unknown>): GraphQLError {
  if (!(error instanceof GraphQLError)) return new GraphQLError(message, { extensions });
  const { nodes = null, source = null, positions = null, path = null } = error;
  return new GraphQLError(message, { nodes, source, positions, path, extensions });
}

/** A request that never began to run (wrong variables, no such operation) is 400 and says so by its code. */
export function useRequestErrors(): Plugin {
  return {
    onExecute: () => ({
      onExecuteDone({ result, setResult }) {
        if (Symbol.asyncIterator in result || !result.errors || 'data' in result) return;
        setResult({ ...result, errors: result.errors.map(asRequestError) });
      },
    }),
  };
}

export function asRequestError(error: GraphQLError): GraphQLError {
  if (error.extensions['code'] !== undefined) return error;
  error.extensions['code'] = 'BAD_USER_INPUT';
  error.extensions['http'] = { status: 400 };
  return error;
}
