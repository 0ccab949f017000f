/** Forms as anybody sees them: what they ask, and where answers lead. */
import { ownedIdOf, publicOwnedId } from '../../core/id.ts';
import { databaseNow } from '../../database/database-clock.ts';
import { builder } from '../../graphql/builder.ts';
import { OTHER_KINDS, ownedIdArgument } from '../../graphql/id-arguments.ts';
import { SMALL, TEXT, URL_TEXT } from '../../graphql/limits/price.ts';
import { mutation } from '../../graphql/mutation.ts';
import { selectionOf } from '../../graphql/selection.ts';
import type { GuessLimit } from '../../limits/guess-limit.ts';
import { networkOf } from '../../limits/network.ts';
import { PUBLIC } from '../../scopes/declare.ts';
import { callerIdOf } from '../bookings/booking-input.graphql.ts';
import { requirePossible } from '../bookings/slots/availability.ts';
import { findOfferedEventType } from '../bookings/slots/bookable-event-type.queries.ts';
import { Slot, shownSlots, slotRange } from '../bookings/slots/slot.graphql.ts';
import { EventType as EventTypeEntity } from '../event-types/event-type.entity.ts';
import { PublicEventType } from '../event-types/public/public-event-type.graphql.ts';
import { findPublicEventTypeById } from '../event-types/public/public-event-type.queries.ts';
import { MAX_FIELDS } from '../event-types/settings/booking-field.rules.ts';
import { notFoundHere } from '../levels/change-owned.ts';
import { findOpenForm, type OpenForm } from './routing-form.queries.ts';
import { ledTo, type Target } from './routing-form.rules.ts';
import {
  checkedAnswers,
  routeAnswers,
  SUBMIT_RESPONSE_CODES,
  submitResponse,
} from './routing-form-response.commands.ts';
import { RoutingFormField, TargetType } from './routing-form-values.graphql.ts';

declare module '../../graphql/context.ts' {
  interface ModuleContext {
    /** Limits what one network may send to one form, and one user to all of them. */
    readonly formSubmissions: GuessLimit;
  }
}

const PublicRoutingForm = builder.objectRef<OpenForm>('PublicRoutingForm').implement({
  description: 'A routing form as anybody sees it: what it asks, and not where that leads.',
  fields: (t) => ({
    id: t.id({
      requires: PUBLIC,
      description: 'Its id, which begins with `frm_`: what `routingFormSubmit` takes.',
      resolve: (form) => publicOwnedId('routingForm', form),
    }),
    name: t.exposeString('name', { requires: PUBLIC, description: 'The heading of its page.' }),
    description: t.exposeString('description', {
      price: TEXT,
      nullable: true,
      requires: PUBLIC,
      description: 'What stands above the questions, as plain text. Null: nothing.',
    }),
    fields: t.field({
      type: [RoutingFormField],
      price: { max: MAX_FIELDS, weight: SMALL },
      requires: PUBLIC,
      description: 'Its questions, in their order.',
      resolve: ({ fields }) => [...fields],
    }),
  }),
});

const RoutingFormOutcome = builder.objectRef<Target>('RoutingFormOutcome').implement({
  description: 'Where answers lead: to an event type that can be booked, a message, or an address.',
  fields: (t) => ({
    type: t.expose('type', {
      type: TargetType,
      requires: PUBLIC,
      description: 'What the answers lead to; it says which of the other fields is set.',
    }),
    message: t.string({
      price: TEXT,
      nullable: true,
      requires: PUBLIC,
      description: 'For MESSAGE: the plain text to show.',
      resolve: (target) => (target.type === 'MESSAGE' ? target.message : null),
    }),
    url: t.field({
      type: 'URL',
      price: URL_TEXT,
      nullable: true,
      requires: PUBLIC,
      description:
        'Of URL: an https address to go to, with the answers as parameters of its query where the form passes them on.',
      resolve: (target) => (target.type === 'URL' ? target.url : null),
    }),
    eventType: t.field({
      type: PublicEventType,
      nullable: true,
      requires: PUBLIC,
      price: { oneAtATime: true },
      description: 'For EVENT_TYPE: the event type that can be booked. Null if it no longer exists.',
      resolve: (target, _args, { em }, info) =>
        target.type === 'EVENT_TYPE'
          ? findPublicEventTypeById(em, target, selectionOf(info, EventTypeEntity), null)
          : null,
    }),
    slots: t.field({
      type: [Slot],
      nullable: true,
      requires: PUBLIC,
      price: { range: ['start', 'end'], oneAtATime: true },
      description: 'For EVENT_TYPE: when it can be booked, as in `slots`. Null if it no longer exists.',
      args: {
        ...slotRange(),
        ...builder.args((arg) => ({
          durationInMinutes: arg.int({
            description: 'One of the event type’s `durationInMinutesOptions`; its own length if left out.',
          }),
        })),
      },
      resolve: async (target, { start, end, durationInMinutes = null, ...args }, context, info) => {
        const timeZone = args.timeZone ?? 'UTC';
        requirePossible({ start, end, timeZone });
        if (target.type !== 'EVENT_TYPE') return null;
        const anybody = { viewerId: null, privateLinkToken: null };
        const eventType = await findOfferedEventType(context.em, target, anybody);
        if (!eventType) return null;
        const now = await databaseNow(context.em);
        return shownSlots(context, info, eventType, {
          start,
          end,
          timeZone,
          durationInMinutes,
          rescheduled: null,
          now,
        });
      },
    }),
  }),
});

