import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { HEADERS_OF_SCRIPTS } from '../graphql/cors.ts';

/** Scripts of any site may call, without credentials of the browser: what counts is the token, or stands in the body. */
export function openToScripts(methods: readonly string[], exposed: readonly string[]): MiddlewareHandler {
  return cors({
    origin: '*',
    allowMethods: [...methods],
    allowHeaders: [...HEADERS_OF_SCRIPTS],
    exposeHeaders: [...exposed],
    maxAge: 86_400,
  });
}
