import type { MiddlewareHandler } from 'hono';
import { sha256Hex } from '../core/secret.ts';
import { leastRecentlyUsed } from '../limits/least-recently-used.ts';
import type { Cookies } from './cookies.ts';
import { onFormRead, readForm } from './request-body.ts';

/** Long enough for a second press of a button, too short to go back, change one's mind elsewhere, and mean it anew. */
const REMEMBERED_MS = 10_000;
const MOST_FORMS = 10_000;
/** What a form is told that was done before: it is not there, not allowed, or not possible any more. */
const REFUSALS: ReadonlySet<number> = new Set([403, 404, 409, 410, 422]);

/** Headers of the redirect to a page of ours that a form led to; undefined where it led elsewhere or was refused. */
type Outcome = Promise<Headers | undefined>;

/**
 * A form that is sent twice, by a double click say, is answered alike. Browsers show the second answer, which would say that
 * it failed where it cannot be done twice. That it is done once, commands and the database see to; this is about the answer
 * alone, and in one process: another one says what it finds. Two forms are the same if one showing of a page, by its token,
 * was sent to one address by one browser with the same content. A way back to an app is never repeated: it may hold a code,
 * which the user or an administrator has ended since; whether that goes out again, the consent page decides.
 */
export function answerTwiceAlike(cookies: Cookies): MiddlewareHandler {
  const outcomes = leastRecentlyUsed<string, readonly Outcome[]>(MOST_FORMS, { ttl: REMEMBERED_MS });
  return async (c, next) => {
    const request = c.req.raw;
    const browserId = cookies.browserId(request);
    if (request.method !== 'POST' || browserId === undefined) return next();

    const { promise, resolve } = Promise.withResolvers<Headers | undefined>();
    let key: string | undefined;
    onFormRead(request, (text) => {
      key = sha256Hex(JSON.stringify([browserId, request.url, text]));
      outcomes.set(key, [...(outcomes.get(key) ?? []), promise]);
    });
    try {
      await next();
    } finally {
      resolve(leadsToPage(c.res) ? c.res.headers : undefined);
    }

    if (!REFUSALS.has(c.res.status)) return undefined;
    // What is gone is often found to be gone before the form is read.
    if (key === undefined) await readForm(request).catch(() => undefined);
    const same = key === undefined ? [] : (outcomes.get(key) ?? []);
    const done = (await Promise.all(same)).find((headers) => headers !== undefined);
    if (!done) return undefined;
    c.res = undefined;
    c.res = new Response(null, { status: 303, headers: done });
    return undefined;
  };
}

function leadsToPage({ status, headers }: Response): boolean {
  return status === 303 && /^\/(?!\/)/.test(headers.get('location') ?? '');
}
