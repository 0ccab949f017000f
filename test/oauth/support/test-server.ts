import { newId, newUserId } from '../../../src/core/id.ts';
import { sha256Hex } from '../../../src/core/secret.ts';
import { type Listen, listenOnEmbedded, listenOnPostgres } from '../../../src/database/listen.ts';
import { changed, type Em, sql } from '../../../src/database/sql.ts';
import { type OpenAuthorizationServer, openAuthorizationServer } from '../../../src/oauth/open-authorization-server.ts';
import type { Client } from '../../../src/oauth/protocol/client.ts';
import { newClientId } from '../../../src/oauth/protocol/credentials.ts';
import { EmbeddedConnection } from '../../../src/persistence/embedded/embedded-dialect.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { asSent, type SentMail } from '../../support/sent-mail.ts';

export const ISSUER = 'http://localhost:4000';
export const SECRET = 'gh_secret_of_the_test';
export const ADDRESS = '192.0.2.7';
const MASTER_KEY = new Uint8Array(32).fill(5);

/** An authorization server on a database of its own, without HTTP. */
export interface TestServer {
  readonly database: TestDatabase;
  readonly em: Em;
  readonly server: OpenAuthorizationServer;
  readonly mails: SentMail[];
  close(): Promise<void>;
}

export async function openTestServer(): Promise<TestServer> {
  const database = await openTestDatabase();
  const mails: SentMail[] = [];
  const server = await openOn(database, mails);
  return {
    database,
    em: database.em.fork(),
    server,
    mails,
    close: async () => {
      await server.close();
      await database.close();
    },
  };
}

/** One more server on the same database, as another process would be. */
export function openOn(database: TestDatabase, mails: SentMail[] = []): Promise<OpenAuthorizationServer> {
  return openAuthorizationServer({
    em: database.em,
    listen: listenOn(database),
    issuer: ISSUER,
    masterKeys: { current: MASTER_KEY },
    codeLifetimeInSeconds: 600,
    sendMail: async (mail) => void mails.push(asSent(mail)),
    onError: (error) => {
      throw error;
    },
  });
}

export function listenOn(database: TestDatabase): Listen {
  if (database.url !== undefined) return listenOnPostgres(database.url);
  return listenOnEmbedded(async () => {
    const connection = database.em.getDriver().getConnection();
    if (!(connection instanceof EmbeddedConnection)) throw new Error('The embedded database was expected.');
    return connection.database;
  });
}

let userCount = 0;

/** A user who has never signed in. @returns the id */
export async function addUser(em: Em, { isAdministrator = false } = {}): Promise<string> {
  const id = newUserId();
  userCount += 1;
  const username = `user-${userCount}`;
  await changed(
    em,
    sql`insert into users (id, email, username, name, password_hash, time_zone, week_start, time_format, locale, metadata,
          is_administrator, created_at, updated_at, email_verified_at)
        values (${id}, ${`${username}@example.test`}, ${username}, ${`User ${userCount}`}, 'none', 'UTC', 'MONDAY', 24, 'en',
          '{}'::jsonb, ${isAdministrator}, now(), now(), now())`,
  );
  return id;
}

export const REDIRECT_URI = 'https://app.example/cb';

/** An approved confidential client with the secret SECRET, or one that differs from it in `changes`. @returns its id */
export async function addClient(em: Em, ownerId: string, changes: Partial<Client> = {}): Promise<string> {
  const client: Client = {
    clientId: newClientId(),
    type: 'CONFIDENTIAL',
    status: 'APPROVED',
    name: 'App',
    developerName: 'Ada',
    purpose: 'Shows bookings.',
    logoUrl: null,
    websiteUrl: null,
    redirectUris: [REDIRECT_URI],
    scopes: ['PROFILE_READ', 'BOOKING_READ'],
    legacy: false,
    requiresPkce: false,
    ...changes,
  };
  await changed(
    em,
    sql`insert into oauth_clients (client_id, owner_id, name, developer_name, purpose, logo_url, website_url, type, status, legacy,
          requires_pkce, redirect_uris, scopes, submitted_at, created_at, updated_at)
        values (${client.clientId}, ${ownerId}, ${client.name}, ${client.developerName}, ${client.purpose}, ${client.logoUrl}, ${client.websiteUrl},
          ${client.type}, ${client.status}, ${client.legacy}, ${client.requiresPkce}, ${client.redirectUris}::text[],
          ${client.scopes}::text[], now(), now(), now())`,
  );
  if (client.type === 'CONFIDENTIAL') await addSecret(em, client.clientId, SECRET);
  return client.clientId;
}

export async function addSecret(em: Em, clientId: string, secret: string, slot = 1): Promise<string> {
  const id = newId();
  await changed(
    em,
    sql`insert into oauth_client_secrets (client_id, id, slot, name, hint, secret_hash, created_at)
        values (${clientId}, ${id}, ${slot}, 'first', ${secret.slice(-4)}, ${sha256Hex(secret)}, now())`,
  );
  return id;
}
