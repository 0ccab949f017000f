/**
 * Operators fear these: while each of them happens, clients go on, and whatever was acknowledged to them is there
 * afterwards.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CREATED } from '../support/caldav-server.ts';
import { paced } from '../support/pace.ts';
import { TAKEN } from '../support/webhook-receiver.ts';
import { CLOCK, World } from './world.ts';

const ROUNDS = 20;
const ENDED_BACKENDS = 100;
/** SIGTERM says ten seconds for requests, and a few for what follows. */
const GRACE_SECONDS = 17;
/** For mails and messages that were put off. */
const TELLING_MILLISECONDS = 60_000;

let world: World;
/** How many mails had come before a test. */
let mailedBefore = 0;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world?.close());
beforeEach(() => {
  world.ledger.untoward.splice(0);
  mailedBefore = world.mail.mails.length;
});

/** Clients go on for two seconds before and after it. */
async function during(trouble: () => Promise<unknown>): Promise<void> {
  const { ledger } = world;
  ledger.start();
  await pause(2_000);
  await trouble();
  await pause(2_000);
  await ledger.stop();
}

/** In words: what was acknowledged and is not there, answers that nobody should get, and what was not told in time, or twice. */
async function whatIsAmiss({ mayRepeat = false } = {}): Promise<string[]> {
  const { ledger } = world;
  const { amiss, acknowledged } = await ledger.audit();
  console.log(JSON.stringify(acknowledged));
  const idle = Object.entries(acknowledged).filter(([, count]) => count === 0);
  const end = performance.now() + paced(TELLING_MILLISECONDS);
  while (world.untold().length > 0 && performance.now() < end) await pause(100);
  return [
    ...amiss,
    ...ledger.untoward,
    ...idle.map(([what]) => `No ${what} at all.`),
    ...world.untold().map((what) => `Untold: ${what}`),
    ...(mayRepeat ? [] : world.toldTwice(mailedBefore).map((what) => `Told twice: ${what}`)),
  ];
}

test('a good day', async () => {
  await during(() => pause(3_000));
  expect(await whatIsAmiss()).toEqual([]);
});

test(`a process is killed, ${ROUNDS} times`, async () => {
  await during(async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const n = round % world.services.length;
      await world.services[n]?.kill('SIGKILL');
      // Its load balancer notices soon; what was on its way is lost.
      world.ledger.urls = world.urls.filter((_, index) => index !== n);
      await world.replace(n);
      await pause(200);
    }
  });
  // A mail that was being sent when its process was killed is sent once more.
  expect(await whatIsAmiss({ mayRepeat: true })).toEqual([]);
});

test('the database crashes five times', async () => {
  await during(async () => {
    for (let n = 0; n < 5; n += 1) {
      await world.cluster.restartImmediately();
      await pause(2_000);
    }
  });
  expect(await whatIsAmiss({ mayRepeat: true })).toEqual([]);
});

