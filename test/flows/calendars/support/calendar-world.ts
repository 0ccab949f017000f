import { expect } from 'vitest';
import { rows, sql } from '../../../../src/database/sql.ts';
import { calendarAccountKinds } from '../../../../src/jobs/kinds/calendar-accounts.job.ts';
import { calendarEntryKinds } from '../../../../src/jobs/kinds/calendar-entries.job.ts';
import { calendarReadingsKind } from '../../../../src/jobs/kinds/calendar-readings.job.ts';
import { connectionsKind } from '../../../../src/jobs/kinds/connections.job.ts';
import { mailKind } from '../../../../src/jobs/kinds/mail.job.ts';
import { MailLimit } from '../../../../src/limits/mail-limit.ts';
import type { Mailer } from '../../../../src/mail/mailer.ts';
import { openCalendarProviders } from '../../../../src/modules/calendars/connections/calendar-access.ts';
import { CalendarAccounts } from '../../../../src/modules/calendars/connections/calendar-accounts.ts';
import type {
  CalendarProviderName,
  OAuthCalendarProvider,
} from '../../../../src/modules/calendars/connections/calendar-connection.rules.ts';
import { CALLBACK_PATH, Connections } from '../../../../src/modules/connections/connections.ts';
import { type BookingPage, openBookingPage } from '../../../api/booking-pages.ts';
import { aRunner, letTimePass } from '../../../jobs/support/jobs.ts';
import { testDoor } from '../../../jobs/support/webhooks.ts';
import { AccountProvider } from '../../../support/account-provider.ts';
import { openTestApi } from '../../../support/api.ts';
import { TEST_CREDENTIALS } from '../../../support/calendar-accounts.ts';
import { type CalendarService, GoogleCalendars, overRadicale } from '../../../support/calendar-services.ts';
import { ConnectingBrowser } from '../../../support/connecting-browser.ts';
import { GraphServer } from '../../../support/graph-server.ts';
import { uuidOf } from '../../../support/ids.ts';
import { PASSWORD, Radicale } from '../../../support/radicale.ts';
import { asSent, type SentMail } from '../../../support/sent-mail.ts';
import { UIDS } from '../../../support/uids.ts';

const HERE = 'http://localhost:4000';
const ACCOUNTS = Array.from({ length: 40 }, (_, n) => `ada-${n}@calendars.test`);
const TITLES = { GOOGLE: 'Google Calendar', OFFICE365: 'Office 365' };
const LIST =
  '{ me { calendarAccounts { nodes { id provider username status calendars { name isPrimary isSelected isDestination } } } } }';

/** Somebody who can be booked, and an account of theirs elsewhere, at each provider the same. */
export interface Host {
  readonly page: BookingPage;
  readonly userId: string;
  readonly account: string;
}

export type CalendarWorld = Awaited<ReturnType<typeof openCalendarWorld>>;

/** @returns the address that a browser is to go to */
export const beginConnecting = async ({ page }: Host, provider: CalendarProviderName) =>
  (await page.host.change('calendarAccountConnect', { provider }, 'authorizationUrl')).data.authorizationUrl as string;

