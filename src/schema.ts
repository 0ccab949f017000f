/** Every part of the GraphQL schema, listed: no glob loading. A test names a *.graphql.ts file that is missing here. */
import './graphql/scalars.ts';
import './modules/accounts/accounts.graphql.ts';
import './modules/accounts/sign-in/session.graphql.ts';
import './modules/organizations/group-profile.graphql.ts';
import './modules/organizations/organization.graphql.ts';
import './modules/teams/team.graphql.ts';
import './modules/levels/level.graphql.ts';
import './modules/levels/owned-store.graphql.ts';
import './modules/levels/resource-mutations.graphql.ts';
import './modules/levels/resource.graphql.ts';
import './modules/memberships/memberships.graphql.ts';
import './modules/memberships/invitations.graphql.ts';
import './modules/memberships/organization-users.graphql.ts';
import './modules/verified-resources/verified-resource.graphql.ts';
import './modules/conferencing/conferencing-app.graphql.ts';
import './modules/schedules/schedule.graphql.ts';
import './modules/schedules/out-of-office.graphql.ts';
import './modules/calendars/feeds/ics-feed.graphql.ts';
import './modules/event-types/event-type-values.graphql.ts';
import './modules/event-types/event-type.graphql.ts';
import './modules/event-types/event-type-input.graphql.ts';
import './modules/event-types/child-event-type.graphql.ts';
import './modules/event-types/event-type-edges.graphql.ts';
import './modules/event-types/private-link.graphql.ts';
import './modules/event-types/public/public-event-type.graphql.ts';
import './modules/event-types/public/public-groups.graphql.ts';
import './modules/bookings/booking-input.graphql.ts';
import './modules/bookings/booking-location.graphql.ts';
import './modules/bookings/slots/holds/reserved-slot.graphql.ts';
import './modules/bookings/slots/slot.graphql.ts';
import './modules/bookings/slots/holds/slot-reservation.graphql.ts';
import './modules/bookings/busy/busy-times.graphql.ts';
import './modules/bookings/public/public-booking.graphql.ts';
import './modules/bookings/book/booker-email.graphql.ts';
import './modules/bookings/mails/booking-mail.graphql.ts';
import './modules/bookings/lists/booking.graphql.ts';
import './modules/bookings/lists/booking-lists.graphql.ts';
import './modules/bookings/lists/appointments.graphql.ts';
import './modules/bookings/conferencing/booking-media.graphql.ts';
import './modules/bookings/change/booking-changes.graphql.ts';
import './modules/workflows/workflow.graphql.ts';
import './modules/workflows/workflow-preview.graphql.ts';
import './modules/calendars/connections/calendar-connection.graphql.ts';
import './modules/calendars/connections/calendar-actions.graphql.ts';
import './modules/webhooks/webhook.graphql.ts';
import './modules/webhooks/webhook-delivery.graphql.ts';
import './modules/webhooks/webhook-actions.graphql.ts';
import './modules/bookings/book/group-booking-create.graphql.ts';
import './modules/bookings/departures/departure.graphql.ts';
import './modules/routing-forms/routing-form-values.graphql.ts';
import './modules/routing-forms/routing-form.graphql.ts';
import './modules/routing-forms/routing-form-response.graphql.ts';
import './modules/routing-forms/public-routing-form.graphql.ts';
import './oauth/clients/oauth-client-type.graphql.ts';
import './oauth/clients/oauth-client.graphql.ts';
import './oauth/grants/authorized-apps.graphql.ts';
import './oauth/audit-event.graphql.ts';
import './oauth/users/users.graphql.ts';
import './oauth/stopped/stopped-thing.graphql.ts';
import { builder } from './graphql/builder.ts';
import type { GuardedSchema } from './graphql/operation.ts';
import { releaseBuilder } from './graphql/release-builder.ts';
import { assertEmptyGrantIsRefused } from './scopes/canary.ts';
import { withScopeDirective } from './scopes/directive.ts';
import { hideFirstParty } from './scopes/hide-first-party.ts';
import { rulesOf } from './scopes/schema-rules.ts';
import { assertClosed } from './scopes/unguarded-fields.ts';

export interface Schemas {
  readonly forTokens: GuardedSchema;
  readonly forSessions: GuardedSchema;
}

let schemas: Schemas | undefined;

/** Both schemas, built once a process and proved to leave no field open. @throws Error naming every hole */
export function buildSchemas(): Schemas {
  schemas ??= build();
  return schemas;
}

function build(): Schemas {
  const full = releaseBuilder(withScopeDirective(builder.toSchema({ sortSchema: false })));
  const forSessions = { schema: full, rules: rulesOf(full) };
  const tokens = hideFirstParty(full);
  const forTokens = { schema: tokens, rules: rulesOf(tokens) };
  for (const { rules } of [forSessions, forTokens]) {
    assertClosed(rules);
    assertEmptyGrantIsRefused(rules);
  }
  return { forSessions, forTokens };
}
