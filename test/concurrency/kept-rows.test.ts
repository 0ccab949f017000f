import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readLimits } from '../contract/limits/limit-table.ts';
import { anAccount } from '../modules/accounts/an-account.ts';
import { KEPT } from '../support/kept-rows.ts';
import { atOnce, ONE_AND_TWO, type Servers } from '../support/servers.ts';
import { aSession } from '../support/session.ts';
import { TestBrowser } from '../support/test-browser.ts';

const MANY = 50;
const limits = new Map((await readLimits()).map(({ id, amount }) => [id, amount]));

interface Payload {
  readonly userErrors: readonly { readonly code: string }[];
}

describe.each(ONE_AND_TWO)('%s, of 50 who make one more at the same moment', (_, start) => {
  let servers: Servers;
  beforeAll(async () => void (servers = await start()));
  afterAll(() => servers.close());

  test.each(Object.entries(KEPT))('as many do as there is room for: %s', async (id, { mutation, fill }) => {
    const em = servers.database.em.fork();
    const { id: userId } = await anAccount(em);
    const room = 3;
    const inputOf = await fill(em, userId, (limits.get(id) ?? 0) - room);
    const { token } = await aSession(em, userId);
    const browser = new TestBrowser(servers.url(0), new Map([['gatehouse_session', token]]));
    const type = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`;
    const document = `mutation ($input: ${type}!) { ${mutation}(input: $input) { userErrors { code } } }`;
    const answers = await atOnce(MANY, async (n) => {
      const answer = await browser.at(servers.url(n)).ask<Record<string, Payload>>(document, { input: inputOf(n) });
      return answer[mutation]?.userErrors.map(({ code }) => code).join() ?? '';
    });
    const counts = Object.fromEntries(
      [...Map.groupBy(answers, (code) => code)].map(([code, { length }]) => [code, length]),
    );
    expect(counts).toEqual({ '': room, TOO_MANY: MANY - room });
  });
});
