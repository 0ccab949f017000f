import { describe, expect, test } from 'vitest';
import { describeScope, SCOPES } from '../../../src/scopes/catalog.ts';
import { type ConsentPage, consentPage } from '../../../src/screens/consent/consent-page.ts';

const PAGE: ConsentPage = {
  clientName: 'Acme Sync',
  developerName: 'Ada Lovelace',
  isDeveloperConfirmed: true,
  isReviewed: true,
  websiteUrl: 'https://sync.acme.test/',
  redirectHost: 'sync.acme.test',
  isOnDevice: false,
  scopes: [
    { level: 'TEAM', resource: 'EVENT_TYPE', action: 'READ', words: 'View team event types', isNew: true },
    { level: 'USER', resource: 'EVENT_TYPE', action: 'READ', words: 'View event types', isNew: false },
    { level: 'USER', resource: 'EVENT_TYPE', action: 'WRITE', words: 'Change event types', isNew: false },
  ],
  isUnrestricted: false,
  viewer: { name: 'Bob', email: 'bob@acme.test', locale: 'en' },
  otherAccountPath: '/auth/oauth2/interactions/int_1/account',
  action: '/auth/oauth2/interactions/int_1',
  csrf: 'the-token',
  locale: 'en',
};

describe('the consent page', () => {
  test('names the app, its developer, its site, where it leads, and the user', async () => {
    const page = await textOf(PAGE);
    for (const text of ['Acme Sync', 'Ada Lovelace', 'https://sync.acme.test/', 'sync.acme.test', 'bob@acme.test']) {
      expect(page).toContain(`<bdi>${text}</bdi>`);
    }
    expect(page).toContain(`<a href="${PAGE.otherAccountPath}">Not you? Use another account</a>`);
  });

  test('says what the service has checked, and what it has not', async () => {
    expect(await said({})).toBe('Verified by an administrator of this service');
    expect(await said({ isReviewed: false })).toBe('Not verified no administrator has reviewed this app');
    expect(await said({ isDeveloperConfirmed: false })).toMatch(
      /^Not verified its developer’s e-mail address isn’t confirmed$/,
    );
  });

  test('says where it leads, and that it is a program on this device', async () => {
    expect(await textOf(PAGE)).not.toContain('on this device');
    const isOnDevice = await textOf({ ...PAGE, isOnDevice: true, redirectHost: 'localhost:4000' });
    expect(isOnDevice).toContain('an app on this device, <bdi>localhost:4000</bdi>');
  });

  test('names the app, then who made it, then the account, then what it may do', async () => {
    const page = await textOf(PAGE);
    const places = ['Acme Sync</bdi> to use', 'Made by', 'You’re signed in as', 'will be able to', 'value="allow"'].map(
      (part) => page.indexOf(part),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
  });

  test('sends the decision with its token, and has no other form', async () => {
    const page = await textOf(PAGE);
    expect(page.match(/<form/g)).toHaveLength(1);
    expect(page).toContain(`<form method="post" action="${PAGE.action}">`);
    expect(page).toContain('<input type="hidden" name="csrf" value="the-token">');
    expect(page).toContain('name="decision" value="allow"');
    expect(page).toContain('name="decision" value="deny"');
  });

  test('lists what is asked for by level, the user’s own first, and marks what is new', async () => {
    const page = await textOf(PAGE);
    const [own, team] = [page.indexOf('<h3>Your account</h3>'), page.indexOf('<h3>Your teams</h3>')];
    expect(own).toBeGreaterThan(0);
    expect(team).toBeGreaterThan(own);
    expect(page).not.toContain('Your organizations');
    expect(page).toMatch(/View team event types\s*<mark>New<\/mark>/);
    // On the line of the thing, and where it unfolds.
    expect(page.match(/<mark>New/g)).toHaveLength(2);
    expect(page.replaceAll(/<[^>]+>/g, '')).toMatch(/Event types: see and change\s[^]*Event types: see\s/);
  });

  test('has a name for every resource of the catalogue', async () => {
    const scopes = SCOPES.map((scope) => ({ ...describeScope(scope), isNew: false }));
    const page = await textOf({ ...PAGE, scopes });
    expect(page).not.toMatch(/<strong>[A-Z_]+<\/strong>/);
    // An app that may delete teams is not said to change a profile.
    expect(page.match(/<strong>The teams themselves<\/strong>: see and change/g)).toHaveLength(2);
    expect(page.match(/<strong>Profile<\/strong>/g)).toHaveLength(1);
  });

  test('says so when the app gets everything', async () => {
    expect(await textOf({ ...PAGE, scopes: [], isUnrestricted: true })).toContain('everything');
    expect(await textOf(PAGE)).not.toContain('everything');
  });

  test.each<Partial<ConsentPage>>([
    { clientName: '<img src=x onerror=alert(1)>' },
    { developerName: `"><script>alert(1)</script>` },
    { redirectHost: '<b>evil.test' },
    { viewer: { name: '</title><script>', email: 'a"b@c', locale: 'en' } },
    { websiteUrl: 'https://a.test/"><script>' },
  ])('shows the words of others as text: %j', async (words) => {
    expect(await textOf({ ...PAGE, ...words })).not.toMatch(/<script|<b>|<img src=x|onerror=alert\(1\)>/);
  });

  test('keeps a name that turns the text around to itself, in the title too', async () => {
    const page = await textOf({ ...PAGE, clientName: '\u202ekcarc' });
    expect(page).toContain('<bdi>\u202ekcarc</bdi>');
    expect(page).toContain('<title>Allow \u2068\u202ekcarc\u2069 – Gatehouse</title>');
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', '//evil.test'])('has no link to %s', async (websiteUrl) => {
    expect(await textOf({ ...PAGE, websiteUrl })).not.toContain(websiteUrl);
  });

  test('loads nothing from elsewhere', async () => {
    const sources = (await textOf(PAGE)).matchAll(/<(?:img|link|script|iframe)[^>]*(?:src|href)="([^"]+)"/g);
    for (const [, source] of sources) expect(source).toMatch(/^\/assets\//);
  });
});

async function textOf(page: ConsentPage): Promise<string> {
  return (await consentPage(page)).toString();
}

/** The row that says what was checked. */
async function said(changes: Partial<ConsentPage>): Promise<string | undefined> {
  const [, row] = /<dt>Checked<\/dt><dd>(.*?)<\/dd>/.exec(await textOf({ ...PAGE, ...changes })) ?? [];
  return row?.replaceAll(/<[^>]+>/g, '');
}
