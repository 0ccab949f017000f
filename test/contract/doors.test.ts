import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scopesOf } from '../../src/http/rest/openapi.ts';
import { restRoutesOf } from '../../src/http/rest/table.ts';
import { buildSchemas } from '../../src/schema.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { unknownId } from '../support/ids.ts';

const { rules } = buildSchemas().forTokens;
const REST = restRoutesOf(rules);
const restPaths = (isPublic: boolean) =>
  REST.filter((route) => (scopesOf(route, rules).length === 0) === isPublic).map(
    ({ method, path }) => `${method} ${path}`,
  );

/** The forms of `/settings/calendars`; another one asks on a page of its own. */
const CALENDAR_FORMS = ['choose', 'connect', 'apple', 'caldav', 'read-now', 'reconnect', 'add-feed', 'remove-feed'];

/** The forms of `/settings/conferencing`, and of a team’s; another one asks on a page of its own. */
const CONFERENCING_FORMS = ['connect', 'default'];
const CONFERENCING = ['/settings/conferencing', '/settings/teams/:id/conferencing'];

/** The forms of the pages of teams and organizations. */
const TEAM_FORMS = [
  'accept',
  'decline',
  'invite',
  'invitations/:invitation/resend',
  'invitations/:invitation/withdraw',
];

const TEAM_PAGES = ['members/:member', 'members/:member/owner', 'members/:member/remove', 'delete'];

/** The forms by which a host acts on a booking, and those by which the link of a mail answers a request. */
const HOST_ACTIONS = ['confirm', 'decline', 'request-reschedule', 'reassign', 'absence', 'replace-link', 'cancel'];
const ANSWERS = ['confirm', 'decline'];

/** The forms of the page of one webhook. */
const WEBHOOK_ACTIONS = ['pause', 'resume', 'test', 'retry'];

/**
 * The lock at each door. A route that is not listed fails the test: nobody adds a way in without saying what it asks
 * for, and here each lock is tried.
 */
