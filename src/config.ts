import {
  asIs,
  databaseUrl,
  flag,
  insideHosts,
  integer,
  LEVELS,
  limits,
  mailbox,
  masterKey,
  networks,
  optional,
  orElse,
  publicOrigin,
  serviceUrl,
  smsUrl,
  smtpUrl,
  textThat,
  Wrong,
} from './config-fields.ts';
import { DEFAULT_CACHE_MEGABYTES } from './core/caches.ts';
import { isThisMachine } from './http/client-address.ts';
import { MAIL_LIMITS, type MailLimits } from './limits/mail-limit.ts';
import { SMS_LIMITS, type SmsLimits } from './limits/sms-limit.ts';
import { keyOfSecret } from './modules/bookings/conferencing/callback-signature.rules.ts';
import type { ProviderClient } from './modules/calendars/connections/calendar-access.ts';
import type { AppClient } from './modules/conferencing/app-access.ts';

const RATE_LIMITS = allRates({});
/** The sender in development. Nobody owns its domain, so no reply reaches anybody (RFC 6761 §6.2). */
const NO_SENDER = 'Gatehouse <no-reply@gatehouse.test>';
/** The providers at which this service is a registered client. */
const PROVIDERS = ['GOOGLE', 'OFFICE365', 'ZOOM'] as const;
const FIELDS = {
  NODE_ENV: orElse('development', asIs),
  PORT: orElse(4000, integer(0, 65_535)),
  HOST: orElse('127.0.0.1', asIs),
  PUBLIC_URL: optional(publicOrigin),
  DATABASE_URL: optional(databaseUrl),
  DATABASE_DIRECT_URL: optional(databaseUrl),
  DATA_DIR: orElse('./.data', asIs),
  SECRET_KEY: optional(masterKey),
  SECRET_KEY_PREVIOUS: optional(masterKey),
  SMTP_URL: optional(smtpUrl),
  MAIL_FROM: optional(mailbox),
  MAIL: optional(textThat((text) => text === 'files', 'is not files, which is all that it can be')),
  CONFERENCING_VIDEO_URL: optional(serviceUrl),
  ZOOM_CLIENT_ID: optional(asIs),
  ZOOM_CLIENT_SECRET: optional(asIs),
  ZOOM_AUTHORIZATION_URL: orElse('https://zoom.us/oauth/authorize', serviceUrl),
  ZOOM_TOKEN_URL: orElse('https://zoom.us/oauth/token', serviceUrl),
  ZOOM_REVOCATION_URL: orElse('https://zoom.us/oauth/revoke', serviceUrl),
  ZOOM_API_URL: orElse('https://api.zoom.us/v2', serviceUrl),
  SMS_URL: optional(smsUrl),
  CONFERENCING_CALLBACK_SECRET: optional(
    textThat((text) => keyOfSecret(text) !== undefined, 'is not whsec_ and 24 to 64 bytes in base64'),
  ),
  METRICS_TOKEN: optional(textThat((text) => /^[!-~]{16,}$/.test(text), 'is not 16 visible characters or more')),
  WORKERS: orElse(1, integer(1, 128)),
  CACHE_MEGABYTES: orElse(DEFAULT_CACHE_MEGABYTES, integer(8, 4_096)),
  TRUST_PROXY: orElse([], networks),
  ALLOW_PRIVATE_NETWORK: orElse(false, flag),
  CALDAV_INSIDE_HOSTS: orElse([], insideHosts),
  APPLE_CALDAV_URL: orElse('https://caldav.icloud.com/', serviceUrl),
  GOOGLE_CLIENT_ID: optional(asIs),
  GOOGLE_CLIENT_SECRET: optional(asIs),
  GOOGLE_AUTHORIZATION_URL: orElse('https://accounts.google.com/o/oauth2/v2/auth', serviceUrl),
  GOOGLE_TOKEN_URL: orElse('https://oauth2.googleapis.com/token', serviceUrl),
  GOOGLE_REVOCATION_URL: orElse('https://oauth2.googleapis.com/revoke', serviceUrl),
  GOOGLE_CALDAV_URL: orElse('https://apidata.googleusercontent.com/caldav/v2/', serviceUrl),
  OFFICE365_CLIENT_ID: optional(asIs),
  OFFICE365_CLIENT_SECRET: optional(asIs),
  OFFICE365_AUTHORIZATION_URL: orElse('https://login.microsoftonline.com/common/oauth2/v2.0/authorize', serviceUrl),
  OFFICE365_TOKEN_URL: orElse('https://login.microsoftonline.com/common/oauth2/v2.0/token', serviceUrl),
  OFFICE365_GRAPH_URL: orElse('https://graph.microsoft.com/v1.0/', serviceUrl),
  AUTHORIZATION_CODE_SECONDS: orElse(600, integer(60, 600)),
  RATE_LIMITS: orElse(RATE_LIMITS, limits(RATE_LIMITS, allRates)),
  MAIL_LIMITS: orElse(MAIL_LIMITS, limits(MAIL_LIMITS)),
  SMS_LIMITS: orElse(SMS_LIMITS, limits(SMS_LIMITS)),
  TRUSTED_DOCUMENTS: optional(asIs),
  TRUSTED_DOCUMENTS_ONLY: orElse(false, flag),
  FAST_PATH: orElse(true, flag),
  SEED_DEMO: optional(flag),
  LOG_LEVEL: orElse(
    'info',
    textThat((text) => LEVELS.includes(text), `is none of ${LEVELS.join(', ')}`),
  ),
} as const;

