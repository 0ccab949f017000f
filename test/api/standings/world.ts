import { newId, publicId } from '../../../src/core/id.ts';
import { type RawBuilder, rows, sql } from '../../../src/database/sql.ts';
import { openTestApi, type TestApi, type TestCaller } from '../../support/api.ts';
import { uuidOf } from '../../support/ids.ts';
import { TABLES_OF_PEOPLE } from '../../world/every-fixture.ts';

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
  /** The same for many, by a handful of statements. */
  newPeople(level: LevelName, places: readonly Place[]): Promise<readonly Person[]>;
  suspend(whom: readonly TestCaller[]): Promise<void>;
  setPrivateOrganization(isPrivate: boolean): Promise<void>;
  /** Everything of each that administrators could change. */
  everythingOf(whom: readonly TestCaller[]): Promise<readonly unknown[]>;
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

  const joinOrganization = async (joining: readonly Joining[]): Promise<string[]> => {
    const ids = joining.map(() => newId());
    await rows(
      em(),
      sql`insert into organization_memberships (id, organization_id, user_id, role, accepted, invited_by_id, created_at)
          select id, ${uuidOf(organizationId)}::uuid, user_id, role, accepted,
            case when not accepted then ${uuidOf(owner.userId)}::uuid end, now() from ${joiningRows(ids, joining)}`,
    );
    return ids;
  };
  const joinTeam = async (team: string, joining: readonly Joining[]): Promise<string[]> => {
    const ids = joining.map(() => newId());
    await rows(
      em(),
      sql`insert into team_memberships (id, team_id, user_id, organization_membership_id, role, accepted, invited_by_id, created_at)
          select one.id, t.id, one.user_id, om.id, one.role, one.accepted,
            case when not one.accepted then ${uuidOf(owner.userId)}::uuid end, now()
          from ${joiningRows(ids, joining)} join teams t on t.id = ${uuidOf(team)}
          left join organization_memberships om
            on om.organization_id = t.organization_id and om.user_id = one.user_id`,
    );
    return ids;
  };
  const newPeople = async (level: LevelName, places: readonly Place[]): Promise<Person[]> => {
    const people = await api.newUsers(places.map(() => `standing-${(count += 1)}`));
    const membershipIds = new Map<string, string>();
    const joiningAs = (group: 'organization' | 'team'): Joining[] =>
      people.flatMap(({ userId }, index) => {
        const { [group]: role, state } = places[index] ?? NOWHERE;
        // The organization around a team always.
        const accepted = state !== 'INVITED' || (group === 'organization' && level !== 'organization');
        return role ? [{ userId, role, accepted }] : [];
      });
    const [inOrganization, inTeam] = [joiningAs('organization'), joiningAs('team')];
    const outer = await joinOrganization(inOrganization);
    const inner = await joinTeam(teamOf(level), inTeam);
    const [asked, ids] = level === 'organization' ? [inOrganization, outer] : [inTeam, inner];
    for (const [index, { userId }] of asked.entries()) membershipIds.set(userId, ids[index] ?? '');
    return people.map((who) => {
      const id = membershipIds.get(who.userId);
      return { ...who, membershipId: id === undefined ? 'none' : publicId('membership', id) };
    });
  };
  const newPerson = async (level: LevelName, place: Place): Promise<Person> =>
    (await newPeople(level, [place]))[0] as Person;
  const member = await newPerson('team of an organization', {
    organization: 'MEMBER',
    team: 'MEMBER',
    state: 'ACCEPTED',
  });
  await joinTeam(standAloneId, [{ userId: member.userId, role: 'MEMBER', accepted: true }]);

  return {
    api,
    organizationId,
    teamOf,
    owner,
    member,
    newPerson,
    newPeople,
    suspend: async (whom) =>
      void (await rows(em(), sql`update users set suspended_at = now() where id = any(${uuidsOf(whom)}::uuid[])`)),
    setPrivateOrganization: async (isPrivate) =>
      void (await api.signedIn('standing-1').change('organizationUpdate', { organizationId, isPrivate })),
    everythingOf: async (whom) =>
      rows(
        em(),
        sql`select ${sql.join(ownedBy(sql`who.id`))},
          (select json_agg(o.id) from out_of_office o where o.redirect_to_id = who.id) as redirected,
          (select json_agg(b order by b.id) from bookings b where b.owner_id = who.id) as bookings,
          (select json_agg(h order by h.event_type_id) from event_type_hosts h where h.user_id = who.id) as hosts,
          (select json_agg(m) from team_memberships m where m.user_id = who.id) as teams,
          (select json_agg(m) from organization_memberships m where m.user_id = who.id) as organizations
          from unnest(${uuidsOf(whom)}::uuid[]) with ordinality as who (id, place) order by who.place`,
      ),
    close: () => api.close(),
  };
}

/** SQL: everything that belongs to somebody, by its kind. */
function ownedBy(userId: RawBuilder<unknown>) {
  return TABLES_OF_PEOPLE.map(
    ({ kind, table, owner }) =>
      sql`(select json_agg(o order by o.id) from ${table} o where o.${sql.ref(owner)} = ${userId}) as ${sql.ref(kind)}`,
  );
}

export const NOWHERE: Place = { organization: null, team: null, state: 'ACCEPTED' };

interface Joining {
  readonly userId: string;
  readonly role: Role;
  readonly accepted: boolean;
}

function joiningRows(ids: readonly string[], joining: readonly Joining[]) {
  const roles = joining.map(({ role }) => role);
  const accepted = joining.map((one) => one.accepted);
  return sql`unnest(${ids}::uuid[], ${uuidsOf(joining)}::uuid[], ${roles}::text[], ${accepted}::boolean[])
    as one (id, user_id, role, accepted)`;
}

const uuidsOf = (whom: readonly { readonly userId: string }[]): string[] => whom.map(({ userId }) => uuidOf(userId));
