/** Commands that make or change a workflow share these: the rules of its fields, and the event types that it names. */
import { lineField } from '../../core/field-rules.ts';
import { checkFields, type FieldRules, type PatchOf, wholeNumberMistake } from '../../core/fields.ts';
import { idOf, NO_ID, newId, ownedIdOf } from '../../core/id.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import { nameOf, type Path, shown } from '../../core/text.ts';
import { anyOf, type Em, row, rows, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { EventType } from '../event-types/event-type.entity.ts';
import { RoutingForm } from '../routing-forms/routing-form.entity.ts';
import { findVerifiedReceivers } from './verified-receivers.queries.ts';
import {
  ACTIONS,
  isTimed,
  MAX_EVENT_TYPES,
  MAX_LENGTH,
  MAX_OFFSET_DAYS,
  MAX_ROUTING_FORMS,
  MINUTES_IN,
  subjectOf,
  TIMED_TRIGGERS,
  type WorkflowOffset,
  type WorkflowStep,
  type WorkflowTrigger,
} from './workflow.rules.ts';
import { type PatchedSteps, patchedSteps, STEP_CODES, type StepPatch } from './workflow-steps.rules.ts';
import { type Subject, slugsAsked } from './workflow-variables.rules.ts';

export const WORKFLOW_FIELD_CODES = [...STEP_CODES, 'OUT_OF_RANGE', 'NOT_VERIFIED', 'SMS_UNAVAILABLE'] as const;

export interface WorkflowFields {
  readonly name: string;
  readonly trigger: WorkflowTrigger;
  readonly offset: WorkflowOffset | null;
  /** Public ids; null: all event types of the team. */
  readonly eventTypeIds: readonly string[] | null;
  /** The forms of ROUTING_FORM_SUBMITTED; public ids; null: all forms of the team. */
  readonly routingFormIds: readonly string[] | null;
  readonly isActive: boolean;
}

const RULES: FieldRules<WorkflowFields> = {
  name: lineField(MAX_LENGTH.name),
  trigger: {},
  offset: {
    nullable: true,
    check: (path, { value, unit }) =>
      wholeNumberMistake([...path, 'value'], value, 1, (MAX_OFFSET_DAYS * MINUTES_IN.DAY) / MINUTES_IN[unit]),
  },
  eventTypeIds: { nullable: true, check: countMistake('event types', MAX_EVENT_TYPES) },
  routingFormIds: { nullable: true, check: countMistake('forms', MAX_ROUTING_FORMS) },
  isActive: {},
};

/** The given fields as they are stored, and what is wrong with each by itself. */
export function checkedWorkflowFields(given: PatchOf<WorkflowFields>) {
  return checkFields<WorkflowFields, PatchOf<WorkflowFields>>(given, RULES);
}

/** Checks the offset that a workflow would have: it goes with the triggers by time, and with no other. */
export function offsetMistakes(trigger: WorkflowTrigger | undefined, offset: WorkflowOffset | null): Mistake[] {
  if (trigger === undefined || isTimed(trigger) === (offset !== null)) return [];
  const path = ['offset'] as const;
  if (offset === null)
    return [{ code: 'REQUIRED', message: `A workflow with ${trigger} needs an offset; give one.`, path }];
  const message = `A workflow with ${trigger} has no offset; leave it out, or choose ${TIMED_TRIGGERS.join(' or ')}.`;
  return [{ code: 'CONTRADICTION', message, path }];
}

/** Refuses the list that does not go with what a workflow of this trigger is about. */
export function subjectMistakes(
  trigger: WorkflowTrigger | undefined,
  { eventTypeIds, routingFormIds }: PatchOf<Pick<WorkflowFields, 'eventTypeIds' | 'routingFormIds'>>,
): Mistake[] {
  if (trigger === undefined) return [];
  const [path, isThere] =
    subjectOf(trigger) === 'FORM'
      ? (['eventTypeIds', eventTypeIds] as const)
      : (['routingFormIds', routingFormIds] as const);
  if (isThere == null) return [];
  const message = `A workflow with ${trigger} has no ${path}; leave them out, or choose another trigger.`;
  return [{ code: 'CONTRADICTION', message, path: [path] }];
}

/** Texts are about bookings or about forms, and so are their variables. */
export function triggerMistakes(before: WorkflowTrigger, trigger: WorkflowTrigger): Mistake[] {
  if (subjectOf(before) === subjectOf(trigger)) return [];
  const message = `A workflow with ${before} cannot become one with ${trigger}, whose texts have other variables; make another one.`;
  return [{ code: 'CONTRADICTION', message, path: ['trigger'] }];
}

/** The steps of a new workflow. */
export function newSteps(given: readonly StepPatch[], about: Subject): PatchedSteps {
  const none: readonly WorkflowStep[] = [];
  const patched = patchedSteps(none, { stepsSet: given }, { newStepId: newId, about }, ['steps']);
  if (given.length > 0) return patched;
  const message = 'The workflow has no step; give at least one.';
  return { ...patched, mistakes: [{ code: 'REQUIRED', message, path: ['steps'] }] };
}

/** SMS need somebody who sends them. @throws Problem SMS_UNAVAILABLE */
export function requireSendable(steps: readonly WorkflowStep[], sendsSms: boolean, path: readonly [string]): void {
  if (sendsSms) return;
  const message = 'This service sends no text messages: its operator has not configured a provider.';
  Problem.throwIfAny(
    steps.flatMap(({ action }, index): Mistake[] =>
      ACTIONS[action].by === 'PHONE'
        ? [{ code: 'SMS_UNAVAILABLE', message, path: [...path, String(index), 'action'] }]
        : [],
    ),
  );
}

const KINDS = {
  EMAIL: { noun: 'address', list: 'verifiedEmails' },
  PHONE: { noun: 'number', list: 'verifiedPhones' },
} as const;

/** Nothing goes where nobody has asked for it: what these steps send to must be verified for the team. @throws Problem NOT_VERIFIED */
export async function requireVerified(
  em: Em,
  teamId: string,
  steps: readonly WorkflowStep[],
  path: readonly [string],
): Promise<void> {
  const verified = await findVerifiedReceivers(em, teamId, steps);
  Problem.throwIfAny(
    steps.flatMap(({ action, sendTo }, index): Mistake[] => {
      if (sendTo === null || verified.has(sendTo)) return [];
      const { noun, list } = KINDS[ACTIONS[action].by];
      const message = `The ${noun} ${shown(sendTo)} is not verified for the team; verify it first (\`${list}\`).`;
      return [{ code: 'NOT_VERIFIED', message, path: [...path, String(index), 'sendTo'] }];
    }),
  );
}

/** Reads the id of a step; a text that is none names no step. */
export function stepIdOf(named: string): string {
  return idOf('workflowStep', named) ?? NO_ID;
}

const NAMED = {
  eventTypeIds: { kind: 'eventType', entity: EventType, noun: 'event type' },
  routingFormIds: { kind: 'routingForm', entity: RoutingForm, noun: 'form' },
} as const;

/**
 * Reads the event types or forms of a workflow, as UUIDs, each once.
 * @throws Problem NOT_FOUND for one that is not this team's
 */
export async function requireNamed(
  em: Em,
  teamId: string,
  list: keyof typeof NAMED,
  named: readonly string[] | null,
): Promise<readonly string[] | null> {
  if (named === null) return null;
  const { kind, entity, noun } = NAMED[list];
  const ids = named.map((one) => {
    const found = ownedIdOf(kind, one);
    return found?.ownerId === teamId ? found.id : NO_ID;
  });
  const found = await rows(
    em,
    selectFrom<typeof EventType | typeof RoutingForm>(entity, { ownerId: teamId })
      .where('id', '=', anyOf(ids))
      .select('id'),
  );
  const there = new Set(found.map(({ id }) => id));
  Problem.throwIfAny(
    named.flatMap((one, index): Mistake[] => {
      if (there.has(ids[index] ?? NO_ID)) return [];
      const message = `The team has no ${noun} ${shown(one)}; name some of its own.`;
      return [{ code: 'NOT_FOUND', message, path: [list, String(index)] }];
    }),
  );
  return [...new Set(ids)];
}

/**
 * Requires that a form asks what the texts of a workflow use: one of those that it names, or else any of the team,
 * where it has one by now.
 * @throws Problem UNKNOWN_VARIABLE
 */
export async function requireAsked(
  em: Em,
  teamId: string,
  routingFormIds: readonly string[] | null,
  steps: readonly WorkflowStep[],
  path: readonly [string],
): Promise<void> {
  const asked = steps.flatMap(({ subject, body }, index) =>
    Object.entries({ subject: subject ?? '', body }).flatMap(([name, text]) =>
      slugsAsked(text).map((slug) => ({ slug, path: [...path, String(index), name] as const })),
    ),
  );
  if (asked.length === 0) return;
  const found = await row(
    em,
    sql<{ forms: number; slugs: readonly string[] }>`
      select count(distinct f.id)::int as forms, coalesce(array_agg(distinct field->>'slug'), '{}') as slugs
      from routing_forms f left join jsonb_array_elements(f.fields) as field on true
      where f.owner_id = ${teamId} and (${routingFormIds}::uuid[] is null or f.id = any(${routingFormIds}::uuid[]))`,
  );
  if (!found || found.forms === 0) return;
  const known = new Set(found.slugs);
  Problem.throwIfAny(
    asked.flatMap(({ slug, path: place }) => {
      if (known.has(slug)) return [];
      const message = `The ${nameOf(place)} has the answer to the question ${shown(slug)}, which no form of the workflow asks; name one by its slug.`;
      return [{ code: 'UNKNOWN_VARIABLE' as const, message, path: place }];
    }),
  );
}

function countMistake(nouns: string, most: number) {
  return (path: Path, { length }: readonly string[]): Mistake | undefined => {
    if (length === 0) {
      const message = `The list of ${nouns} is empty; name at least one, or null for all of the team.`;
      return { code: 'REQUIRED', message, path };
    }
    if (length <= most) return undefined;
    const message = `${length} ${nouns} are named; at most ${most} are possible. Null is for all of the team.`;
    return { code: 'TOO_MANY', message, path };
  };
}
