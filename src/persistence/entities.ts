import { AuditEvent } from '../events/audit-event.entity.ts';
import { DomainEvent } from '../events/domain-event.entity.ts';
import { GuessCount } from '../limits/guess-count.entity.ts';
import { IdempotencyKey } from '../limits/idempotency-key.entity.ts';
import { MailCount } from '../limits/mail-count.entity.ts';
import { RequestCount } from '../limits/request-count.entity.ts';
import { AccountLink } from '../modules/accounts/account-link.entity.ts';
import { FailedSignIn } from '../modules/accounts/failed-sign-in.entity.ts';
import { Session } from '../modules/accounts/session.entity.ts';
import { User } from '../modules/accounts/user.entity.ts';
import { Username } from '../modules/accounts/username.entity.ts';
import { BookerEmailCode } from '../modules/bookings/booker-email-code.entity.ts';
import { Booking } from '../modules/bookings/booking.entity.ts';
import { BookingAttendee } from '../modules/bookings/booking-attendee.entity.ts';
import { BookingHost } from '../modules/bookings/booking-host.entity.ts';
import { BookingRecording } from '../modules/bookings/booking-recording.entity.ts';
import { BookingReference } from '../modules/bookings/booking-reference.entity.ts';
import { BookingTranscript } from '../modules/bookings/booking-transcript.entity.ts';
import { ConferencingSession } from '../modules/bookings/conferencing-session.entity.ts';
import { OccupiedTime } from '../modules/bookings/occupied-time.entity.ts';
import { SlotReservation } from '../modules/bookings/slot-reservation.entity.ts';
import { EventType } from '../modules/event-types/event-type.entity.ts';
import { EventTypeHost } from '../modules/event-types/event-type-host.entity.ts';
import { PrivateLink } from '../modules/event-types/private-link.entity.ts';
import { Organization } from '../modules/organizations/organization.entity.ts';
import { OrganizationMembership } from '../modules/organizations/organization-membership.entity.ts';
import { OutOfOffice } from '../modules/schedules/out-of-office.entity.ts';
import { Schedule } from '../modules/schedules/schedule.entity.ts';
import { Team } from '../modules/teams/team.entity.ts';
import { TeamMembership } from '../modules/teams/team-membership.entity.ts';
import { OAuthClient } from '../oauth/oauth-client.entity.ts';
import { OAuthClientSecret } from '../oauth/oauth-client-secret.entity.ts';
import { OAuthCode } from '../oauth/oauth-code.entity.ts';
import { OAuthFailedRequest } from '../oauth/oauth-failed-request.entity.ts';
import { OAuthGrant } from '../oauth/oauth-grant.entity.ts';
import { OAuthInteraction } from '../oauth/oauth-interaction.entity.ts';
import { OAuthKey } from '../oauth/oauth-key.entity.ts';
import { OAuthRevocation } from '../oauth/oauth-revocation.entity.ts';

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
  Schedule,
  OutOfOffice,
  EventType,
  EventTypeHost,
  PrivateLink,
  Booking,
  BookingAttendee,
  BookingHost,
  BookingRecording,
  BookingTranscript,
  BookingReference,
  ConferencingSession,
  OccupiedTime,
  SlotReservation,
  BookerEmailCode,
  OAuthClient,
  OAuthClientSecret,
  OAuthInteraction,
  OAuthCode,
  OAuthGrant,
  OAuthKey,
  OAuthRevocation,
  OAuthFailedRequest,
  AuditEvent,
  DomainEvent,
  IdempotencyKey,
  GuessCount,
  MailCount,
  RequestCount,
];
