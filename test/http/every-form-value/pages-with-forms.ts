import { publicId } from '../../../src/core/id.ts';
import { randomBase62 } from '../../../src/core/secret.ts';
import { changed, rows, sql } from '../../../src/database/sql.ts';
import { makeLink } from '../../../src/modules/accounts/links/account-links.ts';
import { connectCalendars } from '../../../src/modules/calendars/connections/calendar-connection.commands.ts';
import { furnishAccount } from '../../../src/modules/event-types/event-type.commands.ts';
import { storeDelivery } from '../../jobs/support/webhooks.ts';
import { anAccount, PASSWORD } from '../../modules/accounts/an-account.ts';
import { answerPath, notMePath } from '../../support/answer-links.ts';
import type { TestApp } from '../../support/app.ts';
import { storeApp } from '../../support/conferencing-apps.ts';
import { storeFeed } from '../../support/feeds.ts';
import type { HtmlForm } from '../../support/html-form.ts';
import { idOfUid, ownedUuidOf } from '../../support/ids.ts';
import { invitationTo } from '../../support/invitation.ts';
import { APP, authorizePath, tokensFor } from '../../support/oauth-requests.ts';
import { FORM } from '../../support/routing-forms.ts';
import { aSession } from '../../support/session.ts';
import { shownPage, TestBrowser } from '../../support/test-browser.ts';
import { Traveller } from '../../support/traveller.ts';

/** Somebody who stands before a page. */
export interface Stand {
  readonly browser: TestBrowser;
  readonly path: string;
}

const CLIENT = {
  name: 'App',
  purpose: 'Tests values.',
  redirectUris: ['https://app.example/callback'],
  scopes: ['PROFILE_READ'],
  type: 'CONFIDENTIAL',
};

const unreadable = async () => ({ credentials: 'unreadable', accessId: null });

/** The users and things that the pages are about. */
export class World {
  readonly #app: TestApp;
  readonly ada: TestBrowser;
  readonly admin: TestBrowser;
  readonly dan: TestBrowser;
  #talk: Talk | undefined;

  private constructor(app: TestApp, ada: TestBrowser, admin: TestBrowser, dan: TestBrowser) {
    this.#app = app;
    this.ada = ada;
    this.admin = admin;
    this.dan = dan;
  }

  static async open(app: TestApp): Promise<World> {
    const ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
    const admin = await TestBrowser.signedIn(app.url, 'admin@gatehouse.test');
    return new World(app, ada, admin, await TestBrowser.signedIn(app.url, 'dan@solo.test'));
  }

