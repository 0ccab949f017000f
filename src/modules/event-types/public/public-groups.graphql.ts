import { builder } from '../../../graphql/builder.ts';
import { connection, pageArguments, publicConnectionOf } from '../../../graphql/connection.ts';
import { URL_TEXT } from '../../../graphql/limits/price.ts';
import { rowType } from '../../../graphql/row.ts';
import { selectionOf } from '../../../graphql/selection.ts';
import { PUBLIC } from '../../../scopes/declare.ts';
import { GroupProfile, inheritableFields, shownGroupFields } from '../../organizations/group-profile.graphql.ts';
import { INHERITABLE } from '../../organizations/group-profile.rules.ts';
import { Organization } from '../../organizations/organization.entity.ts';
import { Team } from '../../teams/team.entity.ts';
import { insiderId } from '../../teams/team.graphql.ts';
import { INHERITED_FROM } from '../../teams/team.queries.ts';
import { placeOfOrganization, placeOfTeam, placeUrl } from '../booking-url.rules.ts';
import { isSlug, publicOwner } from './public-event-type.graphql.ts';
import { findPublicOrganization, findPublicTeam, listPublicTeams } from './public-event-type.queries.ts';

const PublicTeam = rowType(Team, 'PublicTeam', {
  description: 'What the booking page of a team shows of it.',
  interfaces: [GroupProfile],
  fields: (t) => ({
    ...shownGroupFields(t, PUBLIC),
    organizationName: t.fromPart(
      [],
      { part: INHERITED_FROM, columns: ['name'] },
      {
        type: 'String',
        nullable: true,
        requires: PUBLIC,
        description: 'What people call its organization. Null for a stand-alone team.',
        resolve: ({ inheritedFrom }: { readonly inheritedFrom: { readonly name: string } | null }) =>
          inheritedFrom?.name ?? null,
      },
    ),
    bookingUrl: t.fromPart(
      ['slug'],
      { part: INHERITED_FROM, columns: ['slug'] },
      {
        type: 'URL',
        price: URL_TEXT,
        requires: PUBLIC,
        description: 'The page with what it offers.',
        resolve: (
          { slug, inheritedFrom }: { readonly slug: string; readonly inheritedFrom: { readonly slug: string } | null },
          _args,
          { publicUrl },
        ) => placeUrl(publicUrl, placeOfTeam(slug, inheritedFrom?.slug)),
      },
    ),
    ...inheritableFields(PUBLIC, (name, options) => t.columnOr(name, INHERITED_FROM, INHERITABLE[name], options)),
  }),
});

builder.queryField('publicTeam', (t) =>
  t.field({
    type: PublicTeam,
    nullable: true,
    description:
      'A team with something that can be booked, by its place: what its page shows beside `publicEventTypes`. Null when it offers nothing, and of a private team, or a team of a private organization, for all but its members.',
    requires: PUBLIC,
    price: { oneAtATime: true },
    args: {
      team: t.arg.string({ required: true, description: 'The slug of the team, such as `sales`.' }),
      organization: t.arg.string({ description: 'The slug of the organization that the team belongs to, if any.' }),
    },
    resolve: async (_root, { team, organization }, context, info) => {
      const owner = publicOwner({ team, organization });
      return owner && findPublicTeam(context.em, owner, selectionOf(info, Team), insiderId(context));
    },
  }),
);

const PublicOrganization = rowType(Organization, 'PublicOrganization', {
  description: 'What the booking page of an organization shows of it.',
  interfaces: [GroupProfile],
  fields: (t) => ({
    ...shownGroupFields(t, PUBLIC),
    bookingUrl: t.from(['slug'], {
      type: 'URL',
      price: URL_TEXT,
      requires: PUBLIC,
      description: 'The page with its teams.',
      resolve: ({ slug }, _args, { publicUrl }) => placeUrl(publicUrl, placeOfOrganization(slug)),
    }),
    ...inheritableFields(PUBLIC, (name, options) => t.column(name, options)),
    teams: t.from(['id'], {
      type: publicConnectionOf(PublicTeam),
      nullable: true,
      requires: PUBLIC,
      description:
        'Those of its teams with something that can be booked, by slug; private ones for their members alone.',
      args: pageArguments(),
      resolve: ({ id }, page, context, info) =>
        connection({ columns: ['TEXT'], keyOf: ({ slug }) => [slug] }, page, (request) =>
          listPublicTeams(context.em, id, request, selectionOf(info, Team), insiderId(context)),
        ),
    }),
  }),
});

builder.queryField('publicOrganization', (t) =>
  t.field({
    type: PublicOrganization,
    nullable: true,
    description:
      'An organization with teams that can be booked, by its slug. Null when none of them offers something, and of a private organization for all but its members.',
    requires: PUBLIC,
    price: { oneAtATime: true },
    args: {
      organization: t.arg.string({ required: true, description: 'The slug of the organization, such as `acme`.' }),
    },
    resolve: (_root, { organization: slug }, context, info) =>
      isSlug(slug)
        ? findPublicOrganization(context.em, slug, selectionOf(info, Organization), insiderId(context))
        : undefined,
  }),
);
