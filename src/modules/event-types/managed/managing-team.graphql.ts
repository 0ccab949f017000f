import { builder } from '../../../graphql/builder.ts';
import { PUBLIC } from '../../../scopes/declare.ts';
import type { ManagingTeam } from './managing-team.rules.ts';

export const PublicManagingTeam = builder.objectRef<ManagingTeam>('PublicManagingTeam').implement({
  description: 'A team that manages an event type of one of its members and decides its texts.',
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
  'The team that decides the title, the description, the locations and the links in place of the user who is booked. Null where the owner decides.';
