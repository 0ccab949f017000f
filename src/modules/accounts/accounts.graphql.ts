import type { ObjectRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import { publicId } from '../../core/id.ts';
import { type Page, type PageRequest } from '../../core/page.ts';
import { Problem } from '../../core/problem.ts';
import { EMAIL_IN_WORDS, LOCALE_IN_WORDS, SLUG_IN_WORDS, TIME_ZONE_IN_WORDS, URL_IN_WORDS } from '../../core/text.ts';
import type { Narrowed } from '../../database/pages.ts';
import { builder, type Types } from '../../graphql/builder.ts';
import { type ConnectionRef, connection, type ListOrder, pageArguments } from '../../graphql/connection.ts';
import { type GraphQLContext, requireSession, requireUserId } from '../../graphql/context.ts';
import { describedId, describedValues } from '../../graphql/descriptions.ts';
import { TEXT, URL_TEXT } from '../../graphql/limits/price.ts';
import { filterArgument, type ListFilter } from '../../graphql/list-filter.ts';
import { ifUpdatedAtField, mutation } from '../../graphql/mutation.ts';
import { rowType } from '../../graphql/row.ts';
import type { GuessLimit, Verification } from '../../limits/guess-limit.ts';
import { entering, FIRST_PARTY, INHERIT, reads, writes } from '../../scopes/declare.ts';
import type { Requirement } from '../../scopes/requirement.ts';
import { MAX_PROFILE, WEEK_DAYS } from './account.rules.ts';
import { findPendingEmail } from './links/account-links.ts';
import type { AccountMails } from './links/account-mails.ts';
import { REQUEST_EMAIL_CHANGE_CODES, requestEmailChange } from './links/change-email.ts';
import type { RememberedProfiles } from './remembered-profiles.ts';
import { UPDATE_PROFILE_CODES, updateProfile } from './update-profile.ts';
import { User as UserEntity } from './user.entity.ts';
import { findUsers, type Member as MemberShape, type ShownUser, type UserProfile } from './user.queries.ts';

declare module '../../graphql/context.ts' {
  interface ModuleContext {
    /** Counts wrong passwords; the same one everywhere that takes a password. */
    readonly passwordGuesses: GuessLimit;
    /** Mails codes to people who have to show that an address is theirs. */
    readonly verification: Verification;
    readonly accountMails: AccountMails;
    readonly profiles: RememberedProfiles;
  }
}

/** The caller. The profile is loaded when a field of it is selected, and once: the edges below need the id alone. */
interface ViewerShape {
  readonly id: string;
  readonly profile: () => UserProfile | Promise<UserProfile>;
}

export const TimeFormat = builder.enumType('TimeFormat', {
  description: 'Hours on the clock.',
  values: {
    H12: { value: 12, description: 'Twelve, with a.m. and p.m.: 5:30 p.m.' },
    H24: { value: 24, description: 'Twenty-four: 17:30.' },
  } as const,
});

export const WeekDay = builder.enumType('WeekDay', {
  description: 'A day of the week. Weeks begin on Monday, as in ISO 8601.',
  values: describedValues(WEEK_DAYS, {
    MONDAY: 'The first day of the week in ISO 8601.',
    TUESDAY: 'The second day of the week in ISO 8601.',
    WEDNESDAY: 'The third day of the week in ISO 8601.',
    THURSDAY: 'The fourth day of the week in ISO 8601.',
    FRIDAY: 'The fifth day of the week in ISO 8601.',
    SATURDAY: 'The sixth day of the week in ISO 8601: no business day.',
    SUNDAY: 'The last day of the week in ISO 8601: no business day.',
  }),
});

const NAME = 'Their display name.';
const USERNAME = 'Their name in the addresses of their booking pages.';
const AVATAR = 'The https address of their picture. Null: there is none.';

// An interface's field requires nobody's scope: it is judged by the objects that may stand there
// (scopes/schema-rules.ts).

type PublicShape = Pick<ShownUser, 'name'> & Partial<Pick<ShownUser, 'avatarUrl'>>;
type FieldsOf<Shape> = PothosSchemaTypes.ObjectFieldBuilder<Types, Shape>;

/** The fields of `PublicPerson`. */
export function publicPersonFields<Shape extends PublicShape>(t: FieldsOf<Shape>, requires: Requirement) {
  return {
    name: t.string({ requires, description: NAME, resolve: ({ name }) => name }),
    avatarUrl: t.field({
      type: 'URL',
      price: URL_TEXT,
      nullable: true,
      requires,
      description: AVATAR,
      resolve: ({ avatarUrl }) => avatarUrl,
    }),
  };
}

/** The fields of `Person`. */
function personFields<Shape extends ShownUser>(t: FieldsOf<Shape>, requires: Requirement) {
  return {
    ...publicPersonFields(t, requires),
    id: t.id({ requires, description: describedId('user'), resolve: ({ id }) => publicId('user', id) }),
    username: t.string({ requires, description: USERNAME, resolve: ({ username }) => username }),
  };
}

export const PublicPerson = builder.interfaceRef<object>('PublicPerson').implement({
  description: 'A user of the service, as far as anybody sees them with whom they are booked.',
  fields: (t) => publicPersonFields(t as unknown as FieldsOf<PublicShape>, INHERIT) as never,
});

/**
 * One interface for everybody who has an account. Attendees and guests are no persons of it: they are what somebody has typed
 * for one booking, with neither an id nor a username, and their address may be anybody's.
 */
const Person = builder.interfaceRef<object>('Person').implement({
  description:
    'A user of the service, wherever one is shown. Attendees and guests of bookings are none: they are names and addresses that somebody has given for one booking.',
  interfaces: [PublicPerson],
  fields: (t) => personFields(t as unknown as FieldsOf<ShownUser>, INHERIT) as never,
});

/** A type that implements an interface names those of the interface as well (§ 3.6 of GraphQL). */
const PERSON = [Person, PublicPerson];

const profile = reads('PROFILE', ['USER']);

export const Viewer = builder.objectRef<ViewerShape>('Viewer').implement({
  description: 'You: the user for whom this operation runs, and what is yours.',
  interfaces: PERSON,
  baseScopes: profile,
  fields: (t) => ({
    id: t.id({
      requires: profile,
      description: describedId('user'),
      resolve: ({ id }) => publicId('user', id),
    }),
    name: t.string({ requires: profile, description: 'Your name.', resolve: fromProfile('name') }),
    username: t.string({
      requires: profile,
      description: 'Your name in the addresses of your booking pages.',
      resolve: fromProfile('username'),
    }),
    email: t.field({
      type: 'EmailAddress',
      requires: profile,
      description: 'Where mails go to, and what you sign in with; see `isEmailVerified`.',
      resolve: fromProfile('email'),
    }),
    isEmailVerified: t.boolean({
      requires: profile,
      description:
        'Whether you have proved that you receive mail at `email`. Until then it may be anybody’s: an app must not recognize you by it.',
      resolve: fromProfile('isEmailVerified'),
    }),
    timeZone: t.field({
      type: 'TimeZone',
      requires: profile,
      description: 'The time zone: an IANA name, such as `Europe/Berlin`.',
      resolve: fromProfile('timeZone'),
    }),
    weekStart: t.field({
      type: WeekDay,
      requires: profile,
      description: 'With which day weeks begin in your calendars, and weekly limits of bookings.',
      resolve: fromProfile('weekStart'),
    }),
    timeFormat: t.field({
      type: TimeFormat,
      requires: profile,
      description: 'Hours on the clock, in pages and mails.',
      resolve: fromProfile('timeFormat'),
    }),
    locale: t.string({
      requires: profile,
      description: `The language of pages, mails and dates: ${LOCALE_IN_WORDS}.`,
      resolve: fromProfile('locale'),
    }),
    bio: t.string({
      price: TEXT,
      nullable: true,
      requires: profile,
      description: 'What you say of yourself, as plain text, on your booking page too. Null: nothing.',
      resolve: fromProfile('bio'),
    }),
    avatarUrl: t.field({
      type: 'URL',
      price: URL_TEXT,
      nullable: true,
      requires: profile,
      description: 'The https address of your picture, which your booking pages show too. Null: there is none.',
      resolve: fromProfile('avatarUrl'),
    }),
    metadata: t.field({
      type: 'Metadata',
      requires: profile,
      description: 'What apps keep with your account; all apps that may read your profile see it.',
      resolve: fromProfile('metadata'),
    }),
    createdAt: t.field({
      type: 'DateTime',
      requires: profile,
      description: 'When you signed up.',
      resolve: fromProfile('createdAt'),
    }),
    updatedAt: t.field({
      type: 'DateTime',
      requires: profile,
      resolve: fromProfile('updatedAt'),
    }),
  }),
});

// Reached through memberships alone, so these cost nothing that the way here has not cost.
const member = reads('MEMBERSHIP', ['TEAM', 'ORGANIZATION']);

export const Member = builder.objectRef<MemberShape>('Member').implement({
  interfaces: PERSON,
  description: 'A user, as the administrators of a team or an organization see its members.',
  fields: (t) => ({
    ...personFields(t, member),
    timeZone: t.expose('timeZone', {
      type: 'TimeZone',
      requires: member,
      description: 'The time zone: an IANA name, such as `Europe/Berlin`.',
    }),
    email: t.expose('email', {
      type: 'EmailAddress',
      requires: member,
      description: 'Their e-mail address.',
    }),
  }),
});

/** One door with two names: Relay's compiler has fragments on `Viewer` refetched from a root field `viewer`, and from no other. */
const DOORS = {
  me: 'You: the user of the token or session, and everything that is yours.',
  viewer: 'The same as `me`, under the name from which Relay refetches fragments on `Viewer`.',
};
for (const [name, description] of Object.entries(DOORS)) {
  builder.queryField(name, (t) =>
    t.field({
      type: Viewer,
      description,
      requires: entering('USER', INHERIT),
      resolve: (_root, _args, context) => viewerOf(context),
    }),
  );
}

mutation('profileUpdate', {
  description: 'Changes your profile. What is left out stays as it is; null empties `bio` and `avatarUrl`.',
  requires: entering('USER', writes('PROFILE', ['USER'])),
  errors: UPDATE_PROFILE_CODES,
  input: (t) => ({
    name: t.string({ description: `Your name: at most ${MAX_PROFILE.name} characters in one line.` }),
    username: t.string({
      description: `Your name in addresses: ${SLUG_IN_WORDS}. The one before is kept for you for 90 days: nobody else gets it, and addresses with it lead to the new one.`,
    }),
    timeZone: t.field({
      type: 'TimeZone',
      description: `That of your dates: ${TIME_ZONE_IN_WORDS}. Schedules have their own.`,
    }),
    weekStart: t.field({ type: WeekDay, description: 'The day on which weeks begin.' }),
    timeFormat: t.field({ type: TimeFormat, description: 'Hours on the clock, in pages and mails.' }),
    locale: t.string({ description: `The language of pages, mails and dates: ${LOCALE_IN_WORDS}.` }),
    bio: t.string({ description: `What you say of yourself: at most ${MAX_PROFILE.bio} characters. Null empties it.` }),
    avatarUrl: t.field({ type: 'URL', description: `Your picture: ${URL_IN_WORDS}. Null removes it.` }),
    metadata: t.field({
      type: 'MetadataPatch',
      description: 'Keys to set or, with null, to take away; all others stay.',
    }),
    ...ifUpdatedAtField(t),
  }),
  resolve: async (input, context) => {
    const updated = await updateProfile(context.em, requireUserId(context), input);
    return { me: { id: updated.id, profile: () => updated } };
  },
  payload: (t) => ({
    me: t.field({
      type: Viewer,
      nullable: true,
      requires: profile,
      description: 'Your profile, as it is now. Null if it was refused.',
      resolve: ({ me }) => me,
    }),
  }),
});

/** The caller as a `Viewer`. */
function viewerOf(context: GraphQLContext): ViewerShape {
  const id = requireUserId(context);
  let loaded: UserProfile | Promise<UserProfile> | undefined;
  return { id, profile: () => (loaded ??= requireProfile(context, id)) };
}

function fromProfile<Name extends keyof UserProfile>(name: Name) {
  return (viewer: ViewerShape): UserProfile[Name] | Promise<UserProfile[Name]> => {
    const profile = viewer.profile();
    return profile instanceof Promise ? profile.then((found) => found[name]) : profile[name];
  };
}

function requireProfile(context: GraphQLContext, userId: string): UserProfile | Promise<UserProfile> {
  const found = context.profiles.get(userId, (userIds) => findUsers(context.sharedEm, userIds));
  return found instanceof Promise ? found.then(existing) : found;
}

function existing(profile: UserProfile | undefined): UserProfile {
  if (profile) return profile;
  throw new Problem('NOT_FOUND', 'This account no longer exists.');
}

/** These scopes let an app see a person: the user's own profile, or the memberships of a group. */
export const people = { ...reads('PROFILE', ['USER']), ...reads('MEMBERSHIP') };

/**
 * A user beside anything that shows one. The fields cost what the field that leads to them costs, which says whom the reader is
 * shown: so they are no more than what is shown of everybody.
 */
export const User: ObjectRef<Types, ShownUser> = rowType(UserEntity, 'User', {
  description:
    'A user, beside what they host, own or stand in for. Reading their fields takes no more than reading the field that leads to them.',
  interfaces: PERSON,
  fields: (t) => ({
    id: t.id('id', 'user', { requires: INHERIT }),
    name: t.column('name', { requires: INHERIT, description: NAME }),
    username: t.column('username', { requires: INHERIT, description: USERNAME }),
    avatarUrl: t.column('avatarUrl', { type: 'URL', price: URL_TEXT, requires: INHERIT, description: AVATAR }),
  }),
});

interface ViewerList<Row> {
  readonly type: ConnectionRef<Row>;
  readonly description: string;
  readonly requires: Requirement;
  readonly order: ListOrder<Row>;
  readonly find: (
    context: GraphQLContext,
    userId: string,
    request: PageRequest,
    info: GraphQLResolveInfo,
    by: Narrowed | undefined,
  ) => Promise<Page<Row>>;
  /** The fields that it can be narrowed by. */
  readonly filter?: ListFilter;
}

/** Declares a list of the caller's own: `me { name(first: …) }`. */
export function viewerList<Row>(name: string, { order, find, filter, ...options }: ViewerList<Row>): void {
  builder.objectField(Viewer, name, (t) =>
    t.field({
      ...options,
      nullable: true,
      args: { ...filterArgument(filter), ...pageArguments() },
      resolve: ({ id }, args, context, info) => {
        const by = filter?.narrowedBy(args.filter, context);
        return connection(order, args, (request) => find(context, id, request, info, by));
      },
    }),
  );
}

const requires = FIRST_PARTY;

builder.objectField(Viewer, 'pendingEmail', (t) =>
  t.field({
    type: 'EmailAddress',
    nullable: true,
    description: 'The new address that you have requested, until the link that was mailed there is followed.',
    requires,
    resolve: ({ id }, _, { em }) => findPendingEmail(em, id),
  }),
);

mutation('emailChange', {
  description:
    'Asks for another e-mail address. It becomes yours when the link that is mailed there is followed, within 24 hours.',
  requires,
  single: true,
  errors: REQUEST_EMAIL_CHANGE_CODES,
  input: (t) => ({
    newEmail: t.field({ type: 'EmailAddress', required: true, description: `The new address: ${EMAIL_IN_WORDS}.` }),
    currentPassword: t.string({ required: true, description: 'Shows that it is you; wrong ones are counted.' }),
  }),
  resolve: async (input, context) => {
    const { userId } = requireSession(context);
    const { em, passwordGuesses, accountMails, address } = context;
    return { pendingEmail: await requestEmailChange(em, passwordGuesses, accountMails, { ...input, userId, address }) };
  },
  payload: (t) => ({
    pendingEmail: t.expose('pendingEmail', {
      type: 'EmailAddress',
      nullable: true,
      requires,
      description: 'The address that a link was mailed to. Null if it was refused.',
    }),
  }),
});
