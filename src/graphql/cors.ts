import type { Plugin } from 'graphql-yoga';

const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'WWW-Authenticate, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Deprecation, Sunset, Link',
} as const;

/** On every answer of the API: no cache keeps it, and no page takes it for a script, as queries come by GET. */
export const API_HEADERS = { ...CORS, 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const;

/**
 * The star does not mean Authorization. Libraries send headers of their own (apollographql-client-name, traceparent, baggage,
 * x-…), which we do not read; a browser that refused them would keep the app from us for nothing.
 */
export const HEADERS_OF_SCRIPTS = ['Authorization', 'Content-Type', '*'] as const;

const PREFLIGHT = {
  ...CORS,
  'Access-Control-Allow-Methods': 'GET, POST',
  'Access-Control-Allow-Headers': HEADERS_OF_SCRIPTS.join(', '),
  'Access-Control-Max-Age': '86400',
} as const;

/**
 * Any page may call the API with a token, on errors too; never with credentials, so a session's cookie stays here.
 * A star, and not the caller's own origin: one answer for all, which no cache can hand to the wrong one.
 */
export function useCors(endpoint: string): Plugin {
  const isOurs = (request: Request): boolean => new URL(request.url).pathname === endpoint;
  return {
    onRequest(payload) {
      const { request, fetchAPI } = payload;
      if (request.method !== 'OPTIONS' || !isOurs(request)) return;
      payload.endResponse(new fetchAPI.Response(null, { status: 204, headers: PREFLIGHT }));
    },
    onResponse({ request, response }) {
      if (request.method === 'OPTIONS' || !isOurs(request)) return;
      for (const [name, value] of Object.entries(API_HEADERS)) response.headers.set(name, value);
    },
  };
}