builder.queryField('publicRoutingForm', (t) =>
  t.field({
    type: PublicRoutingForm,
    nullable: true,
    description: 'A routing form that anybody can fill in. Null for what is not there, and for what is not active.',
    requires: PUBLIC,
    price: { oneAtATime: true },
    args: { id: t.arg.id({ required: true, description: `Its id, which begins with \`frm_\`. ${OTHER_KINDS}` }) },
    resolve: (_root, { id }, { em }) => {
      const form = ownedIdArgument('routingForm', id, ['id']);
      return form && findOpenForm(em, form);
    },
  }),
);

const ANSWERS = 'By the slugs of the fields: texts, numbers, or lists of texts, as the type of the field wants.';

builder.queryField('routingFormOutcome', (t) =>
  t.field({
    type: RoutingFormOutcome,
    nullable: true,
    description:
      'Where answers to a routing form would lead; nothing is stored. Null when there is no such form, or it is not active.',
    requires: PUBLIC,
    price: { oneAtATime: true },
    args: {
      routingFormId: t.arg.id({ required: true, description: `The form, by its id (\`frm_…\`). ${OTHER_KINDS}` }),
      answers: t.arg({ type: 'BookingResponses', required: true, description: ANSWERS }),
    },
    resolve: async (_root, { routingFormId, answers }, { em }) => {
      const named = ownedIdArgument('routingForm', routingFormId, ['routingFormId']);
      const form = named && (await findOpenForm(em, named));
      if (!form) return undefined;
      const { fields } = form;
      const checked = checkedAnswers(fields, answers);
      return ledTo((await routeAnswers(em, form, checked)).target, { fields, answers: checked });
    },
  }),
);

mutation('routingFormSubmit', {
  description: 'Stores what somebody answers to a routing form, and says where that leads. Anybody can.',
  requires: PUBLIC,
  single: true,
  errors: SUBMIT_RESPONSE_CODES,
  input: (t) => ({
    routingFormId: t.id({ required: true }),
    answers: t.field({ type: 'BookingResponses', required: true, description: ANSWERS }),
    idempotencyKey: t.string({
      description:
        'At least 16 characters of your choice. The same request with the same key is stored once, however often it is sent.',
    }),
  }),
  resolve: async ({ routingFormId, answers, idempotencyKey = null }, context) => {
    const form = ownedIdOf('routingForm', routingFormId);
    if (!form) throw notFoundHere('routingForm', routingFormId);
    const by = { userId: callerIdOf(context), network: networkOf(context.address) };
    const { address, formSubmissions } = context;
    const visitor = { by, address, formSubmissions };
    const { id, target } = await submitResponse(context.em, form, { answers, idempotencyKey }, visitor);
    return {
      routingFormResponseId: publicOwnedId('routingFormResponse', { ownerId: form.ownerId, id }),
      outcome: target,
    };
  },
  payload: (t) => ({
    routingFormResponseId: t.exposeID('routingFormResponseId', { nullable: true, requires: PUBLIC }),
    outcome: t.expose('outcome', {
      type: RoutingFormOutcome,
      nullable: true,
      requires: PUBLIC,
      description: 'Where the answers lead. Null if it was refused.',
    }),
  }),
});
