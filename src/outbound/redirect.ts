/** One request of a call, which redirects may turn into another one. */
export interface Hop {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

const REDIRECTS = [301, 302, 303, 307, 308];
/** Meant for the host that was asked, and for no other. */
const OF_ONE_HOST = ['authorization', 'cookie', 'proxy-authorization', 'host'];
const OF_A_BODY = ['content-type', 'content-length', 'content-encoding', 'content-language', 'content-location'];

/** Where an answer sends a request (Fetch §4.4, RFC 9110 §15.4); undefined: nowhere. */
export function redirected(hop: Hop, status: number, location: string | undefined): Hop | undefined {
  const next = REDIRECTS.includes(status) && location ? URL.parse(location, hop.url) : null;
  if (!next) return undefined;
  const isSameHost = next.origin === new URL(hop.url).origin;
  const becomesGet =
    (status === 303 && hop.method !== 'HEAD') || ([301, 302].includes(status) && hop.method === 'POST');
  const left = [...(isSameHost ? [] : OF_ONE_HOST), ...(becomesGet ? OF_A_BODY : [])];
  return {
    method: becomesGet ? 'GET' : hop.method,
    url: next.href,
    headers: Object.fromEntries(Object.entries(hop.headers).filter(([name]) => !left.includes(name.toLowerCase()))),
    body: becomesGet ? undefined : hop.body,
  };
}
