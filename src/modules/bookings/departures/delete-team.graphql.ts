import { mutation, type PayloadFields } from '../../../graphql/mutation.ts';
import { entering, INHERIT, writes } from '../../../scopes/declare.ts';
import { ownTeamFields, teamTargetOf } from '../../teams/team.graphql.ts';
import { BOOKINGS_AT_ONCE, DELETE_TEAM_CODES, deleteTeam } from './delete-team.ts';

const UNLESS_BOOKED =
  'Nothing is deleted while bookings of its own are upcoming or under way, pending ones too: cancel them first. Bookings that members have of a MANAGED event type stay theirs.';

const IN_PARTS = `Of more than ${BOOKINGS_AT_ONCE} bookings, the oldest go first: where the mutation is stopped by then, as it takes too long or somebody books the team, those are gone, and the same mutation goes on with the rest.`;

const deletedTeam: PayloadFields<{ readonly teamId: string }> = (t) => ({
  teamId: t.exposeID('teamId', { nullable: true, requires: INHERIT }),
});

mutation('teamDelete', {
  description: `Deletes a team that you own, with everything that belongs to it. ${UNLESS_BOOKED} ${IN_PARTS}`,
  requires: entering('TEAM', writes('PROFILE', ['TEAM'])),
  errors: DELETE_TEAM_CODES,
  input: ownTeamFields,
  resolve: async ({ teamId, organizationId }, context) => {
    await deleteTeam(context.em, teamTargetOf({ teamId, organizationId }, context));
    return { teamId };
  },
  payload: deletedTeam,
});

mutation('organizationTeamDelete', {
  description: `Deletes a team of an organization that you administer, with everything that belongs to it. ${UNLESS_BOOKED} ${IN_PARTS}`,
  requires: entering('ORGANIZATION', writes('PROFILE', ['ORGANIZATION'])),
  errors: DELETE_TEAM_CODES,
  input: (t) => ({ organizationId: t.id({ required: true }), teamId: t.id({ required: true }) }),
  resolve: async ({ organizationId, teamId }, context) => {
    await deleteTeam(context.em, teamTargetOf({ organizationId, teamId }, context, 'ADMINISTRATOR'));
    return { teamId };
  },
  payload: deletedTeam,
});
