import { publicId } from '../../core/id.ts';
import { EMAIL_IN_WORDS } from '../../core/text.ts';
import { builder } from '../../graphql/builder.ts';
import { connectionOf } from '../../graphql/connection.ts';
import type { GraphQLContext } from '../../graphql/context.ts';
import { mutation, type PayloadFields } from '../../graphql/mutation.ts';
import { entering, INHERIT, reads, writes } from '../../scopes/declare.ts';
import { viewerList } from '../accounts/accounts.graphql.ts';
import { enteringAt, type GroupLevel, LEVELS } from '../levels/level.graphql.ts';
import {
  actorInGroup,
  type Given,
  type Input,
  type Named,
  pathFields,
  type Store,
  withinOrganization,
} from '../levels/owned-store.graphql.ts';
import type { LevelName } from '../levels/reach.ts';
import { resourceOf } from '../levels/resource.graphql.ts';
import {
  findSentInvitations,
  type InvitationRow,
  listInvitations,
  type SentInvitationRow,
  sentInvitationPages,
} from './invitation.queries.ts';
import { INVITATION_DAYS } from './invitation.rules.ts';
import {
  INVITE_CODES,
  type InvitationMails,
  invite,
  RESEND_INVITATION_CODES,
  requireInvitationId,
  resendInvitation,
  WITHDRAW_INVITATION_CODES,
  withdrawInvitation,
} from './invite.ts';
import { groupLevel, groupReads, MembershipRole, type OfGroup } from './memberships.graphql.ts';

const membership = reads('MEMBERSHIP');

/** Into a team or an organization: the level at which it is reached tells which. */
const Invitation = builder.objectRef<InvitationRow>('Invitation').implement({
  description: 'A team or an organization that you are invited to. Until you accept, you see no more of it than this.',
  fields: (t) => ({
    membershipId: t.id({
      requires: membership,
      description: 'What to accept, or to decline by deleting it.',
      resolve: ({ membershipId }) => publicId('membership', membershipId),
    }),
    groupId: t.id({
      requires: membership,
      description: 'The team or the organization.',
      resolve: ({ groupKind, groupId }) => publicId(groupKind, groupId),
    }),
    groupName: t.exposeString('groupName', { requires: membership, description: 'What it is called.' }),
    role: t.expose('role', {
      type: MembershipRole,
      requires: membership,
      description: 'What you may do there once you have accepted.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      requires: membership,
      description: 'When you were invited.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      requires: membership,
      description: 'When it was last changed or sent. The `ifUpdatedAt` by which you accept what you have seen.',
    }),
  }),
});

const InvitationConnection = connectionOf(Invitation);

for (const { group, scopeLevel } of [LEVELS.team, LEVELS.organization]) {
  viewerList(`${group.kind}Invitations`, {
    type: InvitationConnection,
    description: `The ${group.kind}s that you are invited to.`,
    requires: entering(scopeLevel, membership),
    order: { columns: ['UUID'], keyOf: ({ groupId }) => [groupId] },
    find: ({ em }, userId, request) => listInvitations(em, group, userId, request),
  });
}

declare module '../../graphql/context.ts' {
  interface ModuleContext {
    readonly invitationMails: InvitationMails;
  }
}

const data = reads('MEMBERSHIP');
const write = writes('MEMBERSHIP');

/** By a team or by an organization: the level at which it is reached tells which, and decides by which scope. */
const SentInvitation = builder.objectRef<SentInvitationRow>('SentInvitation').implement({
  description: 'That an e-mail address is invited to a team or an organization, until somebody answers.',
  fields: (t) => ({
    id: t.id({
      requires: data,
      description: 'Its id, which begins with `inv_`.',
      resolve: ({ id }) => publicId('invitation', id),
    }),
    email: t.expose('email', {
      type: 'EmailAddress',
      requires: data,
      description: 'Where the mail went. Nothing tells whether the address has an account.',
    }),
    role: t.expose('role', {
      type: MembershipRole,
      requires: data,
      description: 'What its receiver may do there once they have accepted.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', requires: data }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', requires: data }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      requires: data,
      description: `When its link stops working: ${INVITATION_DAYS} days after the last mail. It then is no more.`,
    }),
  }),
});

