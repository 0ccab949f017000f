/** Members of teams and organizations, in English. */
import { html } from 'hono/html';
import { pluralIn } from '../../../core/language.ts';
import { MAX_COUNTED } from '../../../modules/bookings/departures/departure.queries.ts';
import { MAX_SETTLED_BOOKINGS } from '../../../modules/bookings/departures/departure-choice.rules.ts';
import type { FormWords } from '../../kit/mistakes.ts';

const plural = pluralIn('en');
const counted = (count: number, noun: string): string =>
  count >= MAX_COUNTED
    ? `${MAX_COUNTED} ${noun}s or more`
    : plural(count, { one: `1 ${noun}`, other: `${count} ${noun}s` });
const eventTypes = (count: number) => counted(count, 'event type');
const managed = (count: number) => counted(count, 'managed event type');
const bookings = (count: number) => counted(count, 'upcoming booking');

/** What is wrong, where it is said better than on all pages. */
const MISTAKES: NonNullable<FormWords['texts']> = {
  TOO_MANY: `They host more than ${MAX_SETTLED_BOOKINGS} upcoming bookings here, the most that are changed at once; reassign or cancel some of them first, or keep them.`,
};

/** To who leaves. */
const YOURS = {
  title: (_name: string, group: string) => `Leave ${group}?`,
  button: 'Leave',
  unanswered: 'You have not accepted yet; the invitation is then over.',
  /** What becomes of it in a team. */
  unseen: 'You do not see it any more, and cannot be booked through it.',
  /** The same in an organization. */
  unseenWithTeams: 'You do not see it any more, and cannot be booked through it. You leave its teams as well.',
  hosted: (count: number) => `You no longer host ${eventTypes(count)}:`,
  copies: (count: number) => `Your copies of ${managed(count)} are deleted:`,
  own: (count: number) =>
    `${bookings(count)} of event types of your own ${plural(count, { one: 'stays', other: 'stay' })} yours.`,
  question: (count: number) => `What becomes of ${bookings(count)} that you host?`,
  choices: {
    KEEP: 'Keep: you still host them',
    REASSIGN: 'Reassign: each gets another host who has time',
    CANCEL: 'Cancel: all who come are told',
  },
  withOthers: 'Where others host a booking as well and nobody takes turns, they do it without you, unless it is kept.',
  keepOne: 'Keep: you still host it',
};

/** To who removes somebody. */
const THEIRS: typeof YOURS = {
  title: (name, group) => `Remove ${name} from ${group}?`,
  button: 'Remove',
  unanswered: 'They have not accepted yet; the invitation is then over.',
  unseen: 'They do not see it any more, and cannot be booked through it.',
  unseenWithTeams: 'They do not see it any more, and cannot be booked through it. They leave its teams as well.',
  hosted: (count) => `They no longer host ${eventTypes(count)}:`,
  copies: (count) => `Their copies of ${managed(count)} are deleted:`,
  own: (count) =>
    `${bookings(count)} of event types of their own ${plural(count, { one: 'stays', other: 'stay' })} theirs.`,
  question: (count) => `What becomes of ${bookings(count)} that they host?`,
  choices: { ...YOURS.choices, KEEP: 'Keep: they still host them' },
  withOthers: 'Where others host a booking as well and nobody takes turns, they do it without them, unless it is kept.',
  keepOne: 'Keep: they still host it',
};

export const MEMBER_EN = {
  isAbove: 'Their role stands above yours: you cannot change it.',
  remove: 'Remove them',
  leave: { team: 'Leave this team', organization: 'Leave this organization' },
  saved: 'Saved.',

  handOver: {
    way: {
      team: (path: string) =>
        html`<a href="${path}">Hand the team over to them</a>: they own it, and you administer it.`,
      organization: (path: string) =>
        html`<a href="${path}">Hand the organization over to them</a>: they own it, and you administer it.`,
    },
    title: (group: string, name: string) => `Hand ${group} over to ${name}?`,
    explanation: {
      team: 'They become an owner of the team, and you an administrator, at once. Only an owner can make you one again.',
      organization:
        'They become an owner of the organization, and you an administrator, at once. Only an owner can make you one again.',
    },
    button: 'Hand over',
  },

  removal: {
    yours: YOURS,
    theirs: THEIRS,
    onlyHost: ', which nobody else hosts: it is not offered until somebody does',
    further: (count: number) => `and ${count} more`,
    onlyKeep: `There are more than ${MAX_SETTLED_BOOKINGS}: to reassign or cancel them, begin in the list of bookings.`,
    otherwise: 'Where nobody has time to take it',
    doNothing: 'Do nothing yet, and tell me',
    cancelOne: 'Cancel',
    reason: 'Reason (needed to cancel)',
    reasonHint: 'The hosts and all who come can read it.',
    /** What its fields are called where something is wrong with them. */
    fields: { reason: 'Reason' },
    mistakes: MISTAKES,
    nobodyFor: (count: string) =>
      `Nobody else has time for ${count || 'some'} of the bookings; choose what becomes of those.`,
  },

  nothing: {
    title: 'No member here',
    message: {
      team: 'There is nobody at this address whom you may see or change in this team.',
      organization: 'There is nobody at this address whom you may see or change in this organization.',
    },
    advice: (path: string) => `Go on from ${path}.`,
  },
};
