/** embedding/ is what the pages of a booking are in a frame of another website. */
import type { MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import type { BookableEventType } from '../../../modules/event-types/public/event-type-rules.queries.ts';
import { EMBEDDED_SCRIPT, hrefOf } from '../../kit/assets.ts';
import type { Html } from '../../kit/layout.ts';
import { allowFrames } from '../../kit/page-response.ts';
import { addressOf, type BookingQuery } from '../booking-address.ts';
import type { BookingContext, BookingEnv } from '../booking-visitor.ts';
import { bookingWords } from '../words/booking-words.ts';

/**
 * For addresses that have `embed=1` where they are shown in a frame of another website. There a browser keeps no cookies of
 * ours, so nobody is signed in: neither there, nor where a frame stands on a site next to ours, which would send them along.
 */
export const asEmbedded: MiddlewareHandler<BookingEnv> = async (c, next) => {
  c.set('isEmbedded', c.req.query('embed') === '1');
  await next();
  allowFrames(c.res.headers, c.get('embedOrigins') ?? []);
};

/** The answer may stand in frames of the event type's websites, whatever comes of the request from here on. */
export function mayBeFramed(c: BookingContext, eventType: BookableEventType | undefined): void {
  if (c.get('isEmbedded') && eventType) c.set('embedOrigins', eventType.embedOrigins);
}

/** The surroundings of a page in a frame. */
export interface Embedding {
  /** The websites that it may tell its height. */
  readonly origins: readonly string[];
  /** The same page in a tab of its own. */
  readonly alone: string;
}

/** How a page is embedded; undefined for a page that was not asked for as embedded. */
export function embeddingOf(
  eventType: Pick<BookableEventType, 'embedOrigins'> | undefined,
  path: string,
  query: BookingQuery,
): Embedding | undefined {
  if (query.embed === undefined) return undefined;
  return { origins: eventType?.embedOrigins ?? [], alone: addressOf(path, { ...query, embed: undefined }) };
}

/** Tells the page around the frame how high it is (embedded.js). */
export function embeddedHead({ origins }: Embedding): Html | '' {
  if (origins.length === 0) return '';
  return html`<script defer src="${hrefOf(EMBEDDED_SCRIPT)}" data-origins="${origins.join(' ')}"></script>`;
}

/** The way out of the frame. */
export function aloneLink({ alone }: Embedding, locale: string): Html {
  return html`<p class="aside"><a href="${alone}"${LEAVING}>${bookingWords(locale).openAlone}</a></p>`;
}

/** The attributes of a link that leads out of a frame: what is there may not be framed, or has nothing to do with it. */
export const LEAVING = html` target="_blank" rel="noopener noreferrer"`;
