import { newId, newUserId } from '../../src/core/id.ts';
import { rows, sql } from '../../src/database/sql.ts';
import type { TestApi, TestCaller } from '../support/api.ts';
import { uuidOf } from '../support/ids.ts';

export interface Child {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly isHidden: boolean;
}

/** A stand-alone team of which everybody is a new user. */
export interface ManagedTeam {
  readonly teamId: string;
  readonly owner: TestCaller;
  /** Invites somebody, and answers the membership's id. */
  invite(who: TestCaller): Promise<string>;
  accept(who: TestCaller, membershipId: string): Promise<void>;
  /** A new user who is a member. */
  join(): Promise<TestCaller & { readonly membershipId: string }>;
  /** A managed event type, of all members where no hosts are named; its id. */
  manage(input?: object): Promise<string>;
  update(eventTypeId: string, patch: object): Promise<readonly string[]>;
}

let count = 0;

export async function openManagedTeam(api: TestApi): Promise<ManagedTeam> {
  count += 1;
  const newUser = () => api.newUser(`managed-${(count += 1)}`);
  const owner = await newUser();
  const { data } = await owner.change('teamCreate', { slug: `managed-${count}`, name: 'Team' }, 'teamId');
  const teamId: string = data.teamId;
  const invite = async ({ userId }: TestCaller): Promise<string> => {
    const created = await owner.change('teamMembershipCreate', { teamId, userId, role: 'MEMBER' }, 'membershipId');
    return created.data.membershipId;
  };
  const accept = async (who: TestCaller, membershipId: string): Promise<void> => {
    const { codes, mistakes } = await who.change('teamMembershipUpdate', { teamId, membershipId, isAccepted: true });
    if (codes.length + mistakes.length > 0) throw new Error(`Not accepted: ${[...codes, ...mistakes].join(' ')}`);
  };
  return {
    teamId,
    owner,
    invite,
    accept,
    join: async () => {
      const who = await newUser();
      const membershipId = await invite(who);
      await accept(who, membershipId);
      return { ...who, membershipId };
    },
    manage: async (input = {}) => {
      const fresh = { teamId, slug: `type-${(count += 1)}`, title: 'Managed', durationInMinutes: 30 };
      const all = { ...fresh, schedulingType: 'MANAGED', ...input };
      const created = await owner.change('teamEventTypeCreate', all, 'eventTypeId');
      if (created.mistakes.length > 0) throw new Error(`Not created: ${created.mistakes.join(' ')}`);
      return created.data.eventTypeId;
    },
    update: async (eventTypeId, patch) =>
      (await owner.change('teamEventTypeUpdate', { teamId, eventTypeId, ...patch })).mistakes,
  };
}

/** Somebody's copies of a managed event type. */
export async function childrenOf(who: TestCaller, parentId?: string): Promise<Child[]> {
  const { data } = await who.ask(
    '{ me { eventTypes(first: 100) { nodes { id slug title isHidden parent { id } } } } }',
  );
  const nodes: (Child & { parent: { id: string } | null })[] = data.me.eventTypes.nodes;
  return nodes
    .filter(({ parent }) => parent !== null && (parentId === undefined || parent.id === parentId))
    .map(({ id, slug, title, isHidden }) => ({ id, slug, title, isHidden }));
}

/** The one that somebody has. */
export async function childOf(who: TestCaller, parentId: string): Promise<Child> {
  const [child, ...others] = await childrenOf(who, parentId);
  if (!child || others.length > 0) throw new Error(`There are ${others.length + (child ? 1 : 0)} children, not one.`);
  return child;
}

/** Adds many members at once, past the API. */
export async function addMembers({ database }: TestApi, teamId: string, howMany: number): Promise<void> {
  const em = database.em.fork();
  const people = Array.from({ length: howMany }, () => newUserId());
  await rows(
    em,
    sql`insert into users (id, email, username, name, password_hash, time_zone, week_start, time_format, locale,
          metadata, is_administrator, created_at, updated_at, email_verified_at)
        select id, n || '@many.test', 'many-' || n, 'Many', 'none', 'UTC', 'MONDAY', 24, 'en', '{}', false, now(), now(), now()
        from unnest(${people}::uuid[]) with ordinality person(id, n)`,
  );
  await rows(
    em,
    sql`insert into team_memberships (id, team_id, user_id, role, accepted, created_at)
        select id, ${uuidOf(teamId)}, user_id, 'MEMBER', true, now()
        from unnest(${people.map(() => newId())}::uuid[], ${people}::uuid[]) membership(id, user_id)`,
  );
}
