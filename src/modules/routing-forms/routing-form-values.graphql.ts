/** Declares the parts of forms: fields, routes and targets, as they are shown and as inputs take them. */
import { idOf, NO_ID, ownedIdOf, publicId, publicOwnedId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { type Path, SLUG_IN_WORDS, URL_IN_WORDS } from '../../core/text.ts';
import { builder, type InputBuilder } from '../../graphql/builder.ts';
import { describedValues } from '../../graphql/descriptions.ts';
import { SMALL, TEXT, URL_TEXT } from '../../graphql/limits/price.ts';
import { reads } from '../../scopes/declare.ts';
import { fieldType } from '../event-types/event-type-values.graphql.ts';
import {
  MAX_ANSWER,
  MAX_FIELDS,
  MAX_LABEL_LENGTH,
  MAX_OPTION_LENGTH,
  MAX_OPTIONS,
} from '../event-types/settings/booking-field.rules.ts';
import { type Condition, MAX_CONDITIONS, MAX_VALUES, OPERATORS } from './condition.rules.ts';
import { FORM_FIELD_TYPES } from './form-field.rules.ts';
import {
  MATCHES,
  MAX_MESSAGE_LENGTH,
  MAX_ROUTE_CHARACTERS,
  MAX_ROUTES,
  type Route,
  type RoutePatch,
  TARGET_TYPES,
  type Target,
} from './routing-form.rules.ts';

const data = reads('ROUTING_FORM');
/** The share of a value in all characters of the routes, if each condition has all the values that it can have. */
const CHARACTERS_OF_A_VALUE = MAX_ROUTE_CHARACTERS / MAX_ROUTES / MAX_CONDITIONS / MAX_VALUES;

const FormFieldType = builder.enumType('RoutingFormFieldType', {
  description: 'What a question of a routing form takes as an answer, in `answers`.',
  values: describedValues(FORM_FIELD_TYPES, {
    TEXT: `A text in one line, of at most ${MAX_ANSWER.line} characters.`,
    TEXTAREA: `A text in several lines, of at most ${MAX_ANSWER.lines} characters.`,
    NUMBER: 'A number, not a text: `3`.',
    PHONE: 'A phone number with its country code, such as `+4930123456`.',
    EMAIL: 'An e-mail address. Nobody has shown that it is theirs.',
    SELECT: 'One of `options`.',
    MULTI_SELECT: 'A list of some of `options`.',
  }),
});

export const RoutingFormField = fieldType('RoutingFormField', {
  type: FormFieldType,
  description: 'A question of a routing form.',
  slug: 'The key of its answer in `answers`.',
  label: 'The question, as people read it.',
  isRequired: 'Whether the form cannot be sent without an answer.',
});

export const TargetType = builder.enumType('RoutingFormTargetType', {
  description: 'What the answers to a form lead to.',
  values: describedValues(TARGET_TYPES, {
    EVENT_TYPE: 'An event type, which can be booked then.',
    MESSAGE: 'A message, which is shown.',
    URL: 'An address elsewhere.',
  }),
});

export const RoutingFormTarget = builder.objectRef<Target>('RoutingFormTarget').implement({
  description: 'Where answers lead: to an event type, a message, or an address.',
  fields: (t) => ({
    type: t.expose('type', {
      type: TargetType,
      requires: data,
      description: 'What the answers lead to; it says which of the other fields is set.',
    }),
    eventTypeId: t.id({
      nullable: true,
      requires: data,
      description: 'For EVENT_TYPE: the id of the event type (`evt_…`), which may no longer exist.',
      resolve: (target) => (target.type === 'EVENT_TYPE' ? publicOwnedId('eventType', target) : null),
    }),
    message: t.string({
      price: TEXT,
      nullable: true,
      requires: data,
      description: 'For MESSAGE: the plain text.',
      resolve: (target) => (target.type === 'MESSAGE' ? target.message : null),
    }),
    url: t.field({
      type: 'URL',
      price: URL_TEXT,
      nullable: true,
      requires: data,
      description: 'For URL: the https address, as the form has it.',
      resolve: (target) => (target.type === 'URL' ? target.url : null),
    }),
    passesAnswers: t.boolean({
      requires: data,
      description: 'For URL: whether the answers are added as query parameters. False for the other kinds.',
      resolve: (target) => target.type === 'URL' && target.passesAnswers === true,
    }),
  }),
});

const Match = builder.enumType('RoutingFormMatch', {
  description: 'How many of the conditions of a route must hold.',
  values: describedValues(MATCHES, { ALL: 'All of them.', ANY: 'At least one of them.' }),
});

const Operator = builder.enumType('RoutingFormOperator', {
  description: 'How a condition compares an answer. Upper and lower case are the same.',
  values: describedValues(OPERATORS, {
    EQUALS: 'It is the value. Of all types but MULTI_SELECT.',
    NOT_EQUALS: 'It is not the value, or there is none. Of all types but MULTI_SELECT.',
    CONTAINS: 'The value stands in it. Of texts.',
    NOT_CONTAINS: 'The value does not stand in it, or there is none. Of texts.',
    GREATER_THAN: 'It is greater than the value. Of NUMBER.',
    LESS_THAN: 'It is less than the value. Of NUMBER.',
    ANY_OF: 'It is one of the values; of MULTI_SELECT, some of it is.',
    NONE_OF: 'It is none of the values; of MULTI_SELECT, nothing of it is.',
    ALL_OF: 'All of the values are chosen. Of MULTI_SELECT.',
    IS_EMPTY: 'There is no answer.',
    IS_NOT_EMPTY: 'There is an answer.',
  }),
});

const RouteCondition = builder.objectRef<Condition>('RoutingFormCondition').implement({
  description: 'A condition of a route, about one answer.',
  fields: (t) => ({
    field: t.exposeString('field', { requires: data, description: 'The slug of the field.' }),
    operator: t.expose('operator', { type: Operator, requires: data, description: 'How the answer is compared.' }),
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
      description: 'The conditions on the answers.',
      resolve: ({ conditions }) => [...conditions],
    }),
    target: t.expose('target', { type: RoutingFormTarget, requires: data, description: 'Where it leads.' }),
  }),
});

