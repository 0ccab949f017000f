import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../src/cli/demo-browser.ts';
import { DEMO_PASSWORD, startTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('passwordChange', () => {
  test('needs the current password, keeps this session and ends the others', async () => {
    const [here, there] = [await app.signIn('bob@acme.test'), await app.signIn('bob@acme.test')];
    expect(await change(here, { currentPassword: 'wrong' })).toEqual(['WRONG_PASSWORD currentPassword']);
    expect(await change(here, { newPassword: 'short' })).toEqual(['TOO_SHORT newPassword']);
    expect(await change(here, { newPassword: 'bob@acme.test' })).toEqual(['GUESSABLE newPassword']);
    expect(await change(here, {})).toEqual([]);
    expect(await here.graphql('{ me { sessions { nodes { isCurrent } } } }', {})).toEqual({
      me: { sessions: { nodes: [{ isCurrent: true }] } },
    });
    await expect(there.graphql('{ me { name } }', {})).rejects.toThrow('HTTP 401');
    await expect(app.signIn('bob@acme.test')).rejects.toThrow('HTTP 401');
  });

  test('counts wrong passwords together with sign-in', async () => {
    const browser = await app.signIn('cyd@acme.test');
    for (let guess = 0; guess < 10; guess += 1) await change(browser, { currentPassword: 'wrong' });
    expect(await change(browser, {})).toEqual(['TOO_MANY_GUESSES']);
    await expect(app.signIn('cyd@acme.test')).rejects.toThrow('HTTP 429');
  });

  test('is not there for an app', async () => {
    const document =
      'mutation { passwordChange(input: { currentPassword: "a", newPassword: "b" }) { userErrors { code } } }';
    const { body } = await app.graphql(document);
    expect(body.data).toBeUndefined();
    expect(body.errors[0].message).toContain('Cannot query field "passwordChange"');
  });
});

/** @returns the codes of what was wrong, each with its field */
async function change(browser: Browser, input: Record<string, string>): Promise<string[]> {
  const { passwordChange } = await browser.graphql<{
    passwordChange: { userErrors: { code: string; path: string[] }[] };
  }>('mutation ($input: PasswordChangeInput!) { passwordChange(input: $input) { userErrors { code path } } }', {
    input: { currentPassword: DEMO_PASSWORD, newPassword: 'a few words in a row', ...input },
  });
  return passwordChange.userErrors.map(({ code, path }) => [code, ...path].join(' '));
}
