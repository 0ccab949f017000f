import type { Mistake } from '../../core/problem.ts';
import {
  CALENDARS_PATH,
  type ConnectionStatus,
  type OAuthCalendarProvider,
} from '../../modules/calendars/connections/calendar-connection.rules.ts';
import type { UnreadableEvent } from '../../modules/calendars/feeds/ics-event.ts';
import type { Viewer } from '../kit/layout.ts';
import type { Clock } from '../kit/when.ts';

/** The forms of the page, each sent to an address of its own. */
export const CALENDAR_FORMS = [
  'choose',
  'connect',
  'apple',
  'caldav',
  'reconnect',
  'disconnect',
  'add-feed',
  'remove-feed',
  'read-now',
] as const;
export type CalendarForm = (typeof CALENDAR_FORMS)[number];

export function calendarFormPath(form: CalendarForm): string {
  return `${CALENDARS_PATH}/${form}`;
}

/** `PENDING`: its server has not answered in the time that a page may take. */
export type ShownStatus = ConnectionStatus | 'PENDING';

export interface ShownCalendar {
  readonly id: string;
  readonly name: string;
  readonly isReadOnly: boolean;
  readonly selected: boolean;
  readonly isDestination: boolean;
  /** Why its events could not be read the last time. */
  readonly error: string | null;
  /** When they were read last; null: not yet. */
  readonly readAt: string | null;
  /** Null: every booking that belongs there is written, or is being tried still. */
  readonly writeFailedAt: string | null;
  readonly unreadableEventCount: number;
  /** The first of them. */
  readonly unreadable: readonly UnreadableEvent[];
}

export interface ShownAccount {
  readonly id: string;
  /** `Google Calendar`, or `CalDAV (cloud.example)` */
  readonly provider: string;
  readonly account: string;
  readonly status: ShownStatus;
  /** Whether its server has refused its password, which it may take again. */
  readonly isRefused: boolean;
  readonly calendars: readonly ShownCalendar[];
}

export interface ShownFeed {
  readonly id: string;
  readonly host: string;
  readonly ending: string;
  /** Why it could not be read the last time. */
  readonly error: string | null;
  readonly readAt: string;
  readonly eventCount: number;
  readonly unreadableEventCount: number;
  /** The first of them. */
  readonly unreadable: readonly UnreadableEvent[];
}

/** The fields that were typed to connect an account: the form that was sent, with all but the password. */
export interface TypedAccount {
  readonly form: CalendarForm | undefined;
  readonly username: string;
  readonly server: string;
  readonly caldavUsername: string;
  /** Hosts that the password may go to if they are ticked, and whether they were. */
  readonly hosts: readonly { readonly host: string; readonly isAccepted: boolean }[];
}

export interface CalendarsPage {
  readonly viewer: Viewer;
  readonly clock: Clock;
  readonly accounts: readonly ShownAccount[];
  readonly feeds: readonly ShownFeed[];
  /** Those that the operator has configured, with what people call them. */
  readonly offered: readonly { readonly provider: OAuthCalendarProvider; readonly title: string }[];
  readonly csrf: Readonly<Record<CalendarForm, string>>;
  readonly typed: TypedAccount;
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
}
