import { html } from 'hono/html';
import { type ManagingTeam, teamText } from '../../modules/event-types/managed/managing-team.rules.ts';
import type { Html } from '../kit/layout.ts';

/** Whose words stand on a page about a member of a team, where the member has not written them. */
export function authorPart(managedBy: ManagingTeam | null): Html | '' {
  if (managedBy === null) return '';
  return html`<p class="author">The words, questions, places and links here are those of <bdi>${teamText(managedBy)}</bdi>.</p>`;
}

/** The same in a list of what somebody offers. */
export function authorLine(managedBy: ManagingTeam | null): Html | '' {
  return managedBy === null ? '' : html`<p class="author">By <bdi>${teamText(managedBy)}</bdi></p>`;
}

/** Where the form leads: to another site, which a team may have chosen. Hosts are named in ASCII, as look-alikes show there. */
export function departurePart(successRedirectUrl: string | null, managedBy: ManagingTeam | null): Html | '' {
  if (successRedirectUrl === null) return '';
  const { host } = new URL(successRedirectUrl);
  const chosen = managedBy === null ? '' : html`, which <bdi>${teamText(managedBy)}</bdi> has chosen`;
  return html`<p class="departure">Afterwards you are led to <bdi>${host}</bdi>${chosen}.</p>`;
}
