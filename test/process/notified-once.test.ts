/** Several processes on one database do what follows from an event, and some of them are killed. */
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Browser } from '../../src/cli/demo-browser.ts';
import { type OwnedId, publicOwnedId } from '../../src/core/id.ts';
import { type Em, row, rows, sql } from '../../src/database/sql.ts';
import { recordEvent } from '../../src/events/record-event.ts';
import { storeAbsence, storeWebhooks } from '../jobs/support/webhooks.ts';
import { newHosts } from '../modules/bookings/support/booked-hosts.ts';
import { DEMO_PASSWORD } from '../support/app.ts';
import { CaldavServer } from '../support/caldav-server.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';
import { idOfUid, uuidOf } from '../support/ids.ts';
import { MailServer } from '../support/mail-server.ts';
import { paced } from '../support/pace.ts';
import { type RunningService, startService, temporaryFolder } from '../support/process.ts';
import { SHARED } from '../support/servers.ts';
import { TAKEN, verified, WebhookReceiver } from '../support/webhook-receiver.ts';
import { actingAs, slotsOf } from './support/acting.ts';

const TWO_MINUTES = { timeout: paced(120_000) };

/** Counts the work that is still to be done soon: calendars are read and listed again in some minutes and hours. */
function left(em: Em): Promise<{ events: number; jobs: number } | undefined> {
  return row(
    em,
    sql<{ events: number; jobs: number }>`select (select count(*)::int from domain_events) as events,
      (select count(*)::int from jobs.job where state <> 'created' or start_after < now() + interval '2 minutes') as jobs`,
  );
}