/** The service, and the servers at which its users have calendars: Radicale, the doors to it, and Graph's. */
export async function openCalendarWorld() {
  const door = testDoor(10_000);
  const [radicale, consents] = await Promise.all([
    Radicale.start(ACCOUNTS),
    AccountProvider.open(`${HERE}${CALLBACK_PATH}`),
  ]);
  const [google, graph] = await Promise.all([GoogleCalendars.start(radicale, consents), GraphServer.start(consents)]);
  const clients = { GOOGLE: google.client, OFFICE365: graph.client };
  const { access, ...servers } = openCalendarProviders({ appleCaldavUrl: radicale.url, clients }, door);
  const kept = { outbound: door, credentials: TEST_CREDENTIALS };
  const connections = new Connections({ publicUrl: HERE, ...kept, providers: access });
  const calendarAccounts = new CalendarAccounts({ ...servers, credentials: TEST_CREDENTIALS, connections });
  const api = await openTestApi({ calendarAccounts, connections });
  const em = () => api.database.em.fork();
  const overCaldav = overRadicale(radicale);
  const services: Record<CalendarProviderName, CalendarService> = {
    APPLE: overCaldav,
    CALDAV: overCaldav,
    GOOGLE: overCaldav,
    OFFICE365: graph,
  };
  const free = [...ACCOUNTS];
  const mails: SentMail[] = [];
  const mailer: Mailer = {
    deliver: async (mail) => void mails.push(asSent(mail)),
    send: async (mail) => void mails.push(asSent(mail)),
    rehearse: async () => undefined,
  };

  const browserOf = ({ page }: Host) =>
    ConnectingBrowser.signedIn({ em: em(), connections, publicUrl: HERE }, page.host.userId);
  const consent = async (provider: OAuthCalendarProvider, host: Host) => {
    consents.account = host.account;
    const done = new URLSearchParams({ name: TITLES[provider] });
    const end = await (await browserOf(host)).connect(await beginConnecting(host, provider), consents);
    expect(end).toBe(`/connect/done?${done}`);
  };

  return {
    api,
    em,
    door,
    radicale,
    consents,
    google,
    graph,
    services,
    connections,
    calendarAccounts,
    /** The mails to users, oldest first. */
    mails,
    browserOf,

    /** A new one each time. */
    async aHost(): Promise<Host> {
      const account = free.pop();
      if (account === undefined) throw new Error('There are no accounts left.');
      const [page] = await Promise.all([openBookingPage(api), radicale.makeCalendar(account, 'Work')]);
      graph.makeMailbox(account);
      return { page, account, userId: uuidOf(page.host.userId) };
    },

    async connect(host: Host, provider: CalendarProviderName): Promise<void> {
      if (provider !== 'APPLE' && provider !== 'CALDAV') return consent(provider, host);
      const login = { username: host.account, appPassword: PASSWORD };
      const { mistakes } =
        provider === 'APPLE'
          ? await host.page.host.change('appleCalendarAccountConnect', login)
          : await host.page.host.change('caldavCalendarAccountConnect', { ...login, server: radicale.url });
      expect(mistakes).toEqual([]);
    },

    /** As its user sees what is connected. */
    connected: async ({ page }: Host) => (await page.host.ask(LIST)).data.me.calendarAccounts.nodes,

    /**
     * Does what is due in the background; `LATER`, as after the quarter of an hour in which calendars are read again.
     */
    async background(passed: 'AT_ONCE' | 'LATER' = 'AT_ONCE'): Promise<void> {
      if (passed === 'LATER') {
        await rows(em(), sql`update connected_calendars set next_read_at = now() - interval '1 second' returning id`);
        await letTimePass(api.database.em);
      }
      const kinds = [
        calendarReadingsKind({ calendarAccounts }),
        ...calendarEntryKinds({ calendarAccounts }),
        ...calendarAccountKinds({ calendarAccounts, publicUrl: HERE, mailLimit: new MailLimit(undefined, console) }),
        connectionsKind({ connections }),
        mailKind({ mailer, credentials: TEST_CREDENTIALS, linkKey: new Uint8Array(32), uids: UIDS }),
      ];
      const { runner, logged } = aRunner(api.database.em, ...kinds);
      await runner.settled();
      expect(logged).toEqual([]);
    },

    /** Nothing is connected any more, nor left to do. */
    async forget(): Promise<void> {
      google.instead = () => false;
      graph.instead = () => false;
      mails.length = 0;
      await graph.resume();
      await rows(em(), sql`delete from calendar_connections`);
      await rows(em(), sql`delete from jobs.job`);
    },

    async close(): Promise<void> {
      await Promise.all([api.close(), radicale.close(), google.close(), graph.close(), door.close()]);
      await consents.close();
    },
  };
}
