import { lineField } from '../../../core/field-rules.ts';
import type { FieldRules } from '../../../core/fields.ts';
import type { Mistake } from '../../../core/problem.ts';
import { MAX_URL_LENGTH, type Path } from '../../../core/text.ts';

/** The providers whose accounts are connected by OAuth. */
export const OAUTH_CALENDAR_PROVIDERS = ['GOOGLE', 'OFFICE365'] as const;
export type OAuthCalendarProvider = (typeof OAUTH_CALENDAR_PROVIDERS)[number];
/** The providers whose accounts a password opens, by CalDAV. */
const PASSWORD_CALENDAR_PROVIDERS = ['APPLE', 'CALDAV'] as const;
export type PasswordCalendarProvider = (typeof PASSWORD_CALENDAR_PROVIDERS)[number];
export const CALENDAR_PROVIDERS = [...PASSWORD_CALENDAR_PROVIDERS, ...OAUTH_CALENDAR_PROVIDERS] as const;
export type CalendarProviderName = (typeof CALENDAR_PROVIDERS)[number];

/** As people know them. */
export const TITLES: Readonly<Record<CalendarProviderName, string>> = {
  APPLE: 'Apple Calendar',
  CALDAV: 'CalDAV',
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
  /** The provider knows it by this, within the account: nothing else tells two calendars apart. */
  readonly externalId: string;
  readonly name: string;
  readonly isPrimary: boolean;
  readonly isReadOnly: boolean;
}

/** An account as its provider shows it. */
export interface ListedAccount {
  /** The user knows it by this, such as the e-mail address: no two accounts of a provider have the same. */
  readonly account: string;
  /** The calendars that hold events. */
  readonly calendars: readonly ListedCalendar[];
}

/** An entry in the form for calendars that take no calendar objects. Instants are RFC 3339. */
export interface CalendarEvent {
  readonly title: string;
  readonly description: string;
  readonly place: string | null;
  readonly start: string;
  readonly end: string;
}

export interface NewEntry {
  /** The booking's UUID, from which the UID of the entry is made (icsUid). */
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

/** Hosts that a password may go to besides the one that was typed. */
export const MAX_ACCEPTED_HOSTS = 5;
/** RFC 1035 §2.3.4, and a port. */
const MAX_HOST_LENGTH = 253 + ':65535'.length;

/** Where CalDAV is spoken. */
export interface CaldavPlace {
  readonly url: string;
  /** Whether it takes passwords by HTTP Digest (RFC 7616); else by Basic. */
  readonly isDigest: boolean;
}

/** An account that a password opens, as it is kept, sealed. */
export interface PasswordAccount {
  readonly username: string;
  readonly appPassword: string;
  /** Where it is. Left out: where the operator says for its provider. */
  readonly place?: CaldavPlace & {
    /** The hosts to which the password may be sent. */
    readonly hosts: readonly string[];
  };
}

/** A user types this to connect an account. */
export interface CaldavAccount {
  readonly username: string;
  readonly appPassword: string;
  /** An address, a host or an e-mail address. */
  readonly server: string;
  /** Hosts that were found and shown, to which the password may go as well. */
  readonly acceptedHosts: readonly string[];
}

export type AppleAccount = Pick<CaldavAccount, 'username' | 'appPassword'>;

export const APPLE_ACCOUNT_FIELDS: FieldRules<AppleAccount> = {
  username: lineField(MAX_ACCOUNT_LENGTH),
  appPassword: lineField(MAX_APP_PASSWORD_LENGTH),
};

export const CALDAV_ACCOUNT_FIELDS: FieldRules<CaldavAccount> = {
  ...APPLE_ACCOUNT_FIELDS,
  server: lineField(MAX_URL_LENGTH),
  acceptedHosts: {
    tidy: (hosts) => [...new Set(hosts.map((host) => host.trim().toLowerCase()))],
    check: acceptedHostsMistake,
  },
};

function acceptedHostsMistake(path: Path, hosts: readonly string[]): Mistake | undefined {
  if (hosts.length > MAX_ACCEPTED_HOSTS) {
    const message = `There are ${hosts.length} accepted hosts; give at most ${MAX_ACCEPTED_HOSTS}.`;
    return { code: 'TOO_MANY', message, path, bounds: { given: hosts.length, most: MAX_ACCEPTED_HOSTS } };
  }
  if (hosts.every((host) => host.length <= MAX_HOST_LENGTH && URL.parse(`https://${host}/`)?.host === host))
    return undefined;
  return { code: 'INVALID_TEXT', message: 'An accepted host is no host such as `dav.example.com`.', path };
}

/** Makes an address of what a user has typed; an e-mail address becomes the address of its domain (RFC 6764 §6). */
export function addressTyped(typed: string): string {
  if (/^[a-z][a-z\d+.-]{0,20}:\/\//i.test(typed)) return typed;
  const domain = typed.includes('/') ? typed : typed.slice(typed.lastIndexOf('@') + 1);
  return `https://${domain}`;
}

/**
 * The server that counts the passwords tried at a host: all hosts of a domain are one, as accounts of one provider are known at many
 * (p42-caldav.icloud.com). Where domains of others share an ending that is taken for a domain, they share a count.
 */
export function countedServer(host: string): string {
  const { hostname } = new URL(`https://${host}/`);
  if (/^[\d.]+$|^\[/.test(hostname)) return hostname;
  const labels = hostname.replace(/\.$/, '').split('.');
  const [second = '', top = ''] = labels.slice(-2);
  return labels.slice(top.length === 2 && second.length <= 3 ? -3 : -2).join('.');
}

/** `Authorization: Basic` (RFC 7617 §2). */
export function basicAuthorization({ username, appPassword }: PasswordAccount): string {
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
