/** The users and things of the demo. It is public, so it is for development only: production refuses to seed it. */
import type { SchedulingType } from '../modules/event-types/settings/scheduling.rules.ts';
import type { Role } from '../modules/organizations/role.rules.ts';
import { SCOPES } from '../scopes/catalog.ts';

export const DEMO_PASSWORD = 'gatehouse-demo';

/** A demo is recognised by its administrator: where there is one, there is the rest. */
export const DEMO_ADMINISTRATOR = 'admin';

export const DEMO_USERS = [
  { username: DEMO_ADMINISTRATOR, email: 'admin@gatehouse.test', name: 'Avery Admin', timeZone: 'UTC' },
  { username: 'ada', email: 'ada@acme.test', name: 'Ada Okafor', timeZone: 'Europe/Berlin' },
  { username: 'bob', email: 'bob@acme.test', name: 'Bob Lindqvist', timeZone: 'America/New_York' },
  { username: 'cyd', email: 'cyd@acme.test', name: 'Cyd Raman', timeZone: 'Asia/Kolkata' },
  { username: 'dan', email: 'dan@solo.test', name: 'Dan Whitlock', timeZone: 'Australia/Sydney' },
] as const;
/**
 * The users whose hours are not the usual ones: with late ones, the day in India still has some in common with those in
 * Europe and America.
 */
export const DEMO_HOURS: Readonly<Partial<Record<DemoUsername, { readonly start: string; readonly end: string }>>> = {
  cyd: { start: '13:30', end: '21:30' },
};
export type DemoUsername = (typeof DEMO_USERS)[number]['username'];

/** Says on /dev what each user is there for. */
export const DEMO_ROLES: Readonly<Record<DemoUsername, string>> = {
  admin: 'Administrator of the service: reviews clients',
  ada: 'Owner of the organization Acme and of its team; developer of the demo apps',
  bob: 'Member of Acme, administrator of its team Sales',
  cyd: 'Member of Acme and of its team Sales',
  dan: 'Owner of the team Studio, in no organization',
};

interface DemoMember {
  readonly username: DemoUsername;
  readonly role: Role;
}

interface DemoEventType {
  readonly slug: string;
  readonly title: string;
  readonly durationInMinutes: number;
  readonly isHidden: boolean;
}

interface DemoTeamEventType extends DemoEventType {
  readonly schedulingType: SchedulingType;
}

interface DemoTeam {
  readonly slug: string;
  readonly name: string;
  /** Whether the team is in the demo's organization, or stand-alone. */
  readonly isInOrganization: boolean;
  readonly members: readonly DemoMember[];
  readonly eventTypes: readonly DemoTeamEventType[];
}

export const DEMO_ORGANIZATION: { slug: string; name: string; members: readonly DemoMember[] } = {
  slug: 'acme',
  name: 'Acme',
  members: [
    { username: 'ada', role: 'OWNER' },
    { username: 'bob', role: 'MEMBER' },
    { username: 'cyd', role: 'MEMBER' },
  ],
};

export const DEMO_TEAMS: readonly DemoTeam[] = [
  {
    slug: 'sales',
    name: 'Sales',
    isInOrganization: true,
    members: [
      { username: 'ada', role: 'OWNER' },
      { username: 'bob', role: 'ADMIN' },
      { username: 'cyd', role: 'MEMBER' },
    ],
    eventTypes: [
      { slug: 'demo', title: 'Product demo', durationInMinutes: 30, isHidden: false, schedulingType: 'ROUND_ROBIN' },
      { slug: 'panel', title: 'Panel interview', durationInMinutes: 60, isHidden: false, schedulingType: 'COLLECTIVE' },
    ],
  },
  {
    slug: 'studio',
    name: 'Studio',
    isInOrganization: false,
    members: [{ username: 'dan', role: 'OWNER' }],
    eventTypes: [],
  },
];

/**
 * The team of sales asks these questions of a visitor who does not know which of its event types to book; routes and
 * fallback name these by their slugs.
 */
