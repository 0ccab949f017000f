import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { selectColumns } from '../../../src/database/columns.ts';
import { row, rows, sql } from '../../../src/database/sql.ts';
import { createGuessLimit } from '../../../src/limits/guess-limit.ts';
import { CalendarConnection } from '../../../src/modules/calendars/connections/calendar-connection.entity.ts';
import {
  ACCOUNT_COLUMNS,
  type StoredAccount,
} from '../../../src/modules/calendars/connections/calendar-connection.queries.ts';
import { CalendarFailure } from '../../../src/modules/calendars/connections/calendar-provider.ts';
import {
  ACCOUNT_TRIES,
  connectCaldav,
  reconnectCalendars,
} from '../../../src/modules/calendars/connections/connect-caldav.ts';
import { CalDav } from '../../../src/modules/calendars/connections/servers/caldav.ts';
import { compact } from '../../support/calendar-services.ts';
import { isOnPostgres } from '../../support/database.ts';
import { outcomeOf } from '../../support/outcome.ts';
import { hasRadicale } from '../../support/radicale.ts';
import { type CalendarWorld, type Host, openCalendarWorld } from './support/calendar-world.ts';

const listing = () => vi.spyOn(CalDav.prototype, 'list');

describe.runIf(hasRadicale)('accounts that fail (skipped where Radicale is not installed)', () => {
  let world: CalendarWorld;
  let host: Host;
  beforeAll(async () => {
    world = await openCalendarWorld();
  });
  beforeEach(async () => {
    host = await world.aHost();
  });
  afterEach(() => {
    vi.restoreAllMocks();
    return world.forget();
  });
  afterAll(() => world.close());

  const account = async () => {
    const found = await row(
      world.em(),
      sql<StoredAccount>`select ${selectColumns(CalendarConnection, ACCOUNT_COLUMNS, 'a')} from calendar_connections a
        where a.user_id = ${host.userId}`,
    );
    if (!found) throw new Error('Nothing is connected.');
    return found;
  };
  const health = () =>
    row(
      world.em(),
      sql<{ failing: boolean; notified: boolean }>`
        select failing_since is not null as failing, notified_at is not null as notified from calendar_connections
        where user_id = ${host.userId}`,
    );
  const failFor = (interval: string) =>
    rows(
      world.em(),
      sql`update calendar_connections set failing_since = now() - ${interval}::interval where user_id = ${host.userId} returning id`,
    );
  const use = async (stored: StoredAccount) =>
    world.calendarAccounts
      .use(world.em(), stored, (provider, authorization) => provider.check(authorization))
      .catch((error: unknown) => (error instanceof CalendarFailure ? error.kind : Promise.reject(error)));
  const names = async () => {
    const [{ calendars }] = await world.connected(host);
    return calendars.map(({ name }: { name: string }) => name).filter((name: string) => /Work|Team/.test(name));
  };
  /** As after the hour in which calendars are listed again. */
  const hourLater = async () => {
    await rows(
      world.em(),
      sql`update connected_calendars set missing_since = missing_since - interval '1 hour' where missing_since is not null returning id`,
    );
    await world.background('LATER');
  };
  const reconnect = async (by = host) => {
    const [{ id }] = await world.connected(host);
    return by.page.host.change('calendarAccountReconnect', { calendarAccountId: id }, 'calendarAccount { status }');
  };
  /** As after the seconds in which the last answer counts as new. */
  const secondsLater = () =>
    rows(
      world.em(),
      sql`update calendar_connections set asked_at = asked_at - interval '6 seconds', answered_at = answered_at - interval '6 seconds',
            refused_at = refused_at - interval '6 seconds' returning id`,
    );
  /** @returns a way to have the server take the password again, which has refused it once */
  const refuse = async (provider: 'APPLE' | 'CALDAV') => {
    await world.connect(host, provider);
    await world.background();
    const mistake = await world.radicale.changePassword(host.account);
    await world.background('LATER');
    expect((await account()).refusedAt).not.toBeNull();
    return mistake.back;
  };
  const subjects = () => world.mails.map(({ subject }) => subject);

  test.each(['GOOGLE', 'OFFICE365'] as const)(
    'are reported once when the consent at %s is taken back, however many find out, and again once they had worked',
    async (provider) => {
      await world.connect(host, provider);
      const stored = await account();
      for (const mails of [1, 2]) {
        await world.consents.revoke(host.account);
        const current = await account();
        const found = await Promise.all(Array.from({ length: 8 }, () => use(current)));
        expect(new Set(found)).toEqual(new Set(['REVOKED']));
        await world.background('LATER');
        await world.background('LATER');
        expect(subjects()).toEqual(Array.from({ length: mails }, () => 'Please reconnect your calendars'));
        await world.connect(host, provider);
        expect(await health()).toEqual({ failing: false, notified: false });
      }
      expect(world.mails[0]?.text).toContain(host.account);
      // A process that still holds what opened the account before says nothing of it.
      expect(await use(stored)).toBe('REVOKED');
      expect(await health()).toEqual({ failing: false, notified: false });
    },
  );

  test.each(['APPLE', 'CALDAV'] as const)(
    'are reported at once when %s refuses the password, which is not sent again by itself; connected again, all is well',
    async (provider) => {
      await world.connect(host, provider);
      await world.background();
      const changed = await world.radicale.changePassword(host.account);
      await world.background('LATER');
      expect([await health(), subjects()]).toEqual([
        { failing: true, notified: true },
        ['Please reconnect your calendars'],
      ]);
      // The right password again: nobody finds out, as nobody asks.
      await changed.back();
      await world.background('LATER');
      expect([await use(await account()), await health()]).toEqual(['REFUSED', { failing: true, notified: true }]);
      expect((await world.connected(host))[0].status).toBe('BROKEN');
      expect(subjects().length).toBe(1);
      await world.connect(host, provider);
      expect([await use(await account()), await health()]).toEqual([undefined, { failing: false, notified: false }]);
      expect((await world.connected(host))[0].status).toBe('CONNECTED');
    },
  );

  describe('with a refused password that their user tries once more', () => {
    test.each(['APPLE', 'CALDAV'] as const)(
      'are live again at %s, are read, and get the bookings of the meantime at once',
      async (provider) => {
        const mended = await refuse(provider);
        const [start = '', taken = '', next = ''] = await host.page.slots();
        await host.page.book(start);
        await world.background();
        expect((await reconnect()).mistakes).toEqual(['WRONG_CREDENTIALS calendarAccountId']);
        expect((await world.connected(host))[0].status).toBe('BROKEN');
        await mended();
        await world.radicale.putEvent(host.account, `${world.radicale.url}${host.account}/work/`, 'dentist', [
          `DTSTART:${compact(taken)}`,
          `DTEND:${compact(next)}`,
        ]);
        await secondsLater();
        const { mistakes, data } = await reconnect();
        expect([mistakes, data.calendarAccount]).toEqual([[], { status: 'CONNECTED' }]);
        expect([await health(), (await account()).refusedAt]).toEqual([{ failing: false, notified: false }, null]);
        // At once, and not when the next attempt of their own would be due.
        await world.background();
        expect(await world.services[provider].startsOf(host.account)).toEqual([compact(start)]);
        expect(await host.page.slots()).not.toContain(taken);
        expect(subjects()).toEqual(['Please reconnect your calendars']);
      },
    );

    test('get the bookings of the meantime at once, too, where a new password is given', async () => {
      const mended = await refuse('APPLE');
      const [start = ''] = await host.page.slots();
      await host.page.book(start);
      await world.background();
      await mended();
      await world.connect(host, 'APPLE');
      await world.background();
      expect(await world.services.APPLE.startsOf(host.account)).toEqual([compact(start)]);
    });

    test.runIf(isOnPostgres)('have their server asked once for fifty at the same moment', async () => {
      const mended = await refuse('CALDAV');
      for (const expected of ['WRONG_CREDENTIALS calendarAccountId', undefined]) {
        if (expected === undefined) await mended();
        await secondsLater();
        const asked = listing();
        const all = await Promise.all(Array.from({ length: 50 }, () => reconnect()));
        expect([all.map(({ mistakes: [mistake] }) => mistake), asked.mock.calls.length]).toEqual([
          Array.from({ length: 50 }, () => expected),
          1,
        ]);
        vi.restoreAllMocks();
      }
    });

    test('send it once for each try, which counts for the account there, whoever tries it', async () => {
      await refuse('CALDAV');
      const other = await world.aHost();
      const tries = createGuessLimit(ACCOUNT_TRIES, world.api.database);
      const settings = { accounts: world.calendarAccounts, tries };
      const guess = { username: host.account, appPassword: 'a guess', server: world.radicale.url, acceptedHosts: [] };
      const guesses = () => outcomeOf(connectCaldav(world.em(), other.userId, guess, settings));
      const { id } = await account();
      const again = () => outcomeOf(reconnectCalendars(world.em(), { ownerId: host.userId, id }, settings));
      for (let n = 0; n < 4; n += 1) expect(await guesses()).toBe('WRONG_CREDENTIALS');
      const asked = listing();
      for (let n = 0; n < 6; n += 1) {
        await secondsLater();
        expect(await again()).toBe('WRONG_CREDENTIALS');
        await world.background('LATER');
      }
      await secondsLater();
      // Twice, as nobody was asked, so that no answer counts as new.
      expect([await again(), await again()]).toEqual(['TOO_MANY_GUESSES', 'TOO_MANY_GUESSES']);
      expect(await guesses()).toBe('TOO_MANY_GUESSES');
      expect(asked).toHaveBeenCalledTimes(6);
    });

    test('stay as they are where the server does not answer, and may be tried again', async () => {
      const mended = await refuse('APPLE');
      await mended();
      await world.radicale.stop();
      expect((await reconnect()).mistakes).toEqual(['NOT_REACHABLE']);
      expect((await account()).refusedAt).not.toBeNull();
      await world.radicale.resume();
      await secondsLater();
      expect((await reconnect()).mistakes).toEqual([]);
    });

    test('are nobody else’s, and are asked nothing where nothing is refused', async () => {
      await world.connect(host, 'APPLE');
      const asked = listing();
      const other = await world.aHost();
      expect((await reconnect(other)).mistakes).toEqual(['NOT_FOUND calendarAccountId']);
      expect((await reconnect()).mistakes).toEqual([]);
      expect(asked).not.toHaveBeenCalled();
      await world.forget();
      await world.connect(host, 'GOOGLE');
      expect((await reconnect()).mistakes).toEqual(['NOT_POSSIBLE']);
    });

    test('keep what they were connected with anew while the old password is tried', async () => {
      const mended = await refuse('APPLE');
      const [began, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      listing().mockImplementationOnce(async () => {
        began.resolve();
        await goesOn.promise;
        return { account: host.account, calendars: [] };
      });
      const trying = reconnect();
      await began.promise;
      await mended();
      await world.connect(host, 'APPLE');
      const { credentials } = await account();
      goesOn.resolve();
      expect((await trying).mistakes).toEqual([]);
      expect((await account()).credentials).toBe(credentials);
    });
  });

  test('are reported after two days when the server does not answer, and not after a night; back again, all is forgotten', async () => {
    await world.connect(host, 'OFFICE365');
    await world.graph.stop();
    for (const [interval, mails] of [
      ['0 hours', 0],
      ['47 hours', 0],
      ['49 hours', 1],
      ['100 hours', 1],
    ] as const) {
      await failFor(interval);
      await world.background('LATER');
      await use(await account());
      expect([interval, subjects().length]).toEqual([interval, mails]);
    }
    expect(subjects()).toEqual(['We can’t reach your calendars']);
    await world.graph.resume();
    await world.background('LATER');
    expect(await health()).toEqual({ failing: false, notified: false });
  });

  test('are not taken for well because of an answer to what was asked before they failed', async () => {
    await world.connect(host, 'GOOGLE');
    const stored = await account();
    const [began, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = world.calendarAccounts.use(world.em(), stored, async () => {
      began.resolve();
      await answered.promise;
    });
    await began.promise;
    await world.consents.revoke(host.account);
    expect(await use(stored)).toBe('REVOKED');
    answered.resolve();
    await slow;
    expect(await health()).toEqual({ failing: true, notified: true });
  });

  test('are well though a calendar is too large; it says so, and its user is notified once, and again only after it was read', async () => {
    const [taken = '', next = ''] = await host.page.slots();
    await world.graph.putEvent(host.account, 'dentist', taken, next);
    await world.connect(host, 'OFFICE365');
    await world.background();
    const shown = async () => {
      const { data } = await host.page.host.ask(
        '{ me { calendarAccounts { nodes { status calendars { name lastError } } } } }',
      );
      const [{ status, calendars }] = data.me.calendarAccounts.nodes;
      return [status, calendars.find(({ name }: { name: string }) => name === 'Work').lastError];
    };
    expect(await shown()).toEqual(['CONNECTED', null]);
    for (const mailsBefore of [0, 1]) {
      let page = 0;
      world.graph.instead = (request, response) => {
        if (!/calendarView|page/.test(request.url ?? '')) return false;
        page += 1;
        const answer = { value: [], '@odata.nextLink': `http://${request.headers.host}/v1.0/page/${page}` };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
        return true;
      };
      for (const notified of [0, 0, 1, 1]) {
        await world.background('LATER');
        expect(subjects()).toEqual(
          Array.from({ length: mailsBefore + notified }, () => 'We can’t read one of your calendars'),
        );
      }
      expect([await shown(), await health()]).toEqual([
        ['CONNECTED', 'The calendar has too many events.'],
        { failing: false, notified: false },
      ]);
      expect(await host.page.slots()).not.toContain(taken);
      world.graph.instead = () => false;
      await world.background('LATER');
      expect(await shown()).toEqual(['CONNECTED', null]);
    }
    expect(world.mails[0]?.text).toContain('“Work” of your Office 365 account');
    expect(world.mails[0]?.text).toContain('too many events');
  });

  test('are reported to verified addresses alone', async () => {
    await world.connect(host, 'GOOGLE');
    await rows(world.em(), sql`update users set email_verified_at = null where id = ${host.userId} returning id`);
    await world.consents.revoke(host.account);
    await world.background('LATER');
    expect([await health(), subjects()]).toEqual([{ failing: true, notified: true }, []]);
  });

  describe('their calendars', () => {
    const changes = {
      APPLE: {
        make: async (name: string) => void (await world.radicale.makeCalendar(host.account, name)),
        remove: async (name: string) =>
          void (await world.radicale.request('DELETE', host.account, `${host.account}/${name.toLowerCase()}/`)),
      },
      OFFICE365: {
        make: async (name: string) => world.graph.makeCalendar(host.account, name),
        remove: async (name: string) => world.graph.removeCalendar(host.account, name),
      },
    };
    // A server that lists none at all is taken for a hiccup: CalDAV's has no others.
    test.each([
      ['APPLE', ['Team']],
      ['OFFICE365', []],
    ] as const)(
      'at %s appear when they are made there, and are gone when they are missing twice; their user is notified',
      async (provider, left) => {
        const [taken = '', next = ''] = await host.page.slots();
        await world.services[provider].putEvent(host.account, 'dentist', taken, next);
        await world.connect(host, provider);
        await world.background();
        await changes[provider].make('Team');
        await hourLater();
        expect((await names()).toSorted()).toEqual(['Team', 'Work']);
        expect(await host.page.slots()).not.toContain(taken);
        await changes[provider].remove('Work');
        await hourLater();
        expect([await names(), subjects()]).toEqual([expect.arrayContaining(['Work']), []]);
        await hourLater();
        expect([await names(), subjects()]).toEqual([['Team'], ['A connected calendar is gone']]);
        expect(world.mails[0]?.text).toContain('“Work”');
        expect(world.mails[0]?.text).toContain('From now on, they’re added to “Team”');
        expect(await host.page.slots()).toContain(taken);
        await changes[provider].remove('Team');
        await hourLater();
        await hourLater();
        expect(await names()).toEqual(left);
      },
    );

    test('that are missing once are there again as they were', async () => {
      await world.connect(host, 'OFFICE365');
      await world.background();
      const before = await world.connected(host);
      world.graph.instead = ({ url }, response) => {
        if (!url?.startsWith('/v1.0/me/calendars?')) return false;
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ value: [{ id: 'x', name: 'X' }] }));
        return true;
      };
      await hourLater();
      world.graph.instead = () => false;
      await hourLater();
      await hourLater();
      expect(await world.connected(host)).toEqual(before);
      expect(subjects()).toEqual([]);
    });
  });
});