test(`${ENDED_BACKENDS} connections of the database are ended amid their work`, async () => {
  await during(() =>
    world.cluster.operate(async (operator) => {
      for (let ended = 0; ended < ENDED_BACKENDS; await pause(20)) {
        const { rowCount } = await operator.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where backend_type = 'client backend' and pid <> pg_backend_pid() and state <> 'idle' limit 3`,
        );
        ended += rowCount ?? 0;
      }
    }),
  );
  expect(await whatIsAmiss({ mayRepeat: true })).toEqual([]);
});

test.each<[string, () => Promise<void>, () => Promise<void>]>([
  ['is cut off', () => world.way.cut(), () => world.way.mend()],
  ['is frozen', () => world.cluster.freeze(), () => world.cluster.thaw()],
])('the database %s for twenty seconds', async (_, begin, end) => {
  await during(async () => {
    await begin();
    await pause(20_000);
    await end();
    await pause(5_000);
  });
  expect(await whatIsAmiss({ mayRepeat: true })).toEqual([]);
});

test('a process stands still for a minute, amid bookings, refreshes and jobs', async () => {
  const [first] = world.services;
  await during(async () => {
    first?.child.kill('SIGSTOP');
    world.ledger.urls = world.urls.slice(1);
    await pause(60_000);
    first?.child.kill('SIGCONT');
    world.ledger.urls = world.urls;
    await pause(5_000);
  });
  expect(await whatIsAmiss({ mayRepeat: true })).toEqual([]);
});

test.each([-4, 4])('the clock of a process is %i minutes off', async (minutes) => {
  await world.services[0]?.kill('SIGTERM');
  await world.replace(0, { NODE_OPTIONS: `--import=${CLOCK}`, CLOCK_MINUTES: String(minutes) });
  await during(() => pause(10_000));
  expect(await whatIsAmiss()).toEqual([]);
  await world.services[0]?.kill('SIGTERM');
  await world.replace(0);
});

const refusing = (code: number) => () => ({ code, message: 'Not now' });

test.each<[string, () => void]>([
  ['is away', () => (world.mail.refusalFor = refusing(421))],
  ['puts everything off', () => (world.mail.refusalFor = refusing(451))],
  ['hangs', () => (world.mail.onTaken = () => pause(15_000))],
  ['takes mails and says that it did not', () => (world.mail.onTaken = () => Promise.reject(new Error('No')))],
])('the mail server %s for twenty seconds', async (what, begin) => {
  await during(async () => {
    begin();
    await pause(20_000);
    world.mail.refusalFor = () => undefined;
    world.mail.onTaken = () => undefined;
  });
  expect(await whatIsAmiss({ mayRepeat: what.startsWith('takes') || what === 'hangs' })).toEqual([]);
});

test.each<[string, () => void]>([
  ['fails', () => (world.receiver.answer = (response) => void response.writeHead(500).end())],
  ['hangs', () => (world.receiver.answer = () => undefined)],
  ['hangs up', () => (world.receiver.answer = (response) => void response.destroy())],
])('the receiver of a webhook %s for twenty seconds', async (_, begin) => {
  await during(async () => {
    begin();
    await pause(20_000);
    world.receiver.answer = TAKEN;
  });
  expect(await whatIsAmiss()).toEqual([]);
});

test.each<[string, () => void]>([
  ['fails', () => (world.caldav.answerPut = (response) => void response.writeHead(500).end())],
  ['hangs', () => (world.caldav.answerPut = () => undefined)],
  ['hangs up', () => (world.caldav.answerPut = (response) => void response.destroy())],
  [
    'takes entries and says that it did not',
    () =>
      (world.caldav.answerPut = (response, take) => {
        take();
        response.writeHead(500).end();
      }),
  ],
])('the calendar of a host %s for twenty seconds', async (_, begin) => {
  await during(async () => {
    begin();
    await pause(20_000);
    world.caldav.answerPut = CREATED;
  });
  expect(await whatIsAmiss()).toEqual([]);
});

test.each<[string, () => unknown, () => unknown]>([
  ['nothing', () => undefined, () => undefined],
  ['a database that is cut off', () => world.way.cut(), () => world.way.mend()],
  ['a database that says nothing', () => world.way.hush(), () => world.way.speak()],
  ['a frozen database', () => world.cluster.freeze(), () => world.cluster.thaw()],
  [
    'a mail server that hangs',
    () => (world.mail.onTaken = () => pause(60_000)),
    () => (world.mail.onTaken = () => undefined),
  ],
  ['a receiver that hangs', () => (world.receiver.answer = () => undefined), () => (world.receiver.answer = TAKEN)],
])(`SIGTERM amid work, under %s, ends a process within ${GRACE_SECONDS} seconds`, async (_, begin, end) => {
  await during(async () => {
    await begin();
    const from = performance.now();
    const code = await world.services[0]?.kill('SIGTERM');
    const seconds = (performance.now() - from) / 1_000;
    await end();
    expect(code).toBeTypeOf('number');
    expect(seconds).toBeLessThan(GRACE_SECONDS);
    await world.replace(0);
  });
  expect(await whatIsAmiss({ mayRepeat: true })).toEqual([]);
});

test('the disk of the database is full for twenty seconds', async () => {
  await elsewhere({ megabytes: 400 }, async () => {
    await during(async () => {
      const makeRoom = await world.cluster.fillDisk();
      await pause(20_000);
      await makeRoom();
      await pause(5_000);
    });
    expect(await whatIsAmiss({ mayRepeat: true })).toEqual([]);
  });
});

test.each<[string, () => Promise<void>, () => Promise<void>]>([
  ['is killed', () => world.cluster.crash(), async () => undefined],
  ['stays up read-only', () => world.cluster.becomeReadOnly(), async () => undefined],
  ['is frozen, and comes back', () => world.cluster.freeze(), () => world.cluster.thaw()],
])('a failover, after which the old primary %s', async (_, begin, comeBack) => {
  await elsewhere({ hasStandby: true }, async () => {
    const { standby, way } = world;
    await during(async () => {
      await begin();
      await pause(500);
      await standby?.promote();
      way.lead(standby?.url ?? '');
      await pause(8_000);
      await comeBack();
      await pause(5_000);
    });
    expect(await whatIsAmiss({ mayRepeat: true })).toEqual([]);
  });
});

/** In a world that is not as it was afterwards. */
async function elsewhere(options: Parameters<typeof World.open>[0], run: () => Promise<void>): Promise<void> {
  const usual = world;
  world = await World.open(options);
  mailedBefore = 0;
  try {
    await run();
  } finally {
    await world.close();
    world = usual;
  }
}
