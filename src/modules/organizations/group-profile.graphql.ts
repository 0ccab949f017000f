/** What an organization and a team say of themselves, as fields of both types and of the inputs that make and change them. */
import { TIME_ZONE_IN_WORDS, URL_IN_WORDS } from '../../core/text.ts';
import type { InputBuilder } from '../../graphql/builder.ts';
import { TEXT, URL_TEXT } from '../../graphql/limits/price.ts';
import type { RowFields } from '../../graphql/row.ts';
import type { Requirement } from '../../scopes/requirement.ts';
import { WeekDay } from '../accounts/accounts.graphql.ts';
import { MAX_BIO_LENGTH, MAX_NAME_LENGTH } from './group-profile.rules.ts';
import type { Organization } from './organization.entity.ts';

/** Both tables have these columns. */
type Columns = Pick<RowFields<typeof Organization>, 'column'>;

/** What one kind of group says of a field in words of its own. */
type Words<Field extends string> = Readonly<Record<Field, string>>;

export function groupProfileFields(
  t: Columns,
  requires: Requirement,
  words: Words<'slug' | 'weekStart' | 'isPrivate'>,
) {
  return {
    slug: t.column('slug', { requires, description: words.slug }),
    name: t.column('name', { requires, description: 'What people call it.' }),
    bio: t.column('bio', {
      price: TEXT,
      requires,
      description: 'What it says of itself, as plain text. Null: nothing.',
    }),
    logoUrl: t.column('logoUrl', {
      type: 'URL',
      price: URL_TEXT,
      requires,
      description: 'The https address of its logo. Null: there is none.',
    }),
    timeZone: t.column('timeZone', {
      type: 'TimeZone',
      requires,
      description: 'An IANA name, such as `Europe/Berlin`.',
    }),
    weekStart: t.column('weekStart', { type: WeekDay, requires, description: words.weekStart }),
    isPrivate: t.column('isPrivate', { requires, description: words.isPrivate }),
    metadata: t.column('metadata', {
      type: 'Metadata',
      requires,
      description: 'What apps keep with it; whoever may read its profile sees it.',
    }),
    createdAt: t.column('createdAt', { requires }),
    updatedAt: t.column('updatedAt', { requires }),
  };
}

const NAME = `What people call it: at most ${MAX_NAME_LENGTH} characters in one line.`;

/** What it can be founded with. `atFirst` says whose time zone and week it has when none is given. */
export function newGroupFields(t: InputBuilder, words: Words<'slug' | 'atFirst' | 'isPrivate'>) {
  return {
    ...groupPatchFields(t, words),
    slug: t.string({ required: true, description: words.slug }),
    name: t.string({ required: true, description: NAME }),
    metadata: t.field({ type: 'Metadata', description: 'Keys and values of your own.' }),
  };
}

/** What of it can be changed. */
export function groupPatchFields(t: InputBuilder, words: Words<'slug' | 'atFirst' | 'isPrivate'>) {
  return {
    slug: t.string({ description: words.slug }),
    name: t.string({ description: NAME }),
    bio: t.string({ description: `What it says of itself: at most ${MAX_BIO_LENGTH} characters. Null empties it.` }),
    logoUrl: t.field({ type: 'URL', description: `Its logo: ${URL_IN_WORDS}. Null removes it.` }),
    timeZone: t.field({ type: 'TimeZone', description: `Of its dates: ${TIME_ZONE_IN_WORDS}. ${words.atFirst}` }),
    weekStart: t.field({ type: WeekDay, description: `With which day weeks begin. ${words.atFirst}` }),
    isPrivate: t.boolean({ description: words.isPrivate }),
    metadata: t.field({
      type: 'MetadataPatch',
      description: 'Keys to set or, with null, to take away; all others stay.',
    }),
  };
}
