/**
 * Says for each field which readers are shown it, beside the scopes that it takes: every field of every type is in this
 * table, so that an author who adds one decides. A thing inside another one is narrowed by all that leads to it.
 */
export type Class =
  /** Whoever comes, with no credentials. */
  | 'ANYBODY'
  /** Each their own. */
  | 'OWN'
  /** As what it belongs to. */
  | 'AS_ABOVE'
  /** Accepted members of the group, or administrators of its organization. */
  | 'MEMBERS'
  /** People with a membership of the group that counts, each their own. */
  | 'OWN_MEMBERSHIP'
  /** Administrators of the group. */
  | 'GROUP_ADMINISTRATORS'
  /** Owners of the group; of a team of an organization, its administrators too. */
  | 'GROUP_OWNERS'
  /** Owners of the group by a membership of their own, which they hand over. */
  | 'OWNERS_BY_MEMBERSHIP'
  /** Administrators above whom the person that it belongs to does not stand; and that person. */
  | 'UP_TO_OWN_STANDING'
  /** Administrators of the service. */
  | 'ADMINISTRATORS';

export const CLASSES: Readonly<Record<string, Readonly<Partial<Record<Class, string>>>>> = {
  Query: {
    ANYBODY:
      'publicEventTypes publicEventType publicOrganization publicTeam slots publicBooking publicRoutingForm routingFormRoute bookingMailOutlook',
    OWN: 'me oauthClient auditEvents',
    MEMBERS: 'organization team',
    ADMINISTRATORS: 'oauthClientReviewQueue',
  },
  Viewer: {
    AS_ABOVE:
      'id name username email emailVerified timeZone weekStart timeFormat locale bio avatarUrl metadata createdAt updatedAt sessions pendingEmail organizations organizationInvitations teams teamInvitations schedules schedule defaultSchedule outOfOffice eventTypes eventType bookings booking schedulesById outOfOfficeById eventTypesById bookingsById heldSlots webhooks webhook webhooksById conferencingApps conferencingAppsById verifiedEmails verifiedEmailsById verifiedPhones verifiedPhonesById busyTimes icsFeeds icsFeedsById oauthClients authorizedApps calendarConnections calendarConnectionsById destinationCalendar stoppedThings',
  },
  HeldSlot: { AS_ABOVE: 'id start end title heldAt expiresAt' },
  BusyTime: { AS_ABOVE: 'start end date' },
  IcsFeed: { AS_ABOVE: 'id host ending status createdAt updatedAt' },
  IcsFeedStatus: { AS_ABOVE: 'lastReadAt lastError nextReadAt eventCount unreadableEventCount' },
  StoppedThing: { AS_ABOVE: 'id kind title address stoppedAt deletedAt' },
  Session: { AS_ABOVE: 'id userAgent address isCurrent createdAt lastSeenAt' },
  Invitation: { AS_ABOVE: 'membershipId groupId groupName role createdAt updatedAt' },
  SentInvitation: { AS_ABOVE: 'id email role createdAt updatedAt expiresAt' },
  Organization: {
    OWN_MEMBERSHIP: 'departure',
    AS_ABOVE:
      'id slug name bio logoUrl brandColor timeZone weekStart hideBranding isPrivate metadata createdAt updatedAt teams team',
    GROUP_ADMINISTRATORS:
      'memberships membership membershipsById invitations invitation invitationsById users schedules schedulesById outOfOffice outOfOfficeById eventTypes eventType eventTypesById bookings booking bookingsById routingForms routingForm routingFormsById routingFormResponse webhooks webhook webhooksById',
  },
  Team: {
    OWN_MEMBERSHIP: 'departure',
    AS_ABOVE:
      'id slug name bio logoUrl brandColor timeZone weekStart hideBranding inherited isPrivate metadata createdAt updatedAt organization',
    GROUP_ADMINISTRATORS:
      'memberships membership membershipsById invitations invitation invitationsById schedules schedulesById outOfOffice outOfOfficeById eventTypes eventType eventTypesById bookings booking bookingsById heldSlots conferencingApps conferencingAppsById verifiedEmails verifiedEmailsById verifiedPhones verifiedPhonesById workflows workflow workflowPreview workflowsById routingForms routingForm routingFormsById routingFormResponse',
  },
  Membership: { AS_ABOVE: 'id role accepted createdAt updatedAt user' },
  MembershipDeparture: {
    AS_ABOVE:
      'membershipId upcomingBookingCount ownUpcomingBookingCount eventTypeCount eventTypes managedEventTypeCount managedEventTypes',
  },
  DepartureHostedEventType: { AS_ABOVE: 'eventType isMandatory isOnlyHost' },
  DepartureEventType: { AS_ABOVE: 'id slug title' },
  User: { AS_ABOVE: 'id name username avatarUrl timeZone email' },
  WeeklyHours: { AS_ABOVE: 'days start end' },
  DateOverride: { AS_ABOVE: 'date start end' },
  Schedule: { AS_ABOVE: 'id userId user name timeZone isDefault availability overrides createdAt updatedAt' },
  OutOfOffice: {
    AS_ABOVE: 'id userId user start end createdAt updatedAt',
    UP_TO_OWN_STANDING: 'reason notes redirectTo',
  },
  ConferencingApp: { AS_ABOVE: 'id app name isDefault status statusReason createdAt' },
  VerifiedEmail: { AS_ABOVE: 'id email verifiedAt isAnsweredFor' },
  VerifiedPhone: { AS_ABOVE: 'id phone verifiedAt isAnsweredFor' },
  Person: { AS_ABOVE: 'id name username avatarUrl' },
  Workflow: {
    AS_ABOVE:
      'id name trigger offset eventTypeIds isForAllEventTypes routingFormIds isForAllRoutingForms isActive steps createdAt updatedAt',
  },
  WorkflowPreview: { AS_ABOVE: 'stepId subject text smsParts' },
  WorkflowOffset: { AS_ABOVE: 'value unit' },
  CalendarAccount: { AS_ABOVE: 'id provider host account status calendars createdAt updatedAt' },
  ConnectedCalendar: {
    AS_ABOVE: 'id name primary readOnly selected destination readAt lastError unreadableEventCount writeFailedAt',
  },
  WorkflowStep: { AS_ABOVE: 'id action sendTo subject body includeCalendarEvent senderName' },
  Webhook: {
    AS_ABOVE: 'id url triggers active status pausedReason disabledAt disabledReason deliveries createdAt updatedAt',
  },
  EventTypeWebhook: {
    AS_ABOVE: 'id url triggers active status pausedReason disabledAt disabledReason deliveries createdAt updatedAt',
  },
  SuspendedWebhook: { AS_ABOVE: 'webhookId eventTypeWebhookId teamId organizationId groupName origin' },
  PausedWebhook: { AS_ABOVE: 'webhookId eventTypeWebhookId teamId url pausedReason' },
  WebhookDelivery: { AS_ABOVE: 'id trigger status attempts nextAttemptAt createdAt' },
  RoutingForm: {
    AS_ABOVE: 'id name description isActive url version fields routes fallback responses createdAt updatedAt',
  },
  PublicRoutingForm: { AS_ABOVE: 'id name description fields' },
  PublicRoutingFormField: { AS_ABOVE: 'slug type label required options placeholder' },
  RoutingFormOutcome: { AS_ABOVE: 'kind message url eventType slots' },
  RoutingFormField: { AS_ABOVE: 'slug type label required options placeholder' },
  RoutingFormRoute: { AS_ABOVE: 'id match conditions target' },
  RoutingFormCondition: { AS_ABOVE: 'field operator values' },
  RoutingFormTarget: { AS_ABOVE: 'kind eventTypeId message url passesAnswers' },
  RoutingFormResponse: {
    AS_ABOVE:
      'id routingFormId formVersion fields answers routeId target unsentMails waitingMessages createdAt updatedAt',
  },
  WebhookAttempt: { AS_ABOVE: 'endedAt status error latencyInMilliseconds' },
  OutOfOfficeRedirect: { AS_ABOVE: 'id name username' },
  EventType: {
    AS_ABOVE:
      'id ownerId slug title description hidden color metadata bookingUrl createdAt updatedAt lengthInMinutes lengthInMinutesOptions scheduleId slotIntervalInMinutes minimumBookingNoticeInMinutes bufferBeforeInMinutes bufferAfterInMinutes bookingWindow bookingLimits locations bookingFields confirmation recurrence seats requiresBookerEmailVerification requiresAuthentication disableGuests disableCancelling disableRescheduling successRedirectUrl embedOrigins schedulingType assignAllMembers hosts parent children owner schedule',
    UP_TO_OWN_STANDING: 'privateLinks webhooks',
  },
  EventTypeOwner: { AS_ABOVE: 'id name username slug' },
  BookingWindow: { AS_ABOVE: 'kind days from to' },
  BookingLimit: { AS_ABOVE: 'count minutes' },
  BookingLimits: { AS_ABOVE: 'day week month year' },
  Location: { AS_ABOVE: 'id label type value' },
  BookingField: { AS_ABOVE: 'slug type label required options placeholder' },
  Confirmation: { AS_ABOVE: 'kind noticeInMinutes' },
  Recurrence: { AS_ABOVE: 'frequency interval occurrences' },
  Seats: { AS_ABOVE: 'perSlot showAttendees' },
  CutOff: { AS_ABOVE: 'minutesBefore' },
  EventTypeHost: { AS_ABOVE: 'user isMandatory priority weight' },
  EventTypeHostUser: { AS_ABOVE: 'id name username' },
  ParentEventType: { AS_ABOVE: 'id title teamId' },
  ChildEventType: { AS_ABOVE: 'id user hidden bookingUrl' },
  PrivateLink: { AS_ABOVE: 'id url expiresAt maxUsageCount usageCount isExpired createdAt updatedAt' },
  PublicEventType: {
    AS_ABOVE:
      'id slug title description managedBy lengthInMinutes bookingUrl color lengthInMinutesOptions locations bookingFields confirmation recurrence seats requiresBookerEmailVerification requiresAuthentication disableGuests disableCancelling disableRescheduling',
  },
  PublicOrganization: { AS_ABOVE: 'name bio bookingUrl logoUrl brandColor timeZone weekStart hideBranding teams' },
  PublicTeam: {
    AS_ABOVE: 'name organizationName bio bookingUrl logoUrl brandColor timeZone weekStart hideBranding',
  },
  PublicManagingTeam: { AS_ABOVE: 'name organizationName' },
  PublicLocation: { AS_ABOVE: 'id label type value' },
  PublicBookingField: { AS_ABOVE: 'slug type label required options placeholder' },
  PublicConfirmation: { AS_ABOVE: 'kind noticeInMinutes' },
  PublicRecurrence: { AS_ABOVE: 'frequency interval occurrences' },
  PublicSeats: { AS_ABOVE: 'perSlot showAttendees' },
  PublicCutOff: { AS_ABOVE: 'minutesBefore' },
  Slot: { AS_ABOVE: 'start end date seatsLeft' },
  SlotReservation: { AS_ABOVE: 'id start end expiresAt' },
  PublicBooking: {
    AS_ABOVE:
      'id uid title description managedBy status start end location locationType hosts attendee otherAttendeeNames seatsLeft guestsInvited guestsWaiting cancellationReason rejectionReason rescheduleRequested rescheduleRequestReason rescheduledToUid',
  },
  PublicBookingHost: { AS_ABOVE: 'name' },
  PublicBookingMail: { AS_ABOVE: 'email status' },
  PublicBookingAttendee: { AS_ABOVE: 'name email timeZone' },
  Booking: {
    AS_ABOVE:
      'id uid title description status start end durationInMinutes location locationType eventType hosts attendees guests notes responses calendarLinks seats metadata cancellationReason rejectionReason reschedulingReason reassignmentReason rescheduleRequested rescheduledFromUid rescheduledToUid recurringUid mails unsentMails waitingMessages icsUid createdAt updatedAt recordings transcripts references conferencingSessions',
  },
  BookingEventType: { AS_ABOVE: 'id slug title' },
  BookingHost: { AS_ABOVE: 'id name username user absent' },
  BookingHostUser: { AS_ABOVE: 'id name username' },
  BookingAttendee: { AS_ABOVE: 'name email verified timeZone locale phone notes responses absent seatUid' },
  BookingGuest: { AS_ABOVE: 'email invited' },
  BookingMail: { AS_ABOVE: 'email role status dueAt' },
  BookingSeats: { AS_ABOVE: 'perSlot showAttendees' },
  BookingCalendarLink: { AS_ABOVE: 'calendar url' },
  BookingRecording: { AS_ABOVE: 'id url durationInSeconds createdAt' },
  BookingTranscript: { AS_ABOVE: 'id url language createdAt' },
  BookingReference: { AS_ABOVE: 'id app url createdAt' },
  BookingConferencingSession: { AS_ABOVE: 'id startedAt endedAt' },
  OAuthClient: {
    AS_ABOVE:
      'clientId name developerName purpose logoUrl websiteUrl type status isDeveloperSuspended isLegacy requirePkce redirectUris scopes ownerName ownerEmail rejectionReason suspensionReason version pendingRevision secrets unrestrictedUserCount failedRequests submittedAt reviewedAt createdAt updatedAt',
  },
  OAuthClientSecret: { AS_ABOVE: 'id name hint createdAt lastUsedAt' },
  OAuthClientRevision: { AS_ABOVE: 'name developerName logoUrl websiteUrl redirectUris scopes requestedAt' },
  OAuthFailedRequest: { AS_ABOVE: 'id endpoint error description occurredAt' },
  AuthorizedApp: { AS_ABOVE: 'client grants' },
  AuthorizedClient: { AS_ABOVE: 'clientId name websiteUrl isSuspended' },
  AuthorizedGrant: { AS_ABOVE: 'id scopes isUnrestricted createdAt lastUsedAt' },
  AuditEvent: { AS_ABOVE: 'id type userId clientId grantId address detail occurredAt', ADMINISTRATORS: 'actorId' },
};

export function classOf(coordinate: string): Class {
  const [type = '', field = ''] = coordinate.split('.');
  const found = Object.entries(CLASSES[type] ?? {}).find(([, fields]) => fields.split(' ').includes(field));
  if (!found)
    throw new Error(`For whom is ${coordinate}? Say it in CLASSES of test/contract/field-visibility/classes.ts.`);
  return found[0] as Class;
}
