import { builder } from '../../../graphql/builder.ts';
import { TEXT, URL_TEXT } from '../../../graphql/limits/price.ts';
import { rowType } from '../../../graphql/row.ts';
import { selectionOf } from '../../../graphql/selection.ts';
import { PUBLIC } from '../../../scopes/declare.ts';
import { inheritableFields } from '../../organizations/group-profile.graphql.ts';
import { INHERITABLE } from '../../organizations/group-profile.rules.ts';
import { INHERITED_FROM } from '../../teams/inherited-profile.queries.ts';
import { Team } from '../../teams/team.entity.ts';
import { placeOfTeam, placeUrl } from '../booking-url.rules.ts';
import { insiderId, publicOwner } from './public-event-type.graphql.ts';
import { findPublicTeam } from './public-event-type.queries.ts';

export const PublicTeam = rowType(Team, 'PublicTeam', {
  description: 'What the booking page of a team shows of it.',
  fields: (t) => ({
    name: t.column('name', { requires: PUBLIC, description: 'The name that people see.' }),
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
    bio: t.column('bio', {
      price: TEXT,
      requires: PUBLIC,
      description: 'What it says of itself, as plain text. Null: nothing.',
    }),
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
