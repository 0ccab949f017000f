/** Checks the steps of a workflow, and applies a patch to them. */
import { checkFields, type FieldRules, type PatchOf } from '../../core/fields.ts';
import { inOrder, replacedOrAdded } from '../../core/patched-list.ts';
import { phoneMistake } from '../../core/phone.ts';
import type { Mistake } from '../../core/problem.ts';
import {
  emailMistake,
  nameOf,
  OPTIONAL_TEXT_CODES,
  type Path,
  personNameMistake,
  textMistake,
  tidyText,
} from '../../core/text.ts';
import { receiverOf } from '../verified-resources/verified-resource.rules.ts';
import { ACTIONS, MAX_LENGTH, MAX_STEPS, type WorkflowAction, type WorkflowStep } from './workflow.rules.ts';
import { type Subject, variableMistakes } from './workflow-variables.rules.ts';

export const STEP_CODES = [
  'REQUIRED',
  ...OPTIONAL_TEXT_CODES,
  'UNKNOWN_VARIABLE',
  'UNKNOWN_STEP',
  'TOO_MANY',
  'DUPLICATE',
  'INVALID_EMAIL',
  'INVALID_PHONE',
  'CONTRADICTION',
] as const;

type StepFields = Omit<WorkflowStep, 'id'>;

/** A step to add, or, with an id, the changes to the step that has it. */
export type StepPatch = PatchOf<StepFields> & { readonly id?: string | null | undefined };

/** Changes to the steps of a workflow, by their ids. Whatever no change names stays as it is, where it is. */
export interface StepsPatch {
  readonly stepsSet?: readonly StepPatch[] | null | undefined;
  /** The steps to remove, before any step is set. */
  readonly stepsRemove?: readonly string[] | null | undefined;
  /** These come first, in this order; the others follow in theirs. */
  readonly stepsOrder?: readonly string[] | null | undefined;
}

export interface PatchedSteps {
  readonly steps: readonly WorkflowStep[];
  /** The steps that were given, as they are then; without mistakes, in their order. */
  readonly set: readonly WorkflowStep[];
  readonly mistakes: readonly Mistake[];
}

const stepRules = (about: Subject): FieldRules<StepFields> => ({
  action: {},
  sendTo: { nullable: true },
  subject: {
    nullable: true,
    tidy: tidyText,
    check: (path, text) => textMistake(path, text, { max: MAX_LENGTH.subject }) ?? variableMistakes(path, text, about),
  },
  body: {
    tidy: tidyText,
    check: (path, text) =>
      textMistake(path, text, { max: MAX_LENGTH.body, multiline: true }) ?? variableMistakes(path, text, about),
  },
  includesCalendarEvent: {},
  senderName: {
    nullable: true,
    tidy: tidyText,
    check: (path, name) => personNameMistake(path, name, MAX_LENGTH.senderName),
  },
});
const STEP_RULES = { BOOKING: stepRules('BOOKING'), FORM: stepRules('FORM') } as const;
const NEEDED = ['action', 'body'] as const;

/**
 * The steps with the changes carried out, and everything that is wrong with them, in a workflow about bookings or forms; `path` is
 * where those to set stand.
 */
export function patchedSteps(
  stored: readonly WorkflowStep[],
  { stepsSet, stepsRemove, stepsOrder }: StepsPatch,
  { newStepId, about }: StepContext,
  path: Path = ['stepsSet'],
): PatchedSteps {
  const [given, removed, order] = [stepsSet ?? [], stepsRemove ?? [], stepsOrder ?? []];
  const excess = excessMistakes({ [path[0]]: given, stepsRemove: removed, stepsOrder: order });
  if (excess.length > 0) return { steps: stored, set: [], mistakes: excess };
  const kept = stored.filter(({ id }) => !removed.includes(id));
  const checked = given.map((step, index) => checkedStep([...path, String(index)], step, kept, { newStepId, about }));
  const done = checked.flatMap(({ step }) => step ?? []);
  const steps = inOrder(replacedOrAdded(kept, done, idOf), order, idOf);
  const mistakes = [
    ...unknownMistakes(['stepsRemove'], removed, stored),
    ...unknownMistakes(['stepsOrder'], order, steps),
    ...checked.flatMap((one) => one.mistakes),
    ...twiceMistakes(path, given),
    ...(steps.length > MAX_STEPS ? [tooMany(path, steps.length)] : []),
  ];
  return { steps, set: done, mistakes };
}

interface StepContext {
  readonly newStepId: () => string;
  readonly about: Subject;
}

interface CheckedStep {
  readonly step?: WorkflowStep;
  readonly mistakes: readonly Mistake[];
}

function checkedStep(
  path: Path,
  { id, ...patch }: StepPatch,
  kept: readonly WorkflowStep[],
  { newStepId, about }: StepContext,
): CheckedStep {
  const before = id == null ? undefined : kept.find((step) => step.id === id);
  if (id != null && !before) return { mistakes: [unknownStep([...path, 'id'])] };
  const { values, mistakes } = checkFields<StepFields, PatchOf<StepFields>>(patch, STEP_RULES[about]);
  const step = {
    id: newStepId(),
    sendTo: null,
    subject: null,
    includesCalendarEvent: false,
    senderName: null,
    ...before,
    ...present(values),
  };
  const missing = NEEDED.filter((name) => step[name] === undefined).map((name) => missingMistake([...path, name]));
  const wrong = mistakes.map((one) => ({ ...one, path: [...path, ...(one.path ?? [])] }));
  const done = { ...step, sendTo: tidyReceiver(step) };
  const all = [
    ...wrong,
    ...missing,
    ...wholeMistakes(path, done, wrong),
    ...(about === 'FORM' ? formMistakes(path, done) : []),
  ];
  return all.length > 0 ? { mistakes: all } : { step: done as WorkflowStep, mistakes: [] };
}

