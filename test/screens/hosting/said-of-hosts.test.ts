/** Pages tell the truth about a host: their own words, their hours, what is offered, and what became of a booking. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { formAt, GRACE, type Host, hostOf, see } from '../../support/booking-visitor.ts';
import { shownPage, TestBrowser } from '../../support/test-browser.ts';

let app: TestApp;
let dan: Host;
beforeAll(async () => {
  app = await startTestApp();
  dan = await hostOf(app, 'dan@solo.test', 'dan');
});
afterAll(() => app.close());

test('a booking page shows what its user writes of themselves, as plain text, and their picture; a private link has none', async () => {
  const profile = { bio: 'I <b>build</b> boats.', avatarUrl: 'https://pictures.example/dan.png' };
  await dan.browser.mutate('profileUpdate', profile, 'userErrors { code }');
  const visitor = new TestBrowser(app.url);
  const place = await see(visitor, '/book/dan');
  expect(place.html).toContain('I &lt;b&gt;build&lt;/b&gt; boats.');
  const offer = await dan.offer();
  for (const page of [place, await see(visitor, offer.path), await formAt(visitor, offer)]) {
    expect(page.html).toContain('<img class="portrait" src="https://pictures.example/dan.png"');
    expect(page.headers.get('content-security-policy')).toContain("img-src 'self' data: https://pictures.example;");
  }
  const made = await dan.browser.mutate<{ privateLink: { url: string } }>(
    'privateLinkCreate',
    { eventTypeId: offer.eventTypeId },
    'privateLink { url }',
  );
  const linked = await see(visitor, new URL(made.privateLink.url).pathname);
  expect(linked.html).not.toContain('pictures.example');
  await dan.browser.mutate('profileUpdate', { bio: null, avatarUrl: null }, 'userErrors { code }');
  expect((await see(visitor, '/book/dan')).html).not.toMatch(/portrait|boats/);
});

test('the page that greets a host says their hours and what they offer as they are by now', async () => {
  const ada = await hostOf(app, 'ada@acme.test', 'ada');
  const { me } = await ada.browser.ask<{ me: { defaultSchedule: { id: string } } }>(
    '{ me { defaultSchedule { id } } }',
  );
  const scheduleId = me.defaultSchedule.id;
  const change = (availability: object[]) =>
    ada.browser.mutate('scheduleUpdate', { scheduleId, availability }, 'userErrors { code }');
  await change([
    { days: ['TUESDAY', 'WEDNESDAY', 'THURSDAY'], start: '10:00', end: '12:30' },
    { days: ['SATURDAY', 'SUNDAY'], start: '08:00', end: '09:00' },
  ]);
  const { text } = await see(ada.browser, '/welcome');
  expect(text).toContain('Tuesday to Thursday, 10:00 to 12:30');
  expect(text).toContain('Saturday and Sunday, 08:00 to 09:00');
  expect(text).not.toContain('Monday');
  expect(text).not.toContain('09:00 to 17:00');
  await change([]);
  expect((await see(ada.browser, '/welcome')).text).toContain('You have no weekly hours');
});

test('a booking that was moved and waits for its host is nowhere said to have been rescheduled', async () => {
  const offer = await dan.offer({ confirmation: { type: 'ALWAYS' } });
  const visitor = new TestBrowser(app.url);
  const booked = shownPage(await visitor.submit(await formAt(visitor, offer), { ...GRACE, step: 'book' }));
  const question = await see(visitor, `${booked.address.split('?')[0]}/reschedule?start=${offer.starts[3]}`);
  const moved = shownPage(await visitor.submit(question, { reason: '' }));
  expect(moved.text).toContain('You requested a new time.');
  expect(moved.text).toContain('Not confirmed yet');
  expect(moved.text).not.toContain('rescheduled');
  const plain = await dan.offer();
  const sure = shownPage(await visitor.submit(await formAt(visitor, plain, 5), { ...GRACE, step: 'book' }));
  const again = await see(visitor, `${sure.address.split('?')[0]}/reschedule?start=${plain.starts[8]}`);
  expect(shownPage(await visitor.submit(again, { reason: '' })).text).toContain('The booking was rescheduled.');
});
