import { publicId } from '../../core/id.ts';
import { mutation } from '../../graphql/mutation.ts';
import { INHERIT, reads, writes } from '../../scopes/declare.ts';
import { enteringAt } from '../levels/level.graphql.ts';
import { actorInGroup, pathFields, withinOrganization } from '../levels/owner-of-input.graphql.ts';
import { HAND_OVER_OWNERSHIP_CODES, handOverOwnership } from './hand-over-ownership.ts';
import { requireMembershipId } from './lock-membership.ts';
import { MEMBERSHIPS } from './membership-store.graphql.ts';
import { Membership } from './memberships.graphql.ts';

const data = reads('MEMBERSHIP');

for (const level of ['team', 'organization'] as const) {
  const readAgain = MEMBERSHIPS.readAgainAt(level);

  mutation(`${level}MembershipOwnershipTransfer`, {
    description: `Hands a ${level} that you own over to another member: they become an owner, and you an administrator, at once.`,
    requires: enteringAt(level, writes('MEMBERSHIP')),
    errors: HAND_OVER_OWNERSHIP_CODES,
    input: (t) => ({ ...pathFields(t, level), membershipId: t.id({ required: true }) }),
    resolve: async (given, context) => {
      const input = await withinOrganization(level, given, context);
      const { group, groupId, actorId } = actorInGroup(level, input, context);
      const membershipId = requireMembershipId(group, String(input['membershipId']));
      await handOverOwnership(context.em, group, { groupId, actorId, membershipId });
      return { membershipId: publicId('membership', membershipId), done: { ownerId: groupId, id: membershipId } };
    },
    payload: (t) => ({
      membershipId: t.exposeID('membershipId', { nullable: true, requires: INHERIT }),
      membership: t.field({
        type: Membership,
        nullable: true,
        requires: { [level]: data[level] },
        resolve: async ({ done }, _args, context, info) => done && ((await readAgain(context, done, info)) as never),
      }),
    }),
  });
}
