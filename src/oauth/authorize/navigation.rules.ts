import { type OAuthError, oauthError, toPerson } from '../protocol/oauth-error.ts';

/**
 * Why an address of the authorization may not be opened like that; undefined when a person can be in front of it. A code
 * is given to somebody who sees where it goes: not to a page that loads ahead, lies in a frame of another page, or is
 * fetched by a script or an image. Programs that are no browser send none of these headers.
 */
export function navigationRefusal(headers: Headers): OAuthError | undefined {
  const purpose = headers.get('sec-purpose') ?? headers.get('purpose') ?? headers.get('x-moz') ?? '';
  // A browser throws away what it loaded ahead with an error, and asks again when the page is really opened.
  if (/prefetch|prerender/i.test(purpose)) {
    return toPerson('LOADED_AHEAD', oauthError('invalid_request', 'This page is not loaded ahead; open it.', 503));
  }
  const destination = headers.get('sec-fetch-dest');
  if (destination === null || destination === 'document') return undefined;
  return toPerson(
    'FRAMED',
    oauthError('access_denied', 'This page is not shown inside of another page; open it in a window of its own.'),
  );
}
