import { reads } from '../../scopes/declare.ts';
import type { FurnishMember } from '../organizations/group.ts';
import { groupMemberships } from '../organizations/group-memberships.graphql.ts';
import { Team } from './team.graphql.ts';
import { TEAM } from './team-role.ts';

declare module '../../graphql/context.ts' {
  interface ModuleContext {
    /** Gives new members what they get on joining a team; teams do not know of event types. */
    readonly furnishMember: FurnishMember;
  }
}

groupMemberships({
  group: TEAM,
  door: Team,
  level: 'TEAM',
  reads: reads('MEMBERSHIP', ['TEAM', 'ORGANIZATION']),
  describes: {
    invitations: 'The teams that you are invited to.',
    create:
      'Invites a user to a team; the membership counts when they accept it. A team of an organization takes its members only. An administrator of the organization adds them at once, save for those whose role in it stands above: they are invited.',
    delete: 'Removes somebody from a team, or lets you leave, or decline an invitation.',
  },
  furnish: ({ furnishMember }) => furnishMember,
});
