/**
 * scopes/ is the scope engine: what a field requires, what an operation requires, and whether a caller holds it. It is
 * pure, knows neither domain nor transport, and imports no package but `graphql`. This file is the catalogue of the
 * product: one table, from which everything else is derived. To add a scope, add its line.
 */
import { createCatalog, type ScopeDefinition, type ScopeLevel } from './create-catalog.ts';

// The words are the specification's own; the page that asks for consent shows them.
// biome-ignore format: one line a scope
const TABLE = [
  ['EVENT_TYPE_READ', 'USER', 'EVENT_TYPE', 'READ', 'View event types: listing and viewing event types and their private links'],
  ['EVENT_TYPE_WRITE', 'USER', 'EVENT_TYPE', 'WRITE', 'Create, update, delete event types; manage private links'],
  ['BOOKING_READ', 'USER', 'BOOKING', 'READ', 'List bookings; view recordings, transcripts, calendar links, references'],
  ['BOOKING_WRITE', 'USER', 'BOOKING', 'WRITE', 'Add guests, update locations, confirm, decline, reassign bookings'],
  ['SCHEDULE_READ', 'USER', 'SCHEDULE', 'READ', 'List and view schedules (availability)'],
  ['SCHEDULE_WRITE', 'USER', 'SCHEDULE', 'WRITE', 'Create, update, delete schedules'],
  ['APPS_READ', 'USER', 'APPS', 'READ', 'List connected calendars, check busy times, check ICS feeds, verify calendar connections'],
  ['APPS_WRITE', 'USER', 'APPS', 'WRITE', 'Save ICS feeds, connect calendars via OAuth, save Apple calendar credentials, disconnect calendars'],
  ['PROFILE_READ', 'USER', 'PROFILE', 'READ', "View the authorized user's profile"],
  ['PROFILE_WRITE', 'USER', 'PROFILE', 'WRITE', "Update the authorized user's profile"],
  ['WEBHOOK_READ', 'USER', 'WEBHOOK', 'READ', 'List and view webhooks'],
  ['WEBHOOK_WRITE', 'USER', 'WEBHOOK', 'WRITE', 'Create, update, delete webhooks'],
  ['VERIFIED_RESOURCES_READ', 'USER', 'VERIFIED_RESOURCES', 'READ', 'List verified email addresses and phone numbers'],
  ['VERIFIED_RESOURCES_WRITE', 'USER', 'VERIFIED_RESOURCES', 'WRITE', 'Request verification codes; verify email addresses and phone numbers'],

  ['TEAM_EVENT_TYPE_READ', 'TEAM', 'EVENT_TYPE', 'READ', 'View team event types'],
  ['TEAM_EVENT_TYPE_WRITE', 'TEAM', 'EVENT_TYPE', 'WRITE', 'Create, edit, delete team event types'],
  ['TEAM_BOOKING_READ', 'TEAM', 'BOOKING', 'READ', 'View team bookings'],
  ['TEAM_BOOKING_WRITE', 'TEAM', 'BOOKING', 'WRITE', 'Create, edit, delete team bookings'],
  ['TEAM_SCHEDULE_READ', 'TEAM', 'SCHEDULE', 'READ', 'View team schedules'],
  ['TEAM_SCHEDULE_WRITE', 'TEAM', 'SCHEDULE', 'WRITE', 'Create, edit, delete team schedules'],
  ['TEAM_PROFILE_READ', 'TEAM', 'PROFILE', 'READ', 'View team profiles'],
  ['TEAM_PROFILE_WRITE', 'TEAM', 'PROFILE', 'WRITE', 'Create, edit, delete teams'],
  ['TEAM_MEMBERSHIP_READ', 'TEAM', 'MEMBERSHIP', 'READ', 'View team memberships'],
  ['TEAM_MEMBERSHIP_WRITE', 'TEAM', 'MEMBERSHIP', 'WRITE', 'Create, edit, delete team memberships'],
  ['TEAM_APPS_READ', 'TEAM', 'APPS', 'READ', 'View team connected apps'],
  ['TEAM_APPS_WRITE', 'TEAM', 'APPS', 'WRITE', 'Connect and disconnect team apps'],
  ['TEAM_ROUTING_FORM_READ', 'TEAM', 'ROUTING_FORM', 'READ', 'View team routing forms'],
  ['TEAM_ROUTING_FORM_WRITE', 'TEAM', 'ROUTING_FORM', 'WRITE', 'Create, edit, delete team routing form responses'],
  ['TEAM_WORKFLOW_READ', 'TEAM', 'WORKFLOW', 'READ', 'View team workflows'],
  ['TEAM_WORKFLOW_WRITE', 'TEAM', 'WORKFLOW', 'WRITE', 'Create, edit, delete team workflows'],
  ['TEAM_VERIFIED_RESOURCES_READ', 'TEAM', 'VERIFIED_RESOURCES', 'READ', 'View team verified emails and phone numbers'],
  ['TEAM_VERIFIED_RESOURCES_WRITE', 'TEAM', 'VERIFIED_RESOURCES', 'WRITE', 'Verify emails and phone numbers for teams'],

  ['ORG_EVENT_TYPE_READ', 'ORGANIZATION', 'EVENT_TYPE', 'READ', 'View all event types across the organization'],
  ['ORG_EVENT_TYPE_WRITE', 'ORGANIZATION', 'EVENT_TYPE', 'WRITE', 'Create, edit, delete event types across the organization'],
  ['ORG_BOOKING_READ', 'ORGANIZATION', 'BOOKING', 'READ', 'View all bookings across the organization'],
  ['ORG_BOOKING_WRITE', 'ORGANIZATION', 'BOOKING', 'WRITE', 'Create, edit, delete bookings across the organization'],
  ['ORG_SCHEDULE_READ', 'ORGANIZATION', 'SCHEDULE', 'READ', 'View schedules across the organization'],
  ['ORG_SCHEDULE_WRITE', 'ORGANIZATION', 'SCHEDULE', 'WRITE', 'Create, edit, delete schedules across the organization'],
  ['ORG_PROFILE_READ', 'ORGANIZATION', 'PROFILE', 'READ', 'View organization teams'],
  ['ORG_PROFILE_WRITE', 'ORGANIZATION', 'PROFILE', 'WRITE', 'Create, edit, delete organization teams'],
  ['ORG_MEMBERSHIP_READ', 'ORGANIZATION', 'MEMBERSHIP', 'READ', 'View organization memberships and users'],
  ['ORG_MEMBERSHIP_WRITE', 'ORGANIZATION', 'MEMBERSHIP', 'WRITE', 'Create, edit, delete organization memberships and users'],
  ['ORG_ROUTING_FORM_READ', 'ORGANIZATION', 'ROUTING_FORM', 'READ', 'View organization routing forms'],
  ['ORG_ROUTING_FORM_WRITE', 'ORGANIZATION', 'ROUTING_FORM', 'WRITE', 'Create, edit, delete organization routing form responses'],
  ['ORG_WEBHOOK_READ', 'ORGANIZATION', 'WEBHOOK', 'READ', 'View organization webhooks'],
  ['ORG_WEBHOOK_WRITE', 'ORGANIZATION', 'WEBHOOK', 'WRITE', 'Create, edit, delete organization webhooks'],
] as const;

/** The exact name of a scope, as the specification has it. */
export type Scope = (typeof TABLE)[number][0];

export const CATALOG = createCatalog(TABLE);

/** All scope names in catalogue order: users', teams', organizations'. */
export const SCOPES: readonly Scope[] = CATALOG.names;

/** Whether a string is the exact name of a scope (`EVENT_TYPE_READ`, never `event_type_read`). */
export function isScope(name: string): name is Scope {
  return CATALOG.positions.has(name);
}

/** A scope in words and with its level, for pages that people read. */
export function describeScope(scope: Scope): ScopeDefinition {
  const definition = CATALOG.definitions[CATALOG.positions.get(scope) ?? -1];
  if (definition === undefined) throw new RangeError(`"${scope}" is not a scope: check its spelling.`);
  return definition;
}

/** The scopes of one level, in catalogue order: consent and settings pages group by it. */
export function scopesAtLevel(level: ScopeLevel): Scope[] {
  return CATALOG.definitions.filter((definition) => definition.level === level).map(({ name }) => name);
}
