import type { TestApp } from './app.ts';
import { type ShownPage, shownPage, TestBrowser } from './test-browser.ts';

/** A user who offers something, and a visitor who books it. */
export interface Offered {
  /** `/book/dan/intro` */
  readonly path: string;
  readonly eventTypeId: string;
  /** Free starts of a week that begins with a day in a week's time, as links of the pages say them. */
  readonly starts: readonly string[];
}

export interface Host {
  readonly browser: TestBrowser;
  readonly username: string;
  /** Makes an event type of half an hour. */
  offer(fields?: Record<string, unknown>): Promise<Offered>;
}

let count = 0;

/** A demo user, by their e-mail address and username, who makes event types. */
export async function hostOf(app: Pick<TestApp, 'url'>, email: string, username: string): Promise<Host> {
  const browser = await TestBrowser.signedIn(app.url, email);
  return {
    browser,
    username,
    offer: async (fields = {}) => {
      count += 1;
      const input = { slug: `type-${count}`, title: `Talk ${count}`, durationInMinutes: 30, ...fields };
      const { eventTypeId } = await browser.mutate<{ eventTypeId: string }>('eventTypeCreate', input, 'eventTypeId');
      const starts = await startsOf(browser, eventTypeId);
      return { path: `/book/${username}/${input.slug}`, eventTypeId, starts };
    },
  };
}

async function startsOf(browser: TestBrowser, id: string): Promise<string[]> {
  const { me } = await browser.ask<{ me: { timeZone: string } }>('{ me { timeZone } }');
  // From a midnight on: what is free first is then the same at whatever hour the tests run.
  const from = Temporal.Now.zonedDateTimeISO(me.timeZone).startOfDay().add({ days: 8 });
  const range = { from: from.toInstant().toString(), to: from.add({ days: 7 }).toInstant().toString() };
  const document = `query ($id: ID!, $from: DateTime!, $to: DateTime!) { slots(eventType: { id: $id }, start: $from, end: $to) { start } }`;
  const { slots } = await browser.ask<{ slots: { start: string }[] | null }>(document, { id, ...range });
  return (slots ?? []).map(({ start }) => start);
}

/** Opens a page of the service and expects it to be shown. */
export async function see(browser: TestBrowser, path: string): Promise<ShownPage> {
  return shownPage(await browser.open(path));
}

/** The form of a time, as a visitor who follows the links comes to it. */
export async function formAt(browser: TestBrowser, offered: Offered, index = 0, query = ''): Promise<ShownPage> {
  return see(browser, `${offered.path}?start=${offered.starts[index]}${query}`);
}

/**
 * The forms of the free times of a Tuesday in a week's time, with the pages on which a visitor finds them. However late in the day
 * and in the month the tests run, all of its times are still to come.
 */
export async function timesOn(browser: TestBrowser, path: string) {
  const inAWeek = Temporal.Now.plainDateISO('UTC').add({ days: 8 });
  const date = inAWeek.add({ days: (9 - inAWeek.dayOfWeek) % 7 });
  const month = await see(browser, `${path}?month=${date.toPlainYearMonth().toString()}`);
  const day = await see(browser, linksOf(month).find((href) => href.includes(`date=${date.toString()}`)) ?? '');
  return { month, day, times: linksOf(day).filter((href) => href.includes('start=')) };
}

/** The fields that a booker must fill in. */
export const GRACE = { name: 'Grace Hopper', email: 'grace@example.test' };

/** Addresses that a page links to, as a browser reads them. */
export function linksOf({ html }: ShownPage): string[] {
  return [...html.matchAll(/<a\b[^>]*\bhref="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
}

/** The value of a field of the page, or whether it is ticked. */
export function fieldOf({ html }: ShownPage, name: string): string | undefined {
  const textarea = new RegExp(`<textarea[^>]*name="${name}"[^>]*>\\n?([^<]*)</textarea>`).exec(html)?.[1];
  return textarea ?? new RegExp(`<input(?=[^>]*name="${name}")[^>]*\\bvalue="([^"]*)"`).exec(html)?.[1];
}

/** The mistakes on the page, by the name of the field. */
export function mistakesOf({ html }: Pick<ShownPage, 'html'>): Record<string, string> {
  const found = [...html.matchAll(/<small id="([^"]+)-mistake" class="mistake">([^<]*)</g)];
  return Object.fromEntries(found.map(([, name = '', text = '']) => [name, text]));
}
