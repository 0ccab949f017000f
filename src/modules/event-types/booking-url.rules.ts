/** Where an event type is booked; `place` is its owner's: `ada`, `team/studio`, `team/acme/sales`. */
export function bookingUrl(publicUrl: string, place: string, slug: string): string {
  return `${publicUrl}/book/${place}/${slug}`;
}

/** Where an event type is booked with a private link, by the link's token. */
export function privateLinkUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/private-links/${token}`;
}
