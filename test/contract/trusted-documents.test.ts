import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { APP, tokensFor } from '../support/oauth-requests.ts';
import { TestBrowser } from '../support/test-browser.ts';

const DOCUMENT = 'query Me { me { username name } }';
const HASH = hashOf(DOCUMENT);
const WRITING =
  'query Me { __typename } mutation Write { profileUpdate(input: { name: "Overwritten" }) { userErrors { code } } }';
const WRITING_HASH = hashOf(WRITING);

function hashOf(document: string): string {
  return createHash('sha256').update(document).digest('hex');
}

let folder: string;
let app: TestApp;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-documents-'));
  const path = join(folder, 'documents.json');
  await writeFile(path, JSON.stringify({ [HASH]: DOCUMENT, [WRITING_HASH]: WRITING }));
  app = await startTestApp({ TRUSTED_DOCUMENTS: path, TRUSTED_DOCUMENTS_ONLY: 'on' });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

async function send(token: string, body: object): Promise<{ status: number; text: string }> {
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

test('a token runs the documents of the file, by their hashes, with its own scopes; and no others', async () => {
  const ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
  const { access_token: token } = await tokensFor(ada, APP, { scope: 'PROFILE_READ' });
  const { access_token: narrow } = await tokensFor(ada, APP, { scope: 'BOOKING_READ' });
  expect(await send(token, { documentId: HASH })).toMatchObject({
    status: 200,
    text: expect.stringContaining('"ada"'),
  });
  expect(await send(narrow, { documentId: HASH })).toMatchObject({
    status: 403,
    text: expect.stringContaining('INSUFFICIENT_SCOPE'),
  });
  expect(await send(token, { query: '{ me { name } }' })).toMatchObject({
    status: 403,
    text: expect.stringContaining('DOCUMENT_NOT_TRUSTED'),
  });
  expect(await send(token, { documentId: 'unknown' })).toMatchObject({ status: 404 });
  for (const wrong of [{ token: 'x' }, { extensions: [] }, { variables: 'x' }])
    expect(await send(token, { documentId: HASH, ...wrong })).toMatchObject({
      status: 400,
      text: expect.stringContaining('BAD_REQUEST'),
    });
});

test('a mutation of the file is not carried out by GET, whatever names it', async () => {
  const ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
  const { access_token: token } = await tokensFor(ada, APP, { scope: 'PROFILE_READ PROFILE_WRITE' });
  const named = [
    { documentId: WRITING_HASH, operationName: 'Write' },
    { documentId: `sha256:${WRITING_HASH}`, operationName: 'Write' },
    {
      extensions: JSON.stringify({ persistedQuery: { version: 1, sha256Hash: WRITING_HASH } }),
      operationName: 'Write',
    },
    { query: WRITING, operationName: 'Write' },
  ];
  for (const params of named) {
    const response = await fetch(`${app.url}/graphql?${new URLSearchParams(params)}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect([response.status, await response.text()]).toEqual([405, expect.stringContaining('METHOD_NOT_ALLOWED')]);
  }
  expect(await send(token, { documentId: HASH })).toMatchObject({ text: expect.not.stringContaining('Overwritten') });
});

test('the REST paths are documents of the service’s own', async () => {
  const ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
  const { access_token: token } = await tokensFor(ada, APP, { scope: 'PROFILE_READ' });
  const response = await fetch(`${app.url}/v2/me`, { headers: { authorization: `Bearer ${token}` } });
  expect(response.status).toBe(200);
});
