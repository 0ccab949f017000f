import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Browser } from '../../src/cli/demo-browser.ts';
import { DEMO_PASSWORD } from '../../src/persistence/demo-data.ts';
import { actingAs } from '../process/support/acting.ts';
import { CaldavServer } from '../support/caldav-server.ts';
import { idOfUid } from '../support/ids.ts';
import { MailServer } from '../support/mail-server.ts';
import { PostgresCluster } from '../support/postgres-cluster.ts';
import { PostgresProxy } from '../support/postgres-proxy.ts';
import { type RunningService, startService, temporaryFolder } from '../support/process.ts';
import { SHARED } from '../support/servers.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';
import { Ledger } from './ledger.ts';

export const CLOCK = join(import.meta.dirname, 'shifted-clock.mjs');
const PROCESSES = 2;

interface Options {
  /** The database has one, which nobody reads. */
  readonly hasStandby?: boolean;
  /** The database is on a disk of its own, of this size. */
  readonly megabytes?: number;
}

/** A service of two processes on a PostgreSQL of its own, with everything that it calls, and clients that keep a ledger. */
export class World {
  readonly services: RunningService[] = [];
  readonly cluster: PostgresCluster;
  /** Has all that is acknowledged by `cluster`. */
  readonly standby: PostgresCluster | undefined;
  /** The only way to the database. */
  readonly way: PostgresProxy;
  readonly mail: MailServer;
  readonly caldav: CaldavServer;
  readonly receiver: WebhookReceiver;
  readonly folder: string;

  ledger!: Ledger;

  private constructor(parts: Pick<World, 'cluster' | 'standby' | 'way' | 'mail' | 'caldav' | 'receiver' | 'folder'>) {
    ({
      cluster: this.cluster,
      standby: this.standby,
      way: this.way,
      mail: this.mail,
      caldav: this.caldav,
      receiver: this.receiver,
      folder: this.folder,
    } = parts);
  }

  static async open({ hasStandby = false, megabytes }: Options = {}): Promise<World> {
    const settings = [...(hasStandby ? ['wal_level=replica'] : []), ...(megabytes ? ['max_wal_size=64MB'] : [])];
    const [cluster, mail, caldav, receiver, folder] = await Promise.all([
      PostgresCluster.start(settings, megabytes),
      MailServer.open(),
      CaldavServer.start(),
      WebhookReceiver.open(),
      temporaryFolder(),
    ]);
    const standby = hasStandby ? await cluster.startStandby() : undefined;
    const way = await PostgresProxy.open(cluster.url);
    const world = new World({ cluster, standby, way, mail, caldav, receiver, folder });
    for (let n = 0; n < PROCESSES; n += 1) world.services.push(await world.start());
    const [url = ''] = world.urls;
    const ada = await Browser.signIn(url, 'ada@acme.test', DEMO_PASSWORD);
    const account = { username: 'ada@icloud.test', appPassword: 'secret' };
    await actingAs(ada)('appleCalendarAccountConnect', account, 'calendarAccount { id }');
    await actingAs(ada)('webhookCreate', { url: receiver.url(), triggers: ['BOOKING_CREATED'] }, 'secret');
    world.ledger = await Ledger.open([url, ...world.urls.slice(1)]);
    return world;
  }

  get urls(): string[] {
    return this.services.map(({ url }) => url);
  }

  start(env: Readonly<Record<string, string>> = {}): Promise<RunningService> {
    return startService({
      ...SHARED,
      DATABASE_URL: this.way.url,
      DATA_DIR: this.folder,
      SMTP_URL: this.mail.url,
      APPLE_CALDAV_URL: this.caldav.url,
      ALLOW_PRIVATE_NETWORK: 'on',
      MAIL_LIMITS: 'off',
      LOG_LEVEL: 'info',
      ...env,
    });
  }

  /** Another process in the place of one that has ended. */
  async replace(n: number, env: Readonly<Record<string, string>> = {}): Promise<void> {
    this.services[n] = await this.start(env);
    this.ledger.urls = this.urls;
  }

  /**
   * Finds gaps among the bookings in the ledger: attendees without a mail, bookings without a message of the webhook,
   * or an entry in the calendar.
   */
  untold(): string[] {
    const mailed = new Set(this.mail.mails.map(({ mailbox }) => mailbox));
    const told = new Set(this.receiver.all.map(({ body }) => JSON.parse(body).data.booking.id as string));
    const entries = [...this.caldav.entries.values()].join('\n');
    return this.ledger.booked.flatMap(({ email, uid }) => [
      ...(mailed.has(email) ? [] : [`a mail to ${email}`]),
      // The webhook and the calendar are of the first host alone.
      ...(told.has(idOfUid(uid)) || !email.startsWith('guest0-') ? [] : [`a message of ${uid}`]),
      ...(entries.includes(`<${email}>`) || !email.startsWith('guest0-') ? [] : [`an entry with ${email}`]),
    ]);
  }

  /** Finds attendees who got a mail about the same more than once and have had one since then. */
  toldTwice(since: number): string[] {
    const mailboxes = this.mail.mails.map(({ mailbox, email }) => `${mailbox} ${email.subject}`);
    return mailboxes.filter(
      (mailbox, n) => n >= since && mailbox.startsWith('guest') && mailboxes.indexOf(mailbox) !== n,
    );
  }

  async close(): Promise<void> {
    await this.ledger?.stop();
    await Promise.all(this.services.map((service) => service.kill('SIGKILL')));
    await this.way.cut();
    await Promise.all([this.mail.close(), this.caldav.close(), this.receiver.close()]);
    await Promise.all([this.cluster.stop(), this.standby?.stop()]);
    await rm(this.folder, { recursive: true, force: true });
  }
}
