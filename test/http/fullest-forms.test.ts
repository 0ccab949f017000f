/** Forms of stored content: what is stored by the rules, as much as they allow, can be saved by the page that shows it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { MAX_CALENDARS, MAX_CONNECTIONS } from '../../src/modules/calendars/connections/calendar-connection.rules.ts';
import { furnishAccount } from '../../src/modules/event-types/event-type.commands.ts';
import { MAX_SEATS } from '../../src/modules/event-types/settings/scheduling.rules.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { formsOf } from '../support/html-form.ts';
import { ownedUuidOf, uuidNumbered, uuidOf } from '../support/ids.ts';
import { OWN_FORM, type TestBrowser } from '../support/test-browser.ts';
import { World } from './every-form-value/pages-with-forms.ts';

let app: TestApp;
let world: World;
beforeAll(async () => {
  app = await startTestApp();
  world = await World.open(app);
});
afterAll(() => app.close());

/** A character that takes most bytes: twelve as a form sends it. */
const EMOJI = '\u{1F600}';
const DAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'];
const many = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));
/** An address of 2,048 characters, each of which a form sends as three bytes. */
const longUrl = (index = 0): string => `https://app.example/${index}/`.padEnd(2048, "!$,;:@=&()'");
const clock = (minutes: number): string => `${Math.floor(minutes / 60)}:${minutes % 60}`.replaceAll(/\b\d\b/g, '0$&');

/** A page, the address of its form, and how what it saves is read. */
interface Full {
  readonly browser: TestBrowser;
  readonly path: string;
  readonly action: string;
  readonly read: () => Promise<unknown>;
}

const asked = (browser: TestBrowser, query: string, variables: object = {}) => ({
  browser,
  read: () => browser.ask<unknown>(query, variables),
});

