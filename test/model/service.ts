/** The real service, as its callers have it: processes on one database, a mail server and a receiver of webhooks beside them. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { newId, newUserId, publicId } from '../../src/core/id.ts';
import { type Em, row, rows, sql } from '../../src/database/sql.ts';
import { connect } from '../../src/persistence/connect.ts';
import { startTestApp } from '../support/app.ts';
import { uuidOf } from '../support/ids.ts';
import { MailSink, type SunkMail } from '../support/mail-sink.ts';
import { type RunningService, startService, temporaryFolder } from '../support/process.ts';
import { send } from '../support/raw-http.ts';
import { SHARED } from '../support/servers.ts';
import { aSession } from '../support/session.ts';
import { onServer, postgresSettings } from '../support/settings.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';
import { HOSTS } from './histories.ts';

export interface Person {
  readonly id: string;
  readonly cookie: string;
}

// oxlint-disable-next-line typescript/no-explicit-any -- payloads have every shape
export type Payload = any;

interface Changed {
  readonly code: string;
  readonly payload: Payload;
}

/** Whoever asks: somebody signed in, or nobody, from an address. */
export type Asker = Person | string;

export class Service {
  readonly em: Em;
  readonly mails: MailSink;
  readonly receiver: WebhookReceiver;
  readonly #processes: (RunningService | undefined)[];
  readonly #url: string;
  readonly #restart: (() => Promise<RunningService>) | undefined;
  readonly #close: () => Promise<void>;
  /** Since when histories were looked at last: a mail that was being sent then may have come twice, and is the same to its reader. */
  hasCrashed = false;
  #asked = 0;
  #networks = 0;

  private constructor(opened: {
    em: Em;
    mails: MailSink;
    receiver: WebhookReceiver;
    processes?: RunningService[];
    url?: string;
    restart?: () => Promise<RunningService>;
    close: () => Promise<void>;
  }) {
    this.em = opened.em;
    this.mails = opened.mails;
    this.receiver = opened.receiver;
    this.#processes = opened.processes ?? [];
    this.#url = opened.url ?? '';
    this.#restart = opened.restart;
    this.#close = opened.close;
  }

  /** In this process, on the embedded database. */
  static async embedded(): Promise<Service> {
    const [mails, receiver] = await Promise.all([MailSink.open(), WebhookReceiver.open()]);
    const app = await startTestApp({ ...settings(mails), TRUST_PROXY: SHARED.TRUST_PROXY }, { runsJobs: true });
    const close = async () => {
      await app.close();
    };
    return new Service({ em: app.database.em.fork(), mails, receiver, url: app.url, close });
  }

  /** Two processes, on a new database of a PostgreSQL. */
  static async onPostgres(serverUrl: string): Promise<Service> {
    const name = `gatehouse_model_${randomUUID().replaceAll('-', '')}`;
    await onServer(serverUrl, `create database ${name}`);
    const [mails, receiver, DATA_DIR] = await Promise.all([MailSink.open(), WebhookReceiver.open(), temporaryFolder()]);
    const database = await connect(postgresSettings(serverUrl, name));
    const { databaseUrl: DATABASE_URL = '' } = postgresSettings(serverUrl, name);
    const restart = () => startService({ ...SHARED, SEED_DEMO: 'off', ...settings(mails), DATABASE_URL, DATA_DIR });
    const processes = await Promise.all([restart(), restart()]);
    const close = async () => {
      await database.close();
      await onServer(serverUrl, `drop database ${name} with (force)`);
      await rm(DATA_DIR, { recursive: true, force: true });
    };
    return new Service({ em: database.em.fork(), mails, receiver, processes, restart, close });
  }

  get canCrash(): boolean {
    return this.#restart !== undefined;
  }

