/** The page with the teams of an organization. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { linksOf } from '../../support/booking-visitor.ts';
import { shownPage, TestBrowser } from '../../support/test-browser.ts';

const PLACE = '/book/organization/acme';

let app: TestApp;
let ada: TestBrowser;
let stranger: TestBrowser;
beforeAll(async () => {
  app = await startTestApp();
  ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
  stranger = new TestBrowser(app.url);
});
afterAll(() => app.close());

const groupsOf = () =>
  ada.ask<{ me: { organizations: { nodes: { id: string }[] }; teams: { nodes: { id: string; slug: string }[] } } }>(
    '{ me { organizations { nodes { id } } teams { nodes { id slug } } } }',
  );

test('shows it and its teams, to which it leads and which lead to it', async () => {
  const { me } = await groupsOf();
  const [organization] = me.organizations.nodes;
  const look = { bio: 'We <b>sell</b>.', logoUrl: 'https://pictures.example/a.png', brandColor: '#1a7f37' };
  await ada.mutate('organizationUpdate', { organizationId: organization?.id, ...look }, 'organizationId');
  const page = shownPage(await stranger.open(PLACE));
  const { status, text, headers } = page;
  expect([status, headers.get('content-security-policy')]).toEqual([
    200,
    expect.stringContaining(' https://pictures.example;'),
  ]);
  expect(text).toContain('We <b>sell</b>.');
  expect(text).toContain('Sales');
  expect(linksOf(page)).toContain(`${PLACE}/sales`);
  expect(linksOf(shownPage(await stranger.open(`${PLACE}/sales`)))).toContain(PLACE);
  expect((await stranger.open('/book/organization/ACME/')).status).toBe(200);
});

async function shownAt(path: string) {
  const { status, text } = shownPage(await stranger.open(path));
  return { status, text };
}

test('is for others what never was, once its teams are private', async () => {
  const { me } = await groupsOf();
  const teamId = me.teams.nodes.find(({ slug }) => slug === 'sales')?.id;
  await ada.mutate('teamUpdate', { teamId, isPrivate: true }, 'teamId');
  const closed = await shownAt(PLACE);
  expect(closed.status).toBe(404);
  expect(closed).toEqual(await shownAt('/book/organization/never-was'));
  expect((await ada.open(PLACE)).status).toBe(200);
  await ada.mutate('teamUpdate', { teamId, isPrivate: false }, 'teamId');
  for (const path of ['/book/organization', '/book/organization/no%20slug', `${PLACE}/none`]) {
    expect((await stranger.open(path)).status).toBe(404);
  }
});
