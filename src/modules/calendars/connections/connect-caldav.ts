import { setTimeout as pause } from 'node:timers/promises';
import { checkedFields, checkFields } from '../../../core/fields.ts';
import type { OwnedId } from '../../../core/id.ts';
import { inTime } from '../../../core/in-time.ts';
import { type Mistake, Problem } from '../../../core/problem.ts';
import type { ProblemCode } from '../../../core/problem-code.ts';
import { selectColumns } from '../../../database/columns.ts';
import { changed, type Em, NOW, row, sql } from '../../../database/sql.ts';
import { updateTable } from '../../../database/statements.ts';
import { type GuessLimit, type GuessRule, TooManyGuesses } from '../../../limits/guess-limit.ts';
import { foldedAddress } from '../../../limits/mail-receivers.ts';
import { notFoundHere } from '../../levels/change-owned.ts';
import { ageOfAnswer, mayBeAskedAnew } from '../next-reading.ts';
import type { CalendarAccounts } from './calendar-accounts.ts';
import { connectCalendars, requireRoom, reviveConnection } from './calendar-connection.commands.ts';
import { CalendarConnection } from './calendar-connection.entity.ts';
import { ACCOUNT_COLUMNS, type StoredAccount } from './calendar-connection.queries.ts';
import {
  APPLE_ACCOUNT_FIELDS,
  type AppleAccount,
  addressTyped,
  basicAuthorization,
  CALDAV_ACCOUNT_FIELDS,
  type CaldavAccount,
  countedServer,
  type ListedAccount,
  type PasswordAccount,
  type PasswordCalendarProvider,
} from './calendar-connection.rules.ts';
import { CalendarFailure, type CalendarProvider, type FailureReason, UntrustedHost } from './calendar-provider.ts';

export const CONNECT_APPLE_CODES = [
  'REQUIRED',
  'TOO_LONG',
  'INVALID_TEXT',
  'WRONG_CREDENTIALS',
  'APP_PASSWORD_REQUIRED',
  'CERTIFICATE_INVALID',
  'NOT_CALDAV',
  'NOT_REACHABLE',
  'NOT_POSSIBLE',
  'NO_CALENDARS',
  'NOT_FOUND',
  'TOO_MANY',
  'TOO_MANY_GUESSES',
] as const;
export const CONNECT_CALDAV_CODES = [
  ...CONNECT_APPLE_CODES,
  'INVALID_URL',
  'PRIVATE_ADDRESS',
  'HOST_NOT_ACCEPTED',
] as const;

export const RECONNECT_CODES = [
  'NOT_FOUND',
  'NOT_POSSIBLE',
  'WRONG_CREDENTIALS',
  'APP_PASSWORD_REQUIRED',
  'CERTIFICATE_INVALID',
  'NOT_CALDAV',
  'NOT_REACHABLE',
  'TOO_MANY_GUESSES',
] as const;

/**
 * 10 tries in 15 minutes for a user, and as many for an account there, by all users together: its passwords are tried at a server that
 * counts them for our address.
 */
export const ACCOUNT_TRIES: GuessRule = { name: 'calendar-account', guesses: 10, windowInSeconds: 15 * 60 };

/** Longer than a server may take for its answer, and shorter than a proxy waits for ours. */
const CONNECT_MILLISECONDS = 25_000;
/** How often a caller looks whether another one's try was answered. */
const LOOK_EVERY_MS = 200;
const APPLE_SERVER = 'icloud.com';
/** All callers and networks together: none has tries of its own. */
const ANYWHERE = '0.0.0.0';

/** There are calendars at a host that nobody has named: whoever connects them says first whether it may have the password. */
export class HostNotAccepted extends Problem {
  readonly host: string;

  constructor(host: string) {
    const message = `The calendars are at ${host}, which is not the server that was given, so the password has not been sent there. If you trust ${host} with it, name it in acceptedHosts.`;
    super('HOST_NOT_ACCEPTED', message, ['acceptedHosts']);
    this.host = host;
  }
}

