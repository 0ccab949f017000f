import { localeNamed } from '../core/text.ts';
import { acceptedLanguages } from '../graphql/request/accept.ts';

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
