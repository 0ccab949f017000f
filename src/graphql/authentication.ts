import { GraphQLError } from 'graphql';
import type { Caller } from './context.ts';

/** Credentials that were shown and cannot be used; nothing of the request is carried out. */
export interface RefusedCredentials {
  readonly kind: 'refused';
  readonly status: 400 | 401 | 403 | 503;
  readonly code: string;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Authentication {
  readonly caller: Caller | RefusedCredentials;
  readonly address: string;
}

/** Finds out who calls. `server` is what the server adapter passes along: Node's request, where there is one. */
export type Authenticate = (request: Request, server: unknown) => Promise<Authentication>;

/** The error for a caller with credentials that cannot be used. */
export function refusalOf({ code, message, status, headers }: RefusedCredentials): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status, headers } } });
}