export const DEMO_FORM = {
  team: 'sales',
  name: 'Talk to sales',
  description: 'Three questions, so that you meet who can help.',
  fields: [
    { slug: 'company', type: 'TEXT', label: 'Company', isRequired: true },
    { slug: 'size', type: 'NUMBER', label: 'How many are you?', isRequired: false },
    {
      slug: 'topic',
      type: 'SELECT',
      label: 'What is it about?',
      isRequired: true,
      options: ['Product', 'Prices', 'Support', 'Job interview'],
    },
  ],
  routes: [
    {
      when: { field: 'topic', operator: 'EQUALS', values: ['Support'] },
      message: 'Write to support@acme.test: they answer within a day.',
    },
    { when: { field: 'topic', operator: 'EQUALS', values: ['Job interview'] }, eventType: 'panel' },
    { when: { field: 'size', operator: 'GREATER_THAN', values: ['1000'] }, message: 'We will call you.' },
  ],
  fallback: { eventType: 'demo' },
} as const;

/** The event types that every user offers. */
export const DEMO_EVENT_TYPES: readonly DemoEventType[] = [
  { slug: 'intro', title: 'Intro', durationInMinutes: 30, isHidden: false },
  { slug: 'deep-dive', title: 'Deep dive', durationInMinutes: 60, isHidden: false },
  { slug: 'hidden-review', title: 'Hidden review', durationInMinutes: 45, isHidden: true },
];

/** The query console of this service: a client like any other. */
export const CONSOLE_CLIENT_ID = 'gatehouse-console';

/** The app that /dev walks through OAuth with. */
export const DEMO_APP = {
  clientId: 'demo-app',
  name: 'Demo app',
  type: 'CONFIDENTIAL',
  status: 'APPROVED',
  legacy: false,
  secret: 'gh_secret_demo_app',
  redirectUris: ['http://localhost:4000/demo/callback', 'http://127.0.0.1/callback', 'https://app.example.test/cb'],
  scopes: SCOPES,
} as const;

/** Their secrets are the one exception to the format of secrets, so that people can type them. */
export const DEMO_CLIENTS = [
  {
    clientId: CONSOLE_CLIENT_ID,
    name: 'Query console',
    type: 'PUBLIC',
    status: 'APPROVED',
    legacy: false,
    secret: undefined,
    redirectUris: ['http://localhost/graphql', 'http://127.0.0.1/graphql'],
    scopes: SCOPES,
  },
  DEMO_APP,
  {
    clientId: 'demo-cli',
    name: 'Demo command line',
    type: 'PUBLIC',
    status: 'APPROVED',
    legacy: false,
    secret: undefined,
    redirectUris: [
      'http://127.0.0.1/callback',
      'http://[::1]/callback',
      'http://localhost/callback',
      'com.example.cli:/cb',
    ],
    scopes: SCOPES,
  },
  {
    clientId: 'demo-narrow',
    name: 'Demo with few scopes',
    type: 'CONFIDENTIAL',
    status: 'APPROVED',
    legacy: false,
    secret: 'gh_secret_demo_narrow',
    redirectUris: ['https://narrow.example.test/cb'],
    scopes: ['PROFILE_READ', 'BOOKING_READ'],
  },
  {
    clientId: 'demo-pending',
    name: 'Demo awaiting review',
    type: 'CONFIDENTIAL',
    status: 'PENDING',
    legacy: false,
    secret: 'gh_secret_demo_pending',
    redirectUris: ['https://pending.example.test/cb'],
    scopes: ['PROFILE_READ'],
  },
  {
    clientId: 'demo-legacy',
    name: 'Demo from before scopes',
    type: 'CONFIDENTIAL',
    status: 'APPROVED',
    legacy: true,
    secret: 'gh_secret_demo_legacy',
    redirectUris: ['https://legacy.example.test/cb'],
    scopes: [],
  },
] as const;
