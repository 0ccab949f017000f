import type { MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import type { BookableEventType } from '../../modules/bookings/slots/bookable-event-type.queries.ts';
import { type ManagingTeam, teamText } from '../../modules/event-types/managed-event-type.rules.ts';
import type { Brand } from '../../modules/teams/team.queries.ts';
import { accentOf, BOOKING_STYLE, EMBEDDED_SCRIPT, hrefOf, OWN_ZONE_SCRIPT } from '../kit/assets.ts';
import { type Html, layout, type PageParts, type Viewer } from '../kit/layout.ts';
import { allowFrames, policyHeaders } from '../kit/page-response.ts';
import { addressOf, type BookingQuery } from './booking-address.ts';
import type { BookingContext, BookingEnv } from './booking-visitor.ts';
import { bookingWords } from './booking-words.ts';

interface BookingLayout extends Pick<PageParts, 'title' | 'content' | 'shape' | 'locale'> {
  /** The signed-in user; nobody has to be, and nothing leads there. */
  readonly viewer: Viewer | undefined;
  /** The brand of the owner who is booked. */
  readonly brand: Brand;
  /** Whether the browser may put its own time zone in (own-zone.js). */
  readonly asksForZone?: boolean;
  /** For a page that is in a frame of another website. */
  readonly embedding?: Embedding | undefined;
}

/** A page on the way to a booking, or of one. */
export function bookingLayout(page: BookingLayout): Html {
  const { viewer, brand, asksForZone = false, embedding, content, locale = 'en' } = page;
  const { brandColor, hidesBranding: isUnbranded } = brand;
  const head = html`<link rel="stylesheet" href="${hrefOf(BOOKING_STYLE)}">
    ${brandColor === null ? '' : html`<link rel="stylesheet" href="${hrefOf(accentOf(brandColor))}">`}
    ${asksForZone ? html`<script defer src="${hrefOf(OWN_ZONE_SCRIPT)}"></script>` : ''}
    ${embedding ? embeddedHead(embedding) : ''}`;
  const shown = embedding ? html`${content}${aloneLink(embedding, locale)}` : content;
  return layout({ ...page, content: shown, corner: viewer, head, isUnbranded, isEmbedded: embedding !== undefined });
}

/** A host that stands in a policy as it is: what else an address may have as its host could end the directive. */
const PLAIN_HOST = /^[a-z0-9.-]+(?::\d+)?$/;

/** A team's logo, or a user's picture. Its server is told no address of ours, and cannot pass it on to another. */
export function logoPart({ logoUrl, isPerson = false }: Brand): Html | '' {
  const url = logoOf(logoUrl);
  return url
    ? html`<img class="${isPerson ? 'portrait' : 'logo'}" src="${url.href}" alt="" referrerpolicy="no-referrer">`
    : '';
}

/** The headers of a page with `logoPart`. */
export function logoHeaders({ logoUrl }: Brand, runsScripts = false): Readonly<Record<string, string>> {
  return policyHeaders({ runsScripts, picturesFrom: logoOf(logoUrl)?.origin });
}

/** For pages whose address is a secret: those load nothing from elsewhere. */
export function withoutLogo(brand: Brand): Brand {
  return { ...brand, logoUrl: null };
}

function logoOf(logoUrl: string | null): URL | undefined {
  const url = logoUrl === null ? null : URL.parse(logoUrl);
  return url && PLAIN_HOST.test(url.host) ? url : undefined;
}

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
function embeddedHead({ origins }: Embedding): Html | '' {
  if (origins.length === 0) return '';
  return html`<script defer src="${hrefOf(EMBEDDED_SCRIPT)}" data-origins="${origins.join(' ')}"></script>`;
}

/** The way out of the frame. */
function aloneLink({ alone }: Embedding, locale: string): Html {
  return html`<p class="aside"><a href="${alone}"${LEAVING}>${bookingWords(locale).openAlone}</a></p>`;
}

/** The attributes of a link that leads out of a frame: what is there may not be framed, or has nothing to do with it. */
export const LEAVING = html` target="_blank" rel="noopener noreferrer"`;

/** Names the team that has written the texts of a page about its member, where the member has not. */
export function authorPart(managedBy: ManagingTeam | null, locale: string): Html | '' {
  if (managedBy === null) return '';
  return html`<p class="author">${bookingWords(locale).author(teamText(managedBy, locale))}</p>`;
}

/** The author's line in a list of event types. */
export function authorLine(managedBy: ManagingTeam | null, locale: string): Html | '' {
  if (managedBy === null) return '';
  return html`<p class="author">${bookingWords(locale).by(teamText(managedBy, locale))}</p>`;
}

/** Where the form leads: to another site, which a team may have chosen. Hosts are named in ASCII, as look-alikes show there. */
export function departurePart(
  { successRedirectUrl, managedBy }: Pick<BookableEventType, 'successRedirectUrl' | 'managedBy'>,
  locale: string,
): Html | '' {
  if (successRedirectUrl === null) return '';
  const { host } = new URL(successRedirectUrl);
  const words = bookingWords(locale);
  const departure =
    managedBy === null ? words.departure(host) : words.departureOfTeam(host, teamText(managedBy, locale));
  return html`<p class="departure">${departure}</p>`;
}
