import { lineField } from '../../../core/field-rules.ts';
import type { FieldRules } from '../../../core/fields.ts';

/** Those whose accounts are connected by OAuth. */
export const OAUTH_CALENDAR_PROVIDERS = ['GOOGLE', 'OFFICE365'] as const;
export type OAuthCalendarProvider = (typeof OAUTH_CALENDAR_PROVIDERS)[number];
export const CALENDAR_PROVIDERS = ['APPLE', ...OAUTH_CALENDAR_PROVIDERS] as const;
export type CalendarProviderName = (typeof CALENDAR_PROVIDERS)[number];

/** As people know them. */
export const TITLES: Readonly<Record<CalendarProviderName, string>> = {
  APPLE: 'Apple Calendar',
  GOOGLE: 'Google Calendar',
  OFFICE365: 'Office 365',
};

/** The page on which users connect accounts, and choose among their calendars. */
export const CALENDARS_PATH = '/settings/calendars';

/** CONNECTED: the account lets us in. BROKEN: it does not any more. UNREACHABLE: its server does not answer as it should. */
export const CONNECTION_STATUSES = ['CONNECTED', 'BROKEN', 'UNREACHABLE'] as const;
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

/** A calendar as its provider lists it. */
export interface ListedCalendar {
  /** What the provider knows it by, of this account: nothing else tells two calendars apart. */
  readonly externalId: string;
  readonly name: string;
  readonly isPrimary: boolean;
  readonly isReadOnly: boolean;
}

/** An account as its provider shows it. */
export interface ListedAccount {
  /** What its user calls it, such as the e-mail address: no two accounts of a provider have the same. */
  readonly account: string;
  /** The calendars that hold events. */
  readonly calendars: readonly ListedCalendar[];
}

/** What is written into a calendar, for one that takes no calendar objects. Instants are RFC 3339. */
export interface CalendarEvent {
  readonly title: string;
  readonly description: string;
  readonly place: string | null;
  readonly start: string;
  readonly end: string;
}

export interface NewEntry {
  /** What the entry is of: a UUID, from which its UID is made (icsUid). */
  readonly icsId: string;
  /** A name of this state of it: another one as soon as anything in it has changed. */
  readonly version: string;
  /** It as an iCalendar object without METHOD (RFC 4791 §4.1). */
  readonly ics: string;
  readonly event: CalendarEvent;
}

/** Accounts of one user. */
export const MAX_CONNECTIONS = 50;
/** Calendars of one account; of more, the first ones are kept. */
export const MAX_CALENDARS = 100;
export const MAX_ACCOUNT_LENGTH = 254;
export const MAX_APP_PASSWORD_LENGTH = 200;

export interface AppleAccount {
  readonly username: string;
  readonly appPassword: string;
}

export const APPLE_ACCOUNT_FIELDS: FieldRules<AppleAccount> = {
  username: lineField(MAX_ACCOUNT_LENGTH),
  appPassword: lineField(MAX_APP_PASSWORD_LENGTH),
};

/** `Authorization: Basic` (RFC 7617 §2). */
export function basicAuthorization({ username, appPassword }: AppleAccount): string {
  return `Basic ${Buffer.from(`${username}:${appPassword}`).toString('base64')}`;
}

/** `Authorization: Bearer` (RFC 6750 §2.1). */
export function bearerAuthorization(accessToken: string): string {
  return `Bearer ${accessToken}`;
}

/** Those that are kept of an account: the primary one first, then in the provider's order. */
export function keptCalendars(listed: readonly ListedCalendar[]): ListedCalendar[] {
  const named = listed.map((calendar) => ({ ...calendar, name: calendar.name.replace(/\p{Cc}/gu, ' ') }));
  const byId = new Map(named.map((calendar) => [calendar.externalId, calendar]));
  return [...byId.values()].toSorted((a, b) => Number(b.isPrimary) - Number(a.isPrimary)).slice(0, MAX_CALENDARS);
}
