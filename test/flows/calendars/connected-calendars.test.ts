import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rows, sql } from '../../../src/database/sql.ts';
import { type CalendarService, compact } from '../../support/calendar-services.ts';
import { idOfUid } from '../../support/ids.ts';
import { hasRadicale } from '../../support/radicale.ts';
import { type CalendarWorld, type Host, openCalendarWorld } from './support/calendar-world.ts';

describe.runIf(hasRadicale)('calendars of accounts elsewhere (skipped where Radicale is not installed)', () => {
  let world: CalendarWorld;
  beforeAll(async () => {
    world = await openCalendarWorld();
  });
  afterEach(() => world.forget());
  afterAll(() => world.close());

  describe.each(['APPLE', 'GOOGLE', 'OFFICE365'] as const)('at %s', (provider) => {
    let service: CalendarService;
    let host: Host;
    beforeEach(async () => {
      service = world.services[provider];
      host = await world.aHost();
    });

    test('an event closes its slot and refuses its booking, until the account is disconnected', async () => {
      const [taken = '', next = ''] = await host.page.slots();
      await service.putEvent(host.account, 'dentist', taken, next);
      await world.connect(host, provider);
      const [{ id, calendars, ...shown }] = await world.connected(host);
      expect(shown).toEqual({ provider, username: host.account, status: 'CONNECTED' });
      expect(calendars[0]).toEqual({ name: 'Work', isPrimary: true, isSelected: true, isDestination: true });
      expect(calendars.filter(({ isSelected }: { isSelected: boolean }) => isSelected)).toHaveLength(1);
      await world.background();
      expect(await host.page.slots()).not.toContain(taken);
      const refused = await world.api.nobody.change('bookingCreate', host.page.request(taken));
      expect(refused.mistakes).toEqual(['SLOT_TAKEN start']);
      expect((await host.page.host.change('calendarAccountDisconnect', { calendarAccountId: id })).mistakes).toEqual(
        [],
      );
      expect(await host.page.slots()).toContain(taken);
      expect(await world.connected(host)).toEqual([]);
      const kept = await rows(world.em(), sql`select 1 from connections where user_id = ${host.userId}`);
      expect(kept).toEqual([]);
      // Microsoft knows no way to revoke.
      let revoked = false;
      world.consents.atRevocation = () => !(revoked = true);
      await world.background();
      expect(revoked).toBe(provider === 'GOOGLE');
    });

    test('bookings appear there, move and disappear; two at once are two', async () => {
      await world.connect(host, provider);
      const [first = '', second = '', third = ''] = await host.page.slots();
      const [uid] = await Promise.all([host.page.book(first), host.page.book(second)]);
      await world.background();
      expect(await service.startsOf(host.account)).toEqual([first, second].map(compact));
      const input = { uid, start: third };
      const moved = await world.api.nobody.change('bookingReschedule', input, 'booking { uid }');
      expect(moved.mistakes).toEqual([]);
      const now = moved.data.booking.uid;
      await world.background();
      expect(await service.startsOf(host.account)).toEqual([second, third].map(compact));
      // An entry that is written there is read again, and does not stand in its own way.
      await world.background('LATER');
      expect(await host.page.slots(`, bookingUidToReschedule: "${now}"`)).toContain(third);
      const { me } = (await host.page.host.ask(`{ me { booking(id: "${idOfUid(now)}") { references { app } } } }`))
        .data;
      expect(me.booking.references).toEqual([{ app: `${provider.toLowerCase()}-calendar` }]);
      expect(
        (await host.page.host.change('userBookingCancel', { bookingId: idOfUid(now), reason: 'Ill' })).mistakes,
      ).toEqual([]);
      await world.background();
      expect(await service.startsOf(host.account)).toEqual([compact(second)]);
    });

    test('a server that is down keeps nobody from booking, and gets the entry when it is back', async () => {
      await world.connect(host, provider);
      const [start = ''] = await host.page.slots();
      await service.stop();
      await host.page.book(start);
      await world.background();
      await service.resume();
      expect(await service.startsOf(host.account)).toEqual([]);
      await world.background('LATER');
      expect(await service.startsOf(host.account)).toEqual([compact(start)]);
    });
  });

  describe('events of Microsoft Graph', () => {
    let host: Host;
    beforeEach(async () => {
      world.graph.instead = () => false;
      host = await world.aHost();
    });

    test('closes slots where they are busy, on whole days of the user’s zone too, and not where they are free', async () => {
      const slots = await host.page.slots();
      const [zone, ...days] = ['Pacific/Auckland', ...new Set(slots.map((start) => start.slice(0, 10)))];
      expect((await host.page.host.change('profileUpdate', { timeZone: zone })).mistakes).toEqual([]);
      const at = (time: string) => slots.find((start) => start.endsWith(`T${time}:00Z`)) ?? '';
      const put = (id: string, start: string, more = {}) =>
        world.graph.putEvent(
          host.account,
          id,
          start,
          Temporal.Instant.from(start).add({ minutes: 30 }).toString(),
          more,
        );
      await put('busy', at('09:00'));
      await put('out', at('09:30'), { showAs: 'oof' });
      await put('perhaps', at('10:00'), { showAs: 'tentative' });
      await put('free', at('10:30'), { showAs: 'free' });
      await put('elsewhere', at('11:00'), { showAs: 'workingElsewhere' });
      await put('over', at('11:30'), { isCancelled: true });
      await put('declined', at('12:00'), { responseStatus: { response: 'declined' } });
      const [, , day = ''] = days;
      const next = Temporal.PlainDate.from(day).add({ days: 1 });
      await world.graph.putEvent(host.account, 'day', `${day}T00:00:00Z`, `${next.toString()}T00:00:00Z`, {
        isAllDay: true,
      });
      await world.connect(host, 'OFFICE365');
      await world.background();
      const busy = await host.page.host.ask(
        `{ me { busyTimes(start: "${slots[0]?.slice(0, 10)}T00:00:00Z", end: "${next.add({ days: 2 }).toString()}T00:00:00Z", timeZone: "UTC") { start end } } }`,
      );
      const midnight = Temporal.PlainDate.from(day).toZonedDateTime(zone ?? '');
      expect(busy.data.me.busyTimes).toEqual([
        { start: at('09:00'), end: at('10:30') },
        { start: midnight.toInstant().toString(), end: midnight.add({ days: 1 }).toInstant().toString() },
      ]);
    });

    test.each<readonly [string, object]>([
      ['a list that leads elsewhere', { value: [], '@odata.nextLink': 'https://thief.example/v1.0/me/calendars' }],
      ['an event without a time', { value: [{ id: 'x', start: {} }] }],
      ['a time in another zone', { value: [{ start: { dateTime: '2026-12-01T09:00:00', timeZone: 'CET' } }] }],
      ['something else', { answer: 42 }],
    ])('is not taken where it is %s: what is known stays', async (_what, answer) => {
      const [taken = '', next = ''] = await host.page.slots();
      await world.graph.putEvent(host.account, 'dentist', taken, next);
      await world.connect(host, 'OFFICE365');
      await world.background();
      await world.graph.putEvent(host.account, 'dentist', next, taken);
      world.graph.instead = ({ url }, response) => {
        if (!url?.includes('/calendarView')) return false;
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
        return true;
      };
      await world.background('LATER');
      expect(await host.page.slots()).not.toContain(taken);
    });

    test('is sent once more when no answer came: there is one entry, under one UID', async () => {
      await world.connect(host, 'OFFICE365');
      const [start = ''] = await host.page.slots();
      await host.page.book(start);
      let posted = 0;
      world.graph.instead = ({ method }, response) => {
        if (method === 'POST') posted += 1;
        // It is written, and the answer is lost.
        if (method === 'POST') response.end = () => response.destroy();
        return false;
      };
      await world.background();
      world.graph.instead = () => false;
      await world.background('LATER');
      expect([posted, await world.graph.startsOf(host.account)]).toEqual([1, [compact(start)]]);
      expect(world.graph.contentOf(host.account)).toContain('"subject":"Talk with Grace"');
      expect(world.graph.contentOf(host.account)).not.toContain('attendees');
    });

    test('is asked for an entry whose answer was lost, to take it out again of a booking that is cancelled', async () => {
      await world.connect(host, 'OFFICE365');
      const [start = ''] = await host.page.slots();
      const uid = await host.page.book(start);
      world.graph.instead = ({ method }, response) => {
        if (method === 'POST') response.end = () => response.destroy();
        return false;
      };
      await world.background();
      expect(await world.graph.startsOf(host.account)).toEqual([compact(start)]);
      world.graph.instead = () => false;
      expect(
        (await host.page.host.change('userBookingCancel', { bookingId: idOfUid(uid), reason: 'Ill' })).mistakes,
      ).toEqual([]);
      await world.background('LATER');
      expect(await world.graph.startsOf(host.account)).toEqual([]);
    });

    test('that it is too much is heeded: the entry follows when it said, and no sooner', async () => {
      await world.connect(host, 'OFFICE365');
      await host.page.book((await host.page.slots())[0] ?? '');
      world.graph.instead = ({ method }, response) => {
        if (method === 'POST') response.writeHead(429, { 'retry-after': '5000' }).end();
        return method === 'POST';
      };
      await world.background();
      const [waiting] = await rows(
        world.em(),
        sql<{ minutes: number }>`select extract(epoch from max(start_after) - now()) / 60 as minutes from jobs.job
          where queue = 'calendar-entries' and state = 'created' and data->>'hostId' = ${host.userId}`,
      );
      expect(Number(waiting?.minutes)).toBeGreaterThan(60);
    });
  });
});