const DOORS = {
  // Anybody.
  OPEN: [
    'GET /',
    'GET /assets/pico.css',
    'GET /assets/gatehouse.css',
    'GET /assets/gatehouse.svg',
    'GET /assets/nothing-yet.svg',
    'GET /assets/booking.css',
    'GET /assets/accents/:name{[0-9a-f]{6}\\.css}',
    'GET /assets/own-zone.js',
    'GET /embed.js',
    'GET /assets/embedded.js',
    'GET /assets/developer.css',
    'GET /assets/check-uris.js',
    'GET /assets/paint-week.js',
    'GET /assets/send-once.js',
    'GET /assets/browser-zone.js',
    'GET /assets/copy.js',
    'GET /assets/dev.css',
    'GET /assets/console.css',
    'GET /assets/console.js',
    'GET /assets/console-oauth.js',
    'GET /assets/graphiql.js',
    'GET /assets/graphiql.css',
    'GET /assets/graphiql-editor-worker.js',
    'GET /assets/graphiql-json-worker.js',
    'GET /assets/graphiql-graphql-worker.js',
    'GET /book/:path{.+}',
    'GET /auth/login',
    'GET /auth/signup',
    'GET /auth/logout',
    'GET /auth/forgotten-password',
    'GET /.well-known/oauth-authorization-server',
    'GET /.well-known/oauth-protected-resource',
    'GET /.well-known/jwks.json',
    'GET /v2/openapi.json',
    'GET /openapi.json',
    'GET /openapi',
    'GET /schema.graphql',
    'GET /deprecations',
    'GET /health/live',
    'GET /health/ready',
    // The page alone; what it sends carries a token.
    'GET /graphql',
    // Explains, and executes nothing.
    'POST /graphql/scopes',
    // With the demo data only.
    'GET /dev',
    'GET /dev/mails',
    'GET /dev/oauth',
    'GET /demo/callback',
  ],
  // A browser asks these before any page may post there.
  PREFLIGHT: ['OPTIONS /v2/auth/oauth2/token', 'OPTIONS /v2/auth/oauth2/revoke'],
  // Only the way back to the page that a form stands on.
  WAY_BACK: [
    'GET /settings/account/verification',
    'GET /settings/account/email',
    'GET /settings/account/email-cancel',
    'GET /settings/account/password',
    'GET /settings/account/profile',
    'GET /settings/account/times',
    'GET /settings/account/sessions',
    'GET /settings/absences/remove',
    'GET /settings/event-types/:id/links/end',
    'GET /settings/schedules/:id/default',
    ...TEAM_FORMS.map((form) => `GET /settings/teams/:id/${form}`),
    ...CALENDAR_FORMS.map((form) => `GET /settings/calendars/${form}`),
    ...CONFERENCING.flatMap((of) => CONFERENCING_FORMS.map((form) => `GET ${of}/${form}`)),
    'GET /settings/stopped/delete',
    'GET /settings/stopped/revive',
    ...WEBHOOK_ACTIONS.map((action) => `GET /settings/webhooks/:id/${action}`),
    'GET /settings/webhooks/:id/take-over',
    'GET /bookings/held/:id/release',
    ...HOST_ACTIONS.map((action) => `GET /bookings/:booking{[\\w-]+}/host/${action}`),
    ...ANSWERS.map((answer) => `GET /bookings/:booking{[\\w-]+}/answer/:token{[\\w-]+}/${answer}`),
  ],
  // Anybody with the link of a mail.
  LINK: ['GET /auth/confirm-email', 'GET /auth/new-password', 'GET /auth/invitation'],
  // Anybody with an address that cannot be guessed: the uid of a booking, a private link, a form, the link that ends mails.
  CAPABILITY: [
    'GET /dev/mails/:mail',
    'GET /dev/mails/:mail/html',
    'GET /forms/:id',
    'GET /bookings/:file{[^/]+\\.ics}',
    'GET /bookings/:booking{[\\w-]+}',
    'GET /bookings/:booking{[\\w-]+}/cancel',
    'POST /bookings/:booking{[\\w-]+}/cancel',
    'GET /bookings/:booking{[\\w-]+}/reschedule',
    'POST /bookings/:booking{[\\w-]+}/reschedule',
    'GET /bookings/:booking{[\\w-]+}/guests/:token{[\\w-]+}',
    'POST /bookings/:booking{[\\w-]+}/guests/:token{[\\w-]+}',
    'GET /bookings/:booking{[\\w-]+}/answer/:token{[\\w-]+}',
    ...ANSWERS.map((answer) => `POST /bookings/:booking{[\\w-]+}/answer/:token{[\\w-]+}/${answer}`),
    'GET /mails/:receiver{[0-9a-f]+}/:token{[\\w-]+}/:about{[\\w.-]+}',
    'POST /mails/:receiver{[0-9a-f]+}/:token{[\\w-]+}/:about{[\\w.-]+}',
    'GET /private-links/:token',
    'POST /private-links/:token',
  ],
  // A form of our own page in the same browser.
  OWN_FORM: [
    'POST /auth/login',
    'POST /auth/signup',
    'POST /auth/logout',
    'POST /auth/forgotten-password',
    'POST /auth/confirm-email',
    'POST /auth/invitation',
    'POST /auth/new-password',
    'POST /book/:path{.+}',
    'POST /forms/:id',
    'POST /dev/oauth',
  ],
  // A browser in the middle of an authorization that it began itself.
  BROWSER: [
    'GET /auth/oauth2/authorize',
    'GET /auth/oauth2/interactions/:id',
    'POST /auth/oauth2/interactions/:id',
    'GET /auth/oauth2/interactions/:id/restart',
    'GET /auth/oauth2/requests/:sealed',
  ],
  // A client with its secret.
  CLIENT: ['POST /v2/auth/oauth2/token', 'POST /v2/auth/oauth2/revoke', 'POST /v2/auth/oauth2/introspect'],
  // An access token with the scopes of the path's document.
  TOKEN: restPaths(false),
  // A path to what anybody may book is public, as it is in GraphQL.
  PUBLIC_REST: restPaths(true),
  // A signed-in user.
  SESSION: [
    'GET /connect/start',
    'GET /connect/callback',
    'GET /connect/done',
    'GET /welcome',
    'GET /bookings',
    'GET /bookings/:booking{[\\w-]+}/host',
    'POST /bookings/held/:id/release',
    ...HOST_ACTIONS.map((action) => `POST /bookings/:booking{[\\w-]+}/host/${action}`),
    'GET /settings',
    'GET /settings/hours',
    'GET /settings/schedules',
    'POST /settings/schedules',
    'GET /settings/schedules/:id',
    'POST /settings/schedules/:id',
    'POST /settings/schedules/:id/default',
    'GET /settings/schedules/:id/delete',
    'POST /settings/schedules/:id/delete',
    ...['/settings', '/settings/teams/:id'].flatMap((of) => [`GET ${of}/event-types`, `POST ${of}/event-types`]),
    'GET /settings/event-types/:id',
    'POST /settings/event-types/:id',
    'GET /settings/event-types/:id/links',
    'POST /settings/event-types/:id/links',
    'POST /settings/event-types/:id/links/end',
    'GET /settings/event-types/:id/hosts',
    'POST /settings/event-types/:id/hosts',
    'GET /settings/event-types/:id/delete',
    'POST /settings/event-types/:id/delete',
    'GET /settings/teams',
    'POST /settings/teams',
    'GET /settings/teams/:id',
    'POST /settings/teams/:id',
    ...TEAM_FORMS.map((form) => `POST /settings/teams/:id/${form}`),
    ...TEAM_PAGES.flatMap((page) => [`GET /settings/teams/:id/${page}`, `POST /settings/teams/:id/${page}`]),
    'GET /settings/absences',
    'POST /settings/absences',
    'POST /settings/absences/remove',
    'GET /settings/teams/:id/webhooks',
    'POST /settings/teams/:id/webhooks',
    'GET /settings/webhooks',
    'POST /settings/webhooks',
    'GET /settings/webhooks/:id',
    'POST /settings/webhooks/:id',
    'GET /settings/webhooks/:id/secret',
    'POST /settings/webhooks/:id/secret',
    'GET /settings/webhooks/:id/delete',
    'POST /settings/webhooks/:id/delete',
    'POST /settings/webhooks/:id/take-over',
    ...WEBHOOK_ACTIONS.map((action) => `POST /settings/webhooks/:id/${action}`),
    ...CONFERENCING.flatMap((of) => [
      `GET ${of}`,
      `GET ${of}/disconnect`,
      ...[...CONFERENCING_FORMS, 'disconnect'].map((form) => `POST ${of}/${form}`),
    ]),
    'GET /settings/calendars',
    'GET /settings/calendars/disconnect',
    ...CALENDAR_FORMS.map((form) => `POST /settings/calendars/${form}`),
    'POST /settings/calendars/disconnect',
    'GET /settings/account',
    'POST /settings/account/verification',
    'POST /settings/account/email',
    'POST /settings/account/email-cancel',
    'POST /settings/account/password',
    'POST /settings/account/profile',
    'POST /settings/account/times',
    'POST /settings/account/sessions',
    'GET /settings/stopped',
    'POST /settings/stopped/delete',
    'POST /settings/stopped/revive',
    'GET /settings/apps',
    'GET /settings/apps/:clientId/revoke',
    'POST /settings/apps/:clientId/revoke',
    'GET /settings/developer/oauth',
    'GET /settings/developer/oauth/new',
    'GET /settings/developer/oauth/new/redirect-uris',
    'POST /settings/developer/oauth/new',
    'GET /settings/developer/oauth/:clientId',
    'POST /settings/developer/oauth/:clientId',
    'GET /settings/developer/oauth/:clientId/delete',
    'POST /settings/developer/oauth/:clientId/delete',
    'GET /settings/developer/oauth/:clientId/secrets',
    'POST /settings/developer/oauth/:clientId/secrets',
    'GET /settings/developer/oauth/:clientId/secrets/:secretId/delete',
    'POST /settings/developer/oauth/:clientId/secrets/:secretId/delete',
  ],
  // A signed-in administrator.
  ADMINISTRATOR: ['GET /admin/oauth', 'GET /admin/oauth/:clientId', 'POST /admin/oauth/:clientId'],
} as const;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** `method` and an address with the demo's client in the place of parameters. */
function addressOf(route: string): { method: string; url: string } {
  const [method = '', path = ''] = route.split(' ');
  const filled = path
    .replace(':clientId', 'demo-app')
    .replace(':secretId', unknownId('secret'))
    .replace(':id', unknownId('interaction'))
    .replace(/:name\{.*\}/, '0f6a59.css')
    .replace(/:receiver\{[^}]*\}/, '0f6a59')
    .replace(/:file\{.*\}/, 'bkg_unknown.ics')
    .replace(/:booking\{[^}]*\}/, 'bkg_unknown')
    .replace(/:action\{(\w+)[^}]*\}/, '$1')
    .replace(':path{.+}', 'ada/intro')
    .replace(/:token(?:\{[^}]*\})?/, 'lnk_unknown')
    .replace(/:\w+/g, 'unknown');
  return { method, url: `${app.url}${filled}` };
}

