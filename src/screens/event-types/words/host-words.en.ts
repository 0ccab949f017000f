/** The words for the hosts of a team's event type, in English. */
import { HOST_DEFAULTS, MAX_PRIORITY, MAX_WEIGHT } from '../../../modules/event-types/event-type-host.rules.ts';

export const HOST_EN = {
  title: 'Hosts',
  titleOf: (eventType: string) => `Hosts of ${eventType}`,
  /** How it stands, on the page of the event type. */
  gist: (scheduling: string, isEverybody: boolean) =>
    `${scheduling}, ${isEverybody ? 'all members of the team' : 'some members of the team'}`,
  nobody: 'It has no hosts yet, so it can’t be booked.',
  schedulingHint:
    'Managed: each host gets their own copy of this event type, and people book the copies. If you choose something else, the copies are deleted.',
  scope: 'Who can host it',
  scopes: {
    ALL: 'All members of the team, including those who join later',
    SOME: 'Only the members chosen below',
  },
  chooseNext: 'If you leave this unticked, you choose the hosts next.',
  members: 'Members of the team',
  turnsHint: `Bookings go to the free host with the highest priority. Between hosts with the same priority, shares decide: someone with 200 gets twice as many bookings as someone with 100. If all members are hosts, those not chosen here have priority ${HOST_DEFAULTS.priority} and share ${HOST_DEFAULTS.weight}.`,
  choiceHint: 'This applies unless all members are hosts.',
  part: 'Host',
  choices: { NOT: 'Not chosen', TURN: 'In turn', ALWAYS: 'In every booking' },
  priority: 'Priority',
  priorities: (priority: number) =>
    priority === MAX_PRIORITY ? `${priority} (highest)` : priority === 0 ? `${priority} (lowest)` : String(priority),
  weight: 'Share',
  weightHint: `1 to ${MAX_WEIGHT}`,
  above: 'They have a higher role than you: only they, or someone with the same role, can change this.',
  save: 'Save',
  done: {
    added: 'Event type added. Choose its hosts so that people can book it.',
    saved: 'Saved.',
  },
  choose: 'Choose one from the list.',
  chooseFirst: 'Choose whether they host it, or leave the rest as it was.',
  noNumber: (label: string) => `${label}: enter a whole number, such as 100.`,
  /** In front of what is wrong. */
  aboutMember: (name: string) => name,
  mistakes: {
    FORBIDDEN:
      'One of these members has a higher role than you. Choose hosts without them, or ask them or someone with the same role.',
    NOT_FOUND: 'This person is no longer in the team. Please reload the page.',
  },
};
