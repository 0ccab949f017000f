import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { command } from '../../src/cli/scopes.command.ts';
import { startTestApp, type TestApp } from '../support/app.ts';

const FILE = 'test/cli/support/mine.graphql';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
afterEach(() => vi.restoreAllMocks());

async function run(...args: string[]): Promise<{ code: number; output: string }> {
  const printed: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
  return { code: await command.run(args), output: printed.join('\n') };
}

describe('gatehouse scopes --url asks a running service', () => {
  test('and says the same as without', async () => {
    expect(await run(FILE, '--url', app.url)).toEqual(await run(FILE));
  });

  test('also about a client of it', async () => {
    const narrow = await run(FILE, '--url', app.url, '--client', 'demo-narrow');
    expect(narrow).toMatchObject({
      code: 1,
      output: expect.stringMatching(/demo-narrow has not enabled: EVENT_TYPE_READ$/),
    });
    const { output } = await run(FILE, '--url', app.url, '--client', 'demo-app', '--json');
    const { client } = JSON.parse(output) as { client: { authorizeUrl: string } };
    expect(new URL(client.authorizeUrl).searchParams.get('scope')).toBe('EVENT_TYPE_READ PROFILE_READ');
    expect(new URL(client.authorizeUrl).searchParams.has('redirect_uri')).toBe(false);
    const text = await run(FILE, '--url', app.url, '--client', 'demo-app');
    expect(text.output).toContain('add your redirect_uri, state and code_challenge');
  });

  test('and fails clearly for a client that it does not know', async () => {
    await expect(run(FILE, '--url', app.url, '--client', 'nobody')).rejects.toThrow(/404: No client has this clientId/);
  });
});
