import { html } from 'hono/html';
import type { Brand } from '../../modules/teams/team.queries.ts';
import { accentOf, BOOKING_STYLE, hrefOf, OWN_ZONE_SCRIPT } from '../kit/assets.ts';
import { type Html, layout, type PageParts, type Viewer } from '../kit/layout.ts';
import { policyHeaders } from '../kit/page-response.ts';
import { aloneLink, type Embedding, embeddedHead } from './embedding/embedding.ts';

export interface BookingLayout extends Pick<PageParts, 'title' | 'content' | 'shape' | 'locale'> {
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
  const { brandColor, hideBranding: isUnbranded } = brand;
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
