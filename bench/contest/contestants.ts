/** Lists the contestants: a folder of peers/, how each is started, and where it listens. */
export interface Contestant {
  readonly says: string;
  readonly script: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Answers the same bytes to everybody. */
  readonly isUnchecked?: true;
  readonly isGatehouse?: true;
}

const CACHE = { TOKEN_CACHE: '1' };
const JIT = { JIT: '1' };

export const CONTESTANTS: Readonly<Record<string, Contestant>> = {
  bare: { script: 'bare/hello.mjs', isUnchecked: true, says: 'node:http, the body read and the same bytes answered' },
  apollo: { script: 'apollo/server.mjs', says: 'Apollo Server 5, a scope directive by mapSchema' },
  'apollo-cache': { script: 'apollo/server.mjs', env: CACHE, says: 'the same with a cache of verified tokens' },
  mercurius: { script: 'mercurius/server.mjs', says: 'Mercurius and mercurius-auth' },
  'mercurius-jit': { script: 'mercurius/server.mjs', env: JIT, says: 'the same with graphql-jit' },
  'mercurius-jit-cache': {
    script: 'mercurius/server.mjs',
    env: { ...JIT, ...CACHE },
    says: 'the same with a cache of verified tokens',
  },
  yoga: { script: 'yoga/server.mjs', says: 'graphql-yoga and @envelop/generic-auth' },
  'yoga-jit': { script: 'yoga/server.mjs', env: JIT, says: 'the same with @envelop/graphql-jit' },
  pothos: { script: 'pothos/server.mjs', says: 'Pothos with its scope-auth plugin, on graphql-yoga' },
  gatehouse: { script: 'gatehouse/server.ts', isGatehouse: true, says: 'the service' },
  'gatehouse-slow': {
    script: 'gatehouse/server.ts',
    isGatehouse: true,
    env: { FAST_PATH: 'off' },
    says: 'the service with `FAST_PATH=off`',
  },
};

/** An authorization server with its token endpoint, and the requests that may be sent to it again. */
export interface Issuer extends Contestant {
  readonly path: string;
  /** Its access tokens say nothing that the runner can verify. */
  readonly isOpaque?: true;
  /** More than it exchanges; without them a round is over before its time. To make them takes some longer than to exchange them. */
  readonly codesASecond: number;
  /** A refresh token that is sent again at once is a repeated request, and gets the same answer. */
  readonly repeats?: true;
}

export const ISSUERS: Readonly<Record<string, Issuer>> = {
  bare: {
    script: 'bare/token.mjs',
    env: { SIGN: 'crypto', BATCH: '1' },
    path: '/token',
    codesASecond: 12_000,
    says: 'node:http; requests that wait share a statement and a commit; a signature',
  },
  'oidc-provider': {
    script: 'oidc-provider/server.mjs',
    env: { ADAPTER: 'pg' },
    path: '/token',
    codesASecond: 3_000,
    says: 'oidc-provider with an adapter for PostgreSQL',
  },
  'node-oauth': {
    script: 'node-oauth/server.mjs',
    path: '/token',
    codesASecond: 3_000,
    says: '@node-oauth/oauth2-server on PostgreSQL',
  },
  gatehouse: {
    script: 'gatehouse/server.ts',
    isGatehouse: true,
    path: '/v2/auth/oauth2/token',
    codesASecond: 12_000,
    isOpaque: true,
    repeats: true,
    says: 'the service',
  },
};

/** These take part when nobody is named. */
export const USUAL = ['bare', 'apollo', 'mercurius-jit-cache', 'yoga', 'pothos', 'gatehouse'] as const;
export const USUAL_ISSUERS = ['bare', 'oidc-provider', 'node-oauth', 'gatehouse'] as const;
/** The others are compared with these, if they take part. */
export const BASES = ['apollo', 'oidc-provider'] as const;
