import type { MeetingSettings } from '../modules/bookings/conferencing/follow-meeting.ts';
import type { FeedSettings } from '../modules/calendars/feeds/feed-store.ts';
import { bookingMailsKind } from './booking-mails.job.ts';
import { type CalendarAccountSettings, calendarAccountKinds } from './calendar-accounts.job.ts';
import { type CalendarEntrySettings, calendarEntryKinds } from './calendar-entries.job.ts';
import { calendarReadingsKind } from './calendar-readings.job.ts';
import { type ConnectionJobSettings, connectionsKind } from './connections.job.ts';
import { icsFeedsKind } from './ics-feeds.job.ts';
import type { JobKind } from './job-kind.ts';
import { mailKind } from './mail.job.ts';
import { meetingKinds } from './meetings.job.ts';
import { smsKind } from './sms.job.ts';
import { type WebhookSettings, webhookKinds } from './webhooks.job.ts';
import { type WorkflowSettings, workflowKinds } from './workflows.job.ts';

export interface JobSettings
  extends WebhookSettings,
    CalendarEntrySettings,
    CalendarAccountSettings,
    FeedSettings,
    MeetingSettings,
    WorkflowSettings,
    ConnectionJobSettings {}

/** Everything that is done in the background, listed: to subscribe to domain events, a line here. */
export function jobKinds(settings: JobSettings): readonly JobKind[] {
  const told = [
    bookingMailsKind(settings),
    mailKind(settings.mailer),
    smsKind(settings.sms),
    ...webhookKinds(settings),
    ...workflowKinds(settings),
    ...calendarEntryKinds(settings),
    ...calendarAccountKinds(settings),
    icsFeedsKind(settings),
    calendarReadingsKind(settings),
    connectionsKind(settings),
  ];
  return [...meetingKinds(settings, told), ...told];
}
