import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rows, sql } from '../../../src/database/sql.ts';
import { type CalendarService, compact } from '../../support/calendar-services.ts';

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
      expect(shown).toEqual({ provider, account: host.account, status: 'CONNECTED' });
      expect(calendars[0]).toEqual({ name: 'Work', primary: true, selected: true, destination: true });
      expect(calendars.filter(({ selected }: { selected: boolean }) => selected)).toHaveLength(1);
      await world.background();
      expect(await host.page.slots()).not.toContain(taken);
      const refused = await world.api.nobody.change('bookingCreate', host.page.request(taken));
      expect(refused.mistakes).toEqual(['SLOT_TAKEN start']);
      expect((await host.page.host.change('calendarDisconnect', { calendarAccountId: id })).mistakes).toEqual([]);
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
      const moved = await host.page.host.change('bookingReschedule', input, 'booking { uid }');
      expect(moved.mistakes).toEqual([]);
      const now = moved.data.booking.uid;
      await world.background();
      expect(await service.startsOf(host.account)).toEqual([second, third].map(compact));
      // What is written there is read again, and does not stand in its own way.
      await world.background('LATER');
      expect(await host.page.slots(`, bookingUidToReschedule: "${now}"`)).toContain(third);
      const { me } = (await host.page.host.ask(`{ me { booking(uid: "${now}") { references { app } } } }`)).data;
      expect(me.booking.references).toEqual([{ app: `${provider.toLowerCase()}-calendar` }]);
      expect((await host.page.host.change('bookingCancel', { uid: now, reason: 'Ill' })).mistakes).toEqual([]);
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
});
