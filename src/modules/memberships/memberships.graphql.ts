/**
 * memberships/ holds who belongs to a team or an organization and as what: invitations, roles, the rule that somebody owns
 * it. What a group is and where somebody stands in it is said by organizations/ and teams/, which know nothing of this. It
 * may import those and levels.
 */
import { ID_TAGS, idOf, type OwnedId, type PlainKind, publicId } from '../../core/id.ts';
import type { Page, PageRequest } from '../../core/page.ts';
import type { Apart, Narrowed } from '../../database/pages.ts';
import { type Em, type RawBuilder, sql } from '../../database/sql.ts';
import { batchedEach } from '../../graphql/batch.ts';
import { builder } from '../../graphql/builder.ts';
import { pagesBelow } from '../../graphql/connection.ts';
import type { GraphQLContext } from '../../graphql/context.ts';
import { describedValues } from '../../graphql/descriptions.ts';
import { OTHER_KINDS } from '../../graphql/id-arguments.ts';
import { among, apart, containing, equal, type GivenFilter, listFilter, where } from '../../graphql/list-filter.ts';
import { mutation } from '../../graphql/mutation.ts';
import { INHERIT, reads, writes } from '../../scopes/declare.ts';
import { Member } from '../accounts/accounts.graphql.ts';
import { enteringAt, type GroupLevel, LEVELS } from '../levels/level.graphql.ts';
import {
  actorInGroup,
  type Given,
  type Input,
  pathFields,
  type Row,
  type Store,
  type Whose,
  withinOrganization,
} from '../levels/owned-store.graphql.ts';
import { administers, type LevelName } from '../levels/reach.ts';
import { resourceOf } from '../levels/resource.graphql.ts';
import type { FurnishMember, Group, GroupAdministrator } from '../organizations/group.ts';
import { ROLES } from '../organizations/role.rules.ts';
import {
  CREATE_MEMBERSHIP_CODES,
  createMembership,
  HAND_OVER_OWNERSHIP_CODES,
  handOverOwnership,
  requireMembershipId,
  requirePersonId,
  UPDATE_MEMBERSHIP_CODES,
  updateMembership,
} from './membership.commands.ts';
import {
  accountsOf,
  findMemberships,
  IS_SHOWN,
  isOfEmail,
  type MembershipRow,
  membershipPages,
  type WantedOfGroup,
} from './membership.queries.ts';

/** The group whose thing is made or changed, and the actor. */
export interface OfGroup extends Whose, GroupAdministrator {}

interface GroupTable<Shape> {
  readonly kind: PlainKind;
  /** As a sentence names one. */
  readonly noun: string;
  readonly pages: (
    em: Em,
    group: Group,
    groupIds: readonly string[],
    request: PageRequest,
    by: Narrowed<Apart> | undefined,
  ) => Promise<Map<string, Page<Shape>>>;
  /** Under a condition over the group's rights, where that has to be decided by the same statement. */
  readonly find: (
    em: Em,
    group: Group,
    wanted: readonly WantedOfGroup[],
    condition?: RawBuilder<boolean>,
  ) => Promise<(Shape | undefined)[]>;
}

/** How they are read: by their ids, and in the order of these. Whether the caller may see them is decided before. */
export function groupReads<Shape extends { readonly id: string }>({ kind, noun, pages, find }: GroupTable<Shape>) {
  const loaderAt = (level: LevelName) => {
    const { group } = LEVELS[groupLevel(level)];
    return batchedEach(
      ({ em }, wanted: readonly WantedOfGroup[], _args: undefined) =>
        find(em, group, wanted) as unknown as Promise<(Row | undefined)[]>,
    );
  };
  return {
    idInWords: `The id of ${noun}, which begins with \`${ID_TAGS[kind]}_\`. ${OTHER_KINDS}`,
    idOf(named, groupId) {
      const id = idOf(kind, named);
      return id === undefined ? undefined : { ownerId: groupId, id };
    },
    publicId: ({ id }) => publicId(kind, id),

    pagesAt(level, filter) {
      const { group } = LEVELS[groupLevel(level)];
      const order = { columns: ['UUID' as const], keyOf: ({ id }: Shape) => [id] };
      const load = pagesBelow(order, (context, ids, request, given: GivenFilter | null | undefined) =>
        pages(context.em, group, ids, request, filter?.narrowedBy(given, context)),
      );
      return (context, groupId, page, _info, given) => load(context, groupId, page, given) as never;
    },
    lookUpsAt(level) {
      const load = loaderAt(level);
      return (context, groupId, { id }) => load(context, { groupId, id }, undefined);
    },
    // The caller is shown the thing that they have just changed, whatever their role has become.
    readAgainAt(level) {
      const load = loaderAt(level);
      return (context, { ownerId: groupId, id }) => load(context, { groupId, id }, undefined);
    },
    async readInCharge({ em }: GraphQLContext, owner: OfGroup, { id }: OwnedId) {
      const found = find(em, owner.group, [{ groupId: owner.groupId, id }], administers(owner));
      const [row] = (await found) as unknown as Row[];
      return row;
    },
    selected: () => undefined,
    ownerFields: () => ({}),
  } satisfies Partial<Store<OfGroup>>;
}

