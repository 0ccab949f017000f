import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { idOfUid } from '../support/ids.ts';
import { MailServer } from '../support/mail-server.ts';
import { mailsSettled } from '../support/mails-settled.ts';
import type { TestBrowser } from '../support/test-browser.ts';
import { aPerson, signUp } from './accounts/mailbox.ts';

/** To one mailbox in an hour. */
const MOST = 5;
const ACCOUNTS = 3;

let app: TestApp;
let mailServer: MailServer;
beforeAll(async () => {
  mailServer = await MailServer.open();
  const limits = `receiver=${MOST},host=50`;
  app = await startTestApp({ SMTP_URL: mailServer.url, MAIL_LIMITS: limits }, { runsJobs: true });
});
afterAll(async () => {
  await app.close();
  await mailServer.close();
});

/** Books an event type of their own, and says again and again that it is elsewhere. */
async function changePlaces(browser: TestBrowser): Promise<void> {
  const eventType = { slug: 'a', title: 'A', durationInMinutes: 30 };
  const { eventTypeId } = await browser.mutate<{ eventTypeId: string }>('eventTypeCreate', eventType, 'eventTypeId');
  const day = Temporal.Now.instant().toZonedDateTimeISO('UTC').startOfDay().add({ days: 2 });
  const [start, end] = [day, day.add({ days: 7 })].map((time) => time.toInstant().toString());
  const { slots } = await browser.ask<{ slots: { start: string }[] }>(
    `{ slots(eventType: { id: "${eventTypeId}" }, start: "${start}", end: "${end}") { start } }`,
  );
  const attendee = { name: 'Eve', email: 'eve@example.test', timeZone: 'UTC' };
  const input = { eventTypeId, start: slots[0]?.start, attendee };
  const { uid } = (await browser.mutate<{ booking: { uid: string } }>('bookingCreate', input, 'booking { uid }'))
    .booking;
  for (let number = 0; number < MOST; number += 1) {
    const location = { type: 'ADDRESS', address: `Street ${number}` };
    await browser.mutate('bookingLocationUpdate', { bookingId: idOfUid(uid), location }, 'bookingId');
  }
}

test('hosts who are not verified mail themselves as strangers do, and nobody else', async () => {
  for (let account = 0; account < ACCOUNTS; account += 1) await changePlaces(await signUp(app.url, aPerson()));
  const mails = await mailsSettled(app, mailServer);
  const each = [...Map.groupBy(mails, ({ mailbox }) => mailbox).values()].map(({ length }) => length);
  expect(each).toEqual(Array.from({ length: ACCOUNTS }, () => MOST));
});
