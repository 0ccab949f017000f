import type { IncomingMessage } from 'node:http';
import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Em } from '../../database/sql.ts';
import { openToScripts } from '../open-to-scripts.ts';
import { rawQuery } from '../raw-request.ts';
import { bodyOf } from '../request-body.ts';
import { answerClient, type ClientEndpoint, type ClientEndpointSettings, EXPOSED_HEADERS } from './client-endpoint.ts';

/** The routes of the authorization server need these from the application around it. */
export interface EndpointSettings {
  /** The global EntityManager; each request works on a fork. */
  readonly em: Em;
  /** The network address that a request comes from. */
  readonly addressOf: (c: Context) => string;
  /** Logs a fault of ours under the id that the answer names. */
  readonly report: (error: unknown, id: string) => void;
}

/** The routes of an endpoint that clients post to. */
export function clientEndpoint(
  settings: ClientEndpointSettings & Pick<EndpointSettings, 'addressOf'>,
  endpoint: ClientEndpoint,
): Hono {
  const { path, isOpenToScripts } = endpoint;
  const routes = new Hono();
  if (isOpenToScripts) routes.options(path, openToScripts(['POST'], EXPOSED_HEADERS));
  const answer = async (c: Context): Promise<Response> => {
    const { raw } = c.req;
    const { status, headers, text } = await answerClient(settings, endpoint, {
      method: raw.method,
      contentType: raw.headers.get('content-type') ?? undefined,
      query: rawQuery(c),
      authorization: authorizationOf(c),
      body: bodyOf(raw),
      address: settings.addressOf(c),
    });
    return c.body(text, status as ContentfulStatusCode, headers);
  };
  // POST is registered by its name, for those who list the routes.
  routes.post(path, answer);
  routes.all(path, answer);
  return routes;
}

/** Node keeps the first of several headers and hides the others; together they are no credentials. */
function authorizationOf(c: Context): string | undefined {
  const { req } = (c.env ?? {}) as { req?: IncomingMessage };
  const distinct = req?.headersDistinct?.['authorization'];
  return distinct ? distinct.join(', ') : (c.req.header('authorization') ?? undefined);
}
