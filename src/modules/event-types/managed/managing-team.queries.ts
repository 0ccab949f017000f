import type { Part } from '../../../database/selection.ts';
import { sql } from '../../../database/sql.ts';
import { Team } from '../../teams/team.entity.ts';
import { isOpenTo } from '../../teams/team-openness.ts';
import type { ManagingTeam } from './managing-team.rules.ts';

/** SQL: as JSON, the team that manages the event type under `alias`; null for all that their owners decide themselves. */
const managingTeam = (alias: string) => sql<ManagingTeam | null>`(
  select json_build_object('id', t.id, 'name', case when ${isOpenTo(null)} then t.name end,
    'organizationName', case when ${isOpenTo(null)} then o.name end)
  from teams t left join organizations o on o.id = t.organization_id
  where t.id = ${sql.ref(`${alias}.parent_team_id`)}
)`;

/** The managing team of `event_types e`. */
export const MANAGED_BY = managingTeam('e');

/** The managing team for types over rows, which see of it what their selection asks for. */
export const MANAGING_TEAM: Part<'managedBy', typeof Team, 'ONE'> = {
  name: 'managedBy',
  holds: 'ONE',
  entity: Team,
  from: managingTeam,
};