const ConditionInput = builder.inputType('RoutingFormConditionInput', {
  description: 'A condition of a route, about one answer.',
  fields: (t) => ({
    field: t.string({ required: true, description: 'The slug of a field of the form.' }),
    operator: t.field({
      type: Operator,
      required: true,
      description: 'What it says; one that fits the type of the field.',
    }),
    values: t.stringList({
      description: `One value; of ANY_OF, NONE_OF and ALL_OF up to ${MAX_VALUES}; of IS_EMPTY and IS_NOT_EMPTY none. Options, where the field has some; numbers as texts, \`"12.5"\`.`,
    }),
  }),
});

const TargetInput = builder.inputType('RoutingFormTargetInput', {
  description: 'Where answers lead: exactly one of these.',
  fields: (t) => ({
    eventTypeId: t.id({
      description: 'An event type of the team, or of a team or member of the organization (`evt_…`).',
    }),
    message: t.string({ description: `Plain text of at most ${MAX_MESSAGE_LENGTH} characters.` }),
    url: t.field({ type: 'URL', description: `Elsewhere: ${URL_IN_WORDS}.` }),
    passesAnswers: t.boolean({
      description:
        'Of `url`: whether the answers go along as parameters of its query, by the slugs of the fields. Parameters that it has stay as they are. Not, unless said otherwise.',
    }),
  }),
});

const RouteInput = builder.inputType('RoutingFormRouteInput', {
  description: 'A new route, which needs conditions and a target, or what is to change of the one that has this id.',
  fields: (t) => ({
    id: t.id({ description: 'The route that is changed (`rte_…`). Left out: a new one.' }),
    match: t.field({ type: Match, description: 'How many of the conditions must hold. ALL at first.' }),
    conditions: t.field({
      type: [ConditionInput],
      description: `1 to ${MAX_CONDITIONS}; they replace all of the route.`,
    }),
    target: t.field({ type: TargetInput, description: 'Where it leads.' }),
  }),
});