async function knock(route: string, init: RequestInit = {}): Promise<Response> {
  const { method, url } = addressOf(route);
  const body = method === 'POST' ? { body: new URLSearchParams() } : {};
  return fetch(url, { method, redirect: 'manual', ...body, ...init });
}

test('every route is a door of the list, and every door of the list is there', () => {
  const listed = Object.values(DOORS).flat().toSorted();
  // ALL is what answers other methods, or runs before a route: no door of its own.
  const served = [...new Set(app.routes)].filter((route) => !route.startsWith('ALL ')).toSorted();
  expect(served).toEqual(listed);
});

test.each(DOORS.OPEN.filter((route) => route.startsWith('GET ')))('%s is open', async (route) => {
  const response = await knock(route, { headers: { accept: 'text/html,*/*' } });
  expect(response.status).toBe(200);
});

test('no open page is kept, framed by others, or tells them its address', async () => {
  const policies = ['cache-control', 'referrer-policy', 'x-frame-options'];
  const pages = await Promise.all(DOORS.OPEN.filter((route) => route.startsWith('GET ')).map((route) => knock(route)));
  const html = pages.filter(({ headers }) => headers.get('content-type')?.startsWith('text/html'));
  expect(html.length).toBeGreaterThan(5);
  for (const { url, headers } of html) {
    const said = policies.map((name) => headers.get(name));
    expect([url, ...said]).toEqual([url, 'no-store', 'no-referrer', 'DENY']);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  }
});

