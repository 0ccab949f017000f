import { builder } from '../../../graphql/builder.ts';
import { PUBLIC } from '../../../scopes/declare.ts';
import type { ManagingTeam } from './managing-team.rules.ts';

export const PublicManagingTeam = builder.objectRef<ManagingTeam>('PublicManagingTeam').implement({
  description: 'A team whose words stand on the booking page of one of its members.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true, requires: PUBLIC, description: 'Null when it is private.' }),
    organizationName: t.exposeString('organizationName', {
      nullable: true,
      requires: PUBLIC,
      description: 'Null for a stand-alone team, and when it is private.',
    }),
  }),
});

export const MANAGED_BY_DESCRIPTION =
  'The team whose words these are: it decides the title, the text, the places and the links, not whoever is booked. Null where that is one and the same.';
