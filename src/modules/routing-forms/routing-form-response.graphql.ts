import { type OwnedId, publicId } from '../../core/id.ts';
import type { RowOf, Selection } from '../../database/columns.ts';
import { connectionOf, pageArguments, pagesBelow } from '../../graphql/connection.ts';
import { SMALL } from '../../graphql/limits/price.ts';
import { filterArgument, type GivenFilter, listFilter, within } from '../../graphql/list-filter.ts';
import { addRowFields, rowType } from '../../graphql/row.ts';
import { selectionOf } from '../../graphql/selection.ts';
import { networkOf } from '../../limits/network.ts';
import { reads, writes } from '../../scopes/declare.ts';
import { MAX_FIELDS } from '../event-types/settings/booking-field.rules.ts';
import { notFoundHere, requireOwnId } from '../levels/change-owned.ts';
import { requireInCharge } from '../levels/reach.ts';
import { resource } from '../levels/resource.graphql.ts';
import { RoutingFormResponse as ResponseEntity, RoutingForm as RoutingFormEntity } from './routing-form.entity.ts';
import { RoutingForm } from './routing-form.graphql.ts';
import { ROUTING_FORM_RESPONSES, responsePages } from './routing-form.queries.ts';
import { ANSWER_CODES, addResponse, updateResponse } from './routing-form-response.commands.ts';
import { RoutingFormField, RoutingFormTarget } from './routing-form-values.graphql.ts';

const data = reads('ROUTING_FORM');

export const RoutingFormResponse = rowType(ResponseEntity, 'RoutingFormResponse', {
  description:
    'What somebody has answered to a routing form, and where that has led. Later changes of the form change nothing of it.',
  fields: (t) => ({
    id: t.ownedId(['ownerId', 'id'], 'routingFormResponse', { requires: data }),
    routingFormId: t.ownedId(['ownerId', 'formId'], 'routingForm', {
      requires: data,
      description: 'The form that was answered, by its id (`frm_…`).',
    }),
    formVersion: t.column('formVersion', {
      requires: data,
      description: 'The `version` of the form that was answered.',
    }),
    fields: t.column('fields', {
      type: [RoutingFormField],
      price: { max: MAX_FIELDS, weight: SMALL },
      requires: data,
      description: 'The questions, as they were asked.',
    }),
    answers: t.column('answers', {
      type: 'BookingResponses',
      requires: data,
      description:
        'The answers, by the slugs of the fields. Nobody has shown that an address or a number in them is theirs.',
    }),
    routeId: t.from(['routeId'], {
      type: 'ID',
      nullable: true,
      requires: data,
      description: 'The route that was taken (`rte_…`), which may be gone by now. Null: none, but the fallback.',
      resolve: ({ routeId }) => (routeId === null ? null : publicId('route', routeId)),
    }),
    target: t.column('target', { type: RoutingFormTarget, requires: data, description: 'Where it has led.' }),
    unsentMessageCount: t.column('unsentMails', {
      requires: data,
      description:
        'How many mails and SMS of workflows about it will not be sent because of limits: tell these people yourself. Those that wait are not counted.',
    }),
    createdAt: t.column('createdAt', { requires: data }),
    updatedAt: t.column('updatedAt', { requires: data }),
  }),
});

const ResponseFilter = listFilter('RoutingFormResponse', {
  createdAt: within('createdAt', 'Answered in this period.'),
});

interface Wanted {
  readonly given: GivenFilter | null | undefined;
  readonly selection: Selection<typeof ResponseEntity>;
}

type ResponseRow = RowOf<typeof ResponseEntity>;

const loadResponses = pagesBelow(
  { columns: ['TIME', 'UUID'], keyOf: ({ createdAt, id }: ResponseRow) => [createdAt, id] },
  (context, forms: readonly OwnedId[], request, { given, selection }: Wanted) =>
    responsePages(context.em, forms, request, selection, ResponseFilter.narrowedBy(given, context)),
);

addRowFields(RoutingForm, RoutingFormEntity, (t) => ({
  responses: t.from(['ownerId', 'id'], {
    type: connectionOf(RoutingFormResponse),
    nullable: true,
    requires: data,
    description: 'What was answered to it, oldest first; `last` has the newest.',
    args: { ...filterArgument(ResponseFilter), ...pageArguments() },
    resolve: (form, args, context, info) =>
      loadResponses(context, form, args, { given: args.filter, selection: selectionOf(info, ResponseEntity) }),
  }),
}));

const ANSWERS = 'By the slugs of the fields: texts, numbers, or lists of texts, as the type of the field wants.';

resource({
  type: RoutingFormResponse,
  owned: ROUTING_FORM_RESPONSES,
  belongsTo: 'GROUP',
  reads: data,
  writes: writes('ROUTING_FORM'),
  lookUp: {
    name: 'routingFormResponse',
    describes: {
      team: 'A response to one of its routing forms. Null for what is not the team’s, and unless you administer it.',
      organization:
        'A response to one of its own routing forms. Null for what is not the organization’s, and unless you administer it.',
    },
  },
  create: {
    input: (t) => ({
      routingFormId: t.id({ required: true }),
      answers: t.field({ type: 'BookingResponses', required: true, description: ANSWERS }),
    }),
    errors: ANSWER_CODES,
    run: async (em, owner, { routingFormId, answers }, { address }) => {
      const { ownerId } = owner;
      const form = { ownerId, id: requireOwnId('routingForm', routingFormId, ownerId) };
      const by = { userId: owner.administrator?.actorId ?? null, network: networkOf(address) };
      await requireInCharge(em, owner, notFoundHere('routingForm', form));
      return (await addResponse(em, form, { answers, by, condition: owner.isInCharge })).id;
    },
    describes: {
      team: 'Stores a response to a routing form of a team, active or not, and says where it leads.',
      organization: 'Stores a response to a routing form of an organization, active or not, and says where it leads.',
    },
  },
  update: {
    input: (t) => ({
      answers: t.field({
        type: 'BookingResponses',
        description: `The answers that change. ${ANSWERS} Others stay; null takes one away.`,
      }),
    }),
    errors: ANSWER_CODES,
    run: (em, owner, id, { answers }, shown) => updateResponse(em, owner, id, answers ?? {}, shown),
    describes: {
      team: 'Corrects a response to a routing form of a team. Where it has led stays.',
      organization: 'Corrects a response to a routing form of an organization. Where it has led stays.',
    },
  },
  delete: {
    describes: {
      team: 'Deletes a response to a routing form of a team.',
      organization: 'Deletes a response to a routing form of an organization.',
    },
  },
});
