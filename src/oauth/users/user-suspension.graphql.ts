import { idOf } from '../../core/id.ts';
import { requireUserId } from '../../graphql/context.ts';
import { mutation } from '../../graphql/mutation.ts';
import { FIRST_PARTY } from '../../scopes/declare.ts';
import {
  REINSTATE_USER_WITH_GRANTS_CODES,
  reinstateUserWithGrants,
  SUSPEND_USER_WITH_GRANTS_CODES,
  suspendUserWithGrants,
} from './suspend-user.ts';

const requires = FIRST_PARTY;

mutation('userSuspend', {
  description: 'For administrators: shuts a user out. Sessions, grants and access tokens end at once.',
  requires,
  errors: SUSPEND_USER_WITH_GRANTS_CODES,
  input: (t) => ({ userId: t.id({ required: true }) }),
  resolve: async ({ userId }, context) => {
    const suspension = { userId: idOf('user', userId), actorId: requireUserId(context), address: context.address };
    await suspendUserWithGrants(context.em, context.oauth, suspension);
    return { userId };
  },
  payload: (t) => ({ userId: t.exposeID('userId', { nullable: true, requires }) }),
});

mutation('userReinstate', {
  description: 'For administrators: lets a suspended user in again. Sessions and grants that ended stay ended.',
  requires,
  errors: REINSTATE_USER_WITH_GRANTS_CODES,
  input: (t) => ({ userId: t.id({ required: true }) }),
  resolve: async ({ userId }, context) => {
    const suspension = { userId: idOf('user', userId), actorId: requireUserId(context), address: context.address };
    await reinstateUserWithGrants(context.em, context.oauth, suspension);
    return { userId };
  },
  payload: (t) => ({ userId: t.exposeID('userId', { nullable: true, requires }) }),
});
