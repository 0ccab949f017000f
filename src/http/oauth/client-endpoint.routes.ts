import type { IncomingMessage } from 'node:http';
import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { bodyOf, rawQuery } from '../../screens/kit/request.ts';
import { openToScripts } from '../open-to-scripts.ts';
import { answerClient, type ClientEndpoint, type ClientEndpointSettings, EXPOSED_HEADERS } from './client-endpoint.ts';

/** The routes of an endpoint that clients post to. */
export function clientEndpoint(
  settings: ClientEndpointSettings & { readonly addressOf: (c: Context) => string },
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
