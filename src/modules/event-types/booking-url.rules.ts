import { slugMistake } from '../../core/text.ts';

/** Whose booking page it is: a user's, or a team's, stand-alone or in an organization. */
export type PublicOwner =
  | { readonly username: string }
  | { readonly team: string; readonly organization: string | undefined };

/** What an address below `/book/` may name: somebody's booking page, or with a slug one event type on it. */
export interface BookingAddress {
  readonly owner: PublicOwner;
  readonly slug: string | undefined;
}

/** Where an event type is booked; `place` is its owner's: `ada`, `team/studio`, `team/acme/sales`. */
export function bookingUrl(publicUrl: string, place: string, slug: string): string {
  return `${publicUrl}/book/${place}/${slug}`;
}

/** Where an event type is booked with a private link, by the link's token. */
export function privateLinkUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/private-links/${token}`;
}

/**
 * What a path such as `team/acme/sales/demo` may name; the first that is there is meant. A stand-alone team and an
 * organization may have one slug, and a user may be called `team`: the page that a link of ours leads to goes first.
 */
export function bookingAddresses(path: string): readonly BookingAddress[] {
  const parts = path.split('/');
  if (parts.length > 4 || !parts.every(isSlug)) return [];
  const [first = '', second = '', third = '', fourth] = parts;
  const user = { owner: { username: first }, slug: parts[1] };
  if (first !== 'team' || parts.length === 1) return parts.length <= 2 ? [user] : [];
  const team = { owner: { team: second, organization: undefined }, slug: parts[2] };
  if (parts.length === 2) return [team, user];
  const teamOfOrganization = { owner: { team: third, organization: second }, slug: fourth };
  return parts.length === 3 ? [team, teamOfOrganization] : [teamOfOrganization];
}

function isSlug(text: string): boolean {
  return slugMistake(['slug'], text) === undefined;
}
