import type { Mistake } from '../../../core/problem.ts';
import type { Path } from '../../../core/text.ts';
import { OUTBOUND_ADDRESS_CODES, outboundAddressMistake } from '../../../outbound/guarded-addresses.ts';

export const FEED_URL_CODES = OUTBOUND_ADDRESS_CODES;

/** How many characters of the path and the query may be shown, a quarter of them at most: the rest is the secret. */
const MAX_SHOWN = 6;

/** As calendars are asked for: `webcal:` is what programs write that open a calendar (https). */
export function tidyFeedUrl(url: string): string {
  return url.trim().replace(/^webcals?:/i, 'https:');
}

/** The mistake in an address, without repeating it. */
export function feedUrlMistake(path: Path, url: string, allowsPrivate: boolean): Mistake | undefined {
  const mistake = outboundAddressMistake(path, url, allowsPrivate);
  return (
    mistake && {
      ...mistake,
      message: `Address ${Number(path.at(-1)) + 1} is none that a calendar can be read from: ${ADVICE[mistake.code] ?? ADVICE['INVALID_URL']}.`,
    }
  );
}

const ADVICE: Readonly<Record<string, string>> = {
  TOO_LONG: 'it is too long',
  PRIVATE_ADDRESS: 'it does not lead to the public internet',
  INVALID_URL: 'write it as https://example.com/calendar.ics',
};

/** The parts of an address that are shown: enough for its owner to know it by. */
export function shownOf(url: string): { readonly host: string; readonly ending: string } {
  const { host, pathname, search } = new URL(url);
  const rest = pathname + search;
  return { host, ending: rest.slice(rest.length - Math.min(MAX_SHOWN, Math.floor(rest.length / 4))) };
}
