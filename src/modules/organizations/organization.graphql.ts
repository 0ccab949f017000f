import type { GraphQLResolveInfo } from 'graphql';
import { idOf, publicId } from '../../core/id.ts';
import { SLUG_IN_WORDS } from '../../core/text.ts';
import type { Selection } from '../../database/columns.ts';
import { batched } from '../../graphql/batch.ts';
import { builder } from '../../graphql/builder.ts';
import { connectionOf } from '../../graphql/connection.ts';
import { type GraphQLContext, requireUserId } from '../../graphql/context.ts';
import { OTHER_KINDS, refuseOtherKind } from '../../graphql/id-arguments.ts';
import { containing, listFilter } from '../../graphql/list-filter.ts';
import { ifUpdatedAtField, mutation, type PayloadFields } from '../../graphql/mutation.ts';
import { doorType } from '../../graphql/row.ts';
import { selectionOf } from '../../graphql/selection.ts';
import { entering, FIRST_PARTY, INHERIT, reads } from '../../scopes/declare.ts';
import { viewerList } from '../accounts/accounts.graphql.ts';
import { ORGANIZATION, requireGroupId } from './group.ts';
import {
  GroupProfile,
  groupPatchFields,
  groupProfileFields,
  inheritableFields,
  newGroupFields,
} from './group-profile.graphql.ts';
import {
  CREATE_ORGANIZATION_CODES,
  createOrganization,
  UPDATE_ORGANIZATION_CODES,
  updateOrganization,
} from './organization.commands.ts';
import { Organization as OrganizationEntity } from './organization.entity.ts';
import { findOrganizations, listOrganizations } from './organization.queries.ts';
import type { Role } from './role.rules.ts';

const profile = reads('PROFILE', ['ORGANIZATION']);

/** An organization of the caller's, by its id; undefined for any other. Many are loaded by one statement. */
export const loadOrganization = batched((context, ids, selection: Selection<typeof OrganizationEntity>) =>
  findOrganizations(context.em, requireUserId(context), ids, selection),
);

export const Organization = doorType<typeof OrganizationEntity, { readonly role: Role }>(
  OrganizationEntity,
  'Organization',
  {
    description:
      'An organization with its teams and members. Logo, colour, time zone, week and `hidesBranding` are those of its teams as well, unless a team has its own.',
    baseScopes: profile,
    interfaces: [GroupProfile],
    fields: (t) => ({
      id: t.id('id', 'organization', { requires: profile }),
      ...groupProfileFields(t, profile, {
        slug: 'Its name in addresses, unique among organizations.',
        isPrivate: 'Whether the booking pages of its teams are for its members alone.',
      }),
      ...inheritableFields(profile, (name, options) => t.column(name, options)),
    }),
  },
);

builder.queryField('organization', (t) =>
  t.field({
    type: Organization,
    nullable: true,
    description: 'An organization that you are a member of.',
    requires: entering('ORGANIZATION', INHERIT),
    args: {
      id: t.arg.id({
        required: true,
        description: `The id of an organization, which begins with \`org_\`. ${OTHER_KINDS}`,
      }),
    },
    resolve: (_root, { id }, context, info) => {
      refuseOtherKind(['organization'], id, ['id']);
      return organizationNamed(id, context, info);
    },
  }),
);

viewerList('organizations', {
  type: connectionOf(Organization),
  filter: listFilter('Organization', { text: containing(['o.name', 'o.slug'], 'its name or slug') }),
  description: 'The organizations that you are a member of.',
  requires: entering('ORGANIZATION', profile),
  order: { columns: ['UUID'], keyOf: ({ id }) => [id] },
  find: ({ em }, userId, request, info, by) =>
    listOrganizations(em, userId, request, selectionOf(info, OrganizationEntity), by),
});

const SLUG = `Its name in addresses: ${SLUG_IN_WORDS}.`;
const WORDS = {
  logoUrl: 'Null removes it.',
  brandColor: 'Null removes it.',
  timeZone: 'Yours at first.',
  weekStart: 'Yours at first.',
  hidesBranding: 'False at first.',
  isPrivate: 'Whether the booking pages of its teams are for its members alone. False at first.',
};

/** The payload of a mutation that has made or changed an organization. */
const changedOrganization: PayloadFields<{ readonly organizationId: string }> = (t) => ({
  organizationId: t.exposeID('organizationId', { nullable: true, requires: INHERIT }),
  organization: t.field({
    type: Organization,
    nullable: true,
    requires: profile,
    resolve: ({ organizationId }, _args, context, info) =>
      organizationId === undefined ? undefined : organizationNamed(organizationId, context, info),
  }),
});

mutation('organizationCreate', {
  description: 'Creates an organization, which you own.',
  requires: entering('ORGANIZATION', FIRST_PARTY),
  errors: CREATE_ORGANIZATION_CODES,
  onceByKey: true,
  input: (t) => newGroupFields(t, { ...WORDS, slug: SLUG }),
  resolve: async (input, context) => ({
    organizationId: publicId('organization', await createOrganization(context.em, requireUserId(context), input)),
  }),
  payload: changedOrganization,
});

mutation('organizationUpdate', {
  description: 'Changes an organization that you administer. What is left out stays as it is.',
  requires: entering('ORGANIZATION', FIRST_PARTY),
  errors: UPDATE_ORGANIZATION_CODES,
  input: (t) => ({
    organizationId: t.id({ required: true }),
    ...groupPatchFields(t, {
      ...WORDS,
      slug: `${SLUG} The addresses of its teams’ booking pages change with it.`,
    }),
    ...ifUpdatedAtField(t),
  }),
  resolve: async ({ organizationId: named, ...patch }, context) => {
    const organizationId = requireGroupId(ORGANIZATION, named);
    await updateOrganization(context.em, { organizationId, actorId: requireUserId(context) }, patch);
    return { organizationId: named };
  },
  payload: changedOrganization,
});

/** An organization of the caller's, by its public id. */
function organizationNamed(named: string, context: GraphQLContext, info: GraphQLResolveInfo) {
  const id = idOf('organization', named);
  return id === undefined ? undefined : loadOrganization(context, id, selectionOf(info, OrganizationEntity));
}
