import type { GraphQLResolveInfo } from 'graphql';
import { publicId } from '../../core/id.ts';
import { type Page, type PageRequest, pageRequest } from '../../core/page.ts';
import { Problem } from '../../core/problem.ts';
import { EMAIL_IN_WORDS, LOCALE_IN_WORDS, SLUG_IN_WORDS, TIME_ZONE_IN_WORDS, URL_IN_WORDS } from '../../core/text.ts';
import { builder } from '../../graphql/builder.ts';
import { type ConnectionRef, connection, type ListOrder, pageArguments } from '../../graphql/connection.ts';
import { type GraphQLContext, requireSession, requireUserId } from '../../graphql/context.ts';
import { describedId, describedValues } from '../../graphql/descriptions.ts';
import { TEXT, URL_TEXT } from '../../graphql/limits/price.ts';
import { ifUpdatedAtField, mutation } from '../../graphql/mutation.ts';
import { type RowFields, rowType } from '../../graphql/row.ts';
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
import { findUsers, type Person as PersonShape, type UserProfile } from './user.queries.ts';

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

export const WeekDay = builder.enumType('WeekDay', {
  description: 'A day of the week, Monday first.',
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

const profile = reads('PROFILE', ['USER']);

export const Viewer = builder.objectRef<ViewerShape>('Viewer').implement({
  description: 'You: the user for whom this operation runs, and what is yours.',
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
      description: 'Where mails go to, and what you sign in with; see `emailVerified`.',
      resolve: fromProfile('email'),
    }),
    emailVerified: t.boolean({
      requires: profile,
      description:
        'Whether you have shown to read mail at `email`. Until then it may be anybody’s: an app must not know you by it.',
      resolve: fromProfile('isEmailVerified'),
    }),
    timeZone: t.field({
      type: 'TimeZone',
      requires: profile,
      description: 'An IANA name, such as `Europe/Berlin`.',
      resolve: fromProfile('timeZone'),
    }),
    weekStart: t.field({
      type: WeekDay,
      requires: profile,
      description: 'With which day weeks begin in your calendars, and weekly limits of bookings.',
      resolve: fromProfile('weekStart'),
    }),
    timeFormat: t.int({
      requires: profile,
      description: 'Hours on the clock, in pages and mails: 12 or 24.',
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

export const User = builder.objectRef<PersonShape>('User').implement({
  description:
    'Somebody else, as the administrators of a team or an organization see its members. Of somebody who has not accepted the membership, only `id` is told: the texts are empty, and `timeZone` is `UTC`.',
  fields: (t) => ({
    id: t.id({ requires: member, resolve: ({ id }) => publicId('user', id) }),
    name: t.exposeString('name', { requires: member, description: 'What people call them.' }),
    username: t.exposeString('username', {
      requires: member,
      description: 'Their name in the addresses of their booking pages.',
    }),
    avatarUrl: t.expose('avatarUrl', {
      type: 'URL',
      price: URL_TEXT,
      nullable: true,
      requires: member,
      description: 'The https address of their picture. Null: there is none.',
    }),
    timeZone: t.expose('timeZone', {
      type: 'TimeZone',
      requires: member,
      description: 'An IANA name, such as `Europe/Berlin`.',
    }),
    email: t.expose('email', {
      type: 'EmailAddress',
      nullable: true,
      requires: member,
      description: 'Null until the person has accepted the membership.',
    }),
  }),
});

builder.queryField('me', (t) =>
  t.field({
    type: Viewer,
    description: 'You, and what is yours.',
    requires: entering('USER', INHERIT),
    resolve: (_root, _args, context) => viewerOf(context),
  }),
);

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
    weekStart: t.field({ type: WeekDay, description: 'With which day weeks begin.' }),
    timeFormat: t.int({ description: 'Hours on the clock: 12 or 24.' }),
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
      description: 'You, as you are now. Null if it was refused.',
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

/** The fields of a person, for a type of their row. */
export function personFields(t: RowFields<typeof UserEntity>, requires: Requirement) {
  return {
    id: t.id('id', 'user', { requires }),
    name: t.column('name', { requires, description: 'What people call them.' }),
    username: t.column('username', { requires, description: 'Their name in the addresses of their booking pages.' }),
  };
}

export const Person = rowType(UserEntity, 'Person', {
  description: 'A person, as their profile or membership shows them.',
  fields: (t) => ({
    ...personFields(t, people),
    avatarUrl: t.column('avatarUrl', {
      type: 'URL',
      price: URL_TEXT,
      requires: people,
      description: 'The https address of their picture. Null: there is none.',
    }),
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
  ) => Promise<Page<Row>>;
}

/** Declares a list of the caller's own: `me { name(first: …) }`. */
export function viewerList<Row>(name: string, { order, find, ...options }: ViewerList<Row>): void {
  builder.objectField(Viewer, name, (t) =>
    t.field({
      ...options,
      nullable: true,
      args: pageArguments(),
      resolve: async ({ id }, page, context, info) =>
        connection(await find(context, id, pageRequest(page, order.columns), info), order.keyOf),
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
