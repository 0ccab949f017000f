import { AsyncLocalStorage } from 'node:async_hooks';
import process from 'node:process';
import type { GraphQLFormattedError } from 'graphql';
import { expect } from 'vitest';
import { newId, newUserId, publicId } from '../../src/core/id.ts';
import { lazily } from '../../src/core/lazily.ts';
import { type Em, rows, sql } from '../../src/database/sql.ts';
import type { FailedRequestLog } from '../../src/events/failed-request-log.ts';
import type { Authentication, Caller } from '../../src/graphql/context.ts';
import type { Announcements } from '../../src/graphql/deprecation.ts';
import { type GraphQLServer, graphqlServer } from '../../src/graphql/server.ts';
import {
  CODE_REQUESTS,
  CODE_TRIES,
  type GuessLimit,
  type GuessRule,
  NETWORK_RULES,
  PASSWORD_GUESSES,
  type Verification,
} from '../../src/limits/guess-limit.ts';
import { MailLimit } from '../../src/limits/mail-limit.ts';
import { SmsLimit } from '../../src/limits/sms-limit.ts';
import { RememberedProfiles } from '../../src/modules/accounts/remembered-profiles.ts';
import type { CalendarAccounts } from '../../src/modules/calendars/connections/calendar-accounts.ts';
import { ACCOUNT_TRIES } from '../../src/modules/calendars/connections/connect-caldav.ts';
import { FEED_TRIES } from '../../src/modules/calendars/feeds/save-feeds.ts';
import type { Connections } from '../../src/modules/connections/connections.ts';
import { createChildrenOfMember } from '../../src/modules/event-types/managed-event-types.ts';
import { textOfCode } from '../../src/modules/verified-resources/verification-words.rules.ts';
import { type CodesBySms, digitsOf } from '../../src/modules/verified-resources/verify-receiver.ts';
import { REQUESTED_DELIVERIES } from '../../src/modules/webhooks/request-delivery.ts';
import { isLetIn } from '../../src/oauth/grants/authorized-apps.ts';
import { DEMO_USERS } from '../../src/persistence/demo-data.ts';
import { buildSchemas } from '../../src/schema.ts';
import { SCOPES, type Scope } from '../../src/scopes/catalog.ts';
import { heldScopes } from '../../src/scopes/held-scopes.ts';
import { testAccountMails } from './account-mails.ts';
import { testCalendarAccounts, testConnections } from './calendar-accounts.ts';
import { ROOMS_ALONE } from './conferencing-apps.ts';
import { counted } from './counted-work.ts';
import { openTestDatabase, type TestDatabase } from './database.ts';
import { TEST_FEEDS } from './feeds.ts';
import { expectNoUuid } from './ids.ts';
import { ownGuessLimit } from './own-guess-limit.ts';
import { asSent, type SentMail } from './sent-mail.ts';
import { UIDS } from './uids.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
type Data = any;

export interface Answer {
  readonly data: Data;
  /** The status of the HTTP answer. */
  readonly status: number;
  /** Codes of the errors; a refused operation has one. */
  readonly codes: readonly unknown[];
  /** The errors of its fields, as callers see them. */
  readonly errors: readonly GraphQLFormattedError[];
  /** How many statements it took. */
  readonly statements: number;
  /** Their texts, as far as they were sent outside transactions. */
  readonly sent: readonly string[];
}

/** The answer of a mutation, with the codes of its `userErrors`, or of its errors when it was not carried out. */
export interface Change extends Answer {
  /** The codes with where in the input each is: `SLUG_TAKEN slug`. */
  readonly mistakes: readonly string[];
  /** The message of each of them. */
  readonly messages: readonly string[];
}

/** An SMS. */
interface SentText {
  readonly to: string;
  readonly text: string;
}

