import type { Context } from 'hono';
import { localeNamed } from '../../core/text.ts';
import { acceptedLanguages } from '../../graphql/request.ts';
import type { Viewer } from './layout.ts';
import { PAGE_LOCALE } from './when.ts';

/** The locale of the user whose session a request was found to have. */
const OWN = new WeakMap<Request, string>();
/** The signed-in user, for the corner of a page that says what went wrong. */
const VIEWERS = new WeakMap<Request, Viewer>();

/** From here on, answers to this request are in the language of this user. */
export function setLocale(request: Request, locale: string): void {
  OWN.set(request, locale);
}

/**
 * The locale (BCP 47) of a page's reader: a user's own once the session is known, else the language that the browser
 * asks for first.
 */
export function localeOf({ req }: Context): string {
  return OWN.get(req.raw) ?? preferredLanguage(req.header('accept-language')) ?? PAGE_LOCALE;
}

/** From here on, pages that say what went wrong have the menu of this user. */
export function setViewer(request: Request, viewer: Viewer): void {
  VIEWERS.set(request, viewer);
  setLocale(request, viewer.locale);
}

/** The signed-in user, as far as the session has been looked up. */
export function knownViewer({ req }: Context): Viewer | undefined {
  return VIEWERS.get(req.raw);
}

/** More languages than browsers send. */
const MOST_LANGUAGES = 20;

/**
 * The language that a browser asks for most (RFC 9110 §12.5.4) among those in which we can write dates: a tag such as `de-AT`,
 * without extensions. Undefined where it asks for none.
 */
export function preferredLanguage(acceptLanguage: string | undefined): string | undefined {
  return acceptedLanguages(acceptLanguage)
    .slice(0, MOST_LANGUAGES)
    .map(plainTag)
    .find((tag) => tag !== undefined);
}

function plainTag(said: string): string | undefined {
  const tag = localeNamed(said);
  if (tag === undefined || Intl.DateTimeFormat.supportedLocalesOf(tag).length === 0) return undefined;
  return new Intl.Locale(tag).baseName;
}