  visitor(): TestBrowser {
    return new Traveller(this.#app.url);
  }

  /** Somebody with an account of their own, signed in. */
  async somebody(isEmailVerified = true): Promise<TestBrowser> {
    const em = this.#app.database.em.fork();
    return this.#signedIn((await anAccount(em, { isEmailVerified })).id);
  }

  async #signedIn(userId: string): Promise<TestBrowser> {
    const { token } = await aSession(this.#app.database.em.fork(), userId);
    // The form to sign in leaves these in a browser; it is tried on its own page.
    const cookies = { gatehouse_session: token, gatehouse_browser: randomBase62(43) };
    return new Traveller(this.#app.url, new Map(Object.entries(cookies)));
  }

  /** Somebody before a page of a schedule of theirs, which is not the default. */
  async ownSchedule(rest: string): Promise<Stand> {
    const browser = await this.somebody();
    const made = (name: string) => browser.mutate<{ scheduleId: string }>('scheduleCreate', { name }, 'scheduleId');
    await made('Usual');
    return { browser, path: `/settings/schedules/${(await made('Evenings')).scheduleId}${rest}` };
  }

  /** Somebody before a page of an event type of theirs. */
  async ownEventType(rest: string): Promise<Stand> {
    const browser = await this.somebody();
    const values = { title: 'Talk', durationInMinutes: '30' };
    const { address } = shownPage(await browser.submit(await browser.open('/settings/event-types'), values));
    return { browser, path: `${address.replace(/\?.*/, '')}${rest}` };
  }

  /** Somebody before a page of an event type of a team of theirs. */
  async teamEventType(rest = ''): Promise<Stand & { readonly teamPath: string }> {
    const { browser, path: teamPath } = await this.ownTeam();
    const talk = { teamId: teamPath.split('/')[3], slug: 'talk', title: 'Talk', durationInMinutes: 30 };
    const { eventTypeId } = await browser.mutate<{ eventTypeId: string }>('teamEventTypeCreate', talk, 'eventTypeId');
    return { browser, teamPath, path: `/settings/event-types/${eventTypeId}${rest}` };
  }

  /** Somebody who was mailed because of a stranger. */
  async mailed(): Promise<Stand> {
    const address = `${randomBase62(8)}@example.test`;
    return { browser: this.visitor(), path: await notMePath(this.#app.database.em.fork(), address) };
  }

  /** Somebody in whose account something has stopped. */
  async stopped(): Promise<Stand> {
    const { browser, path } = await this.ownEventType('');
    const { ownerId, id } = ownedUuidOf(path.split('/').at(-1) ?? '');
    const was = { success_redirect_url: 'https://intruder.test/' };
    const content = { emptied: { table: 'event_types', key: { owner_id: ownerId, id }, was } };
    await rows(
      this.#app.database.em.fork(),
      sql`insert into stopped_things (user_id, id, kind, title, address, content, stopped_at)
          values (${ownerId}, gen_random_uuid(), 'REDIRECT', 'Talk', ${was.success_redirect_url}, ${JSON.stringify(content)}::jsonb, now())`,
    );
    return { browser, path: '/settings/stopped' };
  }

  /** Somebody before the private links to an event type of theirs, of which there is one. */
  async linked(): Promise<Stand> {
    const { browser, path } = await this.ownEventType('');
    await browser.mutate('privateLinkCreate', { eventTypeId: path.split('/').at(-1) }, '__typename');
    return { browser, path: `${path}/links` };
  }

  /** Somebody before a page of a team of theirs, to which somebody is invited. */
  async ownTeam(rest = ''): Promise<Stand> {
    const browser = await this.somebody();
    const { address } = shownPage(
      await browser.submit(await browser.open('/settings/teams'), { name: randomBase62(8) }),
    );
    const path = address.replace(/\?.*/, '');
    await browser.submit(await browser.open(path), { email: `${randomBase62(8)}@mail.test`, role: 'MEMBER' });
    return { browser, path: `${path}${rest}` };
  }

  /** Somebody with a team of theirs, and a member of it. */
  async #teamOfTwo(): Promise<{ browser: TestBrowser; teamId: string; userId: string; membershipId: string }> {
    const browser = await this.somebody();
    const founded = { slug: `team-${randomBase62(8).toLowerCase()}`, name: 'Team' };
    const { teamId } = await browser.mutate<{ teamId: string }>('teamCreate', founded, 'teamId');
    const em = this.#app.database.em.fork();
    const { id } = await anAccount(em);
    await furnishAccount(em, id);
    const [member, userId] = [await this.#signedIn(id), publicId('user', id)];
    const { membershipId } = await browser.mutate<{ membershipId: string }>(
      'teamMembershipCreate',
      { teamId, userId, role: 'MEMBER' },
      'membershipId',
    );
    await member.mutate('teamMembershipUpdate', { teamId, membershipId, isAccepted: true }, 'membershipId');
    return { browser, teamId, userId, membershipId };
  }

  /** Somebody before a booking of theirs, which another host of their team could take over. */
  async shared(): Promise<Stand> {
    const { browser, teamId, userId } = await this.#teamOfTwo();
    const { me } = await browser.ask<{ me: { id: string } }>('{ me { id } }');
    const hosts = [{ userId: me.id, priority: 4 }, { userId }];
    const { booking } = await this.#bookedAt(browser, 'teamEventTypeCreate', {
      teamId,
      schedulingType: 'ROUND_ROBIN',
      hosts,
    });
    return { browser, path: `/bookings/${idOfUid(booking.uid)}/host` };
  }

  /** Books the first time of a new event type. */
  async #bookedAt(browser: TestBrowser, mutation: string, more: object): Promise<{ booking: { uid: string } }> {
    const { eventTypeId, starts } = await offerOf(browser, mutation, more, 7);
    const attendee = { name: TYPED['name'], email: TYPED['email'], timeZone: TYPED['timeZone'] };
    const input = { eventTypeId, start: starts[0], attendee, location: { type: 'ATTENDEE_PHONE', phone: PHONE } };
    return this.dan.mutate('bookingCreate', input, 'booking { uid }');
  }

  /** Somebody before a page of a member of a team of theirs, who hosts what is booked. */
  async member(rest: string): Promise<Stand> {
    const { browser, teamId, userId, membershipId } = await this.#teamOfTwo();
    await this.#bookedAt(browser, 'teamEventTypeCreate', { teamId, schedulingType: 'COLLECTIVE', hosts: [{ userId }] });
    return { browser, path: `/settings/teams/${teamId}/members/${membershipId}${rest}` };
  }

  /** Somebody whom a team invites. */
  async invited(): Promise<TestBrowser> {
    const em = this.#app.database.em.fork();
    const { id, email } = await anAccount(em);
    await invitationTo(em, 'studio', email);
    return this.#signedIn(id);
  }

  /** Somebody before a page of a webhook of theirs, which has a message that was given up. */
  async ownWebhook(rest: string, isActive = true, isAnswered = true): Promise<Stand> {
    const browser = await this.somebody();
    const input = { url: 'https://hooks.example/own', triggers: ['BOOKING_CREATED'], isActive };
    const { webhookId } = await browser.mutate<{ webhookId: string }>('webhookCreate', input, 'webhookId');
    const path = `/settings/webhooks/${webhookId}`;
    await storeDelivery(this.#app.database.em.fork(), ownedUuidOf(webhookId), 'FAILED');
    const { id } = ownedUuidOf(webhookId);
    if (!isAnswered)
      await rows(this.#app.database.em.fork(), sql`update webhooks set set_by_id = null where id = ${id}`);
    return { browser, path: `${path}${rest}` };
  }

  /** Somebody with an account and a feed of calendars; `isRefused`: the account's password. */
  async connected(isRefused = false): Promise<TestBrowser> {
    const em = this.#app.database.em.fork();
    const { id: userId } = await anAccount(em);
    const listed = ['home', 'work'].map((name) => ({
      externalId: `https://calendars.example/${name}/`,
      name,
      isPrimary: name === 'home',
      isReadOnly: false,
    }));
    await connectCalendars(em, {
      userId,
      provider: 'APPLE',
      account: 'somebody@icloud.test',
      listed,
      opened: unreadable,
    });
    const refused = sql`update calendar_connections set refused_at = now(), failing_since = now() where user_id = ${userId}`;
    if (isRefused) await changed(em, refused);
    await storeFeed(em, publicId('user', userId), 'https://calendar.example/a.ics');
    return this.#signedIn(userId);
  }

  /** Somebody before the page of their conferencing apps, of which one is not the default, or before the question of another. */
  async meeting(ending = ''): Promise<Stand> {
    const browser = await this.somebody();
    const { me } = await browser.ask<{ me: { id: string } }>('{ me { id } }');
    return { browser, path: await this.#apps('/settings/conferencing', me.id, ending) };
  }

  /** The same of a team of theirs. */
  async meetingOfTeam(ending = ''): Promise<Stand> {
    const { browser, path } = await this.ownTeam('/conferencing');
    return { browser, path: await this.#apps(path, path.split('/')[3] ?? '', ending) };
  }

  async #apps(path: string, ownerId: string, ending: string): Promise<string> {
    const id = await storeApp(this.#app.database.em, ownerId, 'zoom', ending === '');
    if (ending === '') await storeApp(this.#app.database.em, ownerId, 'other', false);
    return ending === '' ? path : `${path}/${ending}?app=${id}`;
  }

  /** The token of a link that was mailed to somebody. */
  async link(kind: 'VERIFY_EMAIL' | 'RESET_PASSWORD'): Promise<string> {
    const em = this.#app.database.em.fork();
    const { id, email } = await anAccount(em, { isEmailVerified: false });
    return (await makeLink(em, { userId: id, kind, email })) ?? '';
  }

  /** Before a page of a client of theirs. */
  async ownClient(rest: string): Promise<Stand> {
    const { browser, clientId } = await this.client();
    return { browser, path: `${DEVELOPER}/${clientId}${rest}` };
  }

  /** The path of the link that invites to Dan's team. */
  invitation(): Promise<string> {
    return invitationTo(this.#app.database.em.fork(), 'studio', `${randomBase62(8)}@mail.test`);
  }

  /** An event type of Dan's, and a time that nobody has taken. */
  async #offered(): Promise<{ eventTypeId: string; start: string }> {
    this.#talk ??= await offerOf(this.dan);
    const [start] = this.#talk.starts.splice(0, 1);
    if (start === undefined) throw new Error('Dan has no time left.');
    return { eventTypeId: this.#talk.eventTypeId, start };
  }

  /** The form that books a time which is free. */
  async bookingForm(): Promise<string> {
    return `/book/dan/talk?start=${(await this.#offered()).start}`;
  }

  /** The path of a new booking's page. */
  async booked(): Promise<string> {
    const attendee = { name: TYPED['name'], email: TYPED['email'], timeZone: TYPED['timeZone'] };
    const { booking } = await this.dan.mutate<{ booking: { uid: string } }>(
      'bookingCreate',
      { ...(await this.#offered()), attendee, location: { type: 'ATTENDEE_PHONE', phone: PHONE } },
      'booking { uid }',
    );
    return `/bookings/${booking.uid}`;
  }

  /** Somebody before a request that waits for their answer, and the path by which they answer it from a mail. */
  async asked(): Promise<Stand & { readonly byMail: string }> {
    const em = this.#app.database.em.fork();
    const { id } = await anAccount(em);
    await furnishAccount(em, id);
    const browser = await this.#signedIn(id);
    const { booking } = await this.#bookedAt(browser, 'eventTypeCreate', { confirmation: { type: 'ALWAYS' } });
    return { browser, path: `/bookings/${idOfUid(booking.uid)}/host`, byMail: await answerPath(em, booking.uid) };
  }

  /** The path of a booking that Dan has had, as he sees it. */
  async past(): Promise<string> {
    const document = `query ($now: DateTime!) { me { bookings(first: 1, filter: { end: { to: $now } }) { nodes { id } } } }`;
    const variables = { now: new Date().toISOString() };
    const { me } = await this.dan.ask<{ me: { bookings: { nodes: { id: string }[] } } }>(document, variables);
    return `/bookings/${me.bookings.nodes[0]?.id}/host`;
  }

  /** When it could be instead, as its page to reschedule links to it. */
  async rescheduleForm(): Promise<string> {
    const booking = await this.booked();
    return `${booking}/reschedule?start=${(await this.#offered()).start}`;
  }

  /** A routing form of Dan's team, which asks for something of each kind. */
  async routingForm(): Promise<string> {
    const { me } = await this.dan.ask<{ me: { teams: { nodes: { id: string }[] } } }>(
      '{ me { teams { nodes { id } } } }',
    );
    const { routingFormId } = await this.dan.mutate<{ routingFormId: string }>(
      'routingFormCreate',
      { teamId: me.teams.nodes[0]?.id, ...FORM },
      'routingFormId',
    );
    return `/forms/${routingFormId}`;
  }

  /** A form that books what is hidden. */
  async privateLinkForm(): Promise<string> {
    const { eventTypeId, start } = await this.#offered();
    const { privateLink } = await this.dan.mutate<{ privateLink: { url: string } }>(
      'privateLinkCreate',
      { eventTypeId },
      'privateLink { url }',
    );
    return `${new URL(privateLink.url).pathname}?start=${start}`;
  }

  /** Somebody with a client: only so many of one developer may wait for a review. */
  async client(): Promise<{ browser: TestBrowser; clientId: string; secretId: string }> {
    const selection = 'client { clientId secrets { id } }';
    const browser = await this.somebody();
    const { client } = await browser.mutate<{ client: { clientId: string; secrets: { id: string }[] } }>(
      'oauthClientCreate',
      CLIENT,
      selection,
    );
    return { browser, clientId: client.clientId, secretId: client.secrets[0]?.id ?? '' };
  }
}

interface Talk {
  readonly eventTypeId: string;
  readonly starts: string[];
}

/** An event type that asks for something of each kind, and its free times in two months. */
async function offerOf(
  browser: TestBrowser,
  mutation = 'eventTypeCreate',
  more: object = {},
  days = 60,
): Promise<Talk> {
  const { eventTypeId } = await browser.mutate<{ eventTypeId: string }>(
    mutation,
    {
      ...more,
      slug: 'talk',
      title: 'Talk',
      durationInMinutes: 15,
      bookingFields: [{ type: 'TEXT', slug: 'topic', label: 'Topic' }],
      locations: [{ type: 'ATTENDEE_PHONE' }],
    },
    'eventTypeId',
  );
  const start = Temporal.Now.instant().add({ hours: 48 });
  const { slots } = await browser.ask<{ slots: { start: string }[] }>(
    'query ($id: ID!, $start: DateTime!, $end: DateTime!) { slots(eventType: { id: $id }, start: $start, end: $end) { start } }',
    { id: eventTypeId, start: start.toString(), end: start.add({ hours: 24 * days }).toString() },
  );
  return { eventTypeId, starts: slots.map((slot) => slot.start) };
}

/** The texts that people type, by the name of the control; `said-…` is what an attendee says of the place. */
const TYPED: Readonly<Record<string, string>> = {
  name: 'Grace',
  'response-company': 'ACME',
  email: 'grace@example.test',
  newEmail: 'new@example.test',
  password: PASSWORD,
  currentPassword: PASSWORD,
  passwordForEmail: PASSWORD,
  newPassword: 'another password',
  purpose: 'Tests values.',
  redirectUris: 'https://app.example/callback',
  scopes: 'PROFILE_READ',
  type: 'CONFIDENTIAL',
  first: '2027-08-02',
  last: '2027-08-03',
  timeZone: 'Europe/Berlin',
  reason: 'Because.',
  step: 'book',
  action: 'APPROVE',
  accessToken: 'of-nobody',
};
const PHONE = '+4930123456';

/** A form as somebody sends it who has typed what is missing. */
export function filledIn({ fields, controls }: HtmlForm): Record<string, string> {
  const missing = controls.filter((name) => (fields[name] ?? '') === '');
  const typed = missing.map((name) => [name, TYPED[name] ?? (name.startsWith('said-') ? PHONE : '')] as const);
  return { ...fields, ...Object.fromEntries(typed.filter(([, text]) => text !== '')) };
}

const DEVELOPER = '/settings/developer/oauth';

/** Every page with forms, before somebody who may send them; a test names the forms that are missing. */
export const PAGES: Readonly<Record<string, (world: World) => Promise<Stand>>> = {
  'sign in': async (world) => ({ browser: world.visitor(), path: '/auth/login?return_to=/settings/apps' }),
  'sign up': async (world) => ({ browser: world.visitor(), path: '/auth/signup?return_to=/settings/apps' }),
  'sign out': async (world) => ({ browser: await world.somebody(), path: '/auth/logout' }),
  'forgotten password': async (world) => ({ browser: world.visitor(), path: '/auth/forgotten-password' }),
  'confirm an address': async (world) => ({
    browser: world.visitor(),
    path: `/auth/confirm-email?token=${await world.link('VERIFY_EMAIL')}`,
  }),
  'new password': async (world) => ({
    browser: world.visitor(),
    path: `/auth/new-password?token=${await world.link('RESET_PASSWORD')}`,
  }),
  invitation: async (world) => ({ browser: await world.somebody(), path: await world.invitation() }),
  account: async (world) => ({ browser: await world.somebody(), path: '/settings/account' }),
  'unverified account': async (world) => ({ browser: await world.somebody(false), path: '/settings/account' }),
  'account whose address changes': async (world) => {
    const browser = await world.somebody();
    const values = { newEmail: 'new@example.test', passwordForEmail: PASSWORD };
    await browser.submit(await browser.open('/settings/account'), values);
    return { browser, path: '/settings/account' };
  },
  hours: async (world) => ({ browser: world.ada, path: '/settings/hours' }),
  schedules: async (world) => ({ browser: await world.somebody(), path: '/settings/schedules' }),
  'a schedule': async (world) => world.ownSchedule(''),
  'delete a schedule': async (world) => world.ownSchedule('/delete'),
  'event types': async (world) => ({ browser: await world.somebody(), path: '/settings/event-types' }),
  'an event type': async (world) => world.ownEventType(''),
  'delete an event type': async (world) => world.ownEventType('/delete'),
  'event types of a team': async (world) => world.ownTeam('/event-types'),
  'an event type of a team': async (world) => world.teamEventType(),
  'private links': async (world) => world.linked(),
  'hosts of an event type': async (world) => world.teamEventType('/hosts'),
  teams: async (world) => ({ browser: await world.invited(), path: '/settings/teams' }),
  'a team': async (world) => world.ownTeam(),
  'delete a team': async (world) => world.ownTeam('/delete'),
  'a member of a team': async (world) => world.member(''),
  'hand a team over': async (world) => world.member('/owner'),
  'remove a member': async (world) => world.member('/remove'),
  'stopped things': async (world) => world.stopped(),
  'a mail because of a stranger': async (world) => world.mailed(),
  absences: async (world) => {
    const browser = await world.somebody();
    await browser.submit(await browser.open('/settings/absences'), { first: '2027-08-02', last: '2027-08-03' });
    return { browser, path: '/settings/absences' };
  },
  webhooks: async (world) => ({ browser: await world.somebody(), path: '/settings/webhooks' }),
  'a webhook': async (world) => world.ownWebhook(''),
  'a webhook that is off': async (world) => world.ownWebhook('', false),
  'a webhook that nobody answers for': async (world) => world.ownWebhook('', true, false),
  'new secret of a webhook': async (world) => world.ownWebhook('/secret'),
  'delete a webhook': async (world) => world.ownWebhook('/delete'),
  'webhooks of a team': async (world) => {
    const { browser, teamPath } = await world.teamEventType();
    return { browser, path: `${teamPath}/webhooks` };
  },
  calendars: async (world) => ({ browser: await world.somebody(), path: '/settings/calendars' }),
  'connected calendars': async (world) => ({ browser: await world.connected(), path: '/settings/calendars' }),
  'calendars of a refused account': async (world) => ({
    browser: await world.connected(true),
    path: '/settings/calendars',
  }),
  'disconnect calendars': async (world) => {
    const browser = await world.connected();
    const [, link = ''] =
      /href="(\/settings\/calendars\/disconnect[^"]+)"/.exec((await browser.request('/settings/calendars')).text) ?? [];
    return { browser, path: link };
  },
  'video calls': async (world) => world.meeting(),
  'disconnect an app': async (world) => world.meeting('disconnect'),
  'video calls of a team': async (world) => world.meetingOfTeam(),
  'disconnect an app of a team': async (world) => world.meetingOfTeam('disconnect'),
  consent: async (world) => ({ browser: await world.somebody(), path: authorizePath(APP) }),
  'the walk of the demo app': async (world) => {
    const browser = await world.somebody();
    const state = /state=([^\n&]+)/.exec(shownPage(await browser.open('/dev/oauth')).html)?.[1] ?? '';
    const iss = encodeURIComponent(browser.base);
    return { browser, path: `/demo/callback?code=of-nobody&state=${state}&iss=${iss}` };
  },
  'take access from an app': async (world) => {
    const browser = await world.somebody();
    await tokensFor(browser, APP);
    return { browser, path: `/settings/apps/${APP.client_id}/revoke` };
  },
  'new client': async (world) => ({ browser: await world.somebody(), path: `${DEVELOPER}/new` }),
  client: async (world) => world.ownClient(''),
  'delete a client': async (world) => world.ownClient('/delete'),
  'new secret': async (world) => world.ownClient('/secrets'),
  'delete a secret': async (world) => {
    const { browser, clientId, secretId } = await world.client();
    await browser.mutate('oauthClientSecretCreate', { clientId }, 'secretId');
    return { browser, path: `${DEVELOPER}/${clientId}/secrets/${secretId}/delete` };
  },
  'review of a client': async (world) => ({
    browser: world.admin,
    path: `/admin/oauth/${(await world.client()).clientId}`,
  }),
  'book a time': async (world) => ({ browser: world.visitor(), path: await world.bookingForm() }),
  'routing form': async (world) => ({ browser: world.visitor(), path: await world.routingForm() }),
  'book by a private link': async (world) => ({ browser: world.visitor(), path: await world.privateLinkForm() }),
  'cancel a booking': async (world) => ({ browser: world.visitor(), path: `${await world.booked()}/cancel` }),
  'reschedule a booking': async (world) => ({ browser: world.visitor(), path: await world.rescheduleForm() }),
  'a request, by the link of a mail': async (world) => ({
    browser: world.visitor(),
    path: (await world.asked()).byMail,
  }),
  'a request, before its host': async (world) => world.asked(),
  'a booking of a team, before its host': async (world) => world.shared(),
  'a booking, before its host': async (world) => {
    const uid = (await world.booked()).slice('/bookings/'.length);
    return { browser: world.dan, path: `/bookings/${idOfUid(uid)}/host` };
  },
  'a booking that has been, before its host': async (world) => ({ browser: world.dan, path: await world.past() }),
};
