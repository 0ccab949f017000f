import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
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

const AUTHENTICATIONS = new WeakMap<Request, Authentication>();

/** Returns the caller who sent this request. @throws Error when it was not authenticated, which is a bug */
export function authenticationOf(request: Request): Authentication {
  const authentication = AUTHENTICATIONS.get(request);
  if (!authentication) throw new Error('The request was not authenticated.');
  return authentication;
}

/**
 * Authenticates before the document is looked at, and refuses bad credentials before it is parsed, so that an answer
 * tells a stranger nothing about the schema. That a request is no GraphQL request at all (405, 415, 413) is told first.
 */
export function useAuthentication(authenticate: Authenticate): Plugin {
  return {
    async onRequestParse({ request, serverContext }) {
      AUTHENTICATIONS.set(request, await authenticate(request, serverContext));
    },
    onParams({ request, setResult }) {
      const { caller } = authenticationOf(request);
      if (caller.kind !== 'refused') return;
      const { code, message, status, headers } = caller;
      setResult({ errors: [new GraphQLError(message, { extensions: { code, http: { status, headers } } })] });
    },
  };
}
