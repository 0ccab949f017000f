/** hosts/ is who takes part in what is booked with a team. It may import its surroundings, words/ among them. */
import type { PatchOf } from '../../../core/fields.ts';
import { publicId } from '../../../core/id.ts';
import type { Mistake } from '../../../core/problem.ts';
import type { Path } from '../../../core/text.ts';
import type { TeamSettings } from '../../../modules/event-types/event-type.rules.ts';
import { HOST_DEFAULTS } from '../../../modules/event-types/event-type-host.rules.ts';
import type { HostCandidate, HostPatch, HostsPatch } from '../../../modules/event-types/event-type-hosts.ts';
import { SCHEDULING_TYPES } from '../../../modules/event-types/settings/scheduling.rules.ts';
import { type Control, FormProblem } from '../../kit/problem-words.ts';
import { largeForm } from '../../kit/request.ts';
import type { ShownEventType, Values } from '../form-part.ts';
import type { HostWords } from '../words/event-type-words.ts';

/** As many members stand on a page. */
export const MEMBERS_A_PAGE = 25;
export const HOSTS_LIMITS = largeForm(3 * MEMBERS_A_PAGE);

/**
 * The values of a member's field: in a round-robin event type, that they take turns, or attend always; in others, that
 * they attend.
 */
export const CHOICES = ['TURN', 'ALWAYS', 'on'] as const;

/** The members that the hosts are taken from. */
export const SCOPES = ['ALL', 'SOME'] as const;

/** The fields about a member. */
export function fieldsOf({ userId }: Pick<HostCandidate, 'userId'>) {
  const id = publicId('user', userId);
  return { host: `host-${id}`, priority: `priority-${id}`, weight: `weight-${id}` } as const;
}

/** Whether hosts take turns, for which there is more to say of each. */
export function takesTurns({ schedulingType }: Pick<ShownEventType, 'schedulingType'>): boolean {
  return schedulingType === 'ROUND_ROBIN';
}

/** The form as it is stored. */
export function formOf(eventType: ShownEventType, candidates: readonly HostCandidate[]): Values {
  const members = candidates.map((candidate) => {
    const { host, priority, weight } = fieldsOf(candidate);
    const stored = candidate.host ?? HOST_DEFAULTS;
    const choice = takesTurns(eventType) ? (stored.isMandatory ? 'ALWAYS' : 'TURN') : 'on';
    return {
      ...(candidate.host && { [host]: choice }),
      ...(takesTurns(eventType) && { [priority]: String(stored.priority), [weight]: String(stored.weight) }),
    };
  });
  return Object.assign(
    { schedulingType: eventType.schedulingType ?? '', scope: eventType.assignsAllMembers ? 'ALL' : 'SOME' },
    ...members,
  );
}

/** Reads what the form changes of the stored hosts. @throws FormProblem for a value that cannot be read */
export function changesOf(
  typed: Values,
  eventType: ShownEventType,
  candidates: readonly HostCandidate[],
  words: HostWords,
): PatchOf<TeamSettings> & HostsPatch {
  const mistakes: Mistake[] = [];
  const schedulingType = SCHEDULING_TYPES.find((one) => one === typed['schedulingType']);
  const scope = SCOPES.find((one) => one === typed['scope']);
  if (!schedulingType) mistakes.push({ code: 'REQUIRED', message: words.choose, path: ['schedulingType'] });
  if (!scope) mistakes.push({ code: 'REQUIRED', message: words.choose, path: ['scope-ALL'] });
  const { set, removed } = membersIn(typed, candidates);
  const hostsSet = set.map((candidate): HostPatch => {
    const { host, priority, weight } = fieldsOf(candidate);
    const isMandatory = typed[host] === 'on' ? {} : { isMandatory: typed[host] === 'ALWAYS' };
    const number = (name: string, label: string) => {
      const text = typed[name]?.trim();
      if (text === undefined) return undefined;
      if (!/^\d{1,9}$/.test(text))
        mistakes.push({ code: 'OUT_OF_RANGE', message: words.noNumber(label), path: [name] });
      return Number(text);
    };
    return {
      userId: publicId('user', candidate.userId),
      ...isMandatory,
      priority: number(priority, words.priority),
      weight: number(weight, words.weight),
    };
  });
  // Values about the part of somebody who has none would be lost.
  for (const candidate of candidates.filter((one) => isLeftOut(typed, one) && saysMore(typed, one)))
    mistakes.push({ code: 'REQUIRED', message: words.chooseFirst, path: [fieldsOf(candidate).host] });
  FormProblem.throwIfAny(mistakes);
  return {
    ...(schedulingType !== eventType.schedulingType && { schedulingType }),
    ...((scope === 'ALL') !== eventType.assignsAllMembers && { assignsAllMembers: scope === 'ALL' }),
    ...(hostsSet.length > 0 && { hostsSet }),
    ...(removed.length > 0 && { hostsRemove: removed.map(({ userId }) => publicId('user', userId)) }),
  };
}

/** The field of the form that a mistake of the command is about; undefined for what is about the whole. */
export function controlOf(
  [first, index, part]: Path,
  typed: Values,
  candidates: readonly HostCandidate[],
  words: HostWords,
): Control | undefined {
  if (first === 'schedulingType') return { name: first, subject: words.title };
  if (first === 'assignsAllMembers') return { name: 'scope-ALL', subject: words.scope };
  const { set, removed } = membersIn(typed, candidates);
  const candidate = (first === 'hostsSet' ? set : first === 'hostsRemove' ? removed : [])[Number(index)];
  if (!candidate) return undefined;
  const fields = fieldsOf(candidate);
  const name = part === 'priority' || part === 'weight' ? fields[part] : fields.host;
  return { name, subject: words.aboutMember(nameOf(candidate)) };
}

/** The name by which a member goes. */
export function nameOf({ name, username }: HostCandidate): string {
  return name || username;
}

/** The members whom the form changes. It has no fields for members whom the reader does not manage. */
function membersIn(typed: Values, candidates: readonly HostCandidate[]) {
  const said = candidates.filter((one) => one.isManaged || typed[fieldsOf(one).host] !== undefined);
  return {
    set: said.filter((one) => !isLeftOut(typed, one) && saysMore(typed, one)),
    removed: said.filter((one) => one.host !== null && isLeftOut(typed, one)),
  };
}

function isLeftOut(typed: Values, candidate: HostCandidate): boolean {
  return !CHOICES.some((one) => one === typed[fieldsOf(candidate).host]);
}

/** Whether a member's fields differ from what is stored; for a member who is no host, from what a new one has. */
function saysMore(typed: Values, candidate: HostCandidate): boolean {
  const { host, priority, weight } = fieldsOf(candidate);
  const stored = candidate.host ?? HOST_DEFAULTS;
  const differs = (name: string, value: number) => typed[name] !== undefined && typed[name].trim() !== String(value);
  const isOther = differs(priority, stored.priority) || differs(weight, stored.weight);
  if (isLeftOut(typed, candidate)) return candidate.host === null && isOther;
  const isMandatory = typed[host] === 'on' ? stored.isMandatory : typed[host] === 'ALWAYS';
  return candidate.host === null || isMandatory !== stored.isMandatory || isOther;
}