  async close(): Promise<void> {
    await Promise.all(this.#processes.flatMap((process) => process?.kill('SIGKILL') ?? []));
    await this.#close();
    await Promise.all([this.mails.close(), this.receiver.close()]);
  }

  /** Kills a process as a machine does that loses its power, and starts it again. Until then the other one is asked. */
  async crash(which: number): Promise<{ readonly restarted: Promise<void> }> {
    this.hasCrashed = true;
    const victim = this.#processes[which];
    this.#processes[which] = undefined;
    await victim?.kill('SIGKILL');
    return { restarted: this.#startAgain(which) };
  }

  async #startAgain(which: number): Promise<void> {
    this.#processes[which] = await this.#restart?.();
  }

  /** Each process in turn, or the one of a number while it lives. */
  url(n = (this.#asked += 1)): string {
    const alive = this.#processes.filter((process) => process !== undefined);
    const chosen = this.#processes[n % Math.max(1, this.#processes.length)] ?? alive[0];
    return chosen?.url ?? this.#url;
  }

  /** A network that nobody else of this run is in. */
  newNetwork(): string {
    this.#networks += 1;
    return `10.${(this.#networks >> 8) % 256}.${this.#networks % 256}.1`;
  }

  async ask(query: string, variables: object, asker: Asker, url = this.url()): Promise<Payload> {
    const { status, text } = await send(url, {
      method: 'POST',
      path: '/graphql',
      headers: {
        'content-type': 'application/json',
        ...(typeof asker === 'string'
          ? { 'x-forwarded-for': asker }
          : { cookie: asker.cookie, 'sec-fetch-site': 'same-origin' }),
      },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = JSON.parse(text);
    if (status === 200 && data && !errors) return data;
    throw new Error(`HTTP ${status}: ${text}`);
  }

  /** One mutation: `done`, or the code of its refusal. */
  async change(name: string, input: object, selection: string, asker: Asker, url?: string): Promise<Changed> {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
    const query = `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} userErrors { code } } }`;
    const { [name]: payload } = await this.ask(query, { input }, asker, url);
    return { code: payload.userErrors[0]?.code ?? 'done', payload };
  }

  /** A mutation that is not refused. */
  async do(name: string, input: object, selection: string, asker: Asker): Promise<Payload> {
    const { code, payload } = await this.change(name, input, selection, asker);
    if (code !== 'done') throw new Error(`${name} was refused with ${code}: ${JSON.stringify(input)}`);
    return payload;
  }

  /** New accounts with verified addresses, each signed in. */
  async people(token: string, timeZones: readonly string[]): Promise<Person[]> {
    const ids = timeZones.map(() => newUserId());
    const numbers = timeZones.map((_, index) => index);
    await rows(
      this.em.fork(),
      sql`insert into users (id, email, username, name, password_hash, time_zone, week_start, time_format, locale,
            metadata, is_administrator, created_at, updated_at, email_verified_at)
          select id, format('host-%s@%s.test', n, ${token}::text), id, format('Host %s', n), 'none', time_zone, 'MONDAY', 24, 'en',
            '{}', false, now(), now(), now()
          from unnest(${ids}::uuid[], ${numbers}::int[], ${timeZones}::text[]) as u(id, n, time_zone)`,
    );
    return Promise.all(
      ids.map(async (id) => {
        const session = await aSession(this.em.fork(), id);
        return { id: publicId('user', id), cookie: `gatehouse_session=${session.token}` };
      }),
    );
  }

  /** A team of the first of them, of which all others are members. */
  async team(people: readonly Person[], token: string, timeZone: string): Promise<string> {
    const [owner, ...others] = people;
    if (!owner || people.length !== HOSTS) throw new Error('A team has all hosts.');
    const { teamId } = await this.do('teamCreate', { slug: token, name: 'Team', timeZone }, 'teamId', owner);
    await rows(
      this.em.fork(),
      sql`insert into team_memberships (id, team_id, user_id, role, accepted, created_at)
          select id, ${uuidOf(teamId)}::uuid, user_id, 'MEMBER', true, now()
          from unnest(${others.map(() => newId())}::uuid[], ${others.map(({ id }) => uuidOf(id))}::uuid[]) as m(id, user_id)`,
    );
    return teamId;
  }

  /** Those that have come; each once, if a process has died meanwhile. */
  get mailed(): readonly SunkMail[] {
    const { mails } = this.mails;
    return this.hasCrashed
      ? [...new Map(mails.map((mail) => [`${mail.messageId} ${mail.mailbox}`, mail])).values()]
      : mails;
  }

  /** Forgets what has come. */
  forget(): void {
    this.receiver.all.length = 0;
    this.mails.mails.length = 0;
    this.hasCrashed = false;
  }

  /** Resolves when nothing is left to tell or to send. */
  async settled(): Promise<void> {
    for (;;) {
      const found = await row(
        this.em.fork(),
        sql<{ left: number }>`
          select (select count(*) from domain_events)::int + (select count(*) from jobs.job where state <> 'given-up')::int as left`,
      );
      if (found?.left === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }
}

function settings(mails: MailSink) {
  return { SMTP_URL: mails.url, ALLOW_PRIVATE_NETWORK: 'on', MAIL_LIMITS: 'off', RATE_LIMITS: 'off' };
}
