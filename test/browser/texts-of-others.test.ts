/** Every page shows people's texts as text, whatever they are, and keeps them in their place. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { hasChromium, visit } from './chromium.ts';
import { type Pages, pagesOf, READERS, type Reader, signIn } from './pages.ts';

/** Leaves an attribute and its element, has an element of its own, and no place where a line could be broken. */
const MARKUP = `"'><hit onclick=alert(1)>&lt;${'W'.repeat(40)}`;
/** A letter that is written from the right. */
const ALEF = '\u05d0';
/** Turns all that follows around. Our rules take it in no text; here it has come past them. */
const OVERRIDE = '\u202e';

/** Columns with what people write; `pagesOf` writes the rest of it: questions, places, answers. */
const TEXTS = {
  users: ['name', 'bio'],
  teams: ['name', 'bio'],
  organizations: ['name', 'bio'],
  event_types: ['title', 'description'],
  schedules: ['name'],
  sessions: ['user_agent'],
  oauth_clients: ['name', 'purpose', 'rejection_reason', 'suspension_reason'],
  oauth_client_secrets: ['name'],
  routing_forms: ['name', 'description'],
  bookings: ['title', 'description', 'cancellation_reason', 'rejection_reason', 'rescheduling_reason'],
  booking_attendees: ['name', 'notes'],
};
const COLUMNS = Object.entries(TEXTS).flatMap(([table, columns]) => columns.map((column) => ({ table, column })));

describe.runIf(hasChromium)('on every page, texts of others', () => {
  let app: TestApp;
  let pages: Pages;
  beforeAll(async () => {
    app = await startTestApp();
    pages = await pagesOf(app, `${ALEF} typed ${MARKUP}`);
    const connection = app.database.em.fork().getConnection();
    for (const { table, column } of COLUMNS) {
      const text = `${OVERRIDE}${ALEF} ${table}.${column} ${MARKUP}`;
      await connection.execute(`update ${table} set ${column} = ?`, [text]);
    }
  });
  afterAll(() => app.close());

  test('make no element, turn nothing around, and fit a phone', async () => {
    const found: Record<string, unknown> = {};
    const shown = new Set<string>();
    for (const who of READERS) {
      for (const [path, { texts, ...wrong }] of await lookAt(who)) {
        for (const text of texts) shown.add(text);
        if (Object.values(wrong).some((each) => each.length > 0)) found[path] = wrong;
      }
    }
    expect(found).toEqual({});
    expect([...shown].toSorted()).toEqual(
      [...COLUMNS.map(({ table, column }) => `${table}.${column}`), 'typed'].toSorted(),
    );
  });

  async function lookAt(who: Reader): Promise<[string, Look][]> {
    await using visitor = await visit({ viewport: { width: 360, height: 740 } });
    const { page, complaints } = visitor;
    if (who !== 'nobody') await signIn(page, app.url, who);
    const looks: [string, Look][] = [];
    for (const path of pages[who]) {
      await page.goto(app.url + path);
      looks.push([path, await page.evaluate<Look>(LOOK)]);
    }
    expect(complaints).toEqual([]);
    return looks;
  }
});

interface Look {
  /** Which texts are there. */
  readonly texts: readonly string[];
  /** Elements that one of them has made. */
  readonly made: readonly string[];
  /** The words beside one, which it could turn around. */
  readonly beside: readonly string[];
  /** Wider than the window. */
  readonly wide: readonly string[];
}

const LOOK = `(() => {
  const look = { texts: [], made: [], beside: [], wide: [] };
  for (const made of document.querySelectorAll('hit, [onclick]')) look.made.push(made.parentElement.outerHTML);
  const nameIn = (text) => /([a-z_.]+) \\\\?"'></.exec(text)?.[1] ?? text;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    if (!data.includes('<hit')) continue;
    look.texts.push(nameIn(data));
    const isApart = parentElement.closest('bdi, textarea, option') || /\\u2068[^\\u2069]*<hit/.test(data);
    if (!isApart) look.beside.push(parentElement.outerHTML);
  }
  for (const field of document.querySelectorAll('input')) if (field.value.includes('<hit')) look.texts.push(nameIn(field.value));
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) look.wide.push(scrollWidth + ' pixels');
  return look;
})()`;
