import { GraphQLError } from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';
import { sha256Hex } from '../core/secret.ts';
import type { Caller } from './context.ts';
import { persistedHashIn, persistedQueryNotFound } from './request.ts';

export interface TrustedDocuments {
  /** Documents by the SHA-256 of their text, in hexadecimal */
  readonly byHash: ReadonlyMap<string, string>;
  /** Whether access tokens may send these only. */
  readonly isExclusive: boolean;
  /** Those documents, and others that may be sent as well. */
  readonly texts: ReadonlySet<string>;
}

/** The JSON of a file of trusted documents: `{ "<sha256>": "query …" }`. @throws Error naming the entry that is wrong */
export function trustedDocuments(json: string): ReadonlyMap<string, string> {
  const entries = parsedEntries(json);
  for (const [hash, document] of entries) {
    if (typeof document !== 'string') throw new Error(`The trusted document "${hash}" is not a text.`);
    const actual = sha256Hex(document);
    if (actual !== hash) throw new Error(`The trusted document "${hash}" has the SHA-256 ${actual}: name it by that.`);
  }
  return new Map(entries as [string, string][]);
}

/**
 * Lets a request name a document instead of sending it, by `documentId` or as Apollo's clients do it. Nothing is
 * registered by a request. A trusted document is held to scopes and limits like any other. @throws GraphQLError
 */
export function trustedParams(
  params: GraphQLParams,
  caller: Caller,
  { byHash, isExclusive, texts }: TrustedDocuments,
): GraphQLParams {
  const hash = hashIn(params);
  const document = hash === undefined ? undefined : byHash.get(hash);
  if (document === undefined) {
    if (params.query == null) throw notFound(params);
    if (isExclusive && caller.kind === 'token' && !texts.has(params.query)) throw notTrusted();
    // So clients with automatic persisted queries send what was not found: it runs, and nothing is learned.
    if (hash !== undefined && sha256Hex(params.query) !== hash) throw mismatch();
    return params;
  }
  if (params.query != null && params.query !== document) throw mismatch();
  // The name has served its purpose: all phases see a request like any other, and judge all else in it.
  const { documentId: _, ...others } = params as GraphQLParams & { readonly documentId?: unknown };
  return { ...others, query: document };
}

/** Whether the body of a request names a document. */
export function namesDocument(params: unknown): boolean {
  return hashIn(params) !== undefined;
}

function hashIn(params: unknown): string | undefined {
  const named = documentIdIn(params) ?? persistedHashIn(params);
  return typeof named === 'string' ? named.replace(/^sha256:/, '') : undefined;
}

function documentIdIn(params: unknown): unknown {
  return (params as { documentId?: unknown } | null)?.documentId;
}

function parsedEntries(json: string): [string, unknown][] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    parsed = undefined;
  }
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return Object.entries(parsed);
  throw new Error('The trusted documents are not a JSON object of documents by their SHA-256.');
}

function notFound(params: unknown): GraphQLError {
  if (documentIdIn(params) == null) return persistedQueryNotFound();
  return refusal(404, 'PERSISTED_QUERY_NOT_FOUND', 'No trusted document has this hash; send one that has.');
}

function mismatch(): GraphQLError {
  return refusal(400, 'BAD_REQUEST', 'The query is not the document that the hash names: send one of the two.');
}

function notTrusted(): GraphQLError {
  return refusal(
    403,
    'DOCUMENT_NOT_TRUSTED',
    'Access tokens may send trusted documents only: ask the operator to add yours.',
  );
}

function refusal(status: number, code: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status } } });
}
