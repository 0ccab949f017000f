import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenAuthorizationServer } from '../../../src/oauth/open-authorization-server.ts';
import type { Scope } from '../../../src/scopes/catalog.ts';
import { openOn, openTestServer, type TestServer } from '../../oauth/support/test-server.ts';
import { paced } from '../../support/pace.ts';
import { checkWorld } from './check-world.ts';
import type { Step } from './model.ts';
import { takeStep } from './take-step.ts';
import { createWorld } from './world.ts';

const SCOPES: readonly Scope[] = ['PROFILE_READ', 'BOOKING_READ', 'BOOKING_WRITE', 'ORG_BOOKING_READ'];
/** Short of and past each limit: 30 s after confirmation, a day of retries, 90 days idle, 365 in all. */
const WAITS = [40, 7_200, 90_000, 80 * 86_400, 91 * 86_400];

let serving: TestServer;
let second: OpenAuthorizationServer;
beforeAll(async () => {
  serving = await openTestServer();
  second = await openOn(serving.database);
});
afterAll(async () => {
  await second.close();
  await serving.close();
});

const scopes = fc.subarray([...SCOPES], { minLength: 1 });
/** Two grants side by side are enough to see that what happens to one leaves the other alone. */
const chain = fc.nat({ max: 1 });
const back = fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 3);
const token = fc.constantFrom(0, 0, 0, 1, 2, 5);
const seconds = fc.constantFrom(40, 40, 40, 40, 40, 40, ...WAITS);
const once = <Name extends Step['do']>(name: Name) => fc.constant(name);

/** Steps that end a grant are rare, or no chain would grow long enough to show anything. */
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 40,
    arbitrary: fc.record({
      do: once('REFRESH'),
      chain,
      back,
      scopes: fc.option(scopes, { nil: undefined, freq: 4 }),
      times: fc.constantFrom(1, 1, 1, 5),
    }),
  },
  { weight: 15, arbitrary: fc.record({ do: once('USE'), chain, token }) },
  { weight: 12, arbitrary: fc.record({ do: once('WAIT'), seconds }) },
  { weight: 10, arbitrary: fc.record({ do: once('AUTHORIZE'), scopes }) },
  { weight: 3, arbitrary: fc.record({ do: once('ENABLE'), scopes }) },
  { weight: 1, arbitrary: fc.record({ do: once('SUSPEND') }) },
  { weight: 5, arbitrary: fc.record({ do: once('REINSTATE') }) },
  { weight: 2, arbitrary: fc.record({ do: once('REVOKE_ACCESS_TOKEN'), chain, token }) },
  fc.record({ do: once('REVOKE_REFRESH_TOKEN'), chain, back }),
  fc.record({ do: once('REVOKE_GRANT'), chain }),
  fc.record({ do: once('REVOKE_APP') }),
  fc.record({ do: once('REPLAY_CODE'), chain }),
);

test(
  'in any order of events, a grant has one live chain, nothing lives after revocation, and scopes never grow',
  async () => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }), async (steps) => {
      const world = await createWorld(serving, second, SCOPES);
      await takeStep(world, { do: 'AUTHORIZE', scopes: SCOPES });
      for (const one of steps) await takeStep(world, one);
      await checkWorld(world);
    });
    await fc.assert(property, { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 30) });
    expect(serving.server.revocations.isTrusted()).toBe(true);
  },
  paced(120_000),
);
