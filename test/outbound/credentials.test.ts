import { randomBytes } from 'node:crypto';
import { CompactEncrypt } from 'jose';
import { expect, test } from 'vitest';
import { Credentials, type CredentialsOf, UnreadableCredentials } from '../../src/outbound/credentials.ts';

const KEY = randomBytes(32);
const ROW: CredentialsOf = ['calendar_connections', 'owner-1', 'id-1'];
const SECRET = { password: 'abcd-efgh-ijkl', tokens: ['ä'] };
const credentials = new Credentials(KEY);

test('sealed credentials are opened for their row, also by another process with the same key', async () => {
  const text = await credentials.seal(SECRET, ROW);
  expect(text).toMatch(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/);
  expect(await new Credentials(Buffer.from(KEY)).open(text, ROW)).toEqual(SECRET);
});

test('the same secret is another text each time', async () => {
  expect(await credentials.seal(SECRET, ROW)).not.toBe(await credentials.seal(SECRET, ROW));
});

test.each<[string, CredentialsOf]>([
  ['another table', ['conferencing_apps', 'owner-1', 'id-1']],
  ['another owner', ['calendar_connections', 'owner-2', 'id-1']],
  ['another row of the owner', ['calendar_connections', 'owner-1', 'id-2']],
])('moved to %s it is not opened', async (_where, row) => {
  const text = await credentials.seal(SECRET, ROW);
  await expect(credentials.open(text, row)).rejects.toThrow(UnreadableCredentials);
});

test('neither by another key, nor changed, nor made by somebody else; the failure tells nothing of it', async () => {
  const text = await credentials.seal(SECRET, ROW);
  const [header = '', , iv = '', cipher = '', tag = ''] = text.split('.');
  const rowInHeader = Buffer.from(
    JSON.stringify({ alg: 'dir', enc: 'A256GCM', kid: 'calendar_connections:owner-1:id-2' }),
  ).toString('base64url');
  const forged = await new CompactEncrypt(Buffer.from('{}'))
    .setProtectedHeader({ alg: 'A256KW', enc: 'A256GCM', kid: ROW.join(':') })
    .encrypt(KEY);
  const wrong: [Credentials, string, CredentialsOf][] = [
    [new Credentials(randomBytes(32)), text, ROW],
    [credentials, [header, '', iv, `${cipher[0] === 'A' ? 'B' : 'A'}${cipher.slice(1)}`, tag].join('.'), ROW],
    [credentials, [rowInHeader, '', iv, cipher, tag].join('.'), ['calendar_connections', 'owner-1', 'id-2']],
    [credentials, forged, ROW],
    [credentials, '', ROW],
    [credentials, JSON.stringify(SECRET), ROW],
  ];
  for (const [by, given, row] of wrong) {
    const error: unknown = await by.open(given, row).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(UnreadableCredentials);
    expect(String(error)).not.toContain('abcd');
  }
});
