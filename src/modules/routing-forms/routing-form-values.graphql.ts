/** Declares the parts of forms, as their administrators see them. */
import { publicId, publicOwnedId } from '../../core/id.ts';
import { builder } from '../../graphql/builder.ts';
import { describedValues } from '../../graphql/descriptions.ts';
import { SMALL, TEXT, URL_TEXT } from '../../graphql/limits/price.ts';
import { PUBLIC, reads } from '../../scopes/declare.ts';
import { fieldType } from '../event-types/event-type-values.graphql.ts';
import { MAX_ANSWER } from '../event-types/settings/booking-field.rules.ts';
import { type Condition, MAX_CONDITIONS, MAX_VALUES, OPERATORS } from './condition.rules.ts';
import { FORM_FIELD_TYPES } from './form-field.rules.ts';
import {
  MATCHES,
  MAX_ROUTE_CHARACTERS,
  MAX_ROUTES,
  type Route,
  TARGET_KINDS,
  type Target,
} from './routing-form.rules.ts';

const data = reads('ROUTING_FORM');
/** The share of a value in all characters of the routes, if each condition has all the values that it can have. */
const CHARACTERS_OF_A_VALUE = MAX_ROUTE_CHARACTERS / MAX_ROUTES / MAX_CONDITIONS / MAX_VALUES;

export const FormFieldType = builder.enumType('RoutingFormFieldType', {
  description: 'What a question of a routing form takes as an answer, in `answers`.',
  values: describedValues(FORM_FIELD_TYPES, {
    TEXT: `A text in one line, of at most ${MAX_ANSWER.line} characters.`,
    TEXTAREA: `A text in several lines, of at most ${MAX_ANSWER.lines} characters.`,
    NUMBER: 'A number, not a text: `3`.',
    PHONE: 'A phone number with its country code, such as `+4930123456`.',
    EMAIL: 'An e-mail address. Nobody has shown that it is theirs.',
    SELECT: 'One of `options`.',
    MULTISELECT: 'A list of some of `options`.',
  }),
});

const OF_FORM = {
  type: FormFieldType,
  description: 'A question of a routing form.',
  slug: 'The key of the answer in `answers`.',
  label: 'The question, as people read it.',
  required: 'Whether the form cannot be sent without an answer.',
};
export const RoutingFormField = fieldType('RoutingFormField', data, OF_FORM);
export const PublicRoutingFormField = fieldType('PublicRoutingFormField', PUBLIC, OF_FORM);

export const TargetKind = builder.enumType('RoutingFormTargetKind', {
  description: 'What the answers to a form lead to.',
  values: describedValues(TARGET_KINDS, {
    EVENT_TYPE: 'An event type, which can be booked then.',
    MESSAGE: 'A message, which is shown.',
    URL: 'An address elsewhere.',
  }),
});

export const RoutingFormTarget = builder.objectRef<Target>('RoutingFormTarget').implement({
  description: 'Where answers lead: to an event type, a message, or an address.',
  fields: (t) => ({
    kind: t.expose('kind', { type: TargetKind, requires: data, description: 'Which of the others is not null.' }),
    eventTypeId: t.id({
      nullable: true,
      requires: data,
      description: 'Of EVENT_TYPE: its id (`evt_…`). It may be gone by now.',
      resolve: (target) => (target.kind === 'EVENT_TYPE' ? publicOwnedId('eventType', target) : null),
    }),
    message: t.string({
      price: TEXT,
      nullable: true,
      requires: data,
      description: 'Of MESSAGE: plain text.',
      resolve: (target) => (target.kind === 'MESSAGE' ? target.message : null),
    }),
    url: t.field({
      type: 'URL',
      price: URL_TEXT,
      nullable: true,
      requires: data,
      description: 'Of URL: an https address, as the form has it.',
      resolve: (target) => (target.kind === 'URL' ? target.url : null),
    }),
    passesAnswers: t.boolean({
      requires: data,
      description: 'Of URL: whether the answers go along as parameters of its query. False for others.',
      resolve: (target) => target.kind === 'URL' && target.passesAnswers === true,
    }),
  }),
});

export const Match = builder.enumType('RoutingFormMatch', {
  description: 'How many of the conditions of a route must hold.',
  values: describedValues(MATCHES, { ALL: 'All of them.', ANY: 'At least one of them.' }),
});

export const Operator = builder.enumType('RoutingFormOperator', {
  description: 'What a condition says of an answer. Capitals make no difference.',
  values: describedValues(OPERATORS, {
    EQUALS: 'It is the value. Of all types but MULTISELECT.',
    NOT_EQUALS: 'It is not the value, or there is none. Of all types but MULTISELECT.',
    CONTAINS: 'The value stands in it. Of texts.',
    NOT_CONTAINS: 'The value does not stand in it, or there is none. Of texts.',
    GREATER: 'It is greater than the value. Of NUMBER.',
    LESS: 'It is less than the value. Of NUMBER.',
    ANY_OF: 'It is one of the values; of MULTISELECT, some of it is.',
    NONE_OF: 'It is none of the values; of MULTISELECT, nothing of it is.',
    ALL_OF: 'All of the values are chosen. Of MULTISELECT.',
    IS_EMPTY: 'There is no answer.',
    IS_NOT_EMPTY: 'There is an answer.',
  }),
});

const RouteCondition = builder.objectRef<Condition>('RoutingFormCondition').implement({
  description: 'What a route says of one answer.',
  fields: (t) => ({
    field: t.exposeString('field', { requires: data, description: 'The slug of the field.' }),
    operator: t.expose('operator', { type: Operator, requires: data, description: 'What it says of the answer.' }),
    values: t.stringList({
      price: { max: MAX_VALUES, characters: CHARACTERS_OF_A_VALUE },
      requires: data,
      description: 'What the answer is compared with; numbers are texts too. Empty where there is nothing to compare.',
      resolve: ({ values }) => [...values],
    }),
  }),
});

export const RoutingFormRoute = builder.objectRef<Route>('RoutingFormRoute').implement({
  description: 'One way through a form. The first route whose conditions hold is taken.',
  fields: (t) => ({
    id: t.id({
      requires: data,
      resolve: ({ id }) => publicId('route', id),
      description: 'Its id (`rte_…`), which stays the same.',
    }),
    match: t.expose('match', { type: Match, requires: data, description: 'How many of its conditions must hold.' }),
    conditions: t.field({
      type: [RouteCondition],
      price: { max: MAX_CONDITIONS, weight: SMALL },
      requires: data,
      description: 'What must hold of the answers.',
      resolve: ({ conditions }) => [...conditions],
    }),
    target: t.expose('target', { type: RoutingFormTarget, requires: data, description: 'Where it leads.' }),
  }),
});
