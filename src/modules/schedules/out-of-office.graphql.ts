import { type PageArguments, pageRequest } from '../../core/page.ts';
import { batched } from '../../graphql/batch.ts';
import { builder, type Types } from '../../graphql/builder.ts';
import { connection, connectionOf, pageArguments } from '../../graphql/connection.ts';
import { requireUserId } from '../../graphql/context.ts';
import { mutation } from '../../graphql/mutation.ts';
import { entering, INHERIT, reads, writes } from '../../scopes/declare.ts';
import { Viewer } from '../accounts/accounts.graphql.ts';
import { createOutOfOffice } from './create-out-of-office.ts';
import { deleteOutOfOffice } from './delete-out-of-office.ts';
import { OUT_OF_OFFICE, type OutOfOfficeRow, type RedirectRow } from './out-of-office.queries.ts';
import { OUT_OF_OFFICE_MISTAKES } from './out-of-office.rules.ts';
import { ownSchedules } from './schedule-owner.ts';
import { updateOutOfOffice } from './update-out-of-office.ts';
import { userPages } from './user-list.queries.ts';

const data = reads('SCHEDULE');
const read = reads('SCHEDULE', ['USER']);
const write = entering('USER', writes('SCHEDULE', ['USER']));

/** What `userErrors` of creating and changing one can say. */
export const OUT_OF_OFFICE_ERRORS = [
  ...OUT_OF_OFFICE_MISTAKES,
  'OUT_OF_RANGE',
  'NOT_A_COLLEAGUE',
  'NOT_FOUND',
] as const;

const loadOutOfOffice = batched(({ em }, userIds, args: PageArguments) =>
  userPages(em, OUT_OF_OFFICE, userIds, pageRequest(args)),
);

const OutOfOfficeRedirect = builder.objectRef<RedirectRow>('OutOfOfficeRedirect').implement({
  description: 'The colleague to whom guests are sent.',
  fields: (t) => ({
    id: t.exposeID('id', { requires: data }),
    name: t.exposeString('name', { requires: data }),
    username: t.exposeString('username', { requires: data, description: 'In the address of their booking page.' }),
  }),
});

export const OutOfOffice = builder.objectRef<OutOfOfficeRow>('OutOfOffice').implement({
  description: 'Time in which somebody cannot be booked, whatever their schedule says.',
  fields: (t) => ({
    id: t.exposeID('id', { requires: data }),
    userId: t.exposeID('userId', { requires: data, description: 'The user who is away.' }),
    start: t.field({ type: 'DateTime', requires: data, resolve: ({ start }) => Temporal.Instant.from(start) }),
    end: t.field({ type: 'DateTime', requires: data, resolve: ({ end }) => Temporal.Instant.from(end) }),
    reason: t.exposeString('reason', { requires: data, description: 'Empty when none was given.' }),
    notes: t.exposeString('notes', { nullable: true, requires: data }),
    redirectTo: t.expose('redirectTo', { type: OutOfOfficeRedirect, nullable: true, requires: data }),
    createdAt: t.field({
      type: 'DateTime',
      requires: data,
      resolve: ({ createdAt }) => Temporal.Instant.from(createdAt),
    }),
    updatedAt: t.field({
      type: 'DateTime',
      requires: data,
      resolve: ({ updatedAt }) => Temporal.Instant.from(updatedAt),
    }),
  }),
});

export const OutOfOfficeConnection = connectionOf(OutOfOffice);

builder.objectField(Viewer, 'outOfOffice', (t) =>
  t.field({
    type: OutOfOfficeConnection,
    nullable: true,
    description: 'When you cannot be booked, in the order in which it was entered.',
    requires: read,
    args: pageArguments(),
    resolve: async ({ id }, args, context) => {
      const page = await loadOutOfOffice(context, id, args);
      return page && connection(page, (outOfOffice) => [outOfOffice.id]);
    },
  }),
);

mutation('outOfOfficeCreate', {
  description: 'Takes you out of office.',
  requires: write,
  errors: OUT_OF_OFFICE_ERRORS,
  onceByKey: true,
  input: newOutOfOfficeFields,
  resolve: async (input, context) =>
    changedOutOfOffice(await createOutOfOffice(context.em, ownSchedules(requireUserId(context)), input)),
  payload: (t) => ({
    outOfOfficeId: t.exposeID('outOfOfficeId', { nullable: true, requires: INHERIT }),
    outOfOffice: t.expose('outOfOffice', { type: OutOfOffice, nullable: true, requires: read }),
  }),
});

mutation('outOfOfficeUpdate', {
  description:
    'Changes an out-of-office of yours. What is left out stays; null empties `notes` and `redirectToUserId`.',
  requires: write,
  errors: OUT_OF_OFFICE_ERRORS,
  input: (t) => ({ outOfOfficeId: t.id({ required: true }), ...outOfOfficePatchFields(t) }),
  resolve: async ({ outOfOfficeId, ...patch }, context) => {
    const owner = ownSchedules(requireUserId(context));
    return changedOutOfOffice(await updateOutOfOffice(context.em, owner, outOfOfficeId, patch));
  },
  payload: (t) => ({
    outOfOfficeId: t.exposeID('outOfOfficeId', { nullable: true, requires: INHERIT }),
    outOfOffice: t.expose('outOfOffice', { type: OutOfOffice, nullable: true, requires: read }),
  }),
});

mutation('outOfOfficeDelete', {
  description: 'Lets you be booked again.',
  requires: write,
  errors: ['NOT_FOUND'],
  input: (t) => ({ outOfOfficeId: t.id({ required: true }) }),
  resolve: async ({ outOfOfficeId }, context) => {
    await deleteOutOfOffice(context.em, ownSchedules(requireUserId(context)), outOfOfficeId);
    return { outOfOfficeId };
  },
  payload: (t) => ({ outOfOfficeId: t.exposeID('outOfOfficeId', { nullable: true, requires: INHERIT }) }),
});

type InputBuilder = PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>;

/** What an out-of-office can be created with. */
export function newOutOfOfficeFields(t: InputBuilder) {
  return {
    ...outOfOfficePatchFields(t),
    start: t.field({ type: 'DateTime', required: true }),
    end: t.field({ type: 'DateTime', required: true, description: 'After the start, by 731 days at most.' }),
  };
}

/** What of an out-of-office can be changed. */
export function outOfOfficePatchFields(t: InputBuilder) {
  return {
    start: t.field({ type: 'DateTime' }),
    end: t.field({ type: 'DateTime', description: 'After the start, by 731 days at most.' }),
    reason: t.string({ description: 'In a few words: at most 100 characters.' }),
    notes: t.string(),
    redirectToUserId: t.id({ description: 'A colleague, of one team or organization, to whom guests are sent.' }),
  };
}

/** The payload of a mutation that has made or changed an out-of-office. */
export function changedOutOfOffice(outOfOffice: OutOfOfficeRow): {
  outOfOfficeId: string;
  outOfOffice: OutOfOfficeRow;
} {
  return { outOfOfficeId: outOfOffice.id, outOfOffice };
}
