import { publicId } from '../../core/id.ts';
import { EMAIL_IN_WORDS } from '../../core/text.ts';
import { builder } from '../../graphql/builder.ts';
import { connectionOf } from '../../graphql/connection.ts';
import type { GraphQLContext } from '../../graphql/context.ts';
import { among, apart, containing, listFilter } from '../../graphql/list-filter.ts';
import { mutation, type PayloadFields, type Repetition } from '../../graphql/mutation.ts';
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
const ReceivedInvitation = builder.objectRef<InvitationRow>('ReceivedInvitation').implement({
  description: 'A team or an organization that you are invited to. Until you accept, you see no more of it than this.',
  fields: (t) => ({
    membershipId: t.id({
      requires: membership,
      description: 'The membership (`mem_…`) to accept by updating it, or to decline by deleting it.',
      resolve: ({ membershipId }) => publicId('membership', membershipId),
    }),
    groupId: t.id({
      requires: membership,
      description: 'The id of the team (`tea_…`) or of the organization (`org_…`).',
      resolve: ({ groupKind, groupId }) => publicId(groupKind, groupId),
    }),
    groupName: t.exposeString('groupName', { requires: membership, description: 'The title that bookers see.' }),
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

const ReceivedInvitationConnection = connectionOf(ReceivedInvitation);

for (const { group, scopeLevel } of [LEVELS.team, LEVELS.organization]) {
  viewerList(`${group.kind}Invitations`, {
    type: ReceivedInvitationConnection,
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
const Invitation = builder.objectRef<SentInvitationRow>('Invitation').implement({
  description: 'An invitation by e-mail to a team or an organization that has not been answered yet.',
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
      description: `When its link stops working: ${INVITATION_DAYS} days after the last mail. The invitation is then deleted.`,
    }),
  }),
});

const INVITATIONS: Store<OfGroup> = {
  kind: 'invitation',
  ...groupReads({ kind: 'invitation', noun: 'an invitation', pages: sentInvitationPages, find: findSentInvitations }),
  newOwner: invitingGroup,
  namedOwner: invitationNamed,
};

const InvitationFilter = listFilter('Invitation', {
  roles: apart('i.role', among('i.role', MembershipRole, 'To one of these roles.')),
  text: containing(['i.email'], 'the e-mail address'),
});

const LIST = 'Whom it has invited by mail and who has not answered yet, oldest first. Null unless you administer it.';
const WITHDRAW = 'Withdraws an invitation by mail: its link stops working.';

resourceOf({
  type: Invitation,
  store: INVITATIONS,
  reads: data,
  writes: write,
  list: { name: 'invitations', filter: InvitationFilter, describes: { team: LIST, organization: LIST } },
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
  mutation(`${level}InvitationCreate`, {
    description: `Invites somebody to the ${level} by a link that is mailed to them and works once, for ${INVITATION_DAYS} days. They need no account: who has none makes it by the link, with a password of their own.${TAKES[level]}`,
    requires: enteringAt(level, write),
    errors: INVITE_CODES,
    onceByKey: true,
    input: (t) => ({
      ...pathFields(t, level),
      email: t.field({ type: 'EmailAddress', required: true, description: `Whom: ${EMAIL_IN_WORDS}.` }),
      role: t.field({
        type: MembershipRole,
        description: 'What they may do there: no more than you. MEMBER if left out.',
      }),
    }),
    resolve: async (given, context) => {
      const input = await withinOrganization(level, given, context);
      const { owner, rest } = invitingGroup(level, input, context);
      const { email, role } = rest as unknown as Pick<SentInvitationRow, 'email'> &
        Partial<Pick<SentInvitationRow, 'role'>>;
      const id = await invite(context.em, context.invitationMails, owner, { email, role: role ?? 'MEMBER' });
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

function invitationFields(level: GroupLevel): PayloadFields<Sent & Repetition> {
  const readAgain = INVITATIONS.readAgainAt(level);
  return (t) => ({
    invitationId: t.exposeID('invitationId', { nullable: true, requires: INHERIT }),
    invitation: t.field({
      type: Invitation,
      nullable: true,
      requires: { [level]: data[level] },
      resolve: async ({ invitationId, found, repeats }, _args, context, info) => {
        if (found) return (await readAgain(context, { ownerId: found.groupId, id: found.id }, info)) as never;
        if (!repeats) return undefined;
        // The caller may have lost the right since, and somebody may have answered it.
        const { owner, id } = invitationNamed(level, { ...repeats, invitationId }, context);
        return (await INVITATIONS.readInCharge(context, owner, { ownerId: owner.ownerId, id }, info)) as never;
      },
    }),
  });
}
