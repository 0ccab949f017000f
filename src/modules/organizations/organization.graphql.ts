import { pageRequest } from '../../core/page.ts';
import { TEXT_MISTAKES } from '../../core/text.ts';
import { batched } from '../../graphql/batch.ts';
import { builder } from '../../graphql/builder.ts';
import { connection, connectionOf, pageArguments } from '../../graphql/connection.ts';
import { requireUserId } from '../../graphql/context.ts';
import { TEXT, URL_TEXT } from '../../graphql/limits/price.ts';
import { mutation } from '../../graphql/mutation.ts';
import { entering, FIRST_PARTY, INHERIT, reads } from '../../scopes/declare.ts';
import { Viewer, WeekDay } from '../accounts/accounts.graphql.ts';
import { createOrganization } from './create-organization.ts';
import { findOrganizations, listOrganizations, type OrganizationRow } from './organization.queries.ts';

const profile = reads('PROFILE', ['ORGANIZATION']);

/** An organization of the caller's, by its id; undefined for any other. Many are loaded by one statement. */
export const loadOrganization = batched((context, ids) => findOrganizations(context.em, requireUserId(context), ids));

export const Organization = builder.objectRef<OrganizationRow>('Organization').implement({
  description: 'A company: the roof over its teams and members.',
  baseScopes: profile,
  fields: (t) => ({
    id: t.exposeID('id', { requires: profile }),
    slug: t.exposeString('slug', {
      requires: profile,
      description: 'Its name in addresses, unique among organizations.',
    }),
    name: t.exposeString('name', { requires: profile }),
    bio: t.exposeString('bio', { price: TEXT, nullable: true, requires: profile }),
    logoUrl: t.exposeString('logoUrl', { price: URL_TEXT, nullable: true, requires: profile }),
    timeZone: t.exposeString('timeZone', { requires: profile, description: 'An IANA name, such as `Europe/Berlin`.' }),
    weekStart: t.expose('weekStart', { type: WeekDay, requires: profile }),
    isPrivate: t.exposeBoolean('isPrivate', { requires: profile }),
    metadata: t.expose('metadata', { type: 'Metadata', requires: profile }),
    createdAt: t.field({
      type: 'DateTime',
      requires: profile,
      resolve: ({ createdAt }) => Temporal.Instant.from(createdAt),
    }),
    updatedAt: t.field({
      type: 'DateTime',
      requires: profile,
      resolve: ({ updatedAt }) => Temporal.Instant.from(updatedAt),
    }),
  }),
});

const OrganizationConnection = connectionOf(Organization);

builder.queryField('organization', (t) =>
  t.field({
    type: Organization,
    nullable: true,
    description: 'An organization that you are a member of.',
    requires: entering('ORGANIZATION', INHERIT),
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, context) => loadOrganization(context, id, undefined),
  }),
);

builder.objectField(Viewer, 'organizations', (t) =>
  t.field({
    type: OrganizationConnection,
    description: 'The organizations that you are a member of.',
    requires: entering('ORGANIZATION', profile),
    args: pageArguments(),
    resolve: async ({ id }, args, { em }) =>
      connection(await listOrganizations(em, id, pageRequest(args)), (organization) => [organization.id]),
  }),
);

mutation('organizationCreate', {
  description: 'Founds an organization, which you own.',
  requires: entering('ORGANIZATION', FIRST_PARTY),
  errors: [...TEXT_MISTAKES, 'SLUG_TAKEN'],
  onceByKey: true,
  input: (t) => ({
    slug: t.string({ required: true }),
    name: t.string({ required: true }),
    bio: t.string(),
    logoUrl: t.string(),
    timeZone: t.string({ description: 'Yours, if left out.' }),
    weekStart: t.field({ type: WeekDay, description: 'Yours, if left out.' }),
    isPrivate: t.boolean(),
    metadata: t.field({ type: 'Metadata' }),
  }),
  resolve: async (input, context) => ({
    organizationId: await createOrganization(context.em, requireUserId(context), input),
  }),
  payload: (t) => ({
    organizationId: t.exposeID('organizationId', { nullable: true, requires: INHERIT }),
    organization: t.field({
      type: Organization,
      nullable: true,
      requires: profile,
      resolve: ({ organizationId }, _args, context) =>
        organizationId === undefined ? undefined : loadOrganization(context, organizationId, undefined),
    }),
  }),
});
