/**
 * Automatic persisted queries, as Apollo's clients and urql's send them: first the hash of a document alone. We keep none that
 * a request brings: each process would know others, so that behind a load balancer hashes are missed again and again, and
 * one store for all would be written to by strangers. Clients that are told so send documents from then on; by hash are
 * trusted documents.
 */
import { GraphQLError } from 'graphql';

/** The hash by which a request names its document, if it does. */
export function persistedHashIn(params: unknown): unknown {
  const { extensions } = (params ?? {}) as { extensions?: { persistedQuery?: { sha256Hash?: unknown } | null } | null };
  return extensions?.persistedQuery?.sha256Hash;
}

/** The client sends document and hash this time. */
export function persistedQueryNotFound(): GraphQLError {
  return protocolError('PersistedQueryNotFound', 'PERSISTED_QUERY_NOT_FOUND');
}

/** The client sends no hashes any more. */
export function persistedQueryNotSupported(): GraphQLError {
  return protocolError('PersistedQueryNotSupported', 'PERSISTED_QUERY_NOT_SUPPORTED');
}

/** Clients compare the whole message (urql) or the code (Apollo), some only in an answer of status 200, as syntax errors have. */
function protocolError(message: string, code: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status: 400, spec: true } } });
}
