import { type ExecutionArgs, type ExecutionResult, execute, type GraphQLError, Kind, parse, validate } from 'graphql';
import { newId, newUserId, publicId } from '../../src/core/id.ts';
import { once } from '../../src/core/once.ts';
import { rows, sql } from '../../src/database/sql.ts';
import { compileQuery } from '../../src/graphql/compiled/compile.ts';
import { variablesOf } from '../../src/graphql/compiled/variables.ts';
import type { Caller, GraphQLContext } from '../../src/graphql/context.ts';
import { maskError } from '../../src/graphql/errors.ts';
import { CostBudget } from '../../src/graphql/limits/cost-budget.ts';
import { LIMITS } from '../../src/graphql/limits/limits.ts';
import { PASSWORD_GUESSES } from '../../src/limits/guess-limit.ts';
import { MailLimit } from '../../src/limits/mail-limit.ts';
import { NETWORK_RULES } from '../../src/limits/network-limits.ts';
import { SmsLimit } from '../../src/limits/sms-limit.ts';
import { CODE_REQUESTS, CODE_TRIES, type Verification } from '../../src/limits/verification.ts';
import { RememberedProfiles } from '../../src/modules/accounts/remembered-profiles.ts';
import type { CalendarAccounts } from '../../src/modules/calendars/connections/calendar-accounts.ts';
import { ACCOUNT_TRIES } from '../../src/modules/calendars/connections/connect-caldav.ts';
import { FEED_TRIES } from '../../src/modules/calendars/feeds/save-feeds.ts';
import type { Connections } from '../../src/modules/connections/connections.ts';
import { createChildrenOfMember } from '../../src/modules/event-types/managed/child-event-types.ts';
import type { CodesBySms } from '../../src/modules/verified-resources/request-verification.ts';
import { digitsOf } from '../../src/modules/verified-resources/verification-code.ts';
import { textOfCode } from '../../src/modules/verified-resources/verification-words.rules.ts';
import { REQUESTED_DELIVERIES } from '../../src/modules/webhooks/request-delivery.ts';
import { isLetIn } from '../../src/oauth/grants/let-in.queries.ts';
import { DEMO_USERS } from '../../src/persistence/demo-data.ts';
import { buildSchemas } from '../../src/schema.ts';
import {
  ANONYMOUS,
  authorize,
  type Caller as ScopeCaller,
  sessionCaller,
  tokenCaller,
} from '../../src/scopes/authorize.ts';
import { SCOPES, type Scope } from '../../src/scopes/catalog.ts';
import { type CompiledOperation, chooseOperation, compileOperation } from '../../src/scopes/compile.ts';
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

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
type Data = any;