interface Settings {
  readonly accounts: CalendarAccounts;
  readonly tries: GuessLimit;
}

/** Where an account is asked for its calendars, one place after the other until one has some. */
interface Target {
  readonly provider: PasswordCalendarProvider;
  /** The host that is shown with the account; null: its provider has one alone. */
  readonly server: string | null;
  /** Wrong passwords are counted there under this name. */
  readonly countedAs: string;
  readonly places: readonly { readonly open: () => CalendarProvider; readonly place?: PasswordAccount['place'] }[];
}

/**
 * Connects an account at any CalDAV server by a password, which is stored once the server has listed the calendars. Where they are is
 * found without it; it goes to the host that was typed, and to those that were accepted, and nowhere else.
 * @returns the connection's id. @throws Problem of CONNECT_CALDAV_CODES; HostNotAccepted says which host is to be accepted
 */
export async function connectCaldav(em: Em, userId: string, input: CaldavAccount, settings: Settings): Promise<string> {
  const { caldav } = settings.accounts;
  const { values, mistakes } = checkFields<CaldavAccount, CaldavAccount>(input, CALDAV_ACCOUNT_FIELDS);
  const isTyped = !mistakes.some(({ path }) => path?.[0] === 'server');
  Problem.throwIfAny([...mistakes, ...(isTyped ? serverMistakes(caldav.typedMistake(['server'], values.server)) : [])]);
  await countTry(settings.tries, userId);
  const { server, acceptedHosts, ...login } = values;
  const signal = AbortSignal.timeout(CONNECT_MILLISECONDS);
  const hosts = [new URL(addressTyped(server)).host, ...acceptedHosts];
  try {
    const found = await withExplainedFailures('CALDAV', () => caldav.find(server, signal));
    const places = found.filter(({ url }) => hosts.includes(new URL(url).host)).map((one) => ({ ...one, hosts }));
    const { host } = new URL((places[0] ?? found[0]).url);
    if (places.length === 0) throw new UntrustedHost(host);
    return await connectAt(em, userId, login, settings, {
      provider: 'CALDAV',
      server: host,
      countedAs: countedServer(host),
      places: places.map((place) => ({ place, open: () => caldav.open({ ...place, ...login }, signal) })),
    });
  } catch (error) {
    if (error instanceof UntrustedHost) throw new HostNotAccepted(error.host);
    if (error instanceof CalendarFailure) throw new Problem('PRIVATE_ADDRESS', INSIDE, ['server']);
    throw error;
  }
}

/**
 * The same of an Apple account, whose server and its neighbours are known and need nobody's consent.
 * @returns the connection's id. @throws Problem of CONNECT_APPLE_CODES
 */
export async function connectAppleCalendar(
  em: Em,
  userId: string,
  input: AppleAccount,
  settings: Settings,
): Promise<string> {
  const login = checkedFields<AppleAccount, AppleAccount>(input, APPLE_ACCOUNT_FIELDS);
  await countTry(settings.tries, userId);
  const open = () => settings.accounts.providerOf('APPLE');
  return connectAt(em, userId, login, settings, {
    provider: 'APPLE',
    server: null,
    countedAs: APPLE_SERVER,
    places: [{ open }],
  });
}

/**
 * Tries the password of an account once more that its server has refused, as it may have done so by mistake. Of all who ask for that
 * at the same moment, one sends it, and the others have its answer, as do those who come some seconds later. It counts as any other
 * try. An account that is not refused stays as it is. @throws Problem of RECONNECT_CODES
 */
export async function reconnectCalendars(em: Em, { ownerId: userId, id }: OwnedId, settings: Settings): Promise<void> {
  const until = performance.now() + CONNECT_MILLISECONDS;
  do {
    const account = await row(em, tryingOf(userId, id));
    if (account) return tryAgain(em, account, settings);
    const state = await row(em, stateOfTrying(userId, id));
    if (!state) throw notFoundHere('calendarAccount', { ownerId: userId, id });
    if (state.isByConsent)
      throw new Problem(
        'NOT_POSSIBLE',
        'This account is opened by a consent: connect it again with calendarAccountConnect.',
      );
    if (!state.isRefused) return;
    if (state.isRefusedAgain) throw stillRefused();
    if (state.isAnswered) break;
    await pause(LOOK_EVERY_MS);
  } while (performance.now() < until);
  throw new Problem('NOT_REACHABLE', 'The server has not answered as it should a moment ago. Try again later.');
}

