import { sql } from '../../../database/sql.ts';
import { isOpenTo } from '../../teams/team-openness.ts';
import type { ManagingTeam } from './managing-team.rules.ts';

/** SQL: as JSON, the team that manages the event type `e`; null for all that their owners decide themselves. */
export const MANAGED_BY = sql<ManagingTeam | null>`(
  select json_build_object('id', t.id, 'name', case when ${isOpenTo(null)} then t.name end,
    'organizationName', case when ${isOpenTo(null)} then o.name end)
  from teams t left join organizations o on o.id = t.organization_id
  where t.id = e.parent_team_id
)`;
