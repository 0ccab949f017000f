import type { MiddlewareHandler } from 'hono';
import { CACHES } from '../core/caches.ts';
import { sha256Hex } from '../core/secret.ts';
import type { Cookies } from '../screens/kit/cookies.ts';
import { onFormRead, readForm } from '../screens/kit/request.ts';

/** Long enough for a second press of a button, and too short to go back and mean the same form anew. */
const REMEMBERED_MS = 10_000;
/** An estimate with the head of the answer, which has a cookie or two. */
const FORM_BYTES = 3_000;
/** A form that was done before gets one of these: the thing is not there, not allowed, or not possible any more. */
const REFUSALS: ReadonlySet<number> = new Set([403, 404, 409, 410, 422]);

/**
 * A form that is sent twice, by a double click say, is answered alike. Browsers show the second answer, which would say that
 * it failed where it cannot be done twice. That it is done once, commands and the database see to; this is about the answer
 * alone, and in one process: another one says what it finds. Two forms are the same if one showing of a page, by its token,
 * was sent to one address by one browser with the same content, in one session: whoever signs in next is told what became of
 * theirs. A way back to an app is never repeated: it may hold a code, which the user or an administrator has ended since;
 * whether that goes out again, the consent page decides.
 */
export function answerTwiceAlike(cookies: Cookies): MiddlewareHandler {
  const forms = CACHES.share<SentForm>({
    name: 'forms',
    weigh: () => FORM_BYTES,
    ttl: REMEMBERED_MS,
    fromFirstUse: true,
  });
  return async (c, next) => {
    const request = c.req.raw;
    const browserId = cookies.browserId(request);
    if (request.method !== 'POST' || browserId === undefined) return next();

    const keyIn = (session: string | undefined, digest: string): string =>
      sha256Hex(JSON.stringify([browserId, session, request.url, digest]));
    let sent: { readonly form: SentForm; readonly key: string; readonly digest: string } | undefined;
    onFormRead(request, (text) => {
      if (sent) return;
      const digest = sha256Hex(text);
      const key = keyIn(cookies.sessionToken(request), digest);
      const known = forms.get(key);
      const form = known ?? new SentForm();
      if (!known) forms.set(key, form);
      form.begin();
      sent = { form, key, digest };
    });
    try {
      await next();
    } finally {
      if (sent) {
        const { form, key, digest } = sent;
        const led = leadsToPage(c.res) ? c.res.headers : undefined;
        form.end(led);
        // A user who has signed in by it comes back in the session that they were given.
        if (led) for (const one of [key, keyIn(cookies.sessionTokenAfter(request), digest)]) forms.set(one, form);
        else if (form.hasFailed) forms.delete(key);
      }
    }

    if (!REFUSALS.has(c.res.status)) return undefined;
    let same = sent?.form;
    if (!sent) {
      // A thing that is gone is often found to be gone before the form is read.
      onFormRead(request, (text) => {
        same = forms.get(keyIn(cookies.sessionToken(request), sha256Hex(text)));
      });
      await readForm(request).catch(() => undefined);
    }
    const led = await same?.led;
    if (!led) return undefined;
    c.res = undefined;
    c.res = new Response(null, { status: 303, headers: led });
    return undefined;
  };
}

/** One form, while it is sent and after it has led to a page. However often it comes, this is all that is kept of it. */
class SentForm {
  readonly #outcome = Promise.withResolvers<Headers | undefined>();
  #underWay = 0;
  #hasLed = false;

  /** The redirect to a page of ours that it has led to first; undefined once all that were under way were refused. */
  get led(): Promise<Headers | undefined> {
    return this.#outcome.promise;
  }

  get hasFailed(): boolean {
    return this.#underWay === 0 && !this.#hasLed;
  }

  begin(): void {
    this.#underWay += 1;
  }

  end(led: Headers | undefined): void {
    this.#underWay -= 1;
    this.#hasLed ||= led !== undefined;
    if (led || this.hasFailed) this.#outcome.resolve(led);
  }
}

function leadsToPage({ status, headers }: Response): boolean {
  return status === 303 && /^\/(?!\/)/.test(headers.get('location') ?? '');
}
