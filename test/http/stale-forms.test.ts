/** A form of what can be changed elsewhere says what it has seen, and overwrites nothing that it has not. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { changed, sql } from '../../src/database/sql.ts';
import { formsOf, type HtmlForm } from '../support/html-form.ts';
import { OWN_FORM } from '../support/test-browser.ts';
import { openedWorld } from './every-form-value/opened-world.ts';
import { filledIn, type Stand } from './every-form-value/pages-with-forms.ts';

const here = openedWorld();

const SEEN = 'updatedAt';
const LONG_AGO = '2020-01-01T00:00:00.000Z';

/** The pages with such forms, and what each has of them. */
const VERSIONED: Readonly<Record<string, number>> = {
  account: 2,
  hours: 1,
  'a schedule': 1,
  'an event type': 1,
  'an event type of a team': 1,
  'hosts of an event type': 1,
  'a team': 1,
  'a member of a team': 1,
  'a webhook': 1,
  client: 1,
};

async function versionedForms({ browser, path }: Stand): Promise<readonly HtmlForm[]> {
  const { text } = await browser.request(path);
  return formsOf(text).filter(({ fields }) => SEEN in fields);
}

async function sendBack({ browser }: Stand, { action, ...form }: HtmlForm, changes: Record<string, string>) {
  const body = new URLSearchParams({ ...filledIn({ action, ...form }), ...changes }).toString();
  const { status, text } = await browser.request(action, OWN_FORM, body);
  return { status, text, form: formsOf(text).find((one) => one.action === action) };
}

test.each(Object.entries(VERSIONED))('%s: a form that has not seen the last change is told so', async (name, count) => {
  const stand = await here.standAt(name);
  const forms = await versionedForms(stand);
  expect(forms).toHaveLength(count);
  for (const form of forms) {
    // A form that was refused for another reason has still not seen it.
    const forged = await sendBack(stand, form, { csrf: 'forged', [SEEN]: LONG_AGO });
    expect([forged.status, forged.form?.fields[SEEN]]).toEqual([403, LONG_AGO]);
    const stale = await sendBack(stand, form, { [SEEN]: LONG_AGO });
    expect(stale.status).toBe(409);
    expect(stale.text).toContain('changed elsewhere since you opened the page');
    // A sender who has been told may go on.
    if (!stale.form) throw new Error(`The form did not come back: ${stale.text}`);
    expect((await sendBack(stand, stale.form, {})).status).toBe(303);
  }
});

test.each(Object.keys(VERSIONED))(
  '%s: a form that is sent twice is saved once, and one of another tab has not seen that',
  async (name) => {
    const stand = await here.standAt(name);
    // Two tabs that have seen the same; of a page with two forms, saving one is a change for the other.
    for (const { action } of await versionedForms(stand)) {
      const tabs = [await versionedForms(stand), await versionedForms(stand)];
      const [form, other] = tabs.map((forms) => forms.find((one) => one.action === action));
      if (!form || !other) throw new Error(`No form to ${action} is left.`);
      // At the same moment, and once more.
      const both = await Promise.all([sendBack(stand, form, {}), sendBack(stand, form, {})]);
      const answers = [...both, await sendBack(stand, form, {}), await sendBack(stand, other, {})];
      expect([action, ...answers.map(({ status }) => status)]).toEqual([action, 303, 303, 303, 409]);
    }
  },
);

test.each(Object.keys(VERSIONED))(
  '%s: a form that comes back later, by the back button say, is not told that it is saved where something else is by now',
  async (name) => {
    const stand = await here.standAt(name);
    const em = here.app.database.em.fork();
    for (const { action } of await versionedForms(stand)) {
      const form = (await versionedForms(stand)).find((one) => one.action === action);
      if (!form) throw new Error(`No form to ${action} is left.`);
      const answers = [await sendBack(stand, form, {})];
      const other = (await versionedForms(stand)).find((one) => one.action === action);
      if (other) answers.push(await sendBack(stand, other, {}));
      await changed(em, sql`update idempotency_keys set created_at = created_at - interval '11 seconds'`);
      // Another address is needed, or the process would answer as the first time (forms-sent-twice.ts).
      answers.push(await sendBack(stand, { ...form, action: `${action}?later` }, {}));
      expect([action, ...answers.map(({ status }) => status)]).toEqual([action, 303, 303, 409]);
    }
  },
);

/** Imports a command that updates something. */
const UPDATE = /import \{[^}]*\bupdate[A-Z][^}]*\} from '[^']*\/(?:modules|oauth)\//;

test('every page that changes what has a time of change sends along what it has seen', () => {
  const elsewhere = ['group-kinds.ts', 'teams.routes.ts'];
  const files = globSync('src/screens/**/*.ts').filter((file) => !elsewhere.some((name) => file.endsWith(name)));
  const updating = files.filter((file) => UPDATE.test(readFileSync(file, 'utf8')));
  expect(updating.length).toBeGreaterThan(6);
  expect(updating).toContain('src/screens/developer/client.ts');
  expect(updating.filter((file) => !readFileSync(file, 'utf8').includes('seenAt('))).toEqual([]);
});
