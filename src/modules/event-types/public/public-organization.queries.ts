import { cutPage, type Page, type PageRequest } from '../../../core/page.ts';
import type { RowOf } from '../../../database/columns.ts';
import { byKey } from '../../../database/keyset.ts';
import type { Selection } from '../../../database/selection.ts';
import { type Em, row, rows, sql } from '../../../database/sql.ts';
import type { Organization } from '../../organizations/organization.entity.ts';
import type { Team } from '../../teams/team.entity.ts';
import { offersTo } from './public-event-type.queries.ts';

/** An organization of which a viewer, or anybody, may see a team that offers something; of any other nobody learns. */
export async function findPublicOrganization(
  em: Em,
  slug: string,
  selection: Selection<typeof Organization>,
  viewerId: string | null,
): Promise<RowOf<typeof Organization> | undefined> {
  return row(
    em,
    sql<RowOf<typeof Organization>>`select ${selection.with('id').from('o')} from organizations o
        where o.slug = ${slug} and exists (
          select 1 from teams t where t.organization_id = o.id and ${offersTo(viewerId)})`,
  );
}

/** Lists, by slug, the teams of an organization that offer something to this viewer, or to anybody. */
export async function listPublicTeams(
  em: Em,
  organizationId: string,
  request: PageRequest,
  selection: Selection<typeof Team>,
  viewerId: string | null,
): Promise<Page<RowOf<typeof Team>>> {
  const { within, orderAndLimit } = byKey(sql`t.slug`, request);
  const fetched = await rows(
    em,
    sql<RowOf<typeof Team>>`select ${selection.with('id', 'slug').from('t')} from teams t
        where t.organization_id = ${organizationId} and ${offersTo(viewerId)} and ${within}
        ${orderAndLimit}`,
  );
  return cutPage(fetched, request);
}
