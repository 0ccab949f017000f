import { rm } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { Browser } from '../../src/cli/demo-browser.ts';
import { changed, row, sql } from '../../src/database/sql.ts';
import { DEMO_PASSWORD } from '../support/app.ts';
import { isOnPostgres, openTestDatabase } from '../support/database.ts';
import { uuidOf } from '../support/ids.ts';
import { MailServer } from '../support/mail-server.ts';
import { paced } from '../support/pace.ts';
import { startService, usedDataFolder } from '../support/process.ts';
import { SHARED } from '../support/servers.ts';
import { actingAs, slotsOf } from './support/acting.ts';

// Two processes need a database that both can open.
test.runIf(isOnPostgres)(
  'a reminder comes at its time, though the process that sends it is killed',
  { timeout: paced(120_000) },
  async () => {
    const mailServer = await MailServer.open();
    onTestFinished(() => mailServer.close());
    const database = await openTestDatabase();
    onTestFinished(() => database.close());
    const DATA_DIR = await usedDataFolder();
    onTestFinished(() => rm(DATA_DIR, { recursive: true, force: true }));
    const env = { ...SHARED, DATA_DIR, DATABASE_URL: database.url ?? '', SMTP_URL: mailServer.url, MAIL_LIMITS: 'off' };
    const start = async () => {
      const service = await startService(env);
      onTestFinished(async () => {
        if (service.child.exitCode === null) await service.kill('SIGKILL');
      });
      return service;
    };
    const first = await start();
    const ada = await Browser.signIn(first.url, 'ada@acme.test', DEMO_PASSWORD);
    const mutate = actingAs(ada);
    const { teamId } = await mutate('teamCreate', { slug: 'reminding', name: 'Reminding' }, 'teamId');
    const offered = { teamId, slug: 'talk', title: 'Talk', durationInMinutes: 30, schedulingType: 'COLLECTIVE' };
    const { eventTypeId } = await mutate('teamEventTypeCreate', offered, 'eventTypeId');
    const steps = [{ action: 'EMAIL_ATTENDEE', subject: 'Reminder', body: 'Soon: {event_name}' }];
    const timed = { trigger: 'BEFORE_BOOKING_START', offset: { value: 2, unit: 'MINUTE' } };
    await mutate('teamWorkflowCreate', { teamId, name: 'Reminder', ...timed, steps }, 'workflowId');
    const slots = await slotsOf(ada, eventTypeId);
    const attendee = { name: 'Grace', email: 'grace@example.test', timeZone: 'UTC' };
    const booked = { eventTypeId, start: slots[0], attendee };
    const {
      booking: { uid: before },
    } = await mutate('bookingCreate', booked, 'booking { uid }');
    const moved = await mutate('bookingReschedule', { uid: before, start: slots[1] }, 'booking { uid }');
    const em = () => database.em.fork();
    const planned = () =>
      row(
        em(),
        sql<{
          count: number;
        }>`select count(*)::int as count from workflow_reminders where booking_id = ${uuidOf(moved.booking.uid)}`,
      );
    await expect.poll(planned, { timeout: paced(30_000) }).toEqual({ count: 1 });

    const { promise: taken, resolve: take } = Promise.withResolvers<void>();
    const reminders = () => mailServer.mails.filter(({ email }) => email.subject === 'Reminder');
    // Takes the reminder, and never says so.
    mailServer.onTaken = () => (reminders().length === 0 ? undefined : (take(), new Promise(() => undefined)));
    // Both bookings come nearer: the new one begins in two minutes and two seconds, and the old one began before.
    const nearer = (column: string) => sql`${sql.ref(column)} - (
    select starts_at - now() - interval '122 seconds' from bookings where id = ${uuidOf(moved.booking.uid)})`;
    await em().transactional(async (inner) => {
      await changed(inner, sql`update workflow_reminders set due_at = ${nearer('due_at')}`);
      await changed(inner, sql`update bookings set starts_at = ${nearer('starts_at')}, ends_at = ${nearer('ends_at')}`);
    });
    await taken;
    const [reminder] = reminders();
    await first.kill('SIGKILL');
    mailServer.onTaken = () => undefined;
    await start();
    // It comes once more, as nobody knows that it has come, with the same id.
    await expect.poll(() => reminders().length, { timeout: paced(60_000) }).toBe(2);
    expect(new Set(reminders().map(({ email }) => email.messageId))).toEqual(new Set([reminder?.email.messageId]));
    const left = () =>
      row(em(), sql<{ count: number }>`select count(*)::int as count from workflow_sendings where status <> 'SENT'`);
    await expect.poll(left, { timeout: paced(30_000) }).toEqual({ count: 0 });
    expect(await row(em(), sql`select count(*)::int as count from workflow_sendings`)).toEqual({ count: 1 });
  },
);