/** Somebody who calls. */
export interface TestCaller {
  /** As the API gives it; `uuidOf` (ids.ts) says what the tables have. */
  readonly userId: string;
  /** Sends a document; a query twice, so that its plan answers as well, and the same. */
  ask(document: string, variables?: Record<string, unknown>): Promise<Answer>;
  /** The same, with the second answer. */
  askByPlan(document: string, variables?: Record<string, unknown>): Promise<Answer>;
  /** Runs one mutation, `data` being its payload. */
  change(name: string, input: Record<string, unknown>, selection?: string): Promise<Change>;
}

/** The schema on a database of its own with the demo data, called without HTTP: what the server does after its doors. */
export interface TestApi {
  readonly database: TestDatabase;
  /** A user with a token; without scopes given, with all of them. */
  as(username: string, scopes?: readonly Scope[]): TestCaller;
  /** A user with a session of the service itself. */
  signedIn(username: string): TestCaller;
  readonly nobody: TestCaller;
  /** Nobody in particular, calling from another network address. */
  nobodyAt(address: string): TestCaller;
  /** The mails that were sent, oldest first. */
  readonly mails: readonly SentMail[];
  /** The messages that were sent by SMS, oldest first. */
  readonly texts: readonly SentText[];
  /** All users, those of the demo and new ones, each with a token for everything. */
  everybody(): readonly TestCaller[];
  /** A new user with a token for everything. */
  newUser(username: string): Promise<TestCaller>;
  newUsers(usernames: readonly string[]): Promise<readonly TestCaller[]>;
  close(): Promise<void>;
}

const SCHEMAS = buildSchemas();
/** The key that codes are derived under. */
export const NO_KEY = new Uint8Array(32);

export interface TestApiOptions {
  /** How often codes can be asked for and tried; left out, as often as with the service. */
  readonly guesses?: number;
  /** Left out: of a server that lets everybody in. */
  readonly calendarAccounts?: CalendarAccounts;
  /** Left out: those that can be begun, and lead to nobody. */
  readonly connections?: Connections;
  /** Sends each query once, for tests that send thousands of few documents: most of them are then answered by plans. */
  readonly asksOnce?: boolean;
}

export async function openTestApi(options: TestApiOptions = {}): Promise<TestApi> {
  const database = await openTestDatabase('demo');
  const userIds = new Map<string, string>();
  const found = await database.em
    .getConnection()
    .execute<{ id: string; username: string }[]>('select id, username from users');
  for (const { id, username } of found) userIds.set(username, id);

  const mails: SentMail[] = [];
  const verification: Verification = {
    key: NO_KEY,
    requests: ownGuessLimit({ ...CODE_REQUESTS, ...options }, database),
    tries: ownGuessLimit({ ...CODE_TRIES, ...options }, database),
    mailLimit: new MailLimit(undefined, console),
    send: (mail) => void mails.push(asSent(mail)),
  };
  const texts: SentText[] = [];
  const codesBySms: CodesBySms = {
    smsLimit: new SmsLimit(undefined, console),
    send: async (_em, code) => void texts.push({ to: code.receiver, text: textOfCode(digitsOf(NO_KEY, code)) }),
  };
  const { calendarAccounts = testCalendarAccounts(), connections = testConnections() } = options;
  const server = serverOf({ database, verification, calendarAccounts, connections, codesBySms });
  const ask = options.asksOnce ? askedOnce : askTwice;
  const caller = (who: Caller, address = '192.0.2.1') => callerOf(server, who, address, ask);

  const userIdOf = (username: string): string => {
    const id = userIds.get(username);
    if (id === undefined)
      throw new Error(
        `There is no user ${username}: the demo has ${DEMO_USERS.map((user) => user.username).join(', ')}.`,
      );
    return id;
  };
  const as = (username: string, scopes: readonly Scope[] = SCOPES): TestCaller => {
    const held = heldScopes(scopes);
    const userId = userIdOf(username);
    return caller({ kind: 'token', userId, clientId: 'test', grantId: newId(), held });
  };
  const newUsers = async (usernames: readonly string[]): Promise<void> => {
    const ids = await insertUsers(database, usernames);
    for (const [index, username] of usernames.entries()) userIds.set(username, ids[index] ?? '');
  };
  return {
    database,
    as,
    signedIn: (username) =>
      caller({ kind: 'session', userId: userIdOf(username), sessionId: newId(), isAdministrator: false }),
    nobody: caller({ kind: 'anonymous' }),
    nobodyAt: (address) => caller({ kind: 'anonymous' }, address),
    mails,
    texts,
    everybody: () => [...userIds.keys()].map((username) => as(username)),
    newUser: async (username) => {
      await newUsers([username]);
      return as(username);
    },
    newUsers: async (usernames) => {
      await newUsers(usernames);
      return usernames.map((username) => as(username));
    },
    close: () => database.close(),
  };
}

