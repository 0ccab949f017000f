import { newId, publicId } from '../../../src/core/id.ts';
import { row, rows, sql } from '../../../src/database/sql.ts';
import { openTestApi, type TestApi, type TestCaller } from '../../support/api.ts';
import { uuidOf } from '../../support/ids.ts';

export type Role = 'MEMBER' | 'ADMIN' | 'OWNER';

/** Where somebody stands: their role in the organization, if it has one, and in the team; null is none. */
export interface Place {
  readonly organization: Role | null;
  readonly team: Role | null;
  /** Whether they have accepted the group that is asked about; the organization around a team always. */
  readonly state: 'INVITED' | 'ACCEPTED' | 'SUSPENDED';
}

export interface Person extends TestCaller {
  /** In the group that is asked about. */
  readonly membershipId: string;
}

export type LevelName = 'team of an organization' | 'stand-alone team' | 'organization';

/** An organization with a team and a stand-alone team; one owner of all, and a plain member of each. */
export interface World {
  readonly api: TestApi;
  readonly organizationId: string;
  teamOf(level: LevelName): string;
  readonly owner: TestCaller;
  readonly member: TestCaller;
  newPerson(level: LevelName, place: Place): Promise<Person>;
  suspend(who: TestCaller): Promise<void>;
  setPrivateOrganization(isPrivate: boolean): Promise<void>;
  /** Everything of somebody's that administrators could change, as one text. */
  everythingOf(who: TestCaller): Promise<unknown>;
  close(): Promise<void>;
}

export async function openWorld(): Promise<World> {
  const api = await openTestApi();
  let count = 0;
  const newUser = () => api.newUser(`standing-${(count += 1)}`);
  const em = () => api.database.em.fork();
  const owner = await newUser();
  const founded = await api
    .signedIn(`standing-${count}`)
    .change('organizationCreate', { slug: 'standing', name: 'Standing' }, 'organizationId');
  const { organizationId } = founded.data;
  const inOrganization = { organizationId, slug: 'standing', name: 'Standing' };
  const { teamId } = (await owner.change('organizationTeamCreate', inOrganization, 'teamId')).data;
  const alone = { slug: 'standing-alone', name: 'Standing alone' };
  const standAloneId = (await owner.change('teamCreate', alone, 'teamId')).data.teamId;
  const teamOf = (level: LevelName): string => (level === 'stand-alone team' ? standAloneId : teamId);

  const joinOrganization = async (userId: string, role: Role, isAccepted: boolean): Promise<string> => {
    const id = newId();
    await rows(
      em(),
      sql`insert into organization_memberships (id, organization_id, user_id, role, accepted, created_at)
          values (${id}, ${uuidOf(organizationId)}, ${uuidOf(userId)}, ${role}, ${isAccepted}, now())`,
    );
    return id;
  };
  const joinTeam = async (
    team: string,
    userId: string,
    role: Role,
    isAccepted: boolean,
    organizationMembershipId: string | null,
  ): Promise<string> => {
    const id = newId();
    await rows(
      em(),
      sql`insert into team_memberships (id, team_id, user_id, organization_membership_id, role, accepted, created_at)
          values (${id}, ${uuidOf(team)}, ${uuidOf(userId)}, ${organizationMembershipId}, ${role}, ${isAccepted}, now())`,
    );
    return id;
  };
  const newPerson = async (level: LevelName, { organization, team, state }: Place): Promise<Person> => {
    const who = await newUser();
    const isAccepted = state !== 'INVITED';
    const hasAcceptedOrganization = level === 'organization' ? isAccepted : true;
    const outer = organization && (await joinOrganization(who.userId, organization, hasAcceptedOrganization));
    const inner = team && (await joinTeam(teamOf(level), who.userId, team, isAccepted, outer));
    const membershipId = level === 'organization' ? outer : inner;
    return { ...who, membershipId: membershipId === null ? 'none' : publicId('membership', membershipId) };
  };
  const member = await newPerson('team of an organization', {
    organization: 'MEMBER',
    team: 'MEMBER',
    state: 'ACCEPTED',
  });
  await joinTeam(standAloneId, member.userId, 'MEMBER', true, null);

  return {
    api,
    organizationId,
    teamOf,
    owner,
    member,
    newPerson,
    suspend: async ({ userId }) =>
      void (await rows(em(), sql`update users set suspended_at = now() where id = ${uuidOf(userId)}`)),
    setPrivateOrganization: async (isPrivate) =>
      void (await api.signedIn('standing-1').change('organizationUpdate', { organizationId, isPrivate })),
    everythingOf: async (who) => {
      const userId = uuidOf(who.userId);
      return row(
        em(),
        sql`select (select json_agg(s order by s.id) from schedules s where s.user_id = ${userId}) as schedules,
          (select json_agg(o order by o.id) from out_of_office o where o.user_id = ${userId}) as absences,
          (select json_agg(o.id) from out_of_office o where o.redirect_to_id = ${userId}) as redirected,
          (select json_agg(e order by e.id) from event_types e where e.owner_id = ${userId}) as "eventTypes",
          (select json_agg(h order by h.event_type_id) from event_type_hosts h where h.user_id = ${userId}) as hosts,
          (select json_agg(m) from team_memberships m where m.user_id = ${userId}) as teams,
          (select json_agg(m) from organization_memberships m where m.user_id = ${userId}) as organizations`,
      );
    },
    close: () => api.close(),
  };
}
