import { mapped } from '../../core/page.ts';
import { LOCALE_IN_WORDS, TIME_ZONE_IN_WORDS } from '../../core/text.ts';
import { sql } from '../../database/sql.ts';
import { batchedEach } from '../../graphql/batch.ts';
import { builder } from '../../graphql/builder.ts';
import { connectionOf, pageArguments, pagesBelow } from '../../graphql/connection.ts';
import { describedById, idArgument, idInWords } from '../../graphql/id-arguments.ts';
import { among, apart, filterArgument, type GivenFilter, listFilter } from '../../graphql/list-filter.ts';
import { mutation } from '../../graphql/mutation.ts';
import { entering, INHERIT, reads, writes } from '../../scopes/declare.ts';
import { MAX_PROFILE } from '../accounts/account.rules.ts';
import { Member, TimeFormat, WeekDay } from '../accounts/accounts.graphql.ts';
import type { Member as MemberShape } from '../accounts/user.queries.ts';
import { actorInGroup, pathFields } from '../levels/owned-store.graphql.ts';
import { ORGANIZATION } from '../organizations/group.ts';
import { Organization } from '../organizations/organization.graphql.ts';
import { isAtLeast } from '../organizations/role.rules.ts';
import { findMemberships, type MembershipRow, membershipPages, type WantedOfGroup } from './membership.queries.ts';
import { MembershipRole, OF_PERSON } from './memberships.graphql.ts';
import { requireUserNamed, UPDATE_ORGANIZATION_USER_CODES, updateOrganizationUser } from './organization-user.ts';

const read = reads('MEMBERSHIP', ['ORGANIZATION']);

const MemberConnection = connectionOf(Member);
const MemberFilter = listFilter('Member', {
  ...OF_PERSON,
  // As the index has it.
  roles: apart(
    sql`case when m.accepted then m.role end`,
    among('m.role', MembershipRole, 'With one of these roles in the organization.'),
  ),
});

const loadUsers = pagesBelow(
  { columns: ['UUID'], keyOf: ({ id }: MemberShape) => [id] },
  async (context, ids, request, given: GivenFilter | null | undefined) => {
    const filter = MemberFilter.narrowedBy(given, context);
    const found = await membershipPages(context.em, ORGANIZATION, 'USERS', ids, request, filter);
    return new Map([...found].map(([id, page]) => [id, mapped(page, personOf)]));
  },
);

builder.objectField(Organization, 'users', (t) =>
  t.field({
    type: MemberConnection,
    nullable: true,
    description: 'Its members who have accepted. Null unless you administer it.',
    requires: read,
    args: { ...filterArgument(MemberFilter), ...pageArguments() },
    resolve: ({ id, role }, args, context) =>
      isAtLeast(role, 'ADMIN') ? loadUsers(context, id, args, args.filter) : undefined,
  }),
);

/** The list of people has only those who have accepted, so each row shows its person. */
function personOf({ user }: MembershipRow): MemberShape {
  if (!user) throw new Error('Somebody who has not accepted is in the list of people.');
  return user;
}

const findMembers = batchedEach(async ({ em }, wanted: readonly WantedOfGroup[]) => {
  const found = await findMemberships(em, ORGANIZATION, wanted, undefined, 'USERS');
  return found.map((membership) => membership && personOf(membership));
});

builder.objectField(Organization, 'user', (t) =>
  t.field({
    type: Member,
    nullable: true,
    description: `${describedById('users')} Null unless you administer it.`,
    requires: read,
    args: { id: t.arg.id({ required: true, description: idInWords('user') }) },
    resolve: ({ id: groupId, role }, { id: named }, context) => {
      const id = isAtLeast(role, 'ADMIN') ? idArgument('user', named, ['id']) : undefined;
      return id === undefined ? undefined : findMembers(context, { groupId, id }, undefined);
    },
  }),
);

const write = entering('ORGANIZATION', writes('MEMBERSHIP', ['ORGANIZATION']));
const USER_ID = { required: true, description: 'The member, by their id (`usr_…`).' } as const;

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
    weekStart: t.field({ type: WeekDay, description: 'The day on which their weeks begin.' }),
    timeFormat: t.field({ type: TimeFormat, description: 'Hours on their clock, in pages and mails.' }),
    locale: t.string({ description: `The language of their mails and dates: ${LOCALE_IN_WORDS}.` }),
  }),
  resolve: async ({ userId, ...input }, context) => {
    const administrator = actorInGroup('organization', input, context);
    const id = requireUserNamed(userId);
    await updateOrganizationUser(context.em, administrator, id, input);
    return { userId, changed: { groupId: administrator.groupId, id } };
  },
  payload: (t) => ({
    userId: t.exposeID('userId', { nullable: true, requires: INHERIT }),
    user: t.field({
      type: Member,
      nullable: true,
      requires: read,
      resolve: ({ changed }, _args, context) => changed && findMembers(context, changed, undefined),
    }),
  }),
});
