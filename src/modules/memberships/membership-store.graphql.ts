/**
 * memberships/ holds who belongs to a team or an organization and as what: invitations, roles, the rule that somebody owns
 * it. What a group is and where somebody stands in it is said by organizations/ and teams/, which know nothing of this. It
 * may import those and levels.
 */
import { ID_TAGS, idOf, publicId } from '../../core/id.ts';
import { batchedEach } from '../../graphql/batch.ts';
import { pagesBelow } from '../../graphql/connection.ts';
import type { GraphQLContext } from '../../graphql/context.ts';
import { OTHER_KINDS } from '../../graphql/id-arguments.ts';
import { LEVELS } from '../levels/level.graphql.ts';
import { actorInGroup } from '../levels/owner-of-input.graphql.ts';
import { administers, type LevelName } from '../levels/reach.ts';
import type { Given, Input, Row, Store, Whose } from '../levels/store.graphql.ts';
import type { FurnishMember } from '../organizations/group.ts';
import type { GroupAdministrator } from '../organizations/standing.ts';
import { requireMembershipId } from './lock-membership.ts';
import { findMemberships, type MembershipRow, membershipPages, type WantedMembership } from './membership.queries.ts';

declare module '../../graphql/context.ts' {
  interface ModuleContext {
    /** Gives new members what they get on joining a team; teams do not know of event types. */
    readonly furnishMember: FurnishMember;
  }
}

/** The group whose membership is made or changed, and who acts there. */
interface MembershipGroup extends Whose, GroupAdministrator {
  readonly furnish?: FurnishMember;
}

/** Memberships are kept by each kind of group in a table of its own, and are the group's: it is what owns them here. */
export const MEMBERSHIPS: Store<MembershipGroup> = {
  kind: 'membership',
  idInWords: `The id of a membership, which begins with \`${ID_TAGS.membership}_\`. ${OTHER_KINDS}`,
  idOf(named, groupId) {
    const id = idOf('membership', named);
    return id === undefined ? undefined : { ownerId: groupId, id };
  },
  publicId: ({ id }) => publicId('membership', id),

  pagesAt(level) {
    const group = groupAt(level);
    const order = { columns: ['UUID' as const], keyOf: ({ id }: MembershipRow) => [id] };
    const load = pagesBelow(order, ({ em }, ids, request) => membershipPages(em, group, 'MEMBERSHIPS', ids, request));
    return (context, groupId, page) => load(context, groupId, page, undefined) as never;
  },
  lookUpsAt(level) {
    const load = loaderAt(level);
    return (context, groupId, { id }) => load(context, { groupId, id }, undefined);
  },
  // What the caller has just changed is shown to them whatever their role has become.
  readAgainAt(level) {
    const load = loaderAt(level);
    return (context, { ownerId: groupId, id }) => load(context, { groupId, id }, undefined);
  },
  async readInCharge({ em }, owner, { id }) {
    const [found] = await findMemberships(em, owner.group, [{ groupId: owner.groupId, id }], administers(owner));
    return found as unknown as Row | undefined;
  },
  selected: () => undefined,

  ownerFields: () => ({}),
  newOwner: groupNamed,
  namedOwner(level, { membershipId: named, ...input }, context) {
    const given = groupNamed(level, input, context);
    return { ...given, id: requireMembershipId(given.owner.group, String(named)) };
  },
};

/** The group that an input names, and the rest of it. @throws Problem NOT_FOUND */
function groupNamed(level: LevelName, input: Input, context: GraphQLContext): Given<MembershipGroup> {
  const administrator = actorInGroup(groupLevel(level), input, context);
  const { [`${level}Id`]: _group, ...rest } = input;
  const furnish = level === 'team' ? { furnish: context.furnishMember } : {};
  return { owner: { ...administrator, ownerId: administrator.groupId, ...furnish }, rest };
}

/** Memberships, by their ids and the groups that they are of. Whether the caller may see them is decided before. */
function loaderAt(level: LevelName) {
  const group = groupAt(level);
  return batchedEach(
    ({ em }, wanted: readonly WantedMembership[], _args: undefined) =>
      findMemberships(em, group, wanted) as unknown as Promise<(Row | undefined)[]>,
  );
}

function groupAt(level: LevelName) {
  return LEVELS[groupLevel(level)].group;
}

function groupLevel(level: LevelName) {
  if (level === 'user') throw new Error('Memberships are of teams and organizations.');
  return level;
}