/** SQL: it is the turn of one who asks, unless somebody else has tried it just now. */
function tryingOf(userId: string, id: string) {
  return sql<StoredAccount & { readonly account: string; readonly askedAt: string }>`
    update calendar_connections a set asked_at = now()
    where a.user_id = ${userId} and a.id = ${id} and a.refused_at is not null and ${mayBeAskedAnew('a', 'WANTED')}
    returning ${selectColumns(CalendarConnection, [...ACCOUNT_COLUMNS, 'account', 'askedAt'], 'a')}`;
}

function stateOfTrying(userId: string, id: string) {
  return sql<{ isByConsent: boolean; isRefused: boolean; isRefusedAgain: boolean; isAnswered: boolean }>`
    select a.access_id is not null as "isByConsent", a.refused_at is not null as "isRefused",
      coalesce(a.refused_at >= a.asked_at, false) as "isRefusedAgain", ${ageOfAnswer('a')} is not null as "isAnswered"
    from calendar_connections a where a.user_id = ${userId} and a.id = ${id}`;
}

async function tryAgain(
  em: Em,
  account: StoredAccount & { readonly account: string; readonly askedAt: string },
  { accounts, tries }: Settings,
): Promise<void> {
  const { userId, id, server, askedAt } = account;
  const note = (noted: Readonly<Record<string, unknown>>) =>
    changed(em, updateTable(CalendarConnection, { userId, id, askedAt }).set(noted));
  const there = subjectOf(server === null ? APPLE_SERVER : countedServer(server), account.account);
  try {
    await countTry(tries, userId);
    await countTry(tries, there);
  } catch (error) {
    // Nobody was asked.
    await note({ askedAt: null });
    throw error;
  }
  try {
    await inTime(
      accounts.use(em, { ...account, refusedAt: null }, (provider, authorization) => provider.list(authorization)),
      CONNECT_MILLISECONDS,
      () => new CalendarFailure('UNAVAILABLE', 'The server takes too long.'),
    );
  } catch (error) {
    const isRefused = error instanceof CalendarFailure && (error.kind === 'REFUSED' || error.kind === 'REVOKED');
    await note({ answeredAt: NOW, ...(isRefused && { refusedAt: NOW }) });
    if (isRefused && error.reason === undefined) throw stillRefused();
    throw error instanceof CalendarFailure ? problemOf(error) : error;
  }
  await tries.clear(there, ANYWHERE);
  await reviveConnection(em, account);
}

function stillRefused(): Problem {
  const advice = 'The server still refuses the password: connect the account again with one that it takes.';
  return new Problem('WRONG_CREDENTIALS', advice, ['calendarAccountId']);
}

/** A user's tries have been counted before, so that nobody uses up more of an account's than they have themselves. */
async function connectAt(
  em: Em,
  userId: string,
  login: AppleAccount,
  { accounts, tries }: Settings,
  { provider, server, countedAs, places }: Target,
): Promise<string> {
  const name = { userId, provider, server, account: login.username };
  await requireRoom(em, name);
  const there = subjectOf(countedAs, login.username);
  await countTry(tries, there);
  const { listed, place } = await withExplainedFailures(provider, () => listFirst(places, basicAuthorization(login)));
  await tries.clear(there, ANYWHERE);
  const account: PasswordAccount = place ? { ...login, place } : login;
  return connectCalendars(em, {
    ...name,
    listed: listed.calendars,
    opened: async (id) => ({ credentials: await accounts.seal(account, { userId, id }), accessId: null }),
  });
}

