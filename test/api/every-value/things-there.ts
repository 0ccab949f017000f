import { publicId } from '../../../src/core/id.ts';
import { row, sql } from '../../../src/database/sql.ts';
import type { TestApi } from '../../support/api.ts';
import { unknownId } from '../../support/ids.ts';
import { FROM, TO } from '../booking-pages.ts';
import type { ValidInput } from '../every-mutation/valid-inputs.ts';

/** Things that are there, for arguments of queries that must name something, by coordinate. */
export async function thingsThere(
  api: TestApi,
  valid: (name: string) => Promise<ValidInput>,
): Promise<Readonly<Record<string, unknown>>> {
  const sales = await groupId(api, 'team', 'sales');
  const eventTypeId = (await valid('eventTypeUpdate')).input['eventTypeId'];
  const uid = (await valid('bookingCancel')).input['uid'];
  const scheduleId = (await valid('scheduleUpdate')).input['scheduleId'];
  const outOfOfficeId = (await valid('outOfOfficeUpdate')).input['outOfOfficeId'];
  const workflowId = (await valid('teamWorkflowUpdate')).input['workflowId'];
  const webhookId = (await valid('webhookUpdate')).input['webhookId'];
  const { calendarAccountId } = (await valid('calendarDisconnect')).input;
  const { conferencingAppId } = (await valid('conferencingAppDefaultSet')).input;
  const { verifiedEmailId } = (await valid('verifiedEmailDelete')).input;
  const { verifiedPhoneId } = (await valid('verifiedPhoneDelete')).input;
  const byIds = (door: string) => ({
    [`${door}.eventTypesById.ids`]: [eventTypeId],
    [`${door}.schedulesById.ids`]: [scheduleId],
    [`${door}.outOfOfficeById.ids`]: [outOfOfficeId],
    [`${door}.membershipsById.ids`]: [unknownId('membership')],
    [`${door}.bookingsById.ids`]: [uid],
    [`${door}.booking.uid`]: uid,
    [`${door}.invitationsById.ids`]: [unknownId('invitation')],
  });
  const form = async (group: 'team' | 'organization') =>
    (await valid(`${group}RoutingFormResponseCreate`)).input['routingFormId'];
  const response = async (group: 'team' | 'organization') =>
    (await valid(`${group}RoutingFormResponseUpdate`)).input['routingFormResponseId'];
  return {
    ...byIds('Viewer'),
    ...byIds('Team'),
    ...byIds('Organization'),
    'Query.team.id': sales,
    'Query.organization.id': await groupId(api, 'organization', 'acme'),
    'Query.publicBooking.uid': uid,
    'Query.publicEventType.id': eventTypeId,
    'Query.publicEventTypes.username': 'bob',
    'Query.publicOrganization.organization': 'acme',
    'Query.publicTeam.team': 'studio',
    'Query.slots.eventTypeId': eventTypeId,
    'Query.slots.start': FROM,
    'Query.slots.end': TO,
    'Viewer.busyTimes.from': FROM,
    'Viewer.busyTimes.to': TO,
    'Viewer.eventType.id': eventTypeId,
    'Viewer.schedule.id': scheduleId,
    'Team.workflow.id': workflowId,
    'Team.workflowPreview.workflowId': workflowId,
    'Team.workflowsById.ids': [workflowId],
    'Viewer.calendarConnectionsById.ids': [calendarAccountId],
    'Organization.webhook.id': webhookId,
    'Organization.webhooksById.ids': [webhookId],
    'Viewer.webhook.id': webhookId,
    'Viewer.webhooksById.ids': [webhookId],
    'Viewer.icsFeedsById.ids': [unknownId('icsFeed')],
    'Viewer.conferencingAppsById.ids': [conferencingAppId],
    'Team.conferencingAppsById.ids': [unknownId('conferencingApp')],
    'Viewer.verifiedEmailsById.ids': [verifiedEmailId],
    'Viewer.verifiedPhonesById.ids': [verifiedPhoneId],
    'Team.verifiedEmailsById.ids': [unknownId('verifiedEmail')],
    'Team.verifiedPhonesById.ids': [unknownId('verifiedPhone')],
    'Query.publicRoutingForm.id': await form('team'),
    'Query.routingFormRoute.routingFormId': await form('team'),
    'RoutingFormOutcome.slots.start': FROM,
    'RoutingFormOutcome.slots.end': TO,
    'Query.routingFormRoute.answers': {},
    'Team.routingForm.id': await form('team'),
    'Team.routingFormsById.ids': [await form('team')],
    'Team.routingFormResponse.id': await response('team'),
    'Organization.routingForm.id': await form('organization'),
    'Organization.routingFormsById.ids': [await form('organization')],
    'Organization.routingFormResponse.id': await response('organization'),
    'Team.eventType.id': eventTypeId,
    'Team.membership.id': unknownId('membership'),
    'Team.departure.membershipId': unknownId('membership'),
    'Organization.departure.membershipId': unknownId('membership'),
    'Team.invitation.id': unknownId('invitation'),
    'Organization.eventType.id': eventTypeId,
    'Organization.membership.id': unknownId('membership'),
    'Organization.invitation.id': unknownId('invitation'),
    'Organization.team.id': sales,
  };
}

export async function groupId(api: TestApi, kind: 'team' | 'organization', slug: string): Promise<string> {
  const found = await row(
    api.database.em.fork(),
    sql<{ id: string }>`select id from ${sql.table(`${kind}s`)} where slug = ${slug}`,
  );
  if (!found) throw new Error(`There is no ${kind} ${slug}.`);
  return publicId(kind, found.id);
}
