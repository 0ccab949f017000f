/**
 * Holds docs/limits.md and the service to one another: each row of the table is reached from outside, exactly and by one
 * more. A limit that has no row is one that no client can know of; a row that no test reaches is a promise.
 */
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { KNOWN_KEY } from '../support/minted-tokens.ts';
import { longestInputs } from '../world/every-fixture.ts';
import { bothOf, type Hit, type Hits, inWords, Visit } from './limits/limit-hit.ts';
import { readLimits } from './limits/limit-table.ts';

const limits = await readLimits();
const areas = (await readdir(new URL('limits/', import.meta.url))).filter((name) => name.endsWith('.hits.ts'));
const hits: Hits = Object.assign(
  {},
  ...(await Promise.all(
    areas.map(async (name) => ((await import(`./limits/${name.slice(0, -3)}.ts`)) as { hits: Hits }).hits),
  )),
  hitsOfTexts(),
);

/** Texts of new things, by somebody who may make them. */
function hitsOfTexts(): Hits {
  const entries = Object.entries(longestInputs()).map(([id, { mutation, input }]): [string, Hit] => [
    id,
    async (visit, limit) => {
      const as = await visit.sessionOf('dan@solo.test');
      return bothOf(limit, (amount) => visit.mutation(mutation, input(amount), as));
    },
  ]);
  return Object.fromEntries(entries);
}

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp(
    {
      ...KNOWN_KEY,
      RATE_LIMITS: 'anonymous=120,grant=500,session=600',
      TRUST_PROXY: '127.0.0.1/32,::1/128',
    },
    { runsJobs: true },
  );
});
afterAll(() => app.close());

test('each row of the table is reached by a test, and each limit that a test reaches is a row', () => {
  expect(Object.keys(hits).toSorted()).toEqual(limits.map(({ id }) => id).toSorted());
});

describe('as much as docs/limits.md allows is accepted, and one more is refused as it says:', () => {
  test.each(limits.map((limit, index) => [limit.id, limit, index] as const))('%s', async (id, limit, index) => {
    const hit = hits[id];
    if (!hit) throw new Error(`No test reaches the limit ${id}; add it to a file of test/contract/limits.`);
    const { within, beyond, withinIs = '200' } = await hit(new Visit(app, index), limit);
    expect({ is: inWords(within), text: within.text }).toMatchObject({ is: withinIs });
    expect({ is: inWords(beyond), text: beyond.text }).toMatchObject({ is: inWords(limit) });
    // An error of a mutation has no header of its own.
    if (limit.windowInSeconds === undefined || limit.status === 200) return;
    expect(beyond.retryAfterInSeconds).toBeLessThanOrEqual(limit.windowInSeconds);
    expect(beyond.retryAfterInSeconds).toBeGreaterThan(limit.windowInSeconds - 30);
  });
});
