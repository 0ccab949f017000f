/** Teams and organizations, in English. */
import { html } from 'hono/html';
import { SLUG_IN_WORDS } from '../../../core/text.ts';
import { FULL_IN_WORDS, OVER_IN_WORDS } from '../../../modules/memberships/answer-invitation.ts';
import type { Group } from '../../../modules/organizations/group.ts';
import type { Role, Standing } from '../../../modules/organizations/role.rules.ts';
import type { Html } from '../../kit/layout.ts';
import type { FormWords } from '../../kit/problem-words.ts';

/** Words that differ between a team and an organization. */
type OfKind<Words> = Readonly<Record<Group['kind'], Words>>;

const ROLES: Readonly<Record<Role, string>> = { MEMBER: 'Member', ADMIN: 'Administrator', OWNER: 'Owner' };

const STANDINGS: Readonly<Record<Standing, string>> = {
  MEMBER: 'You are a member.',
  ADMIN: 'You are an administrator.',
  OWNER: 'You are an owner.',
  ORGANIZATION_ADMIN: 'You manage it as an administrator of its organization.',
  ORGANIZATION_OWNER: 'You manage it as an owner of its organization.',
};

const DONE = {
  profile: 'Saved.',
  invite: 'Invitation sent.',
  resend: 'Invitation sent again. The link in the previous e-mail no longer works.',
  withdraw: 'Invitation withdrawn. Its link no longer works.',
  created: 'Created. You’re its owner.',
  joined: 'You’ve joined.',
  removed: 'Member removed.',
  role: 'Your role was changed.',
  'handed-over': 'You handed it over. You’re now an administrator.',
  gone: 'That was already done.',
};

const SLUG_RULE = `Use ${SLUG_IN_WORDS.replaceAll('`', '')}.`;

/** The words for mistakes that this page says better than all pages do. */
const MISTAKES: NonNullable<FormWords['texts']> = {};
const ANSWER_MISTAKES: NonNullable<FormWords['texts']> = { NOT_FOUND: OVER_IN_WORDS, TOO_MANY: FULL_IN_WORDS };

export const TEAM_EN = {
  roles: ROLES,
  rolesHint:
    'Administrators can see and change what belongs to the team or organization and its members, and can invite people. Owners can do everything.',
  fields: { what: 'What', name: 'Name', slug: 'Link name', bio: 'About', email: 'E-mail', role: 'Role' },
  save: 'Save',
  mistakes: MISTAKES,

  list: {
    title: 'Your teams',
    intro:
      'The members of a team are booked together: they take turns, or all attend. An organization brings several teams together.',
    kinds: {
      team: { title: 'Teams', none: 'You’re not in a team yet.' },
      organization: { title: 'Organizations', none: 'You’re not in an organization.' },
    } as OfKind<{ readonly title: string; readonly none: string }>,
    invited: 'Invitations',
    seen: 'If you join, its administrators will see your name, e-mail address and schedules, and the bookings you get through it. You can leave at any time.',
    join: {
      team: (role: string) => `Join this team as ${role}.`,
      organization: (role: string) => `Join this organization as ${role}.`,
    },
    answers: { accept: 'Accept', decline: 'Decline' },
    /** Names a button's subject for readers who do not see what it stands beside. */
    answerTo: {
      team: (answer: string, name: string) => `${answer}: the team ${name}`,
      organization: (answer: string, name: string) => `${answer}: the organization ${name}`,
    },
    answerMistakes: ANSWER_MISTAKES,
    create: 'Create a team or an organization',
    ownTeam: 'A standalone team',
    teamOf: (organization: string) => `A team in ${organization}`,
    organization: 'An organization with teams',
    slugHint: `The end of its booking link. ${SLUG_RULE} Leave it empty to make it from the name.`,
    createButton: 'Create',
    done: {
      declined: 'You’ve declined the invitation.',
      left: 'You’ve left.',
      deleted: 'Team deleted.',
    },
  },

  group: {
    standings: STANDINGS,
    bookingPage: {
      team: (url: Html, isOpen: boolean) =>
        isOpen
          ? html`People can book it at ${url}.`
          : html`Once the team has an event type that isn’t hidden, people can book it at ${url}.`,
      organization: (url: Html, isOpen: boolean) =>
        isOpen
          ? html`People can book its teams at ${url}.`
          : html`Once its teams have event types, people can book them at ${url}.`,
    },
    allTeams: { title: 'Teams', none: 'There are no teams yet.' },
    ownTeams: { title: 'Your teams', none: 'You’re not in any of its teams.' },
    addTeam: 'Add a team',
    eventTypes: 'Event types of this team',
    conferencing: 'Video calls of this team',
    pausedWebhooks: {
      title: (count: number) => (count === 1 ? 'A webhook is paused' : `${count} webhooks are paused`),
      advice: (count: number) =>
        `Whoever set ${count === 1 ? 'it' : 'them'} up is no longer in charge here or has no access. Messages are kept for 30 days. Open ${count === 1 ? 'it' : 'each one'}, check where its address leads, and take it over if you know the address:`,
    },
    unanswered: {
      title: 'Workflows send nothing to these receivers',
      advice:
        'Whoever verified them for the team no longer administers it, or is suspended. An app can have them verified again by you or another administrator. Until then, workflows leave them out:',
    },
    webhooks: { team: 'Webhooks of this team', organization: 'Webhooks of this organization' },
    delete: 'Delete this team',
    profile: 'Profile',
    slugHint: `The end of its booking link. ${SLUG_RULE} If you change it, links you’ve shared stop working.`,
    bio: 'About (optional)',
    bioHint: (most: number) => `Shown on its booking page. Up to ${most} characters.`,
    isPrivate: {
      team: 'Private: only members can see its booking page',
      organization: 'Private: only members can see the booking pages of its teams',
    },
    done: DONE,
  },

  members: {
    title: 'Members',
    you: 'you',
    unanswered: 'invited, hasn’t answered yet',
    invite: 'Invite someone',
    inviteHint: (days: number) => `They don’t need an account yet. The link works for ${days} days.`,
    inviteHintInOrganization: (days: number) =>
      `They don’t need an account yet. The link works for ${days} days. They have to be a member of the organization before they can accept.`,
    inviteButton: 'Send invitation',
    waiting: 'Pending invitations',
    until: (role: string, end: Html) => html`${role}, expires ${end}`,
    resend: 'Send again',
    withdraw: 'Withdraw',
    invitationGone: 'This invitation no longer exists: it was answered or withdrawn, or has expired.',
  },

  deletion: {
    title: (team: string) => `Delete the team ${team}?`,
    explanation:
      'This permanently deletes its event types, its past bookings and everything else that belongs to it. Members keep their accounts and their bookings of managed event types. A team with upcoming bookings can’t be deleted: cancel them first. If the team has a great many past bookings and you see an error, delete it again: it continues where it stopped.',
    button: 'Delete team',
  },

  nothing: {
    title: 'Team not found',
    message: 'You’re not in a team or organization at this address.',
    advice: (path: string) => `You’ll find yours at ${path}. If you left it or it was deleted, it’s no longer there.`,
  },
};
