/** Declares the parts of forms as inputs. */
import { idOf, NO_ID, ownedIdOf } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { type Path, SLUG_IN_WORDS, URL_IN_WORDS } from '../../core/text.ts';
import { builder, type InputBuilder } from '../../graphql/builder.ts';
import {
  MAX_FIELDS,
  MAX_LABEL_LENGTH,
  MAX_OPTION_LENGTH,
  MAX_OPTIONS,
} from '../event-types/settings/booking-field.rules.ts';
import { type Condition, MAX_CONDITIONS, MAX_VALUES } from './condition.rules.ts';
import { MAX_MESSAGE_LENGTH, MAX_ROUTES, type Route, type RoutePatch, type Target } from './routing-form.rules.ts';
import { FormFieldType, Match, Operator } from './routing-form-values.graphql.ts';

const ConditionInput = builder.inputType('RoutingFormConditionInput', {
  description: 'What a route says of one answer.',
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

const LABEL = `The question, as people read it: at most ${MAX_LABEL_LENGTH} characters.`;
const TYPE = 'What it takes as an answer.';

const FieldInput = builder.inputType('RoutingFormFieldInput', {
  description: 'A question of a routing form.',
  fields: (t) => ({
    ...fieldFields(t),
    type: t.field({ type: FormFieldType, required: true, description: TYPE }),
    label: t.string({ required: true, description: LABEL }),
  }),
});

const FieldPatchInput = builder.inputType('RoutingFormFieldPatchInput', {
  description: 'A new field, which needs type and label, or what is to change of the one that has this slug.',
  fields: (t) => ({
    ...fieldFields(t),
    type: t.field({ type: FormFieldType, description: TYPE }),
    label: t.string({ description: LABEL }),
  }),
});

function fieldFields(t: InputBuilder) {
  return {
    slug: t.string({ required: true, description: `The key of the answer in \`answers\`: ${SLUG_IN_WORDS}.` }),
    required: t.boolean({ description: 'Whether the form cannot be sent without an answer. False at first.' }),
    options: t.stringList({
      description: `For SELECT and MULTISELECT: at most ${MAX_OPTIONS} of at most ${MAX_OPTION_LENGTH} characters. Replaces all.`,
    }),
    placeholder: t.string({
      description: `What stands in the empty field, as an example: at most ${MAX_LABEL_LENGTH} characters. Null: nothing.`,
    }),
  };
}

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
      type: [FieldPatchInput],
      description: 'Adds fields and changes those with these slugs. All others stay as they are.',
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
  if (url != null) return { kind: 'URL', url, ...(passesAnswers && { passesAnswers }) };
  if (passesAnswers) {
    const advice = 'Answers are passed on to an address alone; give url, or leave passesAnswers out.';
    throw new Problem('BAD_INPUT', advice, [...path, 'passesAnswers']);
  }
  if (message != null) return { kind: 'MESSAGE', message };
  const named = ownedIdOf('eventType', eventTypeId ?? '') ?? { ownerId: NO_ID, id: NO_ID };
  return { kind: 'EVENT_TYPE', ...named };
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
