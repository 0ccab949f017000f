/** A form that was opened by one account does nothing where another one has signed in meanwhile, in another tab say. */
import { expect, test } from 'vitest';
import { formsOf } from '../support/html-form.ts';
import { OWN_FORM, shownPage, type TestBrowser } from '../support/test-browser.ts';
import { Traveller } from '../support/traveller.ts';
import { openedWorld } from './every-form-value/opened-world.ts';
import { filledIn, PAGES } from './every-form-value/pages-with-forms.ts';

const here = openedWorld();

/** Forms that are whose they are sent by, each with why. */
const OF_THE_SENDER: Readonly<Record<string, string>> = {
  'sign out': 'It ends the session that the browser has.',
  'the walk of the demo app': 'It is the demo app, which knows no account.',
  'take access from an app': 'It leads to the list of apps who has given this one no access.',
};

const SESSION = 'gatehouse_session';
const cookiesOf = ({ cookie }: TestBrowser): Map<string, string> =>
  new Map(cookie.split('; ').map((one) => one.split('=', 2) as [string, string]));

test.each(Object.keys(PAGES).filter((page) => !(page in OF_THE_SENDER)))('%s', async (name) => {
  const { browser, path } = await here.standAt(name);
  const isSignedIn = cookiesOf(browser).has(SESSION);
  const forms = isSignedIn ? formsOf(shownPage(await browser.open(path)).html) : [];
  const session = cookiesOf(await here.world.somebody()).get(SESSION) ?? '';
  const tab = new Traveller(here.app.url, new Map([...cookiesOf(browser), [SESSION, session]]));
  for (const form of forms) {
    const body = new URLSearchParams(filledIn(form)).toString();
    const { status, text } = await tab.request(form.action, OWN_FORM, body);
    // The first account's things are not there for the other one.
    const told = status === 404 ? 'Not there.' : text;
    expect([form.action, status, told]).toEqual([
      form.action,
      expect.toBeOneOf([403, 404]),
      expect.stringMatching(/Not there|another account|Not you\?/),
    ]);
  }
  expect(forms.length > 0).toBe(isSignedIn);
});

/** The form of a page that has a field of these names, filled in. */
async function formAt(browser: TestBrowser, path: string, values: Readonly<Record<string, string>>) {
  const forms = formsOf(shownPage(await browser.open(path)).html);
  const form = forms.find(({ controls }) => Object.keys(values).some((name) => controls.includes(name)));
  if (!form) throw new Error(`No form of ${path} has ${Object.keys(values).join(', ')}.`);
  return { action: form.action, body: new URLSearchParams({ ...filledIn(form), ...values }).toString() };
}

test('a host who cancels by the page of the booker, and is signed out meanwhile, does not do so as the booker', async () => {
  const path = await here.world.booked();
  const uid = path.split('/').at(-1);
  const own = await formAt(here.world.dan, `${path}/cancel`, { reason: 'Ill' });
  const signedOut = new Traveller(
    here.app.url,
    new Map([...cookiesOf(here.world.dan)].filter(([name]) => name !== SESSION)),
  );
  const refused = await signedOut.request(own.action, OWN_FORM, own.body);
  expect([refused.status, refused.text]).toEqual([
    403,
    expect.stringMatching(/signed out in the meantime.*If everything is still right/),
  ]);
  expect(await stateOf()).toBe('ACCEPTED');
  const { status } = await here.world.dan.request(own.action, OWN_FORM, own.body);
  expect([status, await stateOf()]).toEqual([303, 'CANCELLED']);

  async function stateOf() {
    const document = 'query ($uid: String!) { publicBooking(uid: $uid) { status } }';
    const { publicBooking } = await here.world.dan.ask<{ publicBooking: { status: string } }>(document, { uid });
    return publicBooking.status;
  }
});

test('a booking is made for the user who opened its form, or for the user who has signed in since', async () => {
  const BOOK = { email: 'grace@example.test', step: 'book' };
  const path = await here.world.bookingForm();
  const visitor = here.world.visitor();
  const opened = await formAt(visitor, path, BOOK);
  const session = cookiesOf(await here.world.somebody()).get(SESSION) ?? '';
  const sentAs = (browser: TestBrowser, { action, body }: { action: string; body: string }) =>
    new Traveller(here.app.url, new Map([...cookiesOf(browser), [SESSION, session]])).request(action, OWN_FORM, body);
  const refused = await sentAs(here.world.dan, await formAt(here.world.dan, path, BOOK));
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('another account')]);
  const { status, headers } = await sentAs(visitor, opened);
  expect([status, headers.get('location')]).toEqual([303, expect.stringContaining('/bookings/uid_')]);
});