const INVITATIONS: Store<OfGroup> = {
  kind: 'invitation',
  ...groupReads({ kind: 'invitation', noun: 'an invitation', pages: sentInvitationPages, find: findSentInvitations }),
  newOwner: invitingGroup,
  namedOwner: invitationNamed,
};

const LIST = 'Whom it has invited by mail and who has not answered yet, oldest first. Null unless you administer it.';
const LOOK_UP = 'One of its invitations by mail. Null unless you administer it.';
const WITHDRAW = 'Withdraws an invitation by mail: its link stops working.';

resourceOf({
  type: SentInvitation,
  store: INVITATIONS,
  reads: data,
  writes: write,
  list: { name: 'invitations', describes: { team: LIST, organization: LIST } },
  lookUp: { name: 'invitation', describes: { team: LOOK_UP, organization: LOOK_UP } },
  delete: {
    errors: WITHDRAW_INVITATION_CODES,
    run: (em, owner, invitationId) => withdrawInvitation(em, owner, invitationId),
    describes: { team: WITHDRAW, organization: WITHDRAW },
  },
});

const TAKES: Readonly<Record<GroupLevel, string>> = {
  team: ' A team of an organization takes its members only: anybody else has to join the organization before they accept.',
  organization: '',
};

for (const level of ['team', 'organization'] as const) {
  mutation(`${level}Invite`, {
    description: `Invites somebody to the ${level} by a link that is mailed to them and works once, for ${INVITATION_DAYS} days. They need no account yet.${TAKES[level]}`,
    requires: enteringAt(level, write),
    errors: INVITE_CODES,
    input: (t) => ({
      ...pathFields(t, level),
      email: t.field({ type: 'EmailAddress', required: true, description: `Whom: ${EMAIL_IN_WORDS}.` }),
      role: t.field({ type: MembershipRole, required: true, description: 'What they may do there: no more than you.' }),
    }),
    resolve: async (given, context) => {
      const input = await withinOrganization(level, given, context);
      const { owner, rest } = invitingGroup(level, input, context);
      const { email, role } = rest as unknown as Pick<SentInvitationRow, 'email' | 'role'>;
      const id = await invite(context.em, context.invitationMails, owner, { email, role });
      return { invitationId: publicId('invitation', id), found: { groupId: owner.groupId, id } };
    },
    payload: invitationFields(level),
  });

  mutation(`${level}InvitationResend`, {
    description: `Mails an invitation once more. Its link works for ${INVITATION_DAYS} days from now, and the one before stops working.`,
    requires: enteringAt(level, write),
    errors: RESEND_INVITATION_CODES,
    input: (t) => ({ ...pathFields(t, level), invitationId: t.id({ required: true }) }),
    resolve: async (given, context) => {
      const input = await withinOrganization(level, given, context);
      const { owner, id } = invitationNamed(level, input, context);
      await resendInvitation(context.em, context.invitationMails, owner, id);
      return { invitationId: publicId('invitation', id), found: { groupId: owner.groupId, id } };
    },
    payload: invitationFields(level),
  });
}

interface Sent {
  readonly invitationId: string;
  readonly found: { readonly groupId: string; readonly id: string };
}

/** The group that invites, and the rest of the input. @throws Problem NOT_FOUND */
function invitingGroup(level: LevelName, input: Input, context: GraphQLContext): Given<OfGroup> {
  const administrator = actorInGroup(groupLevel(level), input, context);
  const { [`${level}Id`]: _group, ...rest } = input;
  return { owner: { ...administrator, ownerId: administrator.groupId }, rest };
}

function invitationNamed(
  level: LevelName,
  { invitationId: named, ...input }: Input,
  context: GraphQLContext,
): Named<OfGroup> {
  const given = invitingGroup(level, input, context);
  return { ...given, id: requireInvitationId(given.owner.group, String(named)) };
}

function invitationFields(level: GroupLevel): PayloadFields<Sent> {
  const readAgain = INVITATIONS.readAgainAt(level);
  return (t) => ({
    invitationId: t.exposeID('invitationId', { nullable: true, requires: INHERIT }),
    invitation: t.field({
      type: SentInvitation,
      nullable: true,
      requires: { [level]: data[level] },
      resolve: async ({ found }, _args, context, info) =>
        found && ((await readAgain(context, { ownerId: found.groupId, id: found.id }, info)) as never),
    }),
  });
}