/** Everything that an operator can set, checked and frozen. Names are those of the environment, in camel case. */
export interface Config {
  readonly isProduction: boolean;
  readonly port: number;
  readonly host: string;
  /** Issuer and base of every address, without a trailing slash. */
  readonly publicUrl: string;
  readonly databaseUrl: string | undefined;
  /** The database's address past a pooler, for the one connection that listens; undefined: `databaseUrl` is used. */
  readonly databaseDirectUrl: string | undefined;
  readonly dataDir: string;
  readonly secretKey: string | undefined;
  readonly secretKeyPrevious: string | undefined;
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  /** The address below which each booking with a video link gets a room; undefined: no links are offered. */
  readonly conferencingVideoUrl: string | undefined;
  /** This service as a client of Zoom; undefined: accounts there cannot be connected. */
  readonly zoom: AppClient | undefined;
  /** Where an SMS provider takes messages; undefined: in development they are kept in a folder, in production none are sent. */
  readonly smsUrl: string | undefined;
  /** The secret that a conferencing provider signs its messages with; undefined = it has no door here. */
  readonly conferencingCallbackSecret: string | undefined;
  /** The token that opens `/metrics`; undefined: there is no such address. */
  readonly metricsToken: string | undefined;
  readonly workers: number;
  /** All caches of one process together keep no more than so many megabytes (2^20 bytes). */
  readonly cacheMegabytes: number;
  readonly trustProxy: readonly string[];
  /** Whether calls to servers of others may reach private addresses, and go unencrypted. */
  readonly allowPrivateNetwork: boolean;
  /** CalDAV servers inside of our network that users may connect, with their ports. */
  readonly caldavInsideHosts: readonly string[];
  /** Where the calendars of Apple accounts are asked for, by CalDAV. */
  readonly appleCaldavUrl: string;
  /** This service as a client of Google, for calendars; undefined: accounts there cannot be connected. */
  readonly google: ProviderClient | undefined;
  /** The client at Microsoft, likewise. */
  readonly office365: ProviderClient | undefined;
  readonly authorizationCodeSeconds: number;
  /** Requests a minute; undefined = no limits (limits against guessing stay on). */
  readonly rateLimits: RateLimits | undefined;
  /** Mails an hour; undefined = no limits. */
  readonly mailLimits: MailLimits | undefined;
  /** SMS an hour; undefined = no limits. */
  readonly smsLimits: SmsLimits | undefined;
  /** Path of a JSON file: documents by their SHA-256. */
  readonly trustedDocuments: string | undefined;
  readonly trustedDocumentsOnly: boolean;
  /** Whether queries that come again are answered by their plans; off, the executor answers all. */
  readonly fastPath: boolean;
  /** Nobody elsewhere is meant to reach it: HOST and PUBLIC_URL are this machine's, and it is not production. */
  readonly isForThisMachine: boolean;
  /** Whether there is the demo, whose passwords and secrets are public. */
  readonly seedDemo: boolean;
  /** Whether the operator opened the demo to everybody who reaches the service; otherwise it serves this machine alone. */
  readonly isDemoOpen: boolean;
  readonly logLevel: string;
}
type RateName = 'anonymous' | 'grant' | 'session' | 'auth' | 'user' | 'apps';
export type RateLimits = Readonly<Record<RateName, number>>;