// Several processes need a database that all can open.
describe.runIf(isOnPostgres)('two processes', () => {
  let database: TestDatabase;
  let mailServer: MailServer;
  let caldav: CaldavServer;
  let receiver: WebhookReceiver;
  let folder: string;
  let ada: Browser;
  let adaId: string;
  const services: RunningService[] = [];
  const em = () => database.em.fork();

  async function start(): Promise<RunningService> {
    const service = await startService({
      ...SHARED,
      DATA_DIR: folder,
      DATABASE_URL: database.url ?? '',
      SMTP_URL: mailServer.url,
      MAIL_LIMITS: 'off',
      SMS_URL: receiver.url('/sms?From=%2B15005550006').replace('://', '://AC1:token@'),
      SMS_LIMITS: 'off',
      APPLE_CALDAV_URL: caldav.url,
      ALLOW_PRIVATE_NETWORK: 'on',
    });
    services.push(service);
    return service;
  }

  beforeAll(async () => {
    [database, mailServer, caldav, receiver, folder] = await Promise.all([
      openTestDatabase(),
      MailServer.open(),
      CaldavServer.start(),
      WebhookReceiver.open(),
      temporaryFolder(),
    ]);
    const [first] = await Promise.all([start(), start()]);
    ada = await Browser.signIn(first.url, 'ada@acme.test', DEMO_PASSWORD);
    adaId = uuidOf((await ada.graphql<{ me: { id: string } }>('{ me { id } }', {})).me.id);
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.kill('SIGKILL')));
    await Promise.all([mailServer.close(), caldav.close(), receiver.close(), database.close()]);
    await rm(folder, { recursive: true, force: true });
  });

  /** Webhooks of Ada's. @returns their secrets, by their paths */
  async function listen(count: number, trigger: string): Promise<ReadonlyMap<string, string>> {
    const mutate = actingAs(ada);
    const secrets = new Map<string, string>();
    for (let n = 0; n < count; n += 1) {
      const path = `/${trigger}/${n}`;
      const input = { url: receiver.url(path), triggers: [trigger] };
      secrets.set(path, (await mutate('webhookCreate', input, 'secret')).secret);
    }
    onTestFinished(async () => void (await rows(em(), sql`delete from webhooks`)));
    return secrets;
  }

  test(
    'notify each webhook once of an event, and write each mail of a workflow and each calendar entry once',
    TWO_MINUTES,
    async () => {
      const mutate = actingAs(ada);
      const { teamId } = await mutate('teamCreate', { slug: 'telling', name: 'Telling' }, 'teamId');
      const offered = { teamId, slug: 'talk', title: 'Talk', durationInMinutes: 30, schedulingType: 'COLLECTIVE' };
      const { eventTypeId } = await mutate('teamEventTypeCreate', offered, 'eventTypeId');
      const steps = ['EMAIL_ATTENDEE', 'EMAIL_HOST'].map((action) => ({
        action,
        subject: 'Told',
        body: 'About {event_name}',
      }));
      await mutate('teamWorkflowCreate', { teamId, name: 'Telling', trigger: 'NEW_BOOKING', steps }, 'workflowId');
      await mutate(
        'appleCalendarAccountConnect',
        { username: 'ada@icloud.test', appPassword: 'secret' },
        'calendarAccount { id }',
      );
      await listen(5, 'BOOKING_CREATED');
      const bookings = 20;
      const starts = (await slotsOf(ada, eventTypeId)).slice(0, bookings);
      const browsers = await Promise.all(
        services.map(({ url }) => Browser.signIn(url, 'ada@acme.test', DEMO_PASSWORD)),
      );
      const uids = await Promise.all(
        starts.map(async (start, n) => {
          const attendee = { name: 'Grace', email: `grace${n}@example.test`, timeZone: 'UTC' };
          const book = actingAs(browsers[n % 2] ?? ada);
          return (await book('bookingCreate', { eventTypeId, start, attendee }, 'booking { uid }')).booking
            .uid as string;
        }),
      );
      expect(new Set(uids).size).toBe(bookings);
      await expect.poll(() => left(em()), { timeout: paced(60_000) }).toEqual({ events: 0, jobs: 0 });

      const told = receiver.all.map(({ path, body }) => `${path} ${JSON.parse(body).data.booking.id}`);
      const paths = [0, 1, 2, 3, 4].map((n) => `/BOOKING_CREATED/${n}`);
      expect(told.toSorted()).toEqual(paths.flatMap((path) => uids.map((uid) => `${path} ${idOfUid(uid)}`)).toSorted());
      const mails = mailServer.mails.filter(({ email }) => email.subject === 'Told');
      const attendees = starts.map((_, n) => `grace${n}@example.test`);
      expect(mails.map(({ mailbox }) => mailbox).toSorted()).toEqual(
        [...starts.map(() => 'ada@acme.test'), ...attendees].toSorted(),
      );
      expect(new Set(mails.map(({ email }) => email.messageId)).size).toBe(2 * bookings);
      expect([caldav.put.length, new Set(caldav.put).size]).toEqual([bookings, bookings]);
    },
  );

  /** Absences of users, in one transaction; what `last` does is the last of it. @returns their public ids */
  async function goAway(ownerIds: readonly string[], last = async () => {}): Promise<string[]> {
    const times = { start: '2031-01-06T00:00:00Z', end: '2031-01-07T00:00:00Z' };
    const away: OwnedId[] = [];
    await em().transactional(async (inner) => {
      for (const ownerId of ownerIds) {
        const id = await storeAbsence(inner, ownerId);
        await recordEvent(inner, ownerId, { type: 'OUT_OF_OFFICE_CREATED', outOfOfficeId: id, ...times });
        away.push({ ownerId, id });
      }
      await last();
    });
    return away.map((one) => publicOwnedId('outOfOffice', one));
  }

  test(
    'send each message at least once when one of them is killed again and again, a second time with the same id',
    TWO_MINUTES,
    async () => {
      receiver.all.length = 0;
      const secrets = await listen(4, 'OUT_OF_OFFICE_CREATED');
      receiver.answer = (response) => void setTimeout(() => response.writeHead(204).end(), 20 + 180 * Math.random());
      onTestFinished(() => void (receiver.answer = TAKEN));
      const events = 100;
      const all = Array.from({ length: events }, () => adaId);
      const undone = goAway(all, () => Promise.reject(new Error('Undone.')));
      await expect(undone).rejects.toThrow('Undone.');
      const ids = await goAway(all);
      const kills = 3;
      for (let kill = 0; kill < kills; kill += 1) {
        // Wherever it is then: between a receiver's answer and its own note of it, or before, or after.
        await receiver.received(Math.floor((kill + Math.random()) * ((4 * events) / (kills + 1))) + 1);
        const [victim] = services.splice(0, 1);
        await Promise.all([victim?.kill('SIGKILL'), start()]);
      }
      await expect.poll(() => left(em()), { timeout: paced(60_000) }).toEqual({ events: 0, jobs: 0 });

      const told = receiver.all.map((delivered) => {
        const { id, data } = verified(secrets.get(delivered.path) ?? '', delivered);
        expect(id).toBe(delivered.headers['webhook-id']);
        return { about: `${delivered.path} ${data.outOfOffice.id}`, twin: `${id} ${delivered.body}` };
      });
      const wanted = [...secrets.keys()].flatMap((path) => ids.map((id) => `${path} ${id}`));
      const byMessage = Map.groupBy(told, ({ about }) => about);
      expect([...byMessage.keys()].toSorted()).toEqual(wanted.toSorted());
      for (const twins of byMessage.values()) expect(new Set(twins.map(({ twin }) => twin)).size).toBe(1);
      // As many as a process sends at once for one owner.
      expect(told.length).toBeLessThanOrEqual(wanted.length + kills * 10);
    },
  );

  test(
    'send each SMS at least once when one of them is killed, a second time with the key by which the provider drops it',
    TWO_MINUTES,
    async () => {
      const [first] = services;
      ada = await Browser.signIn(first?.url ?? '', 'ada@acme.test', DEMO_PASSWORD);
      const mutate = actingAs(ada);
      const { teamId } = await mutate('teamCreate', { slug: 'texting', name: 'Texting' }, 'teamId');
      const bookingFields = [{ slug: 'mobile', type: 'PHONE', label: 'Mobile', isRequired: true }];
      const offered = { teamId, slug: 'talk', title: 'Talk', durationInMinutes: 15, schedulingType: 'COLLECTIVE' };
      const input = { ...offered, bookingFields };
      const { eventTypeId } = await mutate('teamEventTypeCreate', input, 'eventTypeId');
      const steps = [{ action: 'SMS_ATTENDEE', body: 'See you at {event_time}' }];
      await mutate('teamWorkflowCreate', { teamId, name: 'Texting', trigger: 'NEW_BOOKING', steps }, 'workflowId');
      receiver.all.length = 0;
      // Takes it, and says nothing yet.
      const { promise: killed, resolve: answerAll } = Promise.withResolvers<void>();
      receiver.answer = (response) => void killed.then(() => response.writeHead(201).end('{}'));
      onTestFinished(() => void (receiver.answer = TAKEN));
      const texted = () => receiver.all.filter(({ path }) => path.startsWith('/sms'));
      const count = 30;
      const starts = (await slotsOf(ada, eventTypeId)).slice(0, count);
      const numbers = starts.map((_, n) => `+4915112345${100 + n}`);
      for (const [n, at] of starts.entries()) {
        const attendee = { name: 'Grace', email: `texted${n}@example.test`, timeZone: 'UTC' };
        const booked = { eventTypeId, start: at, attendee, responses: { mobile: numbers[n] } };
        await mutate('bookingCreate', booked, 'booking { uid }');
      }
      // A process sends ten at once: by now either waits for some answers.
      await expect.poll(() => texted().length, { timeout: paced(60_000) }).toBeGreaterThan(10);
      const [victim] = services.splice(1, 1);
      await Promise.all([victim?.kill('SIGKILL'), start()]);
      answerAll();
      await expect.poll(() => left(em()), { timeout: paced(60_000) }).toEqual({ events: 0, jobs: 0 });

      const byNumber = Map.groupBy(texted(), ({ body }) => new URLSearchParams(body).get('To') ?? '');
      expect([...byNumber.keys()].toSorted()).toEqual(numbers.toSorted());
      const keys = new Set(texted().map(({ headers }) => headers['idempotency-key']));
      expect(keys.size).toBe(count);
      for (const twins of byNumber.values()) {
        const said = twins.map(({ headers, body }) => JSON.stringify([headers['idempotency-key'], body]));
        expect(new Set(said).size).toBe(1);
      }
      // The killed process had sent this, and could not note it.
      expect(texted().length).toBeGreaterThan(count);
    },
  );

  test(
    'let receivers that hang hold up those of nobody else: neither one of a thousand nor all of one owner',
    TWO_MINUTES,
    async () => {
      const [hanging = '', ...others] = await newHosts(em(), 1_001);
      const pathOf = new Map(others.map((ownerId, n) => [ownerId, `/${n}`]));
      await storeWebhooks(
        em(),
        hanging,
        [1, 2, 3, 4, 5].map((n) => receiver.url(`/hangs/${n}`)),
      );
      await Promise.all([...pathOf].map(([ownerId, path]) => storeWebhooks(em(), ownerId, [receiver.url(path)])));
      receiver.all.length = 0;
      const hung = () => receiver.all.filter(({ path }) => path.startsWith('/hangs/')).length;
      let endedAfter: number | undefined;
      const arrived = new Set<string>();
      receiver.answer = (response, { path }) => {
        if (path === '/500' || path.startsWith('/hangs/')) {
          // When the first one is given up for this time.
          response.on('close', () => (endedAfter ??= arrived.size));
          return;
        }
        arrived.add(path);
        response.writeHead(204).end();
      };
      onTestFinished(() => void (receiver.answer = TAKEN));
      // More than both processes send at once, of all owners; of these, one to each webhook until it has answered.
      await goAway(Array.from({ length: 40 }, () => hanging));
      await expect.poll(hung, { timeout: paced(30_000) }).toBeGreaterThanOrEqual(5);
      await goAway(others);
      await expect.poll(() => arrived.size, { timeout: paced(60_000) }).toBe(999);
      expect(endedAfter ?? 999).toBeGreaterThan(100);
    },
  );
});
