import { newId } from '../../../src/core/id.ts';
import { changed, sql } from '../../../src/database/sql.ts';
import type { LevelName } from '../../../src/modules/levels/reach.ts';
import type { Role } from '../../../src/modules/organizations/role.rules.ts';
import type { Standing } from '../../contract/field-visibility/rights.ts';
import type { TestApi } from '../../support/api.ts';
import { uuidOf } from '../../support/ids.ts';
import { groupId } from '../every-value/things-there.ts';

/**
 * The actors at a level, beside the owner: ada, who owns the demo's organization and its team, or the owner of what is
 * asked for.
 */
type Actor = Exclude<Standing, 'owner' | 'nobody'>;
type Place = Readonly<Partial<Record<'acme' | 'sales' | 'sibling', Role | 'INVITED'>>>;

const ANYWHERE = { outsider: {}, elsewhere: {}, suspended: { acme: 'OWNER', sales: 'OWNER' } } as const;
const PLACES: Readonly<Record<'team' | 'organization', Readonly<Record<Actor, Place>>>> = {
  team: {
    ...ANYWHERE,
    admin: { acme: 'MEMBER', sales: 'ADMIN' },
    member: { acme: 'MEMBER', sales: 'MEMBER' },
    above: { acme: 'ADMIN' },
    sibling: { acme: 'MEMBER', sibling: 'OWNER' },
    invited: { acme: 'MEMBER', sales: 'INVITED' },
  },
  organization: {
    ...ANYWHERE,
    admin: { acme: 'ADMIN' },
    member: { acme: 'MEMBER' },
    above: { acme: 'ADMIN' },
    sibling: { acme: 'MEMBER', sibling: 'OWNER' },
    invited: { acme: 'INVITED' },
  },
};

/** People of every standing, by their usernames. */
export interface People {
  named(level: LevelName, standing: Actor): string;
  /** Gives those of a team's level the same standing in another team. */
  placeIn(teamId: string): Promise<void>;
}

export async function openPeople(api: TestApi): Promise<People> {
  const ada = api.as('ada');
  const acme = await groupId(api, 'organization', 'acme');
  const sales = await groupId(api, 'team', 'sales');
  const founded = await ada.change(
    'organizationTeamCreate',
    { organizationId: acme, slug: 'sibling', name: 'Sibling' },
    'teamId',
  );
  const groups = { acme, sales, sibling: founded.data.teamId as string };
  const joinTeam = (teamId: string, username: string, role: Role | 'INVITED') =>
    changed(
      api.database.em.fork(),
      sql`insert into team_memberships (id, team_id, user_id, organization_membership_id, role, accepted, created_at)
          select ${newId()}::uuid, t.id, u.id, om.id, ${role === 'INVITED' ? 'OWNER' : role}, ${role !== 'INVITED'}, now()
          from teams t join users u on u.username = ${username}
          left join organization_memberships om on om.organization_id = t.organization_id and om.user_id = u.id
          where t.id = ${uuidOf(teamId)}`,
    );
  for (const level of ['team', 'organization'] as const) {
    await eachOf(level, async (standing, { acme: inOrganization, sales: inTeam, sibling }) => {
      const username = named(level, standing);
      const who = await api.newUser(username);
      await who.change('scheduleCreate', { name: 'Hours' });
      if (inOrganization) await joinOrganization(api, acme, username, inOrganization);
      if (inTeam) await joinTeam(groups.sales, username, inTeam);
      if (sibling) await joinTeam(groups.sibling, username, sibling);
      if (standing === 'elsewhere') await foundAnother(api, username);
    });
  }
  await changed(api.database.em.fork(), sql`update users set suspended_at = now() where username like '%-suspended'`);
  return {
    named,
    placeIn: (teamId) =>
      eachOf('team', async (standing, { sales: role }) => role && joinTeam(teamId, named('team', standing), role)),
  };
}

const named: People['named'] = (level, standing) => `${level === 'organization' ? level : 'team'}-${standing}`;

async function eachOf(level: 'team' | 'organization', run: (standing: Actor, place: Place) => Promise<unknown>) {
  for (const [standing, place] of Object.entries(PLACES[level])) await run(standing as Actor, place);
}

function joinOrganization(api: TestApi, organizationId: string, username: string, role: Role | 'INVITED') {
  return changed(
    api.database.em.fork(),
    sql`insert into organization_memberships (id, organization_id, user_id, role, accepted, invited_by_id, created_at)
        select ${newId()}::uuid, ${uuidOf(organizationId)}::uuid, id, ${role === 'INVITED' ? 'OWNER' : role}, ${role !== 'INVITED'},
          (select user_id from organization_memberships
            where organization_id = ${uuidOf(organizationId)} and role = 'OWNER' and accepted and ${role === 'INVITED'} limit 1),
          now()
        from users where username = ${username}`,
  );
}

async function foundAnother(api: TestApi, username: string): Promise<void> {
  const who = api.signedIn(username);
  const founded = await who.change('organizationCreate', { slug: username, name: 'Another' }, 'organizationId');
  const team = { organizationId: founded.data.organizationId, slug: 'another', name: 'Another' };
  await who.change('organizationTeamCreate', team, 'teamId');
}
