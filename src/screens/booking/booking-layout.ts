import { html } from 'hono/html';
import { BOOKING_STYLE, hrefOf, OWN_ZONE_SCRIPT } from '../kit/assets.ts';
import { type Html, layout, type PageParts, type Viewer } from '../kit/layout.ts';

export interface BookingLayout extends Pick<PageParts, 'title' | 'content' | 'shape'> {
  /** Who is signed in; nobody has to be, and nothing leads there. */
  readonly viewer: Viewer | undefined;
  /** Whether the browser may put its own time zone in (own-zone.js). */
  readonly asksForZone?: boolean;
}

/** A page on the way to a booking, or of one. */
export function bookingLayout({ viewer, asksForZone = false, ...page }: BookingLayout): Html {
  const head = html`<link rel="stylesheet" href="${hrefOf(BOOKING_STYLE)}">
    ${asksForZone ? html`<script defer src="${hrefOf(OWN_ZONE_SCRIPT)}"></script>` : ''}`;
  return layout({ ...page, corner: viewer, head });
}
