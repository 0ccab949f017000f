import { idOf, NO_ID, publicId, publicOwnedId } from '../../core/id.ts';
import { builder } from '../../graphql/builder.ts';
import { type GraphQLContext, requireSession, requireUserId } from '../../graphql/context.ts';
import { SMALL, TEXT } from '../../graphql/limits/price.ts';
import { mutation, type PayloadFields } from '../../graphql/mutation.ts';
import { PASSWORD_LENGTH } from '../../modules/accounts/account.rules.ts';
import {
  findPausedBySuspension,
  MAX_PAUSED_NAMED,
  type SuspendedWebhook,
} from '../../modules/webhooks/webhook.queries.ts';
import { FIRST_PARTY } from '../../scopes/declare.ts';
import { CHANGE_PASSWORD_WITH_GRANTS_CODES, changePasswordWithGrants } from './password-and-email.ts';
import {
  REINSTATE_USER_WITH_GRANTS_CODES,
  reinstateUserWithGrants,
  SUSPEND_USER_WITH_GRANTS_CODES,
  suspendUserWithGrants,
} from './suspend-user.ts';

mutation('passwordChange', {
  description: 'Changes your password. Unless you say otherwise, all your other browsers are signed out.',
  requires: FIRST_PARTY,
  single: true,
  errors: CHANGE_PASSWORD_WITH_GRANTS_CODES,
  input: (t) => ({
    currentPassword: t.string({ required: true, description: 'Shows that it is you; wrong ones are counted.' }),
    newPassword: t.string({
      required: true,
      description: `${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters, whichever you like; neither your e-mail address nor your username.`,
    }),
    endsOtherSessions: t.boolean({
      required: true,
      defaultValue: true,
      description: 'Whether all your other browsers are signed out.',
    }),
    revokesApps: t.boolean({
      required: true,
      defaultValue: false,
      description: 'Whether the apps that you authorized lose their access, too.',
    }),
  }),
  resolve: async (input, context) => {
    const { userId, sessionId } = requireSession(context);
    const { em, passwordGuesses, accountMails, oauth, address } = context;
    const change = { ...input, userId, sessionId, address };
    await changePasswordWithGrants(em, passwordGuesses, accountMails, oauth, change);
    return {};
  },
  payload: () => ({}),
});

const requires = FIRST_PARTY;
const payload: PayloadFields<{ readonly userId: string }> = (t) => ({
  userId: t.exposeID('userId', { nullable: true, requires }),
});

const SuspendedWebhookType = builder.objectRef<SuspendedWebhook>('SuspendedWebhook').implement({
  description:
    'A webhook of a team or an organization that pauses, since who has set it is suspended. Whoever administers the group can take it over.',
  fields: (t) => ({
    webhookId: t.id({
      nullable: true,
      requires,
      description: 'Of a webhook of an organization (`whk_…`). Null: it is one of an event type.',
      resolve: (webhook) => (webhook.eventTypeId === null ? publicOwnedId('webhook', webhook) : null),
    }),
    eventTypeWebhookId: t.id({
      nullable: true,
      requires,
      description: 'Of a webhook of a team’s event type (`ewh_…`). Null: it is one of an organization.',
      resolve: (webhook) => (webhook.eventTypeId === null ? null : publicOwnedId('eventTypeWebhook', webhook)),
    }),
    teamId: t.id({
      nullable: true,
      requires,
      description: 'The team of the event type (`tea_…`). Null: it is a webhook of an organization.',
      resolve: ({ team }) => team && publicId('team', team),
    }),
    organizationId: t.id({
      nullable: true,
      requires,
      description: 'The organization whose webhook it is (`org_…`). Null: it is one of an event type.',
      resolve: ({ organization }) => organization && publicId('organization', organization),
    }),
    groupName: t.exposeString('groupName', {
      price: TEXT,
      requires,
      description: 'The name of the team or organization.',
    }),
    origin: t.string({
      requires,
      description:
        'The server to which it leads, such as `https://hooks.example.com`. The rest of the address can be a key, and is shown to administrators of the group alone.',
      resolve: ({ url }) => new URL(url).origin,
    }),
  }),
});

mutation('userSuspend', {
  description:
    'For administrators: suspends a user. Sessions, grants and access tokens end at once. Webhooks that the user has set for teams and organizations pause, and the owners and administrators of those are mailed where to take them over.',
  requires,
  errors: SUSPEND_USER_WITH_GRANTS_CODES,
  input: (t) => ({ userId: t.id({ required: true }) }),
  resolve: async ({ userId }, context) => {
    const suspension = suspensionOf(userId, context);
    await suspendUserWithGrants(context.em, context.oauth, suspension);
    return { userId, suspendedId: suspension.userId };
  },
  payload: (t) => ({
    userId: t.exposeID('userId', { nullable: true, requires }),
    pausedWebhooks: t.field({
      type: [SuspendedWebhookType],
      nullable: true,
      price: { max: MAX_PAUSED_NAMED, weight: SMALL },
      requires,
      description: `The webhooks of teams and organizations that pause now. They go on once somebody takes them over, or the user is reinstated. The first ${MAX_PAUSED_NAMED}, oldest first.`,
      resolve: ({ suspendedId }, _args, { em, isLetIn }) => findPausedBySuspension(em, suspendedId ?? NO_ID, isLetIn),
    }),
  }),
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
