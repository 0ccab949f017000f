import { textOf, unescape } from './html-form.ts';
import { NAVIGATION, OWN_FORM, type TestBrowser } from './test-browser.ts';

/** A page as somebody sees it. */
export interface Seen {
  readonly status: number;
  readonly html: string;
  /** The text that a reader sees, with the names of controls and of the page. */
  readonly text: string;
  /** Our part of that: without names, and whatever else others have said. */
  readonly ours: string;
}

/** An address as a browser opens it that asks for this language first. */
export async function seeIn(browser: TestBrowser, language: string, path: string): Promise<Seen> {
  if (path.includes('?done=')) browser.comeFromForm(path);
  const answer = await browser.request(path, { ...NAVIGATION, 'accept-language': language });
  const location = answer.headers.get('location');
  return location?.startsWith('/') ? seeIn(browser, language, location) : seenOf(answer);
}

/** The answer to a form that such a browser sends. */
export async function sendIn(
  browser: TestBrowser,
  language: string,
  action: string,
  values: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Seen> {
  const body = new URLSearchParams(values).toString();
  return seenOf(await browser.request(action, { ...OWN_FORM, ...headers, 'accept-language': language }, body));
}

function seenOf({ status, text: html }: { readonly status: number; readonly text: string }): Seen {
  return { status, html, text: wordsOn(html), ours: wordsOn(html.replaceAll(OF_OTHERS, '')) };
}

/**
 * The words of others, which are isolated, the list of all time zones, codes, and texts that are said to be in English.
 */
const OF_OTHERS =
  /<bdi[ >].*?<\/bdi>|\u2068.*?\u2069|<select id="timeZone".*?<\/select>|<code[ >].*?<\/code>|<dd lang="en">.*?<\/dd>/gs;

function wordsOn(html: string): string {
  const named = [...html.matchAll(/(?:placeholder|aria-label|title|alt|abbr|label)="([^"]*)"|<title>([^<]*)/g)];
  return [textOf(html), ...named.map(([, name, title]) => unescape(name ?? title ?? ''))].join(' ');
}
