/** Members of teams and organizations, in English. */
import { html } from 'hono/html';
import { pluralIn } from '../../../core/language.ts';
import { MAX_COUNTED } from '../../../modules/bookings/departures/departure.queries.ts';
import { MAX_SETTLED_BOOKINGS } from '../../../modules/bookings/departures/departure-choice.rules.ts';
import type { FormWords } from '../../kit/problem-words.ts';

const plural = pluralIn('en');
const counted = (count: number, noun: string): string =>
  count >= MAX_COUNTED
    ? `${MAX_COUNTED} ${noun}s or more`
    : plural(count, { one: `1 ${noun}`, other: `${count} ${noun}s` });
const eventTypes = (count: number) => counted(count, 'event type');
const managed = (count: number) => counted(count, 'managed event type');
const bookings = (count: number) => counted(count, 'upcoming booking');

/** The words for mistakes that this page says better than all pages do. */
const MISTAKES: NonNullable<FormWords['texts']> = {
  TOO_MANY: `They host more than ${MAX_SETTLED_BOOKINGS} upcoming bookings here, which is more than we can change at once. Hand over or cancel some of them first, or keep them.`,
};

/** The words for a member who leaves. */
const YOURS = {
  title: (_name: string, group: string) => `Leave ${group}?`,
  button: 'Leave',
  unanswered: 'You haven’t accepted yet. The invitation will no longer be valid.',
  /** Says what becomes of it in a team. */
  unseen: 'You’ll no longer see it or be booked through it.',
  /** The same sentence for an organization. */
  unseenWithTeams: 'You’ll no longer see it or be booked through it. You’ll leave its teams as well.',
  hosted: (count: number) => `You’ll no longer host ${eventTypes(count)}:`,
  copies: (count: number) => `Your copies of ${managed(count)} will be deleted:`,
  own: (count: number) => `You’ll keep ${bookings(count)} of your own event types.`,
  question: (count: number) => `What should happen to ${bookings(count)} that you host?`,
  choices: {
    KEEP: 'Keep: you still host them',
    REASSIGN: 'Hand over: each goes to another host who has time',
    CANCEL: 'Cancel: everyone attending is notified',
  },
  withOthers:
    'If others host a booking with you and you don’t take turns, they’ll host it without you, unless you keep it.',
  keepOne: 'Keep: you still host it',
};

/** The words for somebody who removes a member. */
const THEIRS: typeof YOURS = {
  title: (name, group) => `Remove ${name} from ${group}?`,
  button: 'Remove',
  unanswered: 'They haven’t accepted yet. The invitation will no longer be valid.',
  unseen: 'They’ll no longer see it or be booked through it.',
  unseenWithTeams: 'They’ll no longer see it or be booked through it. They’ll leave its teams as well.',
  hosted: (count) => `They’ll no longer host ${eventTypes(count)}:`,
  copies: (count) => `Their copies of ${managed(count)} will be deleted:`,
  own: (count) => `They’ll keep ${bookings(count)} of their own event types.`,
  question: (count) => `What should happen to ${bookings(count)} that they host?`,
  choices: { ...YOURS.choices, KEEP: 'Keep: they still host them' },
  withOthers:
    'If others host a booking with them and they don’t take turns, the others will host it without them, unless they keep it.',
  keepOne: 'Keep: they still host it',
};

export const MEMBER_EN = {
  isAbove: 'They have a higher role than you, so you can’t change it.',
  remove: 'Remove member',
  leave: { team: 'Leave this team', organization: 'Leave this organization' },
  saved: 'Saved.',

  handOver: {
    way: {
      team: (path: string) =>
        html`<a href="${path}">Hand over the team</a>: they become an owner, and you become an administrator.`,
      organization: (path: string) =>
        html`<a href="${path}">Hand over the organization</a>: they become an owner, and you become an administrator.`,
    },
    title: (group: string, name: string) => `Hand over ${group} to ${name}?`,
    explanation: {
      team: 'They become an owner of the team, and you become an administrator. Only an owner can make you an owner again.',
      organization:
        'They become an owner of the organization, and you become an administrator. Only an owner can make you an owner again.',
    },
    button: 'Hand over',
  },

  removal: {
    yours: YOURS,
    theirs: THEIRS,
    onlyHost: ', which no one else hosts: it can’t be booked until someone does',
    further: (count: number) => `and ${count} more`,
    onlyKeep: `There are more than ${MAX_SETTLED_BOOKINGS}: to hand them over or cancel them, start in the list of bookings.`,
    otherwise: 'If no one has time to take one over',
    doNothing: 'Change nothing yet and tell me',
    cancelOne: 'Cancel',
    reason: 'Reason (required to cancel)',
    reasonHint: 'Everyone in the bookings can read this.',
    /** The labels of the fields that a mistake can name. */
    fields: { reason: 'Reason' },
    mistakes: MISTAKES,
    nobodyFor: (count: string) =>
      `No one else has time for ${count || 'some'} of the bookings. Choose what should happen to those.`,
  },

  nothing: {
    title: 'Member not found',
    message: {
      team: 'There’s no one at this address you can see or change in this team.',
      organization: 'There’s no one at this address you can see or change in this organization.',
    },
    advice: (path: string) => `See all members at ${path}.`,
  },
};