const FULL: Readonly<Record<string, () => Promise<Full>>> = {
  'a profile': async () => {
    const browser = await world.somebody();
    const profile = { name: EMOJI.repeat(64), bio: EMOJI.repeat(5_000), avatarUrl: longUrl() };
    await browser.mutate('profileUpdate', profile, '__typename');
    const path = '/settings/account';
    return { ...asked(browser, '{ me { name username bio avatarUrl } }'), path, action: `${path}/profile` };
  },
  'a team': async () => {
    const { browser, path } = await world.ownTeam();
    const content = { name: EMOJI.repeat(100), bio: EMOJI.repeat(2_000) };
    await browser.mutate('teamUpdate', { teamId: path.split('/').at(-1), ...content }, '__typename');
    return { ...asked(browser, '{ me { teams { nodes { name slug bio isPrivate } } } }'), path, action: path };
  },
  hours: async () => {
    const browser = await world.somebody();
    await furnishAccount(app.database.em.fork(), await userIdOf(browser));
    const hours = 'timeZone availability { days start end } overrides { date start end }';
    const { me } = await browser.ask<{ me: { defaultSchedule: { id: string } } }>('{ me { defaultSchedule { id } } }');
    const availability = many(100, (i) => ({ days: DAYS, start: clock(14 * i), end: clock(14 * i + 13) }));
    const overrides = many(1_000, (i) => ({
      date: Temporal.PlainDate.from('2040-01-01').add({ days: i }).toString(),
      start: '09:00',
      end: '17:00',
    }));
    const scheduleId = me.defaultSchedule.id;
    await browser.mutate('scheduleUpdate', { scheduleId, availability, overrides }, '__typename');
    const path = '/settings/hours';
    return {
      ...asked(browser, `{ me { defaultSchedule { ${hours} } } }`),
      path,
      action: `/settings/schedules/${scheduleId}`,
    };
  },
  'an event type': async () => {
    const { browser, path } = await world.ownEventType('');
    const eventTypeId = path.split('/').at(-1);
    const content = {
      title: EMOJI.repeat(200),
      description: EMOJI.repeat(5_000),
      locations: many(20, (i) => ({
        type: 'ADDRESS',
        address: EMOJI.repeat(480) + i,
        label: EMOJI.repeat(90) + i,
      })),
      bookingFieldsSet: many(50, (i) => ({
        slug: `question-${i}`,
        type: 'SELECT',
        label: `${EMOJI.repeat(90)}${i}`,
        isRequired: true,
        options: many(50, (n) => `漢字${n}`),
      })),
    };
    await browser.mutate('eventTypeUpdate', { eventTypeId, ...content }, '__typename');
    const fields = `title slug description durationInMinutes locations { type address url label }
      bookingFields { slug type label isRequired options placeholder }`;
    return { ...asked(browser, `{ me { eventTypes { nodes { ${fields} } } } }`), path, action: path };
  },
  'a webhook': async () => {
    const { browser, path } = await world.ownWebhook('');
    const webhookId = path.split('/').at(-1);
    const { __type: type } = await browser.ask<{ __type: { enumValues: { name: string }[] } }>(
      '{ __type(name: "WebhookTrigger") { enumValues { name } } }',
    );
    const triggers = type.enumValues.map(({ name }) => name).filter((name) => !/FORM|OCCURRED/.test(name));
    await browser.mutate('webhookUpdate', { webhookId, url: longUrl(), triggers }, '__typename');
    return { ...asked(browser, '{ me { webhooks { nodes { url triggers isActive } } } }'), path, action: path };
  },
  'an OAuth client': async () => {
    const { browser, clientId } = await world.client();
    const content = {
      name: EMOJI.repeat(64),
      purpose: EMOJI.repeat(2_000),
      redirectUris: many(10, longUrl),
      websiteUrl: longUrl(10),
      logoUrl: longUrl(11),
    };
    await browser.mutate('oauthClientUpdate', { clientId, ...content }, '__typename');
    const fields = 'name purpose redirectUris websiteUrl logoUrl scopes requiresPkce';
    const read = asked(browser, `query ($id: String!) { oauthClient(clientId: $id) { ${fields} } }`, {
      id: clientId,
    });
    const path = `/settings/developer/oauth/${clientId}`;
    return { ...read, path, action: path };
  },
  'who did not come': async () => {
    const path = await world.past();
    const em = app.database.em.fork();
    const { ownerId, id } = ownedUuidOf(path.split('/')[2] ?? '');
    // Addresses of 254 characters, 64 of which a form sends as three bytes each.
    const email = sql`rpad('seat-' || n, 64, '#') || '@' || repeat(repeat('x', 61) || '.', 3) || 'te'`;
    const change = sql`jsonb_build_object('id', ${uuidNumbered('0')}, 'email', ${email}, 'absent', true, 'key_hash', null, 'seat_id', null)`;
    await rows(
      em,
      sql`insert into booking_attendees select (jsonb_populate_record(a, ${change})).*
        from booking_attendees a, generate_series(1, ${MAX_SEATS - 1}::int) n
        where a.owner_id = ${ownerId} and a.booking_id = ${id}`,
    );
    const read = () =>
      rows<unknown>(
        em,
        sql`select email, absent from booking_attendees where owner_id = ${ownerId} and booking_id = ${id} order by id`,
      );
    expect(await read()).toHaveLength(MAX_SEATS);
    return { browser: world.dan, path, action: `${path}/absence`, read };
  },
  calendars: async () => {
    const browser = await world.connected();
    const em = app.database.em.fork();
    const userId = await userIdOf(browser);
    const connection = sql`jsonb_build_object('id', ${uuidNumbered('2')}, 'account', n || '@icloud.test')`;
    const copies = sql`generate_series(1, ${MAX_CONNECTIONS - 1}::int) n`;
    await rows(
      em,
      sql`insert into calendar_connections select (jsonb_populate_record(c, ${connection})).* from calendar_connections c, ${copies} where user_id = ${userId}`,
    );
    const numbered = sql`row_number() over () + 1000`;
    const calendar = sql`jsonb_build_object('id', ${uuidNumbered('3', numbered)}, 'external_id', 'c-' || ${numbered}, 'connection_id', a.id, 'is_destination', false, 'is_primary', false)`;
    await rows(
      em,
      sql`insert into connected_calendars select (jsonb_populate_record(c, ${calendar})).*
        from connected_calendars c, calendar_connections a, generate_series(1, ${MAX_CALENDARS - 2}::int)
        where a.user_id = ${userId} and c.id = (select id from connected_calendars where user_id = ${userId} limit 1)`,
    );
    const read = () =>
      rows<unknown>(
        em,
        sql`select id, selected, is_destination from connected_calendars where user_id = ${userId} order by id`,
      );
    expect((await read()).length).toBeGreaterThan((MAX_CALENDARS - 2) * MAX_CONNECTIONS);
    return { browser, path: '/settings/calendars', action: '/settings/calendars/choose', read };
  },
};

async function userIdOf(browser: TestBrowser): Promise<string> {
  return uuidOf((await browser.ask<{ me: { id: string } }>('{ me { id } }')).me.id);
}

test.each(Object.entries(FULL))('%s can be saved as it is, however much there is of it', async (_what, fill) => {
  const { browser, path, action, read } = await fill();
  const before = await read();
  const { text: html } = await browser.request(path);
  const form = formsOf(html).find((one) => one.action === action);
  if (!form) throw new Error(`There is no form to ${action} on the page: ${html}`);
  const body = new URLSearchParams(form.sent.map(([name, value]) => [name, value])).toString();
  const { status, text } = await browser.request(action, OWN_FORM, body);
  expect([status, /<section class="summary"[\s\S]*?<\/section>/.exec(text)?.[0]]).toEqual([303, undefined]);
  expect(await read()).toEqual(before);
});
