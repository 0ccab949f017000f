import type { GraphQLResolveInfo } from 'graphql';
import { ownedIdOf, publicOwnedId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import type { RowOf } from '../../database/columns.ts';
import type { InputBuilder } from '../../graphql/builder.ts';
import { type GraphQLContext, requireUserId } from '../../graphql/context.ts';
import { LONG_TEXT, SMALL, URL_TEXT } from '../../graphql/limits/price.ts';
import { containing, equal, listFilter } from '../../graphql/list-filter.ts';
import { ifUpdatedAtField, mutation, type PayloadFields } from '../../graphql/mutation.ts';
import { rowType } from '../../graphql/row.ts';
import { selectionOf } from '../../graphql/selection.ts';
import { entering, FIRST_PARTY, INHERIT, reads, writes } from '../../scopes/declare.ts';
import { MAX_FIELDS } from '../event-types/settings/booking-field.rules.ts';
import { notFoundHere } from '../levels/change-owned.ts';
import { EVERYBODYS_OWN, findOwned } from '../levels/owned.queries.ts';
import { type Owner, ownOfEitherGroup, ownOfGroup } from '../levels/reach.ts';
import { resource } from '../levels/resource.graphql.ts';
import { type Group, ORGANIZATION, requireGroupId } from '../organizations/group.ts';
import { TEAM } from '../teams/team-role.ts';
import {
  CREATE_ROUTING_FORM_CODES,
  createRoutingForm,
  deleteRoutingForm,
  UPDATE_ROUTING_FORM_CODES,
  updateRoutingForm,
} from './routing-form.commands.ts';
import { RoutingForm as RoutingFormEntity } from './routing-form.entity.ts';
import { ROUTING_FORMS } from './routing-form.queries.ts';
import { MAX_DESCRIPTION_LENGTH, MAX_FORMS, MAX_NAME_LENGTH, MAX_ROUTES } from './routing-form.rules.ts';
import {
  askedPatchFields,
  newAskedFields,
  RoutingFormField,
  RoutingFormRoute,
  RoutingFormTarget,
  routeIdOf,
  routesOf,
  targetOf,
} from './routing-form-values.graphql.ts';

const data = reads('ROUTING_FORM');
const GROUPS: Readonly<Record<string, Group>> = { teamId: TEAM, organizationId: ORGANIZATION };

export const RoutingForm = rowType(RoutingFormEntity, 'RoutingForm', {
  description: 'Questions of a team or an organization, and where the answers to them lead.',
  fields: (t) => ({
    id: t.ownedId(['ownerId', 'id'], 'routingForm', { requires: data }),
    name: t.column('name', { requires: data, description: 'What it is called; people who fill it in read it.' }),
    description: t.column('description', {
      price: LONG_TEXT,
      requires: data,
      description: 'What people read above the questions, as plain text. Null: nothing.',
    }),
    isActive: t.column('isActive', { requires: data, description: 'Whether it can be filled in.' }),
    url: t.from(['ownerId', 'id'], {
      type: 'URL',
      price: URL_TEXT,
      requires: data,
      description: 'The page where anybody fills it in, while it is active.',
      resolve: (form, _args, { publicUrl }) => `${publicUrl}/forms/${publicOwnedId('routingForm', form)}`,
    }),
    version: t.column('version', {
      requires: data,
      description:
        'Grows by 1 with each change of its fields, routes or fallback; responses name the one that was answered.',
    }),
    fields: t.column('fields', {
      type: [RoutingFormField],
      price: { max: MAX_FIELDS, weight: SMALL },
      requires: data,
      description: 'Its questions, in their order.',
    }),
    routes: t.column('routes', {
      type: [RoutingFormRoute],
      price: { max: MAX_ROUTES },
      requires: data,
      description: 'Where answers lead: the first whose conditions hold is taken.',
    }),
    fallback: t.column('fallback', {
      type: RoutingFormTarget,
      requires: data,
      description: 'Where answers lead for which no route does, or whose event type cannot be booked.',
    }),
    createdAt: t.column('createdAt', { requires: data }),
    updatedAt: t.column('updatedAt', { requires: data }),
  }),
});

resource({
  type: RoutingForm,
  owned: ROUTING_FORMS,
  belongsTo: 'GROUP',
  reads: data,
  writes: writes('ROUTING_FORM'),
  list: {
    name: 'routingForms',
    filter: listFilter('RoutingForm', {
      isActive: equal('isActive', 'Boolean', 'Only active ones, or only others.'),
      text: containing(['name', 'description'], 'its name or description'),
    }),
    describes: {
      team: 'Its routing forms, oldest first. Null unless you administer it.',
      organization: 'Its own routing forms, oldest first, without those of its teams. Null unless you administer it.',
    },
  },
});

const requires = entering('TEAM', FIRST_PARTY);

const changedForm: PayloadFields<{ readonly routingFormId: string }> = (t) => ({
  routingFormId: t.exposeID('routingFormId', { nullable: true, requires: INHERIT }),
  routingForm: t.field({
    type: RoutingForm,
    nullable: true,
    requires: INHERIT,
    resolve: ({ routingFormId }, _args, context, info) =>
      routingFormId === undefined ? undefined : formInCharge(context, routingFormId, info),
  }),
});

mutation('routingFormCreate', {
  description: `Makes a routing form of a team or an organization that you administer. Each can have ${MAX_FORMS}.`,
  requires,
  errors: CREATE_ROUTING_FORM_CODES,
  onceByKey: true,
  input: (t) => ({
    teamId: t.id({ description: 'The team whose it is to be, by its id (`tea_…`); give this or organizationId.' }),
    organizationId: t.id({
      description: 'The organization whose it is to be, by its id (`org_…`); give this or teamId.',
    }),
    ...plainFields(t),
    name: t.string({ required: true, description: NAME }),
    ...newAskedFields(t),
  }),
  resolve: async ({ teamId, organizationId, fields, routes, fallback, ...plain }, context) => {
    const owner = ownerNamed({ teamId, organizationId }, requireUserId(context));
    const id = await createRoutingForm(context.em, owner, {
      ...plain,
      fields: { set: fields },
      routes: { set: routesOf('routes', routes ?? []) },
      fallback: targetOf(['fallback'], fallback),
    });
    return { routingFormId: publicOwnedId('routingForm', { ownerId: owner.ownerId, id }) };
  },
  payload: changedForm,
});

mutation('routingFormUpdate', {
  description:
    'Changes a routing form that you administer. What is left out stays as it is. Responses stay as they are.',
  requires,
  errors: UPDATE_ROUTING_FORM_CODES,
  input: (t) => ({
    routingFormId: t.id({ required: true }),
    ...plainFields(t),
    ...askedPatchFields(t),
    ...ifUpdatedAtField(t),
  }),
  resolve: async ({ routingFormId, ifUpdatedAt, ...patch }, context) => {
    const { owner, id } = formNamed(routingFormId, requireUserId(context));
    const { fieldsSet, fieldsRemove, fieldsOrder, routesSet, routesRemove, routesOrder, fallback, ...plain } = patch;
    await updateRoutingForm(context.em, { ...owner, lastSeen: ifUpdatedAt }, id, {
      ...plain,
      fields: { set: fieldsSet, remove: fieldsRemove, order: fieldsOrder },
      routes: {
        set: routesSet && routesOf('routesSet', routesSet),
        remove: routesRemove?.map(routeIdOf),
        order: routesOrder?.map(routeIdOf),
      },
      fallback: fallback && targetOf(['fallback'], fallback),
    });
    return { routingFormId };
  },
  payload: changedForm,
});

mutation('routingFormDelete', {
  description: 'Deletes a routing form that you administer, with all responses to it.',
  requires,
  errors: ['NOT_FOUND', 'FORBIDDEN'],
  input: (t) => ({ routingFormId: t.id({ required: true }) }),
  resolve: async ({ routingFormId }, context) => {
    const { owner, id } = formNamed(routingFormId, requireUserId(context));
    await deleteRoutingForm(context.em, owner, id);
    return { routingFormId };
  },
  payload: (t) => ({ routingFormId: t.exposeID('routingFormId', { nullable: true, requires: INHERIT }) }),
});

const NAME = `What it is called; people who fill it in read it: at most ${MAX_NAME_LENGTH} characters in one line.`;

function plainFields(t: InputBuilder) {
  return {
    name: t.string({ description: NAME }),
    description: t.string({
      description: `What people read above the questions: plain text of at most ${MAX_DESCRIPTION_LENGTH} characters. Null: nothing.`,
    }),
    isActive: t.boolean({ description: 'Whether it can be filled in. A new one can, unless said otherwise.' }),
  };
}

/** The one group that an input names. @throws Problem BAD_INPUT, NOT_FOUND */
function ownerNamed(named: Readonly<Record<string, string | null | undefined>>, actorId: string) {
  const [chosen, ...others] = Object.entries(named).filter(([, id]) => id != null);
  const group = chosen && GROUPS[chosen[0]];
  if (!group || others.length > 0) {
    throw new Problem('BAD_INPUT', 'Give teamId or organizationId, one of the two: it says whose the form is.', [
      'teamId',
    ]);
  }
  const administrator = { group, groupId: requireGroupId(group, chosen[1] ?? ''), actorId };
  return { ...ownOfGroup(administrator), administrator };
}

/** The form that an input names, and by what right the caller changes it. @throws Problem NOT_FOUND */
function formNamed(named: string, actorId: string): { readonly owner: Owner; readonly id: string } {
  const found = ownedIdOf('routingForm', named);
  if (!found) throw notFoundHere('routingForm', named);
  return { owner: ownOfEitherGroup(actorId, found.ownerId, notFoundHere('routingForm', found)), id: found.id };
}

/** The form as it is, for a caller who may still change it. */
async function formInCharge(
  context: GraphQLContext,
  named: string,
  info: GraphQLResolveInfo,
): Promise<RowOf<typeof RoutingFormEntity> | undefined> {
  const { owner, id } = formNamed(named, requireUserId(context));
  const lookUp = { parentId: owner.ownerId, ownerId: owner.ownerId, id };
  const selection = selectionOf(info, RoutingFormEntity);
  const [found] = await findOwned(context.em, ROUTING_FORMS, EVERYBODYS_OWN, [lookUp], selection, owner.isInCharge);
  return found;
}
