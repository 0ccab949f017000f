import { type PageArguments, pageRequest } from '../../core/page.ts';
import { batched } from '../../graphql/batch.ts';
import { builder } from '../../graphql/builder.ts';
import { connection, pageArguments } from '../../graphql/connection.ts';
import { type GraphQLContext, requireUserId } from '../../graphql/context.ts';
import { mutation } from '../../graphql/mutation.ts';
import { entering, INHERIT, reads, writes } from '../../scopes/declare.ts';
import { isAtLeast } from '../organizations/role.rules.ts';
import type { GroupAdministrator } from '../organizations/standing.ts';
import { Team } from '../teams/team.graphql.ts';
import { TEAM } from '../teams/team-role.ts';
import { createOutOfOffice } from './create-out-of-office.ts';
import { deleteOutOfOffice } from './delete-out-of-office.ts';
import {
  changedOutOfOffice,
  newOutOfOfficeFields,
  OUT_OF_OFFICE_ERRORS,
  OutOfOffice,
  OutOfOfficeConnection,
  outOfOfficePatchFields,
} from './out-of-office.graphql.ts';
import { OUT_OF_OFFICE } from './out-of-office.queries.ts';
import { memberOfOutOfOffice, memberSchedules } from './schedule-owner.ts';
import { updateOutOfOffice } from './update-out-of-office.ts';
import { memberPages } from './user-list.queries.ts';

const data = reads('SCHEDULE', ['TEAM', 'ORGANIZATION']);
const read = reads('SCHEDULE', ['TEAM']);
const write = entering('TEAM', writes('SCHEDULE'));

const loadOutOfOffice = batched((context, teamIds, args: PageArguments) => {
  const by = { group: TEAM, actorId: requireUserId(context) };
  return memberPages(context.em, OUT_OF_OFFICE, by, teamIds, pageRequest(args));
});

builder.objectField(Team, 'outOfOffice', (t) =>
  t.field({
    type: OutOfOfficeConnection,
    nullable: true,
    description:
      'When its members cannot be booked, by member. Null unless you administer it. `reason`, `notes` and `redirectTo` of those whose role stands above yours are left out.',
    requires: data,
    args: pageArguments(),
    resolve: async ({ id, role }, args, context) => {
      const page = isAtLeast(role, 'ADMIN') ? await loadOutOfOffice(context, id, args) : undefined;
      return page && connection(page, (outOfOffice) => [outOfOffice.id]);
    },
  }),
);

mutation('teamOutOfOfficeCreate', {
  description: 'Takes a member of a team that you administer out of office.',
  requires: write,
  errors: [...OUT_OF_OFFICE_ERRORS, 'FORBIDDEN'],
  onceByKey: true,
  input: (t) => ({
    teamId: t.id({ required: true }),
    userId: t.id({ required: true }),
    ...newOutOfOfficeFields(t),
  }),
  resolve: async ({ teamId, userId, ...input }, context) => {
    const owner = memberSchedules(administrator(context, teamId), userId);
    return changedOutOfOffice(await createOutOfOffice(context.em, owner, input));
  },
  payload: (t) => ({
    outOfOfficeId: t.exposeID('outOfOfficeId', { nullable: true, requires: INHERIT }),
    outOfOffice: t.expose('outOfOffice', { type: OutOfOffice, nullable: true, requires: read }),
  }),
});

mutation('teamOutOfOfficeUpdate', {
  description: 'Changes an out-of-office of a member of a team that you administer. What is left out stays as it is.',
  requires: write,
  errors: [...OUT_OF_OFFICE_ERRORS, 'FORBIDDEN'],
  input: (t) => ({
    teamId: t.id({ required: true }),
    outOfOfficeId: t.id({ required: true }),
    ...outOfOfficePatchFields(t),
  }),
  resolve: async ({ teamId, outOfOfficeId, ...patch }, context) => {
    const owner = memberOfOutOfOffice(administrator(context, teamId), outOfOfficeId);
    return changedOutOfOffice(await updateOutOfOffice(context.em, owner, outOfOfficeId, patch));
  },
  payload: (t) => ({
    outOfOfficeId: t.exposeID('outOfOfficeId', { nullable: true, requires: INHERIT }),
    outOfOffice: t.expose('outOfOffice', { type: OutOfOffice, nullable: true, requires: read }),
  }),
});

mutation('teamOutOfOfficeDelete', {
  description: 'Lets a member of a team that you administer be booked again.',
  requires: write,
  errors: ['NOT_FOUND', 'FORBIDDEN'],
  input: (t) => ({ teamId: t.id({ required: true }), outOfOfficeId: t.id({ required: true }) }),
  resolve: async ({ teamId, outOfOfficeId }, context) => {
    const owner = memberOfOutOfOffice(administrator(context, teamId), outOfOfficeId);
    await deleteOutOfOffice(context.em, owner, outOfOfficeId);
    return { outOfOfficeId };
  },
  payload: (t) => ({ outOfOfficeId: t.exposeID('outOfOfficeId', { nullable: true, requires: INHERIT }) }),
});

function administrator(context: GraphQLContext, teamId: string): GroupAdministrator {
  return { group: TEAM, groupId: teamId, actorId: requireUserId(context) };
}
