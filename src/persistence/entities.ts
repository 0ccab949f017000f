import { AuditEvent } from '../events/audit-event.entity.ts';
import { DomainEvent } from '../events/domain-event.entity.ts';
import { Counter } from '../limits/counter.entity.ts';
import { HeldNotice } from '../limits/held-notice.entity.ts';
import { IdempotencyKey } from '../limits/idempotency-key.entity.ts';
import { MailReceiver } from '../limits/mail-receiver.entity.ts';
import { FailedSignIn, Session } from '../modules/accounts/sign-in/session.entity.ts';
import { AccountLink, User, Username } from '../modules/accounts/user.entity.ts';
import { Booking, BookingAttendee, BookingHost } from '../modules/bookings/booking.entity.ts';
import { CalendarEntry } from '../modules/bookings/calendar-entries/calendar-entry.entity.ts';
import {
  BookingRecording,
  BookingReference,
  BookingTranscript,
  ConferencingMeeting,
  ConferencingSession,
} from '../modules/bookings/conferencing/conferencing.entity.ts';
import { BookingMail } from '../modules/bookings/mails/booking-mail.entity.ts';
import { OccupiedTime } from '../modules/bookings/occupancy/occupied-time.entity.ts';
import { SlotReservation } from '../modules/bookings/slots/slot-reservation.entity.ts';
import { BusyPeriod } from '../modules/calendars/busy-period.entity.ts';
import { CalendarConnection, ConnectedCalendar } from '../modules/calendars/connections/calendar-connection.entity.ts';
import { IcsFeed } from '../modules/calendars/feeds/ics-feed.entity.ts';
import { ConferencingApp } from '../modules/conferencing/conferencing-app.entity.ts';
import { Connection, ConnectionRequest } from '../modules/connections/connection.entity.ts';
import { EventType, EventTypeHost } from '../modules/event-types/event-type.entity.ts';
import { PrivateLink } from '../modules/event-types/private-link.entity.ts';
import { Invitation } from '../modules/memberships/invitation.entity.ts';
import { Organization, OrganizationMembership } from '../modules/organizations/organization.entity.ts';
import { RoutingForm, RoutingFormResponse } from '../modules/routing-forms/routing-form.entity.ts';
import { OutOfOffice } from '../modules/schedules/out-of-office.entity.ts';
import { Schedule } from '../modules/schedules/schedule.entity.ts';
import { Team, TeamMembership } from '../modules/teams/team.entity.ts';
import {
  VerificationCode,
  VerifiedEmail,
  VerifiedPhone,
} from '../modules/verified-resources/verified-resource.entity.ts';
import { Webhook, WebhookDelivery } from '../modules/webhooks/webhook.entity.ts';
import { Workflow, WorkflowReminder, WorkflowSending } from '../modules/workflows/workflow.entity.ts';
import { OAuthInteraction } from '../oauth/authorize/oauth-interaction.entity.ts';
import { OAuthClient, OAuthClientSecret, OAuthFailedRequest } from '../oauth/clients/oauth-client.entity.ts';
import { OAuthGrant } from '../oauth/grants/oauth-grant.entity.ts';
import { OAuthKey } from '../oauth/keys/oauth-key.entity.ts';
import { OAuthRevocation } from '../oauth/revocations/oauth-revocation.entity.ts';
import { StoppedThing } from '../oauth/stopped/stopped-thing.entity.ts';
import { OAuthCode } from '../oauth/tokens/oauth-code.entity.ts';

/** Every table, listed: no glob loading. A test names an entity file that is missing here. */
export const ENTITIES = [
  User,
  Username,
  Session,
  FailedSignIn,
  AccountLink,
  Organization,
  OrganizationMembership,
  Team,
  TeamMembership,
  Invitation,
  ConferencingApp,
  Connection,
  ConnectionRequest,
  VerificationCode,
  VerifiedEmail,
  VerifiedPhone,
  Schedule,
  OutOfOffice,
  BusyPeriod,
  CalendarConnection,
  ConnectedCalendar,
  IcsFeed,
  EventType,
  EventTypeHost,
  PrivateLink,
  Booking,
  BookingAttendee,
  BookingHost,
  BookingMail,
  BookingRecording,
  BookingTranscript,
  BookingReference,
  ConferencingMeeting,
  ConferencingSession,
  CalendarEntry,
  OccupiedTime,
  SlotReservation,
  Workflow,
  WorkflowReminder,
  WorkflowSending,
  RoutingForm,
  RoutingFormResponse,
  Webhook,
  WebhookDelivery,
  OAuthClient,
  OAuthClientSecret,
  OAuthInteraction,
  OAuthCode,
  OAuthGrant,
  OAuthKey,
  OAuthRevocation,
  OAuthFailedRequest,
  StoppedThing,
  AuditEvent,
  DomainEvent,
  IdempotencyKey,
  MailReceiver,
  HeldNotice,
  Counter,
];
