import { idOf } from '../../core/id.ts';
import { type GraphQLContext, requireUserId } from '../../graphql/context.ts';
import { mutation, type PayloadFields } from '../../graphql/mutation.ts';
import { FIRST_PARTY } from '../../scopes/declare.ts';
import {
  REINSTATE_USER_WITH_GRANTS_CODES,
  reinstateUserWithGrants,
  SUSPEND_USER_WITH_GRANTS_CODES,
  suspendUserWithGrants,
} from './suspend-user.ts';

const requires = FIRST_PARTY;
const payload: PayloadFields<{ readonly userId: string }> = (t) => ({
  userId: t.exposeID('userId', { nullable: true, requires }),
});

mutation('userSuspend', {
  description: 'For administrators: suspends a user. Sessions, grants and access tokens end at once.',
  requires,
  errors: SUSPEND_USER_WITH_GRANTS_CODES,
  input: (t) => ({ userId: t.id({ required: true }) }),
  resolve: async ({ userId }, context) => {
    await suspendUserWithGrants(context.em, context.oauth, suspensionOf(userId, context));
    return { userId };
  },
  payload,
});

mutation('userReinstate', {
  description: 'For administrators: reinstates a suspended user. Sessions and grants that ended stay ended.',
  requires,
  errors: REINSTATE_USER_WITH_GRANTS_CODES,
  input: (t) => ({ userId: t.id({ required: true }) }),
  resolve: async ({ userId }, context) => {
    await reinstateUserWithGrants(context.em, context.oauth, suspensionOf(userId, context));
    return { userId };
  },
  payload,
});

function suspensionOf(userId: string, context: GraphQLContext) {
  return { userId: idOf('user', userId), actorId: requireUserId(context), address: context.address };
}