export interface Answer {
  readonly data: Data;
  /** Codes of the errors; a refused operation has one. */
  readonly codes: readonly unknown[];
  /** The errors of its fields, as callers see them. */
  readonly errors: readonly GraphQLError[];
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
  /** Runs a document. */
  ask(document: string, variables?: Record<string, unknown>): Promise<Answer>;
  /** The same by the plan that is made of a document that comes again. @throws where there is none, or it does not answer */
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
  const caller = (who: Caller, address = '192.0.2.1') =>
    callerOf({ database, verification, calendarAccounts, connections, codesBySms, address }, who);

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

interface Backend {
  readonly database: TestDatabase;
  readonly verification: Verification;
  readonly calendarAccounts: CalendarAccounts;
  readonly connections: Connections;
  readonly codesBySms: CodesBySms;
  /** The network address that requests come from. */
  readonly address: string;
}

function callerOf(backend: Backend, who: Caller): TestCaller {
  const ask = (source: string, variables: Record<string, unknown> = {}) => run(backend, who, source, variables);
  return {
    userId: who.kind === 'anonymous' ? '' : publicId('user', who.userId),
    ask,
    askByPlan: (source, variables = {}) => run(backend, who, source, variables, planned),
    change: async (name, input, selection = '') => {
      const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
      const source = `mutation($input: ${type}!) { ${name}(input: $input) { ${selection} userErrors { code message path } } }`;
      const { data, codes, errors: failed, statements, sent } = await ask(source, { input });
      const payload = data?.[name];
      const errors: { code: string; message: string; path: string[] }[] = payload?.userErrors ?? [];
      return {
        data: payload,
        codes,
        errors: failed,
        statements,
        sent,
        mistakes: errors.map(({ code, path }) => [code, ...path].join(' ')),
        messages: errors.map(({ message }) => message),
      };
    },
  };
}

/**
 * Does what the server does with an operation once it knows the caller: validate, compare scopes, execute, mask errors.
 */
async function run(
  { database, verification, calendarAccounts, connections, codesBySms, address }: Backend,
  who: Caller,
  source: string,
  variableValues: Record<string, unknown>,
  carryOut: CarryOut = execute,
): Promise<Answer> {
  const schemas = who.kind === 'session' ? SCHEMAS.forSessions : SCHEMAS.forTokens;
  const { schema } = schemas;
  const compiled = READ.get(schemas)?.getOrInsertComputed(source, (text) => readDocument(schemas, text));
  if (!compiled) throw new Error('The document has several operations.');
  const refusal = authorize(compiled, scopeCallerOf(who));
  if (refusal) return { data: undefined, codes: [refusal.code], errors: [], statements: 0, sent: [] };

  const counter = { statements: 0, sent: [] as string[] };
  const em = counted(database.em.fork(), counter);
  // Most operations ask for none, and an empty memory takes longer to make than they do.
  const profiles = once(() => new RememberedProfiles());
  const contextValue: GraphQLContext = {
    em,
    sharedEm: em,
    caller: who,
    budget: new CostBudget(LIMITS.cost),
    address,
    publicUrl: 'https://gatehouse.test',
    get passwordGuesses() {
      return ownGuessLimit(PASSWORD_GUESSES, database);
    },
    verification,
    invitationMails: {
      mailLimit: verification.mailLimit,
      publicUrl: 'https://gatehouse.test',
      enqueue: async (_em, { mail }, admission) => verification.send(mail, admission),
    },
    get accountMails() {
      return testAccountMails(database).accountMails;
    },
    get profiles() {
      return profiles();
    },
    furnishMember: createChildrenOfMember,
    codesBySms,
    allowPrivateNetwork: false,
    hasRooms: true,
    conferencingAccounts: ROOMS_ALONE.conferencingAccounts,
    webhooksKey: new Uint8Array(32),
    isLetIn,
    calendarAccounts,
    connections,
    get calendarAccountTries() {
      return ownGuessLimit(ACCOUNT_TRIES, database);
    },
    feeds: TEST_FEEDS,
    get feedTries() {
      return ownGuessLimit(FEED_TRIES, database);
    },
    get formSubmissions() {
      return ownGuessLimit({ ...NETWORK_RULES.formSubmissions, guesses: 1_000 }, database);
    },
    get requestedDeliveries() {
      return ownGuessLimit(REQUESTED_DELIVERIES, database);
    },
    get oauth(): never {
      throw new Error('There is no authorization server here: use the whole application (test/support/app.ts).');
    },
  };
  const { data, errors = [] } = await carryOut({ schema, document: compiled.document, variableValues, contextValue });
  const masked = errors.map((error) => maskError(error, reportFault));
  const codes = masked.map(({ extensions }) => extensions['code']);
  expectNoUuid(JSON.stringify([data, masked]), () => JSON.stringify([source, variableValues]));
  return { data, codes, errors: masked, ...counter };
}

type CarryOut = (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>;

async function planned({
  schema,
  document,
  variableValues = {},
  contextValue,
}: ExecutionArgs): Promise<ExecutionResult> {
  const operation = chooseOperation(document);
  const fragments = document.definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
  const plan =
    operation && compileQuery(schema, Object.fromEntries(fragments.map((one) => [one.name.value, one])), operation);
  const variables = operation && variablesOf(schema, operation)(variableValues ?? {});
  if (!plan || !variables) throw new Error('There is no plan of this document.');
  return { data: JSON.parse(await plan.run({ context: contextValue as GraphQLContext, variables })) };
}

/** The documents that came before, as the server keeps them. */
const READ = new Map(
  [SCHEMAS.forSessions, SCHEMAS.forTokens].map((schemas) => [
    schemas,
    new Map<string, CompiledOperation | undefined>(),
  ]),
);

function readDocument({ schema, rules }: (typeof SCHEMAS)['forTokens'], source: string): CompiledOperation | undefined {
  const document = parse(source);
  const invalid = validate(schema, document);
  if (invalid.length > 0) throw new Error(`The document is not valid: ${invalid.join('; ')}`);
  return compileOperation(rules, document);
}

function reportFault(error: unknown): void {
  console.error(error);
}

function scopeCallerOf(who: Caller): ScopeCaller {
  if (who.kind === 'anonymous') return ANONYMOUS;
  return who.kind === 'token' ? tokenCaller(who.held) : sessionCaller();
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
