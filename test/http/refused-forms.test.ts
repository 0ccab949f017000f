/** Forms that did not come from our page, or no longer can: nothing is done, and whoever sent one sees how to go on. */
import { describe, expect, test } from 'vitest';
import { formsOf, type HtmlForm } from '../support/html-form.ts';
import type { RawAnswer } from '../support/raw-http.ts';
import { OWN_FORM, shownPage, TestBrowser } from '../support/test-browser.ts';
import { openedWorld } from './every-form-value/opened-world.ts';
import { filledIn, PAGES, type Stand } from './every-form-value/pages-with-forms.ts';

const here = openedWorld();

/** No page lets itself be kept or framed, or tells another site. */
const PRIVATE = { 'cache-control': 'no-store', 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' };
const FOREIGN = { ...OWN_FORM, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
/** To signing in, and from there to the page; the walk of the demo app begins anew. */
const WAY_ON = /^\/auth\/login\?return_to=|^\/dev\/oauth$/;

describe.each(Object.entries(PAGES))('%s', (_page, make) => {
  test('takes no form of another site, of another browser or of nobody, and says how to go on', async () => {
    const stand = await make(here.world);
    const { headers, html } = shownPage(await stand.browser.open(stand.path));
    expect(privateOf(headers)).toEqual(PRIVATE);
    const nobody = { ...stand, browser: new TestBrowser(here.app.url) };
    for (const form of formsOf(html.slice(html.indexOf('<main')))) {
      const answers = [
        await send(stand, form, {}, FOREIGN),
        await send(stand, form, { csrf: form.fields['csrf']?.slice(0, -1) }),
        // A visitor whose session is over in the middle of it is asked to sign in; where nobody has to be, the token is
        // another browser's.
        await send(nobody, form),
      ];
      const [foreign, ...others] = answers.map(outcomeOf);
      expect([form.action, foreign]).toEqual([form.action, 'REFUSED']);
      expect([form.action, ...others]).toEqual([
        form.action,
        ...Array(2).fill(expect.stringMatching(/^(?:REFUSED|LED ON)$/)),
      ]);
    }
  });
});

function send({ browser }: Stand, form: HtmlForm, changes = {}, headers: Record<string, string> = OWN_FORM) {
  return browser.request(form.action, headers, new URLSearchParams({ ...filledIn(form), ...changes }).toString());
}

/** The outcome of a form that must do nothing: a page with a way on, or the way itself. */
function outcomeOf({ status, headers, text }: RawAnswer): string {
  const main = text.slice(text.indexOf('<main'));
  const isPrivate = JSON.stringify(privateOf(headers)) === JSON.stringify(PRIVATE);
  if (status === 303 && isPrivate && WAY_ON.test(headers.get('location') ?? '')) return 'LED ON';
  const leadsOn = /<form[^>]* method="post"|<a [^>]*href="\//.test(main);
  return status >= 400 && status < 500 && isPrivate && leadsOn ? 'REFUSED' : `${status}: ${text.slice(0, 200)}`;
}

function privateOf(headers: Headers): object {
  return Object.fromEntries(Object.keys(PRIVATE).map((name) => [name, headers.get(name)]));
}
