import type { PageRequest, TimeRange } from '../../src/core/page.ts';
import type { Entity } from '../../src/database/columns.ts';
import { Selection } from '../../src/database/selection.ts';
import type { Em } from '../../src/database/sql.ts';
import { findAuditEvents } from '../../src/events/audit-event.queries.ts';
import { findSessions } from '../../src/modules/accounts/sign-in/session.queries.ts';
import { BOOKING_SORT_KEYS, type BookingOrder } from '../../src/modules/bookings/lists/booking-list.rules.ts';
import { WHOLE_BOOKING } from '../../src/modules/bookings/lists/booking-parts.queries.ts';
import { groupBookingPages } from '../../src/modules/bookings/lists/group-booking.queries.ts';
import type { GroupView } from '../../src/modules/bookings/lists/group-owner.queries.ts';
import { heldSlotPages, listHeldSlots } from '../../src/modules/bookings/slots/holds/held-slot.queries.ts';
import { CALENDAR_CONNECTIONS } from '../../src/modules/calendars/connections/calendar-connection.queries.ts';
import { ICS_FEEDS } from '../../src/modules/calendars/feeds/ics-feed.queries.ts';
import { CONFERENCING_APPS } from '../../src/modules/conferencing/conferencing-app.queries.ts';
import { EventType } from '../../src/modules/event-types/event-type.entity.ts';
import { EVENT_TYPES } from '../../src/modules/event-types/event-type.queries.ts';
import { childEventTypePages } from '../../src/modules/event-types/managed-event-types.ts';
import { PrivateLink } from '../../src/modules/event-types/private-link.entity.ts';
import { privateLinkPages } from '../../src/modules/event-types/private-links.ts';
import {
  listPublicEventTypes,
  listPublicTeams,
} from '../../src/modules/event-types/public/public-event-type.queries.ts';
import { EVERYBODYS_OWN, type OwnedTable, ownedPages } from '../../src/modules/levels/owned.queries.ts';
import { type Belonging, type LevelName, REACH } from '../../src/modules/levels/reach.ts';
import { listInvitations, sentInvitationPages } from '../../src/modules/memberships/invitation.queries.ts';
import { membershipPages } from '../../src/modules/memberships/membership.queries.ts';
import { ORGANIZATION } from '../../src/modules/organizations/group.ts';
import { Organization } from '../../src/modules/organizations/organization.entity.ts';
import { listOrganizations } from '../../src/modules/organizations/organization.queries.ts';
import { RoutingFormResponse } from '../../src/modules/routing-forms/routing-form.entity.ts';
import { ROUTING_FORMS, responsePages } from '../../src/modules/routing-forms/routing-form.queries.ts';
import { OUT_OF_OFFICE } from '../../src/modules/schedules/out-of-office.queries.ts';
import { SCHEDULES } from '../../src/modules/schedules/schedule.queries.ts';
import { Team } from '../../src/modules/teams/team.entity.ts';
import { listTeams, teamPages } from '../../src/modules/teams/team.queries.ts';
import { TEAM } from '../../src/modules/teams/team-role.ts';
import { VERIFIED_EMAILS, VERIFIED_PHONES } from '../../src/modules/verified-resources/verified-resource.queries.ts';
import { WebhookDelivery } from '../../src/modules/webhooks/webhook.entity.ts';
import { deliveryPages, eventTypeWebhookPages, WEBHOOKS } from '../../src/modules/webhooks/webhook.queries.ts';
import { WORKFLOWS } from '../../src/modules/workflows/workflow.commands.ts';
import { findFailedRequests } from '../../src/oauth/clients/failed-requests.ts';
import { findClientsToReview, findOwnClients } from '../../src/oauth/clients/oauth-client.queries.ts';
import { findAuthorizedApps } from '../../src/oauth/grants/authorized-apps.ts';
import { findStoppedThings } from '../../src/oauth/stopped/stopped-thing.queries.ts';

import type { ManyRows } from './many-rows.ts';

/** A page of what belongs to people, with all its columns. */
function owned<E extends Entity>(
  em: Em,
  table: OwnedTable<E>,
  level: LevelName,
  parentId: string,
  actorId: string,
  page: PageRequest,
) {
  const whole = Selection.whole(table.entity);
  const group = { user: undefined, team: TEAM, organization: ORGANIZATION }[level];
  return ownedPages(em, table, { reach: REACH[level][belongingOf(table)], group, actorId }, [parentId], page, whole);
}

function belongingOf<E extends Entity>({ kind, owner }: OwnedTable<E>): Belonging {
  if (kind === 'routingForm') return 'GROUP';
  return owner === 'ownerId' || owner === 'teamId' ? 'OWNER' : 'PERSON';
}

function formResponses(em: Em, { teamId, routingFormId }: ManyRows, created: TimeRange, page: PageRequest) {
  const form = { ownerId: teamId, id: routingFormId };
  return responsePages(em, [form], created, page, Selection.whole(RoutingFormResponse));
}

