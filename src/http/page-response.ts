import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Html } from '../screens/kit/layout.ts';

interface PagePolicy {
  /** Where a script of ours may help: nothing hangs on it. */
  readonly runsScripts?: boolean;
  /** Where such a script asks us something. */
  readonly asksUs?: boolean;
  /** One more origin, for a picture that the page shows: that of a team's logo. */
  readonly picturesFrom?: string | undefined;
  /** Whether it shows another page of ours in a frame: that has to allow it. */
  readonly framesOwn?: boolean;
}

/**
 * What a page may load: nothing from elsewhere, unless it is said here. There is no `form-action`: Chromium applies it along
 * redirects and would block the way back to an app after consent.
 */
export function policyHeaders({ runsScripts = false, asksUs = false, picturesFrom, framesOwn = false }: PagePolicy) {
  const pictures = ["'self'", 'data:', ...(picturesFrom === undefined ? [] : [picturesFrom])].join(' ');
  const scripts = runsScripts ? "; script-src 'self'" : '';
  const requests = asksUs ? "; connect-src 'self'" : '';
  const frames = framesOwn ? "; frame-src 'self'" : '';
  return {
    'Content-Security-Policy': `default-src 'none'; style-src 'self'; img-src ${pictures}; base-uri 'none'; frame-ancestors 'none'${scripts}${requests}${frames}`,
  };
}

/** On every page, errors included: never framed, never cached, no address passed on, nothing from elsewhere. */
export const PAGE_HEADERS = {
  'Cache-Control': 'no-store',
  ...policyHeaders({}),
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const;

export const SCRIPTED_HEADERS = policyHeaders({ runsScripts: true });
export const ASKING_HEADERS = policyHeaders({ runsScripts: true, asksUs: true });

/** A page, with the headers that every page has, and those that were set on `c` before (cookies). */
export function sendPage(
  c: Context,
  page: Html,
  status: ContentfulStatusCode = 200,
  headers: Readonly<Record<string, string>> = {},
): Response | Promise<Response> {
  return c.html(page, status, { ...PAGE_HEADERS, ...headers });
}

/** After a form, always by GET: 307 would send a password on to the next address. */
export function seeOther(c: Context, location: string): Response {
  return c.body(null, 303, { ...PAGE_HEADERS, Location: location });
}
