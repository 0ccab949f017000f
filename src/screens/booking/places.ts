import { html } from 'hono/html';
import type { Page } from '../../core/page.ts';
import { type RowOf, Selection } from '../../database/columns.ts';
import { placeOfOrganization } from '../../modules/event-types/booking-url.rules.ts';
import type { BookingOwner, EventTypeOnPlace } from '../../modules/event-types/public/public-event-type.queries.ts';
import { lengthsOf } from '../../modules/event-types/settings/scheduling.rules.ts';
import { Organization } from '../../modules/organizations/organization.entity.ts';
import { Team } from '../../modules/teams/team.entity.ts';
import { type Html, isolated, type Viewer } from '../kit/layout.ts';
import { pager } from '../kit/page-parts.ts';
import { duration } from '../kit/when.ts';
import { authorLine, bookingLayout, logoPart } from './booking-layout.ts';
import { bookingWords } from './booking-words.ts';

export interface PlacePage {
  readonly viewer: Viewer | undefined;
  readonly owner: BookingOwner;
  readonly eventTypes: Page<EventTypeOnPlace>;
  /** BCP 47, the reader's. */
  readonly locale: string;
}

/** Lists what can be booked with a user or a team. */
export function placePage({ viewer, owner, eventTypes, locale }: PlacePage): Html {
  const path = `/book/${owner.place}`;
  const content = html`<div class="place">
      ${logoPart(owner)}
      <h1><bdi>${owner.name}</bdi></h1>
      ${organizationLine(owner)}
      ${owner.bio === null ? '' : html`<p class="words bio"><bdi>${owner.bio}</bdi></p>`}
      <p>${bookingWords(locale).whatToBook}</p>
      <ul class="offers">${eventTypes.rows.map((eventType) => offer(path, eventType, locale))}</ul>
      ${pager(eventTypes, ({ id }) => [id], { path, locale })}
    </div>`;
  return bookingLayout({ title: isolated(owner.name), content, viewer, brand: owner, shape: 'sheet', locale });
}

/** Leads to the other teams of a team's organization. */
function organizationLine({ organizationName: name, place }: BookingOwner): Html | '' {
  if (name === null) return '';
  return html`<p class="owner"><a href="/book/${place.slice(0, place.lastIndexOf('/'))}"><bdi>${name}</bdi></a></p>`;
}

function offer(path: string, eventType: EventTypeOnPlace, locale: string): Html {
  const { slug, title, description, managedBy } = eventType;
  return html`<li><a href="${path}/${slug}">
          <h2><bdi>${title}</bdi></h2>
          <p class="facts"><span>${lengthsOf(eventType)
            .map((minutes) => duration(minutes, locale))
            .join(', ')}</span></p>
          ${authorLine(managedBy, locale)}
          ${description === null ? '' : html`<p class="words"><bdi>${description}</bdi></p>`}
        </a></li>`;
}

/** The name of a booking page's owner, with the organization of a team. */
export function ownerName({ name, organizationName }: BookingOwner): string {
  return organizationName === null ? name : `${name}, ${organizationName}`;
}

const OF_ORGANIZATION = ['id', 'slug', 'name', 'bio', 'logoUrl', 'brandColor', 'hidesBranding'] as const;
const OF_TEAM = ['slug', 'name', 'bio'] as const;

/** The columns that the page shows of an organization, and of its teams. */
export const SHOWN_OF_ORGANIZATION = new Selection(Organization, OF_ORGANIZATION);
export const SHOWN_OF_TEAM = new Selection(Team, OF_TEAM);

export interface OrganizationPage {
  readonly viewer: Viewer | undefined;
  readonly organization: Pick<RowOf<typeof Organization>, (typeof OF_ORGANIZATION)[number]>;
  readonly teams: Page<Pick<RowOf<typeof Team>, (typeof OF_TEAM)[number]>>;
  /** BCP 47, the reader's. */
  readonly locale: string;
}

/** The teams of an organization that can be booked. */
export function organizationPage({ viewer, organization, teams, locale }: OrganizationPage): Html {
  const { name, bio, slug } = organization;
  const path = `/book/${placeOfOrganization(slug)}`;
  const content = html`<div class="place">
      ${logoPart(organization)}
      <h1><bdi>${name}</bdi></h1>
      ${bio === null ? '' : html`<p class="words bio"><bdi>${bio}</bdi></p>`}
      <p>${bookingWords(locale).whomToBook}</p>
      <ul class="offers">
        ${teams.rows.map(
          (team) => html`<li><a href="${path}/${team.slug}">
          <h2><bdi>${team.name}</bdi></h2>
          ${team.bio === null ? '' : html`<p class="words"><bdi>${team.bio}</bdi></p>`}
        </a></li>`,
        )}
      </ul>
      ${pager(teams, (team) => [team.slug], { path, locale })}
    </div>`;
  return bookingLayout({ title: isolated(name), content, viewer, brand: organization, shape: 'sheet', locale });
}
