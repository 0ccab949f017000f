/** Who takes part in what is booked with a team, in English. */
import { HOST_DEFAULTS, MAX_PRIORITY, MAX_WEIGHT } from '../../../modules/event-types/event-type-host.rules.ts';

export const HOST_EN = {
  title: 'Who takes part',
  titleOf: (eventType: string) => `Who takes part in ${eventType}`,
  /** How it stands, on the page of the event type. */
  gist: (scheduling: string, isEverybody: boolean) =>
    `${scheduling}, ${isEverybody ? 'of all members of the team' : 'of some members of the team'}`,
  nobody: 'Nobody takes part yet, so it can’t be booked.',
  schedulingHint:
    'Managed: each host gets an event type of their own, which follows this one, and people book those. If you make it something else, those are deleted.',
  scope: 'Who the hosts are',
  scopes: {
    ALL: 'All members of the team, also those who join later',
    SOME: 'Only the members chosen below',
  },
  chooseNext: 'If you leave this out, you choose the hosts next.',
  members: 'Members of the team',
  turnsHint: `Of the hosts who are free, one of the highest priority is booked. Among those, shares say how the bookings are spread: with 200, twice as many as with 100. Where all members are hosts, those not chosen here have priority ${HOST_DEFAULTS.priority} and share ${HOST_DEFAULTS.weight}.`,
  choiceHint: 'This counts unless all members are hosts.',
  part: 'Takes part',
  choices: { NOT: 'Not chosen', TURN: 'In turn', ALWAYS: 'In every booking' },
  priority: 'Priority',
  priorities: (priority: number) =>
    priority === MAX_PRIORITY ? `${priority} (highest)` : priority === 0 ? `${priority} (lowest)` : String(priority),
  weight: 'Share',
  weightHint: `1 to ${MAX_WEIGHT}`,
  above: 'Their role stands above yours: only they, or somebody whose role is as high, can change this.',
  save: 'Save',
  done: {
    added: 'Added. Choose who takes part, and people can book it.',
    saved: 'Saved.',
  },
  choose: 'Choose one from the list.',
  chooseFirst: 'Choose whether they take part, or leave the rest as it was.',
  noNumber: (label: string) => `${label}: write a whole number, such as 100.`,
  /** In front of what is wrong. */
  aboutMember: (name: string) => name,
  mistakes: {
    FORBIDDEN:
      'The role of one of these members stands above yours. Choose hosts without them, or ask them, or somebody whose role is as high.',
    NOT_FOUND: 'This person is not in the team any more. Open the page once more.',
  },
};
