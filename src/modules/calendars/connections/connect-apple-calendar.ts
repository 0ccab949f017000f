import { checkedFields } from '../../../core/fields.ts';
import { Problem } from '../../../core/problem.ts';
import type { Em } from '../../../database/sql.ts';
import { foldedAddress } from '../../../limits/folded-address.ts';
import { type GuessLimit, type GuessRule, TooManyGuesses } from '../../../limits/guess-limit.ts';
import type { CalendarAccounts } from './calendar-accounts.ts';
import {
  APPLE_ACCOUNT_FIELDS,
  type AppleAccount,
  basicAuthorization,
  type ListedAccount,
} from './calendar-connection.rules.ts';
import { CalendarFailure } from './calendar-provider.ts';
import { connectCalendars, requireRoom } from './connect-calendars.ts';

export const CONNECT_APPLE_CODES = [
  'REQUIRED',
  'TOO_LONG',
  'INVALID_TEXT',
  'WRONG_CREDENTIALS',
  'NOT_REACHABLE',
  'NOT_POSSIBLE',
  'NOT_FOUND',
  'TOO_MANY',
  'TOO_MANY_GUESSES',
] as const;

/**
 * 10 tries in 15 minutes for a user, and as many for an account there, by all users together: its passwords are tried at a server that
 * counts them for our address.
 */
export const ACCOUNT_TRIES: GuessRule = { name: 'calendar-account', guesses: 10, windowInSeconds: 15 * 60 };

/**
 * Connects an Apple account by an app-specific password, which is stored once its server has listed the calendars.
 * @returns the connection's id. @throws Problem WRONG_CREDENTIALS, NOT_REACHABLE, NOT_POSSIBLE, NOT_FOUND, TOO_MANY, TOO_MANY_GUESSES, and every mistake of the input at once
 */
export async function connectAppleCalendar(
  em: Em,
  userId: string,
  input: AppleAccount,
  { accounts, tries }: { readonly accounts: CalendarAccounts; readonly tries: GuessLimit },
): Promise<string> {
  const account = checkedFields<AppleAccount, AppleAccount>(input, APPLE_ACCOUNT_FIELDS);
  const there = subjectOf(account);
  // The user first, so that nobody uses up more of an account's tries than they have themselves.
  for (const subject of [userId, there]) {
    const secondsToWait = await tries.count(subject, ANYWHERE);
    if (secondsToWait !== undefined) throw new TooManyGuesses(secondsToWait);
  }
  const name = { userId, provider: 'APPLE', account: account.username } as const;
  await requireRoom(em, name);
  const { calendars } = await listCalendars(accounts, account);
  await tries.clear(there, ANYWHERE);
  return connectCalendars(em, {
    ...name,
    listed: calendars,
    opened: async (id) => ({ credentials: await accounts.seal(account, { userId, id }), accessId: null }),
  });
}

/** All callers and networks together: none has tries of its own. */
const ANYWHERE = '0.0.0.0';

/** The account at Apple, in one spelling: its domains of old lead to the same one, and letters may be of either case. */
function subjectOf({ username }: AppleAccount): string {
  const address = foldedAddress(username.normalize('NFKC'));
  return `APPLE ${address.replace(/@(?:me|mac)\.com$/, '@icloud.com')}`;
}

async function listCalendars(accounts: CalendarAccounts, account: AppleAccount): Promise<ListedAccount> {
  try {
    return await accounts.providerOf('APPLE').list(basicAuthorization(account));
  } catch (error) {
    if (!(error instanceof CalendarFailure)) throw error;
    if (error.kind !== 'REFUSED') throw new Problem('NOT_REACHABLE', `${error.message} Try again later.`);
    const message = 'The server refuses the account and password; check both, and give an app-specific password.';
    throw new Problem('WRONG_CREDENTIALS', message, ['appPassword']);
  }
}
