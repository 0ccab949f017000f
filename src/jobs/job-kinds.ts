import type { FeedSettings } from '../modules/calendars/feeds/feed-reader.ts';
import type { JobKind } from './job-kind.ts';
import { bookingMailsKind } from './kinds/booking-mails.job.ts';
import { type CalendarAccountSettings, calendarAccountKinds } from './kinds/calendar-accounts.job.ts';
import { type CalendarEntrySettings, calendarEntryKinds } from './kinds/calendar-entries.job.ts';
import { calendarReadingsKind } from './kinds/calendar-readings.job.ts';
import { type ConnectionJobSettings, connectionsKind } from './kinds/connections.job.ts';
import { type HeldMessageSettings, heldMessagesKind } from './kinds/held-messages.job.ts';
import { icsFeedsKind } from './kinds/ics-feeds.job.ts';
import { type MailJobSettings, mailKind } from './kinds/mail.job.ts';
import { type MeetingJobSettings, meetingKinds } from './kinds/meetings.job.ts';
import { smsKind } from './kinds/sms.job.ts';
import { type WebhookSettings, webhookKinds } from './kinds/webhooks.job.ts';
import { type WorkflowSettings, workflowKinds } from './kinds/workflows.job.ts';

export interface JobSettings
  extends WebhookSettings,
    CalendarEntrySettings,
    CalendarAccountSettings,
    FeedSettings,
    MeetingJobSettings,
    WorkflowSettings,
    ConnectionJobSettings,
    HeldMessageSettings,
    MailJobSettings {}

/** Everything that is done in the background, listed: to subscribe to domain events, a line here. */
export function jobKinds(settings: JobSettings): readonly JobKind[] {
  const others = [
    bookingMailsKind(settings),
    heldMessagesKind(settings),
    mailKind(settings),
    smsKind(settings.sms),
    ...webhookKinds(settings),
    ...workflowKinds(settings),
    ...calendarEntryKinds(settings),
    ...calendarAccountKinds(settings),
    icsFeedsKind(settings),
    calendarReadingsKind(settings),
    connectionsKind(settings),
  ];
  return [...meetingKinds(settings, others), ...others];
}
