import { publicId } from '../../core/id.ts';
import { EMAIL_IN_WORDS, LOCALE_IN_WORDS, TIME_ZONE_IN_WORDS } from '../../core/text.ts';
import { builder } from '../../graphql/builder.ts';
import { connectionOf, pageArguments, pagesBelow } from '../../graphql/connection.ts';
import { mutation } from '../../graphql/mutation.ts';
import { entering, INHERIT, reads, writes } from '../../scopes/declare.ts';
import { MAX_PROFILE } from '../accounts/account.rules.ts';
import { User, WeekDay } from '../accounts/accounts.graphql.ts';
import type { Person } from '../accounts/user.queries.ts';
import { actorInGroup, pathFields } from '../levels/owned-store.graphql.ts';
import { ORGANIZATION } from '../organizations/group.ts';
import { Organization } from '../organizations/organization.graphql.ts';
import { isAtLeast } from '../organizations/role.rules.ts';
import { INVITE_CODES, invite } from './invite.ts';
import { membershipPages } from './membership.queries.ts';
import { MembershipRole } from './memberships.graphql.ts';
import { requireUserNamed, UPDATE_ORGANIZATION_USER_CODES, updateOrganizationUser } from './organization-user.ts';

const read = reads('MEMBERSHIP', ['ORGANIZATION']);

const UserConnection = connectionOf(User);

const loadUsers = pagesBelow({ columns: ['UUID'], keyOf: ({ id }: Person) => [id] }, async ({ em }, ids, request) => {
  const found = await membershipPages(em, ORGANIZATION, 'USERS', ids, request);
  return new Map([...found].map(([id, page]) => [id, { ...page, rows: page.rows.map(({ user }) => user) }]));
});

builder.objectField(Organization, 'users', (t) =>
  t.field({
    type: UserConnection,
    nullable: true,
    description: 'Its members who have accepted. Null unless you administer it.',
    requires: read,
    args: pageArguments(),
    resolve: ({ id, role }, page, context) =>
      isAtLeast(role, 'ADMIN') ? loadUsers(context, id, page, undefined) : undefined,
  }),
);

const write = entering('ORGANIZATION', writes('MEMBERSHIP', ['ORGANIZATION']));
const USER_ID = { required: true, description: 'The member, by their id (`usr_…`).' } as const;

mutation('organizationUserCreate', {
  description:
    'Invites somebody by mail, as `organizationInvite` does. Who has no account makes it by the link, with a password of their own: nobody makes it for them.',
  requires: write,
  errors: INVITE_CODES,
  onceByKey: true,
  input: (t) => ({
    ...pathFields(t, 'organization'),
    email: t.field({ type: 'EmailAddress', required: true, description: `Whom: ${EMAIL_IN_WORDS}.` }),
    role: t.field({ type: MembershipRole, description: 'What they may do there: no more than you. Left out: MEMBER.' }),
  }),
  resolve: async ({ email, role, ...input }, context) => {
    const administrator = actorInGroup('organization', input, context);
    const id = await invite(context.em, context.invitationMails, administrator, { email, role: role ?? 'MEMBER' });
    return { invitationId: publicId('invitation', id) };
  },
  payload: (t) => ({
    invitationId: t.exposeID('invitationId', { nullable: true, requires: INHERIT }),
  }),
});

mutation('organizationUserUpdate', {
  description:
    'Changes the profile of a member who has accepted and does not stand above you. What they sign in with is theirs alone to change.',
  requires: write,
  errors: UPDATE_ORGANIZATION_USER_CODES,
  input: (t) => ({
    ...pathFields(t, 'organization'),
    userId: t.id(USER_ID),
    name: t.string({
      description: `What people call them: at most ${MAX_PROFILE.name} characters in one line. FORBIDDEN unless their account was made by an invitation of this organization, and they belong to no team or organization outside of it: else it is theirs alone.`,
    }),
    timeZone: t.field({
      type: 'TimeZone',
      description: `That of their dates: ${TIME_ZONE_IN_WORDS}. Schedules have their own.`,
    }),
    weekStart: t.field({ type: WeekDay, description: 'With which day their weeks begin.' }),
    timeFormat: t.int({ description: 'Hours on their clock: 12 or 24.' }),
    locale: t.string({ description: `The language of their mails and dates: ${LOCALE_IN_WORDS}.` }),
  }),
  resolve: async ({ userId, ...input }, context) => {
    const administrator = actorInGroup('organization', input, context);
    await updateOrganizationUser(context.em, administrator, requireUserNamed(userId), input);
    return { userId };
  },
  payload: (t) => ({ userId: t.exposeID('userId', { nullable: true, requires: INHERIT }) }),
});