/** The wider counts of a user go with those of one session and one grant, unless they are given. */
function allRates({ grant = 500, session = 600, ...given }: Partial<RateLimits>): RateLimits {
  return { anonymous: 120, grant, session, auth: 600, user: 2 * session, apps: 4 * grant, ...given };
}

/** All mistakes of the configuration at once, one a line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Reads the environment. @throws ConfigError naming every variable that is wrong, before anything listens. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const { values, mistakes } = readFields(env);
  const all = [...mistakes, ...productionMistakes(values), ...combinationMistakes(values)];
  if (all.length > 0) throw new ConfigError(`The configuration is not usable:\n${all.map((m) => `  ${m}`).join('\n')}`);
  return configOf(values as Values);
}

type Values = { readonly [Name in keyof typeof FIELDS]: ReturnType<(typeof FIELDS)[Name]> };

/** Each variable by itself, so that one mistake hides no other; a wrong one has no value. An empty one is not set. */
function readFields(env: Readonly<Record<string, string | undefined>>) {
  const values: Record<string, unknown> = {};
  const mistakes: string[] = [];
  for (const [name, field] of Object.entries(FIELDS)) {
    try {
      values[name] = field(env[name] || undefined);
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      mistakes.push(`${name} ${error.message}`);
    }
  }
  return { values: values as Partial<Values>, mistakes };
}

function configOf(values: Values): Config {
  return Object.freeze({
    isProduction: isProduction(values),
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL ?? new URL(`http://localhost:${values.PORT}`).origin,
    databaseUrl: values.DATABASE_URL,
    databaseDirectUrl: values.DATABASE_DIRECT_URL,
    dataDir: values.DATA_DIR,
    secretKey: values.SECRET_KEY,
    secretKeyPrevious: values.SECRET_KEY_PREVIOUS,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM ?? NO_SENDER,
    conferencingVideoUrl: values.CONFERENCING_VIDEO_URL,
    zoom: revocableClient(values, 'ZOOM', values.ZOOM_API_URL),
    smsUrl: values.SMS_URL,
    conferencingCallbackSecret: values.CONFERENCING_CALLBACK_SECRET,
    metricsToken: values.METRICS_TOKEN,
    workers: values.WORKERS,
    cacheMegabytes: values.CACHE_MEGABYTES,
    trustProxy: values.TRUST_PROXY,
    allowPrivateNetwork: values.ALLOW_PRIVATE_NETWORK,
    caldavInsideHosts: values.CALDAV_INSIDE_HOSTS,
    appleCaldavUrl: values.APPLE_CALDAV_URL,
    google: revocableClient(values, 'GOOGLE', values.GOOGLE_CALDAV_URL),
    office365: clientOf(values, 'OFFICE365', values.OFFICE365_GRAPH_URL),
    authorizationCodeSeconds: values.AUTHORIZATION_CODE_SECONDS,
    rateLimits: values.RATE_LIMITS,
    mailLimits: values.MAIL_LIMITS,
    smsLimits: values.SMS_LIMITS,
    trustedDocuments: values.TRUSTED_DOCUMENTS,
    trustedDocumentsOnly: values.TRUSTED_DOCUMENTS_ONLY,
    fastPath: values.FAST_PATH,
    isForThisMachine: isForThisMachine(values),
    seedDemo: values.SEED_DEMO ?? (isForThisMachine(values) && values.DATABASE_URL === undefined),
    isDemoOpen: values.SEED_DEMO === true,
    logLevel: values.LOG_LEVEL,
  });
}