test.each(DOORS.PREFLIGHT)('%s says what any page may do, and no more', async (route) => {
  const response = await knock(route);
  expect([response.status, await response.text()]).toEqual([204, '']);
  expect(response.headers.get('access-control-allow-credentials')).toBeNull();
});

test.each(DOORS.WAY_BACK)('%s only leads to the page', async (route) => {
  // The page has the address of the form, without its last part.
  expect((await knock(route)).headers.get('location')).toMatch(
    /^\/(?:settings\/account|settings\/absences|settings\/calendars|settings\/conferencing|settings\/stopped|settings\/teams(?:\/[\w-]+(?:\/conferencing)?)?|settings\/schedules\/[\w-]+|settings\/webhooks\/[\w-]+|settings\/event-types\/[\w-]+\/links|bookings(?:\/\w+\/(?:host|answer\/\w+))?)$/,
  );
});

test.each(DOORS.LINK)('%s is over without the token in it', async (route) => {
  expect((await knock(route)).status).toBe(410);
});

test.each(DOORS.CAPABILITY)('%s is not found without the secret in it', async (route) => {
  expect((await knock(route)).status).toBe(404);
});

test.each(DOORS.OWN_FORM)('%s takes no form of another page', async (route) => {
  const response = await knock(route, { headers: { origin: 'https://evil.example' } });
  expect([response.status, response.headers.getSetCookie()]).toEqual([403, []]);
});

test.each(DOORS.BROWSER)('%s leads nowhere for a browser that began nothing', async (route) => {
  const response = await knock(route);
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.headers.get('location')).toBeNull();
});

test.each(DOORS.CLIENT)('%s asks for the client', async (route) => {
  const response = await knock(route, { body: new URLSearchParams({ client_id: 'demo-app', token: 'x' }) });
  expect([response.status, await response.json()]).toMatchObject([401, { error: 'invalid_client' }]);
});

test.each(DOORS.TOKEN)('%s asks for a token', async (route) => {
  const response = await knock(route, sentAsJson(route));
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Bearer /)]);
});

test.each(DOORS.PUBLIC_REST)('%s needs none, and takes no bad one for none', async (route) => {
  const open = await knock(route, sentAsJson(route));
  expect([200, 400, 404]).toContain(open.status);
  const refused = await knock(route, sentAsJson(route, { authorization: 'Bearer bad' }));
  expect(refused.status).toBe(401);
});

/** The request of a program. */
function sentAsJson(route: string, headers: Record<string, string> = {}): RequestInit {
  if (route.startsWith('GET ')) return { headers };
  return { body: '{}', headers: { 'content-type': 'application/json', ...headers } };
}

describe.each([...DOORS.SESSION, ...DOORS.ADMINISTRATOR])('%s', (route) => {
  test('asks visitors who are not signed in to sign in', async () => {
    const response = await knock(route);
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toMatch(/^\/auth\/login\?return_to=/);
  });
});

test.each(DOORS.ADMINISTRATOR)('%s does not exist for other users', async (route) => {
  const ada = await app.signIn('ada@acme.test');
  const { method, url } = addressOf(route);
  const response = await ada.get(url, method === 'POST' ? { method, body: new URLSearchParams() } : {});
  expect(response.status).toBe(404);
});

test('POST /graphql asks for what the operation requires: every root field but the public ones is refused', async () => {
  const open = ['query', 'mutation'].flatMap((kind) => {
    const fields = [...(rules.roots[kind as 'query' | 'mutation']?.fields.values() ?? [])];
    return fields.filter(({ access }) => access === 'PUBLIC').map(({ name }) => name);
  });
  expect(open.toSorted()).toEqual([
    'bookerEmailVerificationRequest',
    'bookingCancel',
    'bookingCreate',
    // It tells the caller of their own next mail alone: an anonymous one’s, by network.
    'bookingReschedule',
    'bookingSeriesCancel',
    'expectedMailStatus',
    'publicBooking',
    'publicEventType',
    'publicEventTypes',
    'publicOrganization',
    'publicRoutingForm',
    'publicTeam',
    'routingFormOutcome',
    'routingFormSubmit',
    'slotReservationCreate',
    'slotReservationDelete',
    'slotReservationUpdate',
    'slots',
  ]);
});
