/**
 * The origin of the page that sent a request. `opaque`: a page that hides its origin, as our own do (their referrer
 * policy is `no-referrer`) in browsers without Sec-Fetch-Site. `unstated`: no browser, or one that says nothing.
 */
export type RequestOrigin = 'own' | 'foreign' | 'opaque' | 'unstated';

/**
 * Reads where a request that changes something says it comes from. Forms take all but `foreign`, and besides need their
 * anti-forgery token; JSON with a cookie takes `own` and `unstated` only.
 */
export function requestOrigin(headers: Headers, publicUrl: string): RequestOrigin {
  const site = headers.get('sec-fetch-site');
  // `none`: the person typed the address, or reloaded.
  if (site === 'same-origin' || site === 'none') return 'own';
  if (site !== null) return 'foreign';
  const origin = headers.get('origin');
  if (origin === null) return 'unstated';
  if (origin === 'null') return 'opaque';
  return origin === new URL(publicUrl).origin ? 'own' : 'foreign';
}
