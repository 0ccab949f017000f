/**
 * Every control of every form of the pages is given the ends of what it can hold, and is left out and sent twice. Nothing
 * of it is a fault of ours; what was taken, the page shows afterwards.
 */
import { describe, expect, test } from 'vitest';
import { randomBase62 } from '../../src/core/secret.ts';
import { SIGN_IN_PATH } from '../../src/screens/kit/paths.ts';
import { textsOf } from '../api/every-value/extremes.ts';
import { formsOf, type HtmlForm } from '../support/html-form.ts';
import { paced } from '../support/pace.ts';
import { OWN_FORM, shownPage } from '../support/test-browser.ts';
import { openedWorld } from './every-form-value/opened-world.ts';
import { filledIn, PAGES, type Stand } from './every-form-value/pages-with-forms.ts';

/** Forms with nothing but their button. */
const BUTTONS = ['POST /bookings/:booking{[\\w-]+}/guests/:token{[\\w-]+}', 'POST /bookings/held/:id/release'];
/** Programs send these: every-parameter-value.test.ts. */
const BY_PROGRAMS = /^POST \/(?:v2\/|graphql)/;

/** A user has room for so many, whatever a form makes. */
const FEW = 10;

const here = openedWorld();

const done = new Set<string>();
const tried = new Set<string>();
let sent = 0;
let taken = 0;

describe.each(Object.entries(PAGES))('%s', (_page, make) => {
  test('takes what it can show, and refuses the rest', { timeout: paced(120_000) }, async () => {
    const faults: unknown[] = [];
    let stand = await make(here.world);
    let forms = await formsOn(stand);
    let takenHere = 0;
    expect(forms).not.toEqual([]);
    for (const [index, { action, controls, boxes }] of forms.entries()) {
      // A form on several pages is tried on the first.
      if (done.has(action)) continue;
      done.add(action);
      for (const [position, name] of [...new Set(controls)].entries()) {
        for (const bodyOf of boxes.includes(name) ? NO_TEXTS : [...NO_TEXTS, ...textsFor(name)]) {
          const form = forms[index];
          if (!form) throw new Error(`${stand.path} has no form ${index} any more.`);
          const body = bodyOf(typedIn(form), form.controls[position] ?? '');
          const status = await send(stand, form.action, body);
          if (status >= 500) faults.push({ form: form.action, body: body.slice(0, 200), status });
          if (status >= 400) continue;
          taken += 1;
          takenHere += 1;
          const after = await stand.browser.request(stand.path);
          if (after.status >= 500) faults.push({ form: form.action, body: body.slice(0, 200), after: after.status });
          // A form that can be sent again needs nothing new.
          const shown = formsIn(after.text);
          const hasRoom = takenHere % FEW !== 0;
          const isUsable = hasRoom && after.status === 200 && isAsBefore(shown, forms);
          if (!isUsable) stand = await make(here.world);
          forms = isUsable ? shown : await formsOn(stand);
        }
      }
    }
    expect(faults).toEqual([]);
  });
});

test('every route that takes a form was tried', () => {
  const routes = [...new Set(here.app.routes)].filter((route) => route.startsWith('POST ') && !BY_PROGRAMS.test(route));
  const missing = routes.filter((route) => !BUTTONS.includes(route) && ![...tried].some((path) => fits(route, path)));
  expect(missing).toEqual([]);
  expect(sent).toBeGreaterThan(1_000);
  expect(taken).toBeGreaterThan(sent / 20);
});

async function formsOn({ browser, path }: Stand): Promise<readonly HtmlForm[]> {
  const { status, html } = shownPage(await browser.open(path));
  expect([path, status]).toEqual([path, 200]);
  return formsIn(html);
}

function formsIn(html: string): readonly HtmlForm[] {
  return formsOf(html.slice(html.indexOf('<main')));
}

/** The same forms, and no password that may have been changed. */
function isAsBefore(forms: readonly HtmlForm[], before: readonly HtmlForm[]): boolean {
  const [now, then] = [forms, before].map((some) =>
    some.map(({ action, controls }) => [action, ...controls].join()).join(),
  );
  return now === then && !/password/i.test(now ?? '');
}

async function send({ browser }: Stand, action: string, body: string): Promise<number> {
  sent += 1;
  tried.add(action.split('?', 1)[0] ?? '');
  return (await browser.request(action, OWN_FORM, body)).status;
}

/** As somebody types who has not been here before: for an account that many have guessed at, each guess waits for seconds. */
function typedIn(form: HtmlForm): Record<string, string> {
  const values = filledIn(form);
  return form.action.startsWith(SIGN_IN_PATH) ? { ...values, email: `${randomBase62(8)}@example.test` } : values;
}

type Body = (values: Readonly<Record<string, string>>, name: string) => string;

/** A form with one control at the ends of what it can hold. */
function textsFor(control: string): readonly Body[] {
  return textsOf(control).map((text) => (values, name) => formOf({ ...values, [name]: text }));
}

/** Not as text, twice, and left out. */
const NO_TEXTS: readonly Body[] = [
  ...['%00', '%FF', '%ED%A0%80', '%', '%zz', 'other'].map(
    (bytes): Body =>
      (values, name) =>
        `${name}=${bytes}&${formOf(values)}`,
  ),
  (values, name) => `${formOf(values)}&${name}=other&${name}=`,
  (values, name) => formOf(Object.fromEntries(Object.entries(values).filter(([key]) => key !== name))),
];

function formOf(values: Readonly<Record<string, string>>): string {
  return new URLSearchParams(values).toString();
}

function fits(route: string, path: string): boolean {
  const [, pattern = ''] = route.split(' ');
  const expression = pattern.replace(/:path\{\.\+\}/, '.+').replaceAll(/:\w+(?:\{[^/]*\})?/g, '[^/]+');
  return new RegExp(`^${expression}$`).test(path);
}