/** Undefined where the operator has registered none. */
function clientOf(values: Values, provider: (typeof PROVIDERS)[number], apiUrl: string): ProviderClient | undefined {
  const [clientId, clientSecret] = [values[`${provider}_CLIENT_ID`], values[`${provider}_CLIENT_SECRET`]];
  if (clientId === undefined || clientSecret === undefined) return undefined;
  const authorizationUrl = values[`${provider}_AUTHORIZATION_URL`];
  return { clientId, clientSecret, authorizationUrl, tokenUrl: values[`${provider}_TOKEN_URL`], apiUrl };
}

/** The client at a provider that revokes tokens. */
function revocableClient(values: Values, provider: 'GOOGLE' | 'ZOOM', apiUrl: string): AppClient | undefined {
  const client = clientOf(values, provider, apiUrl);
  return client && { ...client, revocationUrl: values[`${provider}_REVOCATION_URL`] };
}

function isProduction({ NODE_ENV }: Partial<Values>): boolean {
  return NODE_ENV === 'production';
}

/**
 * The address of the visitor, and the address at which the service listens. A service behind a proxy has the proxy's.
 */
function isForThisMachine(values: Values): boolean {
  const { HOST, PUBLIC_URL } = values;
  const isPublic = PUBLIC_URL !== undefined && !isThisMachine(new URL(PUBLIC_URL).hostname);
  return !isProduction(values) && !isPublic && isThisMachine(HOST);
}

/** A variable that is wrong by itself has its line already: `in` tells it from one that is not set. */
function productionMistakes(values: Partial<Values>): string[] {
  if (!isProduction(values)) return [];
  const mistakes: string[] = [];
  if ('PUBLIC_URL' in values && !values.PUBLIC_URL?.startsWith('https://'))
    mistakes.push('PUBLIC_URL must be an https address in production');
  if ('SECRET_KEY' in values && !values.SECRET_KEY)
    mistakes.push('SECRET_KEY is required in production: 32 random bytes in base64url');
  if ('SMTP_URL' in values && 'MAIL' in values && !values.SMTP_URL && !values.MAIL)
    mistakes.push(
      'SMTP_URL is required in production: the mail server, such as smtps://user:password@mail.example; or say MAIL=files, and mails are kept as files in DATA_DIR/mail and sent to nobody',
    );
  if (values.SMTP_URL && 'MAIL_FROM' in values && /(?:^|[@.])gatehouse\.test>?$/i.test(values.MAIL_FROM ?? NO_SENDER))
    mistakes.push(
      'MAIL_FROM is required in production: the sender of mails, at a domain of yours, such as Gatehouse <no-reply@gatehouse.example>',
    );
  if (values.SEED_DEMO) mistakes.push('SEED_DEMO cannot be on in production: its passwords and secrets are public');
  for (const name of ['RATE_LIMITS', 'MAIL_LIMITS', 'SMS_LIMITS'] as const)
    if (name in values && !values[name]) mistakes.push(`${name} cannot be off in production`);
  return mistakes;
}

function combinationMistakes(values: Partial<Values>): string[] {
  const mistakes: string[] = [];
  if (values.MAIL && values.SMTP_URL)
    mistakes.push('MAIL=files and SMTP_URL contradict each other: mails are kept, or sent; set one of them');
  if (values.TRUSTED_DOCUMENTS_ONLY && !values.TRUSTED_DOCUMENTS)
    mistakes.push('TRUSTED_DOCUMENTS_ONLY needs TRUSTED_DOCUMENTS: the path of the documents that may run');
  for (const provider of PROVIDERS) {
    const [id, secret] = [`${provider}_CLIENT_ID`, `${provider}_CLIENT_SECRET`] as const;
    if (!values[id] !== !values[secret])
      mistakes.push(`${values[id] ? secret : id} is missing beside ${values[id] ? id : secret}: set both, or neither`);
  }
  if (values.DATABASE_DIRECT_URL && 'DATABASE_URL' in values && !values.DATABASE_URL)
    mistakes.push('DATABASE_DIRECT_URL needs DATABASE_URL: it is the way past a pooler to the same database');
  if ((values.WORKERS ?? 1) > 1 && 'DATABASE_URL' in values && !values.DATABASE_URL)
    mistakes.push('WORKERS above 1 needs DATABASE_URL: the embedded database serves one process');
  return mistakes;
}
