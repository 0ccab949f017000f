import type { Context } from 'hono';
import { PAGE_LOCALE } from '../screens/kit/when.ts';
import { preferredLanguage } from './accept-language.ts';

/** That of the user whose session a request was found to have. */
const OWN = new WeakMap<Request, string>();

/** From here on, answers to this request are in the language of this user. */
export function setLocale(request: Request, locale: string): void {
  OWN.set(request, locale);
}

/** The locale (BCP 47) of who looks at a page: a user's own once the session is known, else the language that the browser asks for first. */
export function localeOf({ req }: Context): string {
  return OWN.get(req.raw) ?? preferredLanguage(req.header('accept-language')) ?? PAGE_LOCALE;
}