const DELIVERIES: readonly List[] = [
  (em, { userId, webhookId }, page) =>
    deliveryPages(em, [{ ownerId: userId, id: webhookId }], page, Selection.whole(WebhookDelivery)),
];

/** A page of the bookings of a group, with all that they show, in each order. */
function bookings(level: GroupView['level']): readonly List[] {
  return BOOKING_SORT_KEYS.map(
    (by): List =>
      (em, { userId, organizationId, teamId }, page) => {
        const groupId = level === 'team' ? teamId : organizationId;
        const order: BookingOrder = { by, isDescending: false };
        return groupBookingPages(em, { level, actorId: userId }, [groupId], {}, order, page, WHOLE_BOOKING);
      },
  );
}

const LINKS = Selection.whole(PrivateLink);
const TEAMS = Selection.whole(Team);
const ORGANIZATIONS = Selection.whole(Organization);

type List = (em: Em, many: ManyRows, page: PageRequest) => Promise<unknown>;

interface Connection {
  /** Passes over members and teams that have nothing to list, each by one look into an index. */
  readonly passesOver?: true;
  readonly lists: readonly List[];
}

/** Each connection of the schema, as each kind of reader asks for it. */
export const LISTS: Readonly<Record<string, Connection>> = {
  'EventType.children': {
    lists: [
      (em, { userId, teamId, managedId }, page) =>
        childEventTypePages(em, userId, [{ ownerId: teamId, id: managedId }], page),
    ],
  },
  'EventType.privateLinks': {
    lists: [
      (em, { userId, eventTypeId }, page) =>
        privateLinkPages(em, userId, [{ ownerId: userId, id: eventTypeId }], page, LINKS),
    ],
  },
  'OAuthClient.failedRequests': {
    lists: [(em, { clientId }, page) => findFailedRequests(em, clientId, page)],
  },
  'Organization.bookings': { lists: bookings('organization') },
  'Organization.eventTypes': {
    lists: [
      (em, { organizationId, userId }, page) => owned(em, EVENT_TYPES, 'organization', organizationId, userId, page),
    ],
  },
  'Organization.invitations': {
    lists: [(em, many, page) => sentInvitationPages(em, ORGANIZATION, [many.organizationId], page)],
  },
  'Organization.memberships': {
    lists: [(em, many, page) => membershipPages(em, ORGANIZATION, 'MEMBERSHIPS', [many.organizationId], page)],
  },
  'Organization.outOfOffice': {
    lists: [(em, many, page) => owned(em, OUT_OF_OFFICE, 'organization', many.organizationId, many.userId, page)],
  },
  'Organization.schedules': {
    passesOver: true,
    lists: [(em, many, page) => owned(em, SCHEDULES, 'organization', many.organizationId, many.userId, page)],
  },
  'Organization.teams': {
    lists: [
      (em, { userId, organizationId }, page) => teamPages(em, userId, [organizationId], page, TEAMS),
      (em, { memberId, organizationId }, page) => teamPages(em, memberId, [organizationId], page, TEAMS),
    ],
  },
  'Organization.users': {
    lists: [(em, many, page) => membershipPages(em, ORGANIZATION, 'USERS', [many.organizationId], page)],
  },
  'Query.auditEvents': {
    lists: [
      (em, { userId }, page) => findAuditEvents(em, userId, {}, page),
      (em, { quietUserId }, page) => findAuditEvents(em, quietUserId, {}, page),
      (em, { administratorId }, page) => findAuditEvents(em, administratorId, {}, page),
      (em, many, page) => findAuditEvents(em, many.administratorId, { userId: many.quietUserId }, page),
      (em, many, page) => findAuditEvents(em, many.administratorId, { clientId: many.clientId }, page),
      (em, many, page) => findAuditEvents(em, many.quietUserId, { clientId: many.clientId }, page),
    ],
  },
  'Query.oauthClientReviewQueue': {
    lists: [(em, { administratorId }, page) => findClientsToReview(em, administratorId, page)],
  },
  'PublicOrganization.teams': {
    // Teams that offer nothing.
    passesOver: true,
    lists: [
      (em, { organizationId }, page) => listPublicTeams(em, organizationId, page, TEAMS, null),
      (em, { memberId, organizationId }, page) => listPublicTeams(em, organizationId, page, TEAMS, memberId),
    ],
  },
  'Query.publicEventTypes': {
    lists: [(em, { userId }, page) => listPublicEventTypes(em, { username: userId }, page, Selection.whole(EventType))],
  },
  'Team.bookings': { lists: bookings('team') },
  'Team.heldSlots': { lists: [(em, { teamId }, page) => heldSlotPages(em, 'TEAM', [teamId], page)] },
  'Viewer.heldSlots': { lists: [(em, { userId }, page) => listHeldSlots(em, userId, page)] },
  'EventType.webhooks': {
    lists: [
      (em, { userId, eventTypeId }, page) =>
        eventTypeWebhookPages(
          em,
          userId,
          [{ ownerId: userId, id: eventTypeId }],
          page,
          Selection.whole(WEBHOOKS.entity),
        ),
    ],
  },
  'RoutingForm.responses': {
    lists: [
      (em, many, page) => formResponses(em, many, {}, page),
      (em, many, page) => formResponses(em, many, { from: Temporal.Instant.from('2020-01-01T00:00:00Z') }, page),
    ],
  },
  'Organization.routingForms': {
    lists: [(em, many, page) => owned(em, ROUTING_FORMS, 'organization', many.organizationId, many.userId, page)],
  },
  'Team.routingForms': {
    lists: [(em, { teamId, userId }, page) => owned(em, ROUTING_FORMS, 'team', teamId, userId, page)],
  },
  'Webhook.deliveries': { lists: DELIVERIES },
  'EventTypeWebhook.deliveries': { lists: DELIVERIES },
  'Team.eventTypes': {
    lists: [(em, { teamId, userId }, page) => owned(em, EVENT_TYPES, 'team', teamId, userId, page)],
  },
  'Team.invitations': { lists: [(em, { teamId }, page) => sentInvitationPages(em, TEAM, [teamId], page)] },
  'Team.memberships': { lists: [(em, { teamId }, page) => membershipPages(em, TEAM, 'MEMBERSHIPS', [teamId], page)] },
  'Team.outOfOffice': {
    passesOver: true,
    lists: [(em, { teamId, userId }, page) => owned(em, OUT_OF_OFFICE, 'team', teamId, userId, page)],
  },
  'Team.schedules': {
    passesOver: true,
    lists: [(em, { teamId, userId }, page) => owned(em, SCHEDULES, 'team', teamId, userId, page)],
  },
  'Viewer.authorizedApps': { lists: [(em, { userId }, page) => findAuthorizedApps(em, userId, page)] },
  'Viewer.eventTypes': { lists: [(em, { userId }, page) => owned(em, EVENT_TYPES, 'user', userId, userId, page)] },
  'Viewer.oauthClients': { lists: [(em, { userId }, page) => findOwnClients(em, userId, page)] },
  'Viewer.organizationInvitations': {
    lists: [(em, { userId }, page) => listInvitations(em, ORGANIZATION, userId, page)],
  },
  'Viewer.organizations': { lists: [(em, { userId }, page) => listOrganizations(em, userId, page, ORGANIZATIONS)] },
  'Viewer.outOfOffice': { lists: [(em, { userId }, page) => owned(em, OUT_OF_OFFICE, 'user', userId, userId, page)] },
  'Viewer.schedules': { lists: [(em, { userId }, page) => owned(em, SCHEDULES, 'user', userId, userId, page)] },
  'Viewer.sessions': { lists: [(em, { userId }, page) => findSessions(em, userId, page)] },
  'Viewer.stoppedThings': { lists: [(em, { userId }, page) => findStoppedThings(em, userId, page)] },
  'Viewer.teamInvitations': { lists: [(em, { userId }, page) => listInvitations(em, TEAM, userId, page)] },
  'Team.workflows': {
    lists: [(em, { teamId, userId }, page) => owned(em, WORKFLOWS, 'team', teamId, userId, page)],
  },
  'Team.conferencingApps': {
    lists: [(em, { teamId, userId }, page) => owned(em, CONFERENCING_APPS, 'team', teamId, userId, page)],
  },
  'Viewer.conferencingApps': {
    lists: [(em, { userId }, page) => owned(em, CONFERENCING_APPS, 'user', userId, userId, page)],
  },
  'Team.verifiedEmails': {
    lists: [(em, { teamId, userId }, page) => owned(em, VERIFIED_EMAILS, 'team', teamId, userId, page)],
  },
  'Team.verifiedPhones': {
    lists: [(em, { teamId, userId }, page) => owned(em, VERIFIED_PHONES, 'team', teamId, userId, page)],
  },
  'Viewer.verifiedEmails': {
    lists: [(em, { userId }, page) => owned(em, VERIFIED_EMAILS, 'user', userId, userId, page)],
  },
  'Viewer.verifiedPhones': {
    lists: [(em, { userId }, page) => owned(em, VERIFIED_PHONES, 'user', userId, userId, page)],
  },
  'Viewer.calendarConnections': {
    lists: [(em, { userId }, page) => owned(em, CALENDAR_CONNECTIONS, 'user', userId, userId, page)],
  },
  'Viewer.icsFeeds': { lists: [(em, { userId }, page) => owned(em, ICS_FEEDS, 'user', userId, userId, page)] },
  'Organization.webhooks': {
    lists: [
      (em, { organizationId }, page) =>
        ownedPages(em, WEBHOOKS, EVERYBODYS_OWN, [organizationId], page, Selection.whole(WEBHOOKS.entity)),
    ],
  },
  'Viewer.webhooks': {
    lists: [
      (em, { userId }, page) =>
        ownedPages(em, WEBHOOKS, EVERYBODYS_OWN, [userId], page, Selection.whole(WEBHOOKS.entity)),
    ],
  },
  'Viewer.teams': { lists: [(em, { userId }, page) => listTeams(em, userId, page, TEAMS)] },
};

/** Its filters and orders have a test and a benchmark of their own. */
export const ELSEWHERE = ['Viewer.bookings'];