/** A place at which nothing speaks CalDAV is none; whatever else is wrong there ends it, a refused password first of all. */
async function listFirst(
  places: Target['places'],
  authorization: string,
): Promise<{ readonly listed: ListedAccount; readonly place: PasswordAccount['place'] }> {
  let failure: CalendarFailure | undefined;
  for (const { open, place } of places) {
    try {
      return { listed: await open().list(authorization), place };
    } catch (error) {
      if (!(error instanceof CalendarFailure) || error.reason !== 'NOT_CALDAV') throw error;
      failure ??= error;
    }
  }
  throw failure ?? new CalendarFailure('UNAVAILABLE', 'There is no server.');
}

async function countTry(tries: GuessLimit, subject: string): Promise<void> {
  const secondsToWait = await tries.count(subject, ANYWHERE);
  if (secondsToWait !== undefined) throw new TooManyGuesses(secondsToWait);
}

/** An account at a server, in one spelling: letters may be of either case, and Apple's domains of old lead to the same one. */
function subjectOf(server: string, username: string): string {
  const address = foldedAddress(username.normalize('NFKC'));
  return `${server} ${address.replace(/@(?:me|mac)\.com$/, '@icloud.com')}`;
}

/** Each reason in a sentence of its own, with what to do. */
const SAID: Readonly<Record<Exclude<FailureReason, 'INSIDE'>, readonly [ProblemCode, string]>> = {
  APP_PASSWORD: [
    'APP_PASSWORD_REQUIRED',
    'The server takes no ordinary password, as the account has two-factor authentication: create an app password there, and give that.',
  ],
  NO_PASSWORDS: [
    'NOT_POSSIBLE',
    'The server takes no passwords for calendars, neither by HTTP Basic nor by Digest with qop=auth; connect a Google or Microsoft account with its own button.',
  ],
  NOT_CALDAV: [
    'NOT_CALDAV',
    'There is no CalDAV server at this address; look up the address for CalDAV in the settings of your calendar.',
  ],
  CERTIFICATE: [
    'CERTIFICATE_INVALID',
    'The certificate of the server is not valid, so nothing was sent there; its operator has to mend it.',
  ],
};

const INSIDE =
  'The server is not on the public internet. The operator of this service can allow it (CALDAV_INSIDE_HOSTS); else give another one.';

/** The mistakes in a typed address, which may hold a password and is not repeated. */
function serverMistakes(mistake: Mistake | undefined): readonly Mistake[] {
  if (!mistake) return [];
  const path = ['server'];
  if (mistake.code === 'PRIVATE_ADDRESS') return [{ code: 'PRIVATE_ADDRESS', message: INSIDE, path }];
  const message =
    'The server is none that can be asked; write https://cloud.example, cloud.example or ada@example.com.';
  return [{ code: 'INVALID_URL', message, path }];
}

/**
 * Asks a server, and puts what goes wrong there into words for somebody who connects an account. For a server that a user
 * names, the caller says where it leads and whether it is inside of our network; all others are the operator's.
 */
async function withExplainedFailures<Result>(
  provider: PasswordCalendarProvider,
  ask: () => Promise<Result>,
): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof CalendarFailure)) throw error;
    const isAny = provider === 'CALDAV';
    if (isAny && (error instanceof UntrustedHost || error.reason === 'INSIDE')) throw error;
    throw problemOf(error, { password: ['appPassword'], ...(isAny && { server: ['server'] }) });
  }
}

/** The fields in which these were typed; those that are left out were not. */
interface Typed {
  readonly server?: readonly string[];
  readonly password?: readonly string[];
}

function problemOf({ kind, reason, message }: CalendarFailure, { server, password }: Typed = {}): Problem {
  if (kind === 'REFUSED' && !reason) {
    const advice =
      'The server refuses the user and the password; check both. With two-factor authentication it has to be an app password.';
    return new Problem('WRONG_CREDENTIALS', advice, password);
  }
  if (!reason || reason === 'INSIDE') return new Problem('NOT_REACHABLE', `${message} Try again later.`, server);
  return new Problem(...SAID[reason], reason === 'APP_PASSWORD' ? password : server);
}
