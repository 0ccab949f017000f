import type { Context } from 'hono';
import type { Viewer } from '../screens/kit/layout.ts';
import { PAGE_LOCALE } from '../screens/kit/when.ts';
import { preferredLanguage } from './accept-language.ts';

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
