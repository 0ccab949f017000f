import type { CDPSession, Page } from 'playwright-core';
import { openSession } from './chromium.ts';

/** The answer of an app's server. */
export interface AppAnswer {
  readonly status: number;
  readonly location?: string;
}

/** Stands in for the https server of an app, which does not exist. */
export interface AppServer {
  /** The addresses that arrived, in order. */
  readonly arrivals: string[];
  /** The first of them. */
  readonly arrival: Promise<URL>;
}

/**
 * Answers requests to `https://app.example.test` inside the browser: by its protocol and not by `page.route`, which does
 * not see where a redirect leads, and that is how every answer of an authorization arrives.
 */
export async function answerAsApp(page: Page, { status, location }: AppAnswer = { status: 200 }): Promise<AppServer> {
  const arrivals: string[] = [];
  const { promise: arrival, resolve } = Promise.withResolvers<URL>();
  const session = await openSession(page);
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    if (!request.url.endsWith('/favicon.ico')) arrivals.push(request.url);
    resolve(new URL(request.url));
    ignoringTheEnd(
      session.send('Fetch.fulfillRequest', {
        requestId,
        responseCode: status,
        responseHeaders: [
          { name: 'content-type', value: 'text/html' },
          ...(location === undefined ? [] : [{ name: 'location', value: location }]),
        ],
        body: Buffer.from('<!doctype html><title>App</title>Arrived').toString('base64'),
      }),
    );
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: 'https://app.example.test/*' }] });
  return { arrivals, arrival };
}

/** Adds a directive to the policy of every page whose address matches. */
export async function addToPolicy(page: Page, urlPattern: string, directive: string): Promise<void> {
  const session = await openSession(page);
  session.on('Fetch.requestPaused', ({ requestId, responseStatusCode: status, responseHeaders = [] }) => {
    ignoringTheEnd(
      status === 200
        ? answerAnew(session, requestId, responseHeaders.map(withDirective))
        : session.send('Fetch.continueRequest', { requestId }),
    );
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern, requestStage: 'Response' }] });

  function withDirective({ name, value }: Header): Header {
    return name.toLowerCase() === 'content-security-policy'
      ? { name, value: `${value}; ${directive}` }
      : { name, value };
  }
}

interface Header {
  readonly name: string;
  readonly value: string;
}

async function answerAnew(session: CDPSession, requestId: string, responseHeaders: Header[]): Promise<void> {
  const { body, base64Encoded } = await session.send('Fetch.getResponseBody', { requestId });
  const text = base64Encoded ? body : Buffer.from(body).toString('base64');
  await session.send('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders, body: text });
}

/** A test may be over, and its page closed, while the browser still asks for an icon. */
function ignoringTheEnd(sent: Promise<unknown>): void {
  sent.catch(() => undefined);
}