const FieldInput = builder.inputType('RoutingFormFieldInput', {
  description: 'A question of a routing form.',
  fields: (t) => ({
    slug: t.string({ required: true, description: `The key of the answer in \`answers\`: ${SLUG_IN_WORDS}.` }),
    type: t.field({ type: FormFieldType, required: true, description: 'What it takes as an answer.' }),
    label: t.string({
      required: true,
      description: `The question, as people read it: at most ${MAX_LABEL_LENGTH} characters.`,
    }),
    isRequired: t.boolean({
      description: 'Whether the form cannot be sent without an answer. Of a new field, false by default.',
    }),
    options: t.stringList({
      description: `For SELECT and MULTI_SELECT: at most ${MAX_OPTIONS} of at most ${MAX_OPTION_LENGTH} characters. Replaces all.`,
    }),
    placeholder: t.string({
      description: `What stands in the empty field, as an example: at most ${MAX_LABEL_LENGTH} characters. Null: nothing.`,
    }),
  }),
});

/** The inputs of a new form's questions, and of where the answers lead. */
export function newAskedFields(t: InputBuilder) {
  return {
    fields: t.field({
      type: [FieldInput],
      description: `Questions, in this order: at most ${MAX_FIELDS}. None, if left out.`,
    }),
    routes: t.field({
      type: [RouteInput],
      description: `The first route whose conditions hold is taken: at most ${MAX_ROUTES}. None, if left out.`,
    }),
    fallback: t.field({
      type: TargetInput,
      required: true,
      description: 'Where answers lead for which no route does.',
    }),
  };
}

/** How that changes. */
export function askedPatchFields(t: InputBuilder) {
  return {
    fieldsSet: t.field({
      type: [FieldInput],
      description:
        'Adds fields, and changes those with these slugs, of which what is left out stays. All others stay as they are.',
    }),
    fieldsRemove: t.stringList({
      description: 'The slugs of fields to remove, before others are set. No route may name them any more.',
    }),
    fieldsOrder: t.stringList({
      description: 'Slugs of fields that come first, in this order; the others follow in theirs.',
    }),
    routesSet: t.field({
      type: [RouteInput],
      description: 'Adds routes, at the end, and changes those with these ids. All others stay as they are.',
    }),
    routesRemove: t.idList({ description: 'The ids of routes to remove (`rte_…`), before others are set.' }),
    routesOrder: t.idList({
      description: 'Ids of routes that come first (`rte_…`), in this order; the others follow in theirs.',
    }),
    fallback: t.field({ type: TargetInput, description: 'Where answers lead for which no route does.' }),
  };
}

interface GivenTarget {
  readonly eventTypeId?: string | null | undefined;
  readonly message?: string | null | undefined;
  readonly url?: string | null | undefined;
  readonly passesAnswers?: boolean | null | undefined;
}

/** @throws Problem BAD_INPUT unless it names exactly one, and has answers passed to an address alone */
export function targetOf(path: Path, { eventTypeId, message, url, passesAnswers }: GivenTarget): Target {
  if ([eventTypeId, message, url].filter((one) => one != null).length !== 1) {
    throw new Problem(
      'BAD_INPUT',
      'Give eventTypeId, message or url, exactly one of them: it says where answers lead.',
      path,
    );
  }
  if (url != null) return { type: 'URL', url, ...(passesAnswers && { passesAnswers }) };
  if (passesAnswers) {
    const advice = 'Answers are passed on to an address alone; give url, or leave passesAnswers out.';
    throw new Problem('BAD_INPUT', advice, [...path, 'passesAnswers']);
  }
  if (message != null) return { type: 'MESSAGE', message };
  const named = ownedIdOf('eventType', eventTypeId ?? '') ?? { ownerId: NO_ID, id: NO_ID };
  return { type: 'EVENT_TYPE', ...named };
}

interface GivenRoute {
  readonly id?: string | null | undefined;
  readonly match?: Route['match'] | null | undefined;
  readonly conditions?:
    | readonly (Omit<Condition, 'values'> & { readonly values?: readonly string[] | null | undefined })[]
    | null
    | undefined;
  readonly target?: GivenTarget | null | undefined;
}

/** Routes of an input, with UUIDs. @throws Problem BAD_INPUT for a target that names several places, or none */
export function routesOf(name: string, given: readonly GivenRoute[]): RoutePatch[] {
  return given.map(({ id, match, conditions, target }, index) => ({
    match,
    ...(id != null && { id: routeIdOf(id) }),
    conditions: conditions?.map((one) => ({ ...one, values: one.values ?? [] })),
    target: target && targetOf([name, String(index), 'target'], target),
  }));
}

/** Reads the id of a route. A text that is none names no route. */
export function routeIdOf(named: string): string {
  return idOf('route', named) ?? NO_ID;
}
