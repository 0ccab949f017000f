import type { GraphQLResolveInfo } from 'graphql';
import { idOf, publicId } from '../../core/id.ts';
import { SLUG_IN_WORDS, TIME_ZONE_IN_WORDS } from '../../core/text.ts';
import type { Selection } from '../../database/selection.ts';
import { batched } from '../../graphql/batch.ts';
import { builder, type Types } from '../../graphql/builder.ts';
import { connectionOf } from '../../graphql/connection.ts';
import { type GraphQLContext, requireUserId } from '../../graphql/context.ts';
import { TEXT, URL_TEXT } from '../../graphql/limits/price.ts';
import { mutation } from '../../graphql/mutation.ts';
import { doorType } from '../../graphql/row.ts';
import { selectionOf } from '../../graphql/selection.ts';
import { entering, FIRST_PARTY, INHERIT, reads } from '../../scopes/declare.ts';
import { WeekDay } from '../accounts/accounts.graphql.ts';
import { viewerList } from '../accounts/viewer-list.graphql.ts';
import { CREATE_ORGANIZATION_CODES, createOrganization } from './create-organization.ts';
import { ORGANIZATION, requireGroupId } from './group.ts';
import { BIO, LOGO, NAME } from './group-words.ts';
import { Organization as OrganizationEntity } from './organization.entity.ts';
import { findOrganizations, listOrganizations } from './organization.queries.ts';
import type { Role } from './role.rules.ts';
import { UPDATE_ORGANIZATION_CODES, updateOrganization } from './update-organization.ts';

const profile = reads('PROFILE', ['ORGANIZATION']);

/** An organization of the caller's, by its id; undefined for any other. Many are loaded by one statement. */
export const loadOrganization = batched((context, ids, selection: Selection<typeof OrganizationEntity>) =>
  findOrganizations(context.em, requireUserId(context), ids, selection),
);

export const Organization = doorType<typeof OrganizationEntity, { readonly role: Role }>(
  OrganizationEntity,
  'Organization',
  {
    description: 'A company: the roof over its teams and members.',
    baseScopes: profile,
    fields: (t) => ({
      id: t.id('id', 'organization', { requires: profile }),
      slug: t.column('slug', { requires: profile, description: 'Its name in addresses, unique among organizations.' }),
      name: t.column('name', { requires: profile, description: 'What people call it.' }),
      bio: t.column('bio', {
        price: TEXT,
        requires: profile,
        description: 'What it says of itself, as plain text. Null: nothing.',
      }),
      logoUrl: t.column('logoUrl', {
        type: 'URL',
        price: URL_TEXT,
        requires: profile,
        description: 'The https address of its logo. Null: there is none.',
      }),
      timeZone: t.column('timeZone', {
        type: 'TimeZone',
        requires: profile,
        description: 'An IANA name, such as `Europe/Berlin`.',
      }),
      weekStart: t.column('weekStart', {
        type: WeekDay,
        requires: profile,
        description: 'With which day its weeks begin in calendars.',
      }),
      isPrivate: t.column('isPrivate', {
        requires: profile,
        description: 'Whether the booking pages of its teams are for its members alone.',
      }),
      metadata: t.column('metadata', {
        type: 'Metadata',
        requires: profile,
        description: 'What apps keep with it; whoever may read its profile sees it.',
      }),
      createdAt: t.column('createdAt', { requires: profile }),
      updatedAt: t.column('updatedAt', { requires: profile }),
    }),
  },
);

builder.queryField('organization', (t) =>
  t.field({
    type: Organization,
    nullable: true,
    description: 'An organization that you are a member of.',
    requires: entering('ORGANIZATION', INHERIT),
    args: { id: t.arg.id({ required: true, description: 'The id of an organization, which begins with `org_`.' }) },
    resolve: (_root, { id }, context, info) => organizationNamed(id, context, info),
  }),
);

viewerList('organizations', {
  type: connectionOf(Organization),
  description: 'The organizations that you are a member of.',
  requires: entering('ORGANIZATION', profile),
  order: { columns: ['UUID'], keyOf: ({ id }) => [id] },
  find: ({ em }, userId, request, info) =>
    listOrganizations(em, userId, request, selectionOf(info, OrganizationEntity)),
});

mutation('organizationCreate', {
  description: 'Founds an organization, which you own.',
  requires: entering('ORGANIZATION', FIRST_PARTY),
  errors: CREATE_ORGANIZATION_CODES,
  onceByKey: true,
  input: (t) => ({
    slug: t.string({ required: true, description: `Its name in addresses: ${SLUG_IN_WORDS}.` }),
    name: t.string({ required: true, description: NAME }),
    ...profileFields(t),
    metadata: t.field({ type: 'Metadata', description: 'Keys and values of your own.' }),
  }),
  resolve: async (input, context) => ({
    organizationId: publicId('organization', await createOrganization(context.em, requireUserId(context), input)),
  }),
  payload: (t) => ({
    organizationId: t.exposeID('organizationId', { nullable: true, requires: INHERIT }),
    organization: t.field({ type: Organization, nullable: true, requires: profile, resolve: changedOrganization }),
  }),
});

mutation('organizationUpdate', {
  description: 'Changes an organization that you administer. What is left out stays as it is.',
  requires: entering('ORGANIZATION', FIRST_PARTY),
  errors: UPDATE_ORGANIZATION_CODES,
  input: (t) => ({
    organizationId: t.id({ required: true }),
    slug: t.string({
      description: `Its name in addresses: ${SLUG_IN_WORDS}. The addresses of its teams’ booking pages change with it.`,
    }),
    name: t.string({ description: NAME }),
    ...profileFields(t),
    metadata: t.field({
      type: 'MetadataPatch',
      description: 'Keys to set or, with null, to take away; all others stay.',
    }),
  }),
  resolve: async ({ organizationId: named, ...patch }, context) => {
    const organizationId = requireGroupId(ORGANIZATION, named);
    await updateOrganization(context.em, { organizationId, actorId: requireUserId(context) }, patch);
    return { organizationId: named };
  },
  payload: (t) => ({
    organizationId: t.exposeID('organizationId', { nullable: true, requires: INHERIT }),
    organization: t.field({ type: Organization, nullable: true, requires: profile, resolve: changedOrganization }),
  }),
});

function changedOrganization(
  { organizationId }: { readonly organizationId?: string },
  _args: object,
  context: GraphQLContext,
  info: GraphQLResolveInfo,
) {
  return organizationId === undefined ? undefined : organizationNamed(organizationId, context, info);
}

/** An organization of the caller's, by its public id. */
function organizationNamed(named: string, context: GraphQLContext, info: GraphQLResolveInfo) {
  const id = idOf('organization', named);
  return id === undefined ? undefined : loadOrganization(context, id, selectionOf(info, OrganizationEntity));
}

/** What an organization says of itself, besides its names. */
function profileFields(t: PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>) {
  return {
    bio: t.string({ description: BIO }),
    logoUrl: t.field({ type: 'URL', description: LOGO }),
    timeZone: t.field({ type: 'TimeZone', description: `Of its dates: ${TIME_ZONE_IN_WORDS}. Yours at first.` }),
    weekStart: t.field({ type: WeekDay, description: 'With which day weeks begin. Yours at first.' }),
    isPrivate: t.boolean({
      description: 'Whether the booking pages of its teams are for its members alone. False at first.',
    }),
  };
}