/** A request of a test, and what its answer takes. */
interface Asking {
  readonly authentication: Authentication;
  readonly profiles: () => RememberedProfiles;
  statements: number;
  readonly sent: string[];
}

const requests = new AsyncLocalStorage<Asking>();

function requestNow(): Asking {
  const request = requests.getStore();
  if (!request) throw new Error('This is asked for outside of any request.');
  return request;
}

/** Statements count for the request that sends them. */
const COUNTER = {
  get statements() {
    return requests.getStore()?.statements ?? 0;
  },
  set statements(count: number) {
    const request = requests.getStore();
    if (request) request.statements = count;
  },
  get sent() {
    return requests.getStore()?.sent ?? [];
  },
};

interface Backend {
  readonly database: TestDatabase;
  readonly verification: Verification;
  readonly calendarAccounts: CalendarAccounts;
  readonly connections: Connections;
  readonly codesBySms: CodesBySms;
}

/** Whether queries are answered by plans too; CI runs the tests that ask here with `FAST_PATH=off` as well. */
const HAS_PLANS = process.env['FAST_PATH'] !== 'off';

/** The service's own server of GraphQL, to which a test says who calls. */
function serverOf(backend: Backend): GraphQLServer {
  const { database, ...parts } = backend;
  const em = Object.create(database.em, { fork: { value: () => counted(database.em.fork(), COUNTER) } }) as Em;
  const publicUrl = 'https://gatehouse.test';
  return graphqlServer({
    ...SCHEMAS,
    authenticate: async () => requestNow().authentication,
    recall: HAS_PLANS ? () => undefined : undefined,
    resource: { realm: 'Gatehouse', resourceMetadata: `${publicUrl}/.well-known/oauth-protected-resource/graphql` },
    em,
    publicUrl,
    failedRequests: { note: () => undefined } as unknown as FailedRequestLog,
    announcements: { of: () => undefined, note: () => undefined } as unknown as Announcements,
    modules: {
      ...parts,
      passwordGuesses: manyGuesses(PASSWORD_GUESSES, database),
      invitationMails: {
        mailLimit: backend.verification.mailLimit,
        publicUrl,
        enqueue: async (_em, { mail }, admission) => backend.verification.send(mail, admission),
      },
      accountMails: testAccountMails(database).accountMails,
      // Rows that a test changes by itself are seen with the next request.
      profiles: { get: (userId, load) => requestNow().profiles().get(userId, load) } as RememberedProfiles,
      furnishMember: createChildrenOfMember,
      allowPrivateNetwork: false,
      hasRooms: true,
      uids: UIDS,
      conferencingAccounts: ROOMS_ALONE.conferencingAccounts,
      webhooksKey: new Uint8Array(32),
      isLetIn,
      calendarAccountTries: manyGuesses(ACCOUNT_TRIES, database),
      feeds: TEST_FEEDS,
      feedTries: manyGuesses(FEED_TRIES, database),
      formSubmissions: manyGuesses(NETWORK_RULES.formSubmissions, database),
      requestedDeliveries: manyGuesses(REQUESTED_DELIVERIES, database),
      // Whoever needs the authorization server uses the whole application (test/support/app.ts).
      oauth: undefined as never,
    },
    report: (_id, error) => console.error(error),
    elsewhere: () => new Response(null, { status: 404 }),
  });
}