const RECEIVERS = {
  EMAIL: { check: emailMistake, needed: 'an address', action: 'EMAIL_ADDRESS' },
  PHONE: { check: phoneMistake, needed: 'a number', action: 'SMS_NUMBER' },
} as const;

function tidyReceiver({ action, sendTo = null }: Partial<StepFields>): string | null {
  return action === undefined || sendTo === null ? sendTo : receiverOf(ACTIONS[action].by, sendTo);
}

/** Finds the fields of a step that do not go with its action. */
function wholeMistakes(path: Path, step: Partial<StepFields>, known: readonly Mistake[]): Mistake[] {
  const { action } = step;
  // A subject that was given and is wrong by itself is not missing.
  const hasNoSubject = step.subject == null && !known.some((one) => one.path?.at(-1) === 'subject');
  if (action === undefined) return hasNoSubject ? [missingMistake([...path, 'subject'])] : [];
  const receiver = receiverMistake([...path, 'sendTo'], action, step.sendTo ?? null);
  if (ACTIONS[action].by === 'EMAIL') {
    return [...(hasNoSubject ? [missingMistake([...path, 'subject'])] : []), ...(receiver ? [receiver] : [])];
  }
  const { body = '', subject = null, senderName = null, includesCalendarEvent = false } = step;
  const length = textMistake([...path, 'body'], body, { max: MAX_LENGTH.sms, multiline: true });
  const ofMails = { subject: subject !== null, senderName: senderName !== null, includesCalendarEvent };
  return [
    ...(receiver ? [receiver] : []),
    ...(length?.code === 'TOO_LONG' ? [length] : []),
    ...Object.entries(ofMails).flatMap(([name, isThere]) => (isThere ? [onlyOfMails([...path, name], action)] : [])),
  ];
}

/** Finds what a workflow about forms cannot do. */
function formMistakes(path: Path, { action, includesCalendarEvent }: Partial<StepFields>): Mistake[] {
  const mistake = (name: keyof StepFields, what: string): Mistake => ({
    code: 'CONTRADICTION',
    message: `A form has ${what}; ${name === 'action' ? 'choose another action' : 'leave it out'}, or another trigger.`,
    path: [...path, name],
  });
  return [
    ...(action === 'EMAIL_HOST' ? [mistake('action', 'no hosts to be mailed')] : []),
    ...(includesCalendarEvent ? [mistake('includesCalendarEvent', 'no calendar object')] : []),
  ];
}

/** A receiver goes with the actions that need one, and with no other. */
function receiverMistake(path: Path, action: WorkflowAction, sendTo: string | null): Mistake | undefined {
  const { by, namesReceiver } = ACTIONS[action];
  const { check, needed, action: named } = RECEIVERS[by];
  if (sendTo !== null && namesReceiver) return check(path, sendTo);
  if ((sendTo !== null) === namesReceiver) return undefined;
  if (namesReceiver) return { code: 'REQUIRED', message: `${action} needs ${needed} to send to; give one.`, path };
  const message = `${action} has receivers of its own; leave sendTo out, or choose ${named}.`;
  return { code: 'CONTRADICTION', message, path };
}

function onlyOfMails(path: Path, action: WorkflowAction): Mistake {
  const message = `${action} sends text messages, which have no ${nameOf(path)}; leave it out, or set it to null or false.`;
  return { code: 'CONTRADICTION', message, path };
}

function present(values: Partial<StepFields>): Partial<StepFields> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Checked first, so that a list of a megabyte is not compared with itself. */
function excessMistakes(lists: Readonly<Record<string, readonly unknown[]>>): Mistake[] {
  return Object.entries(lists).flatMap(([name, { length }]) => (length > MAX_STEPS ? [tooMany([name], length)] : []));
}

function tooMany(path: Path, count: number): Mistake {
  return { code: 'TOO_MANY', message: `That makes ${count} steps; at most ${MAX_STEPS} are possible.`, path };
}

function twiceMistakes(path: Path, given: readonly StepPatch[]): Mistake[] {
  return given.flatMap(({ id }, index) => {
    if (id == null || given.findIndex((one) => one.id === id) === index) return [];
    return [
      { code: 'DUPLICATE', message: 'The step is set twice; set it once.', path: [...path, String(index), 'id'] },
    ];
  });
}

function unknownMistakes(path: Path, ids: readonly string[], steps: readonly WorkflowStep[]): Mistake[] {
  return ids.flatMap((id, index) =>
    steps.some((step) => step.id === id) ? [] : [unknownStep([...path, String(index)])],
  );
}

function unknownStep(path: Path): Mistake {
  return { code: 'UNKNOWN_STEP', message: 'The workflow has no such step; read its steps again.', path };
}

function missingMistake(path: Path): Mistake {
  return { code: 'REQUIRED', message: `A new step needs the ${nameOf(path)}; give one.`, path };
}

function idOf({ id }: WorkflowStep): string {
  return id;
}
