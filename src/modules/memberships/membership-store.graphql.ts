/**
 * memberships/ holds who belongs to a team or an organization and as what: invitations, roles, the rule that somebody owns
 * it. What a group is and where somebody stands in it is said by organizations/ and teams/, which know nothing of this. It
 * may import those and levels.
 */
import type { GraphQLContext } from '../../graphql/context.ts';
import { actorInGroup } from '../levels/owner-of-input.graphql.ts';
import type { LevelName } from '../levels/reach.ts';
import type { Given, Input, Store } from '../levels/store.graphql.ts';
import type { FurnishMember } from '../organizations/group.ts';
import { groupLevel, groupReads, type OfGroup } from './group-store.graphql.ts';
import { requireMembershipId } from './lock-membership.ts';
import { findMemberships, membershipPages } from './membership.queries.ts';

declare module '../../graphql/context.ts' {
  interface ModuleContext {
    /** Gives new members what they get on joining a team; teams do not know of event types. */
    readonly furnishMember: FurnishMember;
  }
}

interface MembershipGroup extends OfGroup {
  readonly furnish?: FurnishMember;
}

/** Each kind of group keeps its memberships in a table of its own: the group owns them. */
export const MEMBERSHIPS: Store<MembershipGroup> = {
  kind: 'membership',
  ...groupReads({
    kind: 'membership',
    noun: 'a membership',
    pages: (em, group, ids, request) => membershipPages(em, group, 'MEMBERSHIPS', ids, request),
    find: findMemberships,
  }),
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