export function groupLevel(level: LevelName): GroupLevel {
  if (level === 'user') throw new Error('What groups have is of teams and organizations.');
  return level;
}

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
const MEMBERSHIPS: Store<MembershipGroup> = {
  kind: 'membership',
  ...groupReads({
    kind: 'membership',
    noun: 'a membership',
    pages: (em, group, ...rest) => membershipPages(em, group, 'MEMBERSHIPS', ...rest),
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

const data = reads('MEMBERSHIP');

export const MembershipRole = builder.enumType('MembershipRole', {
  description:
    'A role in a team or an organization: MEMBER, ADMIN and OWNER, each of which can do everything that the one before it can.',
  values: describedValues(ROLES, {
    MEMBER: 'Belongs to it, and sees its profile.',
    ADMIN:
      'Can do what a MEMBER can; also sees and changes what belongs to the team or organization and to its members, and manages memberships up to ADMIN.',
    OWNER:
      'Can do what an ADMIN can; also changes and deletes a team, and makes and removes other owners. There is always at least one; if the last owner of a team leaves its organization, the administrators of the organization take the team over.',
  }),
});

/**
 * A membership of a team or of an organization: the level at which it is reached tells which, and decides by which
 * scope.
 */
const Membership = builder.objectRef<MembershipRow>('Membership').implement({
  description: 'A person’s membership of a team or an organization, with their role.',
  fields: (t) => ({
    id: t.id({ requires: data, resolve: ({ id }) => publicId('membership', id) }),
    role: t.expose('role', {
      type: MembershipRole,
      requires: data,
      description: 'The role of the member.',
    }),
    isAccepted: t.exposeBoolean('accepted', {
      requires: data,
      description: 'False while it is an invitation, which gives no rights yet.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      requires: data,
      description: 'When they were added or invited.',
    }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', requires: data }),
    userId: t.id({
      requires: data,
      description: 'The id of the member, or of the user who is invited.',
      resolve: ({ userId }) => publicId('user', userId),
    }),
    user: t.expose('user', {
      type: Member,
      nullable: true,
      requires: data,
      description: 'The member. Null until they have accepted.',
    }),
  }),
});

const LIST = 'Who belongs to it, oldest membership first. Null unless you administer it.';
const UPDATE = "Changes somebody's role, or accepts your own invitation.";

const PERSON_TEXTS = 'their name, username or e-mail address';

/** The people of memberships, who are shown once they have accepted. */
export const OF_PERSON = {
  email: {
    ...where(IS_SHOWN, {
      type: 'EmailAddress',
      description: 'Of the person with this e-mail address, in any capitals.',
      condition: isOfEmail,
    }),
    apart: (email: string) => ({
      found: sql`(${accountsOf(email)}) as account`,
      has: sql<boolean>`m.user_id = account.id`,
    }),
  },
  text: where(IS_SHOWN, containing(['u.name', 'u.username', 'u.email'], PERSON_TEXTS)),
};

const MembershipFilter = listFilter('Membership', {
  ...OF_PERSON,
  roles: apart('m.role', among('m.role', MembershipRole, 'With one of these roles.')),
  isAccepted: apart(
    'm.accepted',
    equal('m.accepted', 'Boolean', 'Only those that have been accepted, or only invitations.'),
  ),
});

// How one ends is said where bookings are known: bookings/departures/.
resourceOf({
  type: Membership,
  store: MEMBERSHIPS,
  reads: data,
  writes: writes('MEMBERSHIP'),
  list: { name: 'memberships', filter: MembershipFilter, describes: { team: LIST, organization: LIST } },
  create: {
    input: (t) => ({
      userId: t.id({ required: true }),
      role: t.field({ type: MembershipRole, required: true, description: 'What they may do there: no more than you.' }),
    }),
    errors: CREATE_MEMBERSHIP_CODES,
    run: (em, { group, furnish, ...place }, { userId, role }) =>
      createMembership(em, group, place, { userId: requirePersonId(userId), role }, furnish),
    describes: {
      team: 'Invites a user to a team; the membership counts when they accept it. A team of an organization takes its members only. An administrator of the organization adds them at once, save for those whose role in it stands above: they are invited.',
      organization: 'Invites a user to an organization. The membership counts when they accept it.',
    },
  },
  update: {
    input: (t) => ({
      role: t.field({ type: MembershipRole, description: 'What they may do there: no more than you.' }),
      isAccepted: t.boolean({
        description: 'True accepts the invitation. Only the person who was invited can send it.',
      }),
    }),
    errors: UPDATE_MEMBERSHIP_CODES,
    run: async (em, { group, furnish, ...place }, membershipId, patch) => {
      await updateMembership(em, group, { ...place, membershipId }, patch, furnish);
      return undefined;
    },
    describes: { team: UPDATE, organization: UPDATE },
  },
});

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
