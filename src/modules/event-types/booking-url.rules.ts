import { slugMistake } from '../../core/text.ts';

/** The owner of a booking page: a user, or a team, stand-alone or in an organization. */
export type PublicOwner =
  | { readonly username: string }
  | { readonly team: string; readonly organization: string | undefined };

/** An address below `/book/` names somebody's booking page, or with a slug one event type on it. */
export interface BookingAddress {
  readonly owner: PublicOwner;
  readonly slug: string | undefined;
}

/** Where a team is booked, as it stands in addresses: with the slug of its organization, if it is in one. */
export function placeOfTeam(slug: string, organizationSlug: string | undefined): string {
  return organizationSlug === undefined ? `team/${slug}` : `${placeOfOrganization(organizationSlug)}/${slug}`;
}

/** Where the teams of an organization are. */
export function placeOfOrganization(slug: string): string {
  return `organization/${slug}`;
}

/** The slug of an organization whose place a path is. */
export function organizationAddress(path: string): string | undefined {
  const [first, slug = '', ...more] = path.split('/');
  return first === 'organization' && more.length === 0 && isSlug(slug) ? slug : undefined;
}

/** The page with all that an owner offers. */
export function placeUrl(publicUrl: string, place: string): string {
  return `${publicUrl}/book/${place}`;
}

/** Where an event type is booked; `place` is its owner's: `ada`, `team/studio`, `organization/acme/sales`. */
export function bookingUrl(publicUrl: string, place: string, slug: string): string {
  return `${publicUrl}/book/${place}/${slug}`;
}

/** Where an event type is booked with a private link, by the link's token. */
export function privateLinkUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/private-links/${token}`;
}

/**
 * Reads a path such as `organization/acme/sales/demo`, which names one thing at most. Nobody can sign up as one of the
 * first words; a user who had such a name before is not found by it, since no name of a user may stand before a team's
 * address.
 */
export function bookingAddress(path: string): BookingAddress | undefined {
  const parts = path.split('/');
  if (parts.length > 4 || !parts.every(isSlug)) return undefined;
  const [first = '', second, third, fourth] = parts;
  switch (first) {
    case 'team':
      if (second === undefined || fourth !== undefined) return undefined;
      return { owner: { team: second, organization: undefined }, slug: third };
    case 'organization':
      return third === undefined ? undefined : { owner: { team: third, organization: second }, slug: fourth };
    default:
      return third === undefined ? { owner: { username: first }, slug: second } : undefined;
  }
}

function isSlug(text: string): boolean {
  return slugMistake(['slug'], text) === undefined;
}
