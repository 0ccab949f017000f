/**
 * Declares the profile of an organization and a team, as fields of both types and of the inputs that make and change
 * them.
 */
import { COLOR_IN_WORDS, TIME_ZONE_IN_WORDS, URL_IN_WORDS } from '../../core/text.ts';
import { columnOf } from '../../database/columns.ts';
import { builder, type InputBuilder } from '../../graphql/builder.ts';
import { describedValues } from '../../graphql/descriptions.ts';
import { TEXT, URL_TEXT } from '../../graphql/limits/price.ts';
import { type RowFields, rowInterface } from '../../graphql/row.ts';
import { INHERIT } from '../../scopes/declare.ts';
import type { Requirement } from '../../scopes/requirement.ts';
import { WeekDay } from '../accounts/accounts.graphql.ts';
import { INHERITABLE_FIELDS, type InheritableField, MAX_BIO_LENGTH, MAX_NAME_LENGTH } from './group-profile.rules.ts';
import { Organization } from './organization.entity.ts';

/** Both tables have these columns. */
type Columns = Pick<RowFields<typeof Organization>, 'column'>;
type Field = ReturnType<Columns['column']>;

/** The words that one kind of group has of its own for these fields. */
type Words<Field extends string> = Readonly<Record<Field, string>>;

/** The fields that everybody sees of a group with something that can be booked, besides those that a team can inherit. */
export function shownGroupFields(t: Columns, requires: Requirement) {
  return {
    name: t.column('name', { requires, description: 'The name that people see.' }),
    bio: t.column('bio', {
      price: TEXT,
      requires,
      description: 'What it says of itself, as plain text. Null: nothing.',
    }),
  };
}

export function groupProfileFields(t: Columns, requires: Requirement, words: Words<'slug' | 'isPrivate'>) {
  return {
    slug: t.column('slug', { requires, description: words.slug }),
    ...shownGroupFields(t, requires),
    isPrivate: t.column('isPrivate', { requires, description: words.isPrivate }),
    metadata: t.column('metadata', {
      type: 'Metadata',
      requires,
      description: 'What apps keep with it; everybody who may read its profile sees it.',
    }),
    createdAt: t.column('createdAt', { requires }),
    updatedAt: t.column('updatedAt', { requires }),
  };
}

/**
 * The fields that a team can inherit from its organization. An organization shows its columns, a team the values that
 * hold for it.
 */
export function inheritableFields(
  requires: Requirement,
  show: (name: InheritableField, options: InheritableOptions) => Field,
): Record<InheritableField, Field> {
  const fields = INHERITABLE_FIELDS.map((name) => [name, show(name, { ...INHERITABLE_OPTIONS[name], requires })]);
  return Object.fromEntries(fields) as Record<InheritableField, Field>;
}

type InheritableOptions = Parameters<RowFields<typeof Organization>['columnOr']>[3];

const INHERITABLE_OPTIONS: Readonly<Record<InheritableField, Omit<InheritableOptions, 'requires'>>> = {
  logoUrl: { type: 'URL', price: URL_TEXT, description: 'The https address of its logo. Null: there is none.' },
  brandColor: {
    type: 'String',
    description: `The accent of its booking pages, ${COLOR_IN_WORDS}. Null: that of the service.`,
  },
  timeZone: { type: 'TimeZone', description: 'The time zone: an IANA name, such as `Europe/Berlin`.' },
  weekStart: { type: WeekDay, description: 'With which day weeks begin, for weekly limits of event types.' },
  hidesBranding: {
    type: 'Boolean',
    description: 'Whether booking pages and mails of bookings leave out our name; apps should, too.',
  },
};

export const GroupProfile = rowInterface(Organization, 'GroupProfile', {
  description: 'A team or an organization, as its booking page shows it.',
  fields: (t) => ({
    ...shownGroupFields(t, INHERIT),
    ...inheritableFields(INHERIT, (name, options) => t.column(name, options)),
  }),
});

/** The names of the fields that a team can inherit, as the schema has them. */
export const InheritableFieldName = builder.enumType('InheritableField', {
  description: 'A field of a team’s profile that has the organization’s value while the team has none of its own.',
  values: describedValues(['LOGO_URL', 'BRAND_COLOR', 'TIME_ZONE', 'WEEK_START', 'HIDES_BRANDING'], {
    LOGO_URL: '`logoUrl`: that of the organization, or else none.',
    BRAND_COLOR: '`brandColor`: the organization’s color, or else the color of the service.',
    TIME_ZONE: '`timeZone`: that of the organization, or else UTC.',
    WEEK_START: '`weekStart`: that of the organization, or else MONDAY.',
    HIDES_BRANDING: '`hidesBranding`: that of the organization, or else false.',
  }),
});

/** The fields that a caller names in `inherit`. */
export function inheritableFieldsNamed(names: readonly (typeof InheritableFieldName.$inferType)[]): InheritableField[] {
  return INHERITABLE_FIELDS.filter((name) => names.includes(enumName(name)));
}

/** The names of the fields that a team has no value of its own for. */
export function inheritedNames(
  row: Readonly<Record<InheritableField, unknown>>,
): (typeof InheritableFieldName.$inferType)[] {
  return INHERITABLE_FIELDS.filter((name) => row[name] === null).map(enumName);
}

function enumName(name: InheritableField) {
  return columnOf(name).toUpperCase() as typeof InheritableFieldName.$inferType;
}

const NAME = `What people call it: at most ${MAX_NAME_LENGTH} characters in one line.`;

/** Says in words what null means and what a new group has. */
type PatchWords = Words<'slug' | 'isPrivate' | InheritableField>;

/** The input of a new group. */
export function newGroupFields(t: InputBuilder, words: PatchWords) {
  return {
    ...groupPatchFields(t, words),
    slug: t.string({ required: true, description: words.slug }),
    name: t.string({ required: true, description: NAME }),
    metadata: t.field({ type: 'Metadata', description: 'Keys and values of your own.' }),
  };
}

/** The input of a change of a group. */
export function groupPatchFields(t: InputBuilder, words: PatchWords) {
  return {
    slug: t.string({ description: words.slug }),
    name: t.string({ description: NAME }),
    bio: t.string({ description: `What it says of itself: at most ${MAX_BIO_LENGTH} characters. Null empties it.` }),
    logoUrl: t.field({ type: 'URL', description: `Its logo: ${URL_IN_WORDS}. ${words.logoUrl}` }),
    brandColor: t.string({ description: `The accent of its booking pages, ${COLOR_IN_WORDS}. ${words.brandColor}` }),
    timeZone: t.field({ type: 'TimeZone', description: `Of its dates: ${TIME_ZONE_IN_WORDS}. ${words.timeZone}` }),
    weekStart: t.field({ type: WeekDay, description: `With which day weeks begin. ${words.weekStart}` }),
    hidesBranding: t.boolean({
      description: `Whether booking pages and mails of bookings leave out our name. ${words.hidesBranding}`,
    }),
    isPrivate: t.boolean({ description: words.isPrivate }),
    metadata: t.field({
      type: 'MetadataPatch',
      description: 'Keys to set or, with null, to take away; all others stay.',
    }),
  };
}
