/** Teams and organizations, in English. */
import { html } from 'hono/html';
import { SLUG_IN_WORDS } from '../../../core/text.ts';
import { OVER_IN_WORDS } from '../../../modules/memberships/answer-invitation.ts';
import type { Group } from '../../../modules/organizations/group.ts';
import type { Role, Standing } from '../../../modules/organizations/role.rules.ts';
import type { Html } from '../../kit/layout.ts';
import type { FormWords } from '../../kit/mistakes.ts';
import type { GroupDone } from '../group-done.ts';

/** What is said of a team in one way and of an organization in another. */
type OfKind<Words> = Readonly<Record<Group['kind'], Words>>;

const ROLES: Readonly<Record<Role, string>> = { MEMBER: 'Member', ADMIN: 'Administrator', OWNER: 'Owner' };

const STANDINGS: Readonly<Record<Standing, string>> = {
  MEMBER: 'You are a member.',
  ADMIN: 'You are an administrator.',
  OWNER: 'You are an owner.',
  ORGANIZATION_ADMIN: 'You administer it as an administrator of its organization.',
  ORGANIZATION_OWNER: 'You administer it as an owner of its organization.',
};

const DONE: Readonly<Record<GroupDone, string>> = {
  profile: 'Saved.',
  invite: 'The invitation is on its way.',
  resend: 'The invitation is on its way once more. The link of the mail before does not work any more.',
  withdraw: 'The invitation is withdrawn; its link does not work any more.',
  created: 'Created. You own it.',
  joined: 'You joined.',
  removed: 'They do not belong to it any more.',
  role: 'Your role is changed.',
  'handed-over': 'You handed it over. You are an administrator now.',
  gone: 'That was done already.',
};

const SLUG_RULE = `Use ${SLUG_IN_WORDS.replaceAll('`', '')}.`;

/** What is wrong, where it is said better than on all pages. */
const MISTAKES: NonNullable<FormWords['texts']> = {};
const ANSWER_MISTAKES: NonNullable<FormWords['texts']> = { NOT_FOUND: OVER_IN_WORDS };

export const TEAM_EN = {
  roles: ROLES,
  rolesHint:
    'Administrators see and change what belongs to it and to its members, and invite others. Owners do everything.',
  fields: { what: 'What', name: 'Name', slug: 'Link name', bio: 'About it', email: 'E-mail', role: 'Role' },
  save: 'Save',
  mistakes: MISTAKES,

  list: {
    title: 'Your teams',
    intro:
      'A team is booked together: its members take turns, or all come. An organization is the roof over several teams.',
    kinds: {
      team: { title: 'Teams', none: 'You are in no team yet.' },
      organization: { title: 'Organizations', none: 'You are in no organization.' },
    } as OfKind<{ readonly title: string; readonly none: string }>,
    invited: 'You are invited',
    seen: 'Who administers it sees your name, your address, your schedules and what you are booked for through it. You can leave whenever you want.',
    join: {
      team: (role: string) => `Join this team as ${role}.`,
      organization: (role: string) => `Join this organization as ${role}.`,
    },
    answers: { accept: 'Accept', decline: 'Decline' },
    /** For who does not see beside what a button stands. */
    answerTo: {
      team: (answer: string, name: string) => `${answer}: the team ${name}`,
      organization: (answer: string, name: string) => `${answer}: the organization ${name}`,
    },
    answerMistakes: ANSWER_MISTAKES,
    create: 'Create a team or an organization',
    ownTeam: 'A team of its own',
    teamOf: (organization: string) => `A team of ${organization}`,
    organization: 'An organization, which has teams',
    slugHint: `The end of its address. ${SLUG_RULE} Leave it empty, and it is made of the name.`,
    createButton: 'Create',
    done: {
      declined: 'You declined the invitation.',
      left: 'You left.',
      deleted: 'The team is deleted.',
    },
  },

  group: {
    standings: STANDINGS,
    bookingPage: {
      team: (url: Html) => html`Its booking page is at ${url} once it offers something.`,
      organization: (url: Html) => html`Its booking page is at ${url} once its teams offer something.`,
    },
    allTeams: { title: 'Its teams', none: 'It has no teams yet.' },
    ownTeams: { title: 'Your teams in it', none: 'You are in none of its teams.' },
    addTeam: 'Add a team',
    eventTypes: 'Event types of this team',
    conferencing: 'Video calls of this team',
    webhooks: { team: 'Webhooks of this team', organization: 'Webhooks of this organization' },
    delete: 'Delete this team',
    profile: 'Profile',
    slugHint: `The end of its address. ${SLUG_RULE} If you change it, links that were shared stop working.`,
    bio: 'About it (optional)',
    bioHint: (most: number) => `Shown on its booking page; at most ${most} characters.`,
    isPrivate: {
      team: 'Private: its booking page is for its members alone',
      organization: 'Private: the booking pages of its teams are for its members alone',
    },
    done: DONE,
  },

  members: {
    title: 'Members',
    you: 'you',
    unanswered: 'invited, has not answered yet',
    invite: 'Invite somebody',
    inviteHint: (days: number) => `They need no account yet. The link works for ${days} days.`,
    inviteHintInOrganization: (days: number) =>
      `They need no account yet. The link works for ${days} days. They have to be a member of the organization before they accept.`,
    inviteButton: 'Send invitation',
    waiting: 'Waiting for an answer',
    until: (role: string, end: Html) => html`${role}, until ${end}`,
    resend: 'Send again',
    withdraw: 'Withdraw',
    invitationGone: 'This invitation is not there any more: it was answered or withdrawn, or its time is over.',
  },

  deletion: {
    title: (team: string) => `Delete the team ${team}?`,
    explanation:
      'Its event types, its past bookings and all else that belongs to it are deleted for good, and nobody can book it any more. Its members keep their accounts, and bookings of managed event types stay theirs. A team with upcoming bookings is not deleted: cancel them first. One with very many past bookings goes in parts: if an error comes before it is gone, delete it once more, and that goes on from there.',
    button: 'Delete the team',
  },

  nothing: {
    title: 'No team of yours',
    message: 'There is no team or organization at this address that you belong to.',
    advice: (path: string) => `Yours are at ${path}. If you left it, or it was deleted, it is not among them any more.`,
  },
};