function manyGuesses(rule: GuessRule, database: TestDatabase): GuessLimit {
  return ownGuessLimit({ ...rule, guesses: 10_000 }, database);
}

function callerOf(server: GraphQLServer, who: Caller, address: string, asking: typeof askTwice): TestCaller {
  const asked = (query: string, variables: Record<string, unknown> = {}) =>
    asking(server, { caller: who, address }, query, variables);
  const ask: TestCaller['ask'] = async (...given) => (await asked(...given)).first;
  return {
    userId: who.kind === 'anonymous' ? '' : publicId('user', who.userId),
    ask,
    askByPlan: async (...given) => (await asked(...given)).last,
    change: async (name, input, selection = '') => {
      const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
      const source = `mutation($input: ${type}!) { ${name}(input: $input) { ${selection} userErrors { code message path } } }`;
      const { data, ...answer } = await ask(source, { input });
      const payload = data?.[name];
      const errors: { code: string; message: string; path: string[] }[] = payload?.userErrors ?? [];
      return {
        ...answer,
        data: payload,
        mistakes: errors.map(({ code, path }) => [code, ...path].join(' ')),
        messages: errors.map(({ message }) => message),
      };
    },
  };
}

/** A document has a plan from its second time on. */
async function askTwice(
  server: GraphQLServer,
  authentication: Authentication,
  query: string,
  variables: Record<string, unknown>,
): Promise<{ readonly first: Answer; readonly last: Answer }> {
  const { first } = await askedOnce(server, authentication, query, variables);
  if (!HAS_PLANS || query.trimStart().startsWith('mutation')) return { first, last: first };
  const last = await askOnce(server, authentication, query, variables);
  expect({ query, ...last, statements: 0, sent: [] }).toEqual({ query, ...first, statements: 0, sent: [] });
  return { first, last };
}

async function askedOnce(...asked: Parameters<typeof askOnce>): ReturnType<typeof askTwice> {
  const first = await askOnce(...asked);
  expectNoUuid(JSON.stringify([first.data, first.errors]), () => JSON.stringify(asked.slice(2)));
  return { first, last: first };
}

async function askOnce(
  server: GraphQLServer,
  authentication: Authentication,
  query: string,
  variables: Record<string, unknown>,
): Promise<Answer> {
  // Most operations ask for none, and an empty memory takes longer to make than they do.
  const profiles = lazily(() => new RememberedProfiles());
  const request: Asking = { authentication, profiles, statements: 0, sent: [] };
  const body = JSON.stringify({ query, variables });
  const headers = { 'content-type': 'application/json' };
  const sent = new Request('http://localhost/graphql', { method: 'POST', headers, body });
  const response = await requests.run(request, () => server.fetch(sent, {}));
  const { data, errors = [] } = (await response.json()) as { data?: Data; errors?: readonly GraphQLFormattedError[] };
  const codes = errors.map(({ extensions }) => extensions?.['code']);
  if (codes.includes('GRAPHQL_VALIDATION_FAILED'))
    throw new Error(`The document is not valid: ${errors.map(({ message }) => message).join('; ')}`);
  const { statements, sent: texts } = request;
  return { data, status: response.status, codes, errors, statements, sent: texts };
}

async function insertUsers({ em }: TestDatabase, usernames: readonly string[]): Promise<string[]> {
  const ids = usernames.map(() => newUserId());
  await rows(
    em.fork(),
    sql`insert into users (id, email, username, name, password_hash, time_zone, week_start, time_format, locale,
          metadata, is_administrator, created_at, updated_at, email_verified_at)
        select id, username || '@example.test', username, username, 'none', 'UTC', 'MONDAY', 24, 'en', '{}', false,
          now(), now(), now()
        from unnest(${ids}::uuid[], ${usernames}::text[]) as one (id, username)`,
  );
  return ids;
}
