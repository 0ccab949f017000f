import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isOnPostgres } from '../support/database.ts';
import { Load, type Service } from '../support/load.ts';
import { paced } from '../support/pace.ts';
import { POSTGRES_PROGRAMS, PostgresCluster } from '../support/postgres-cluster.ts';
import { type RunningService, startService, temporaryFolder } from '../support/process.ts';
import { SHARED } from '../support/servers.ts';

const RECOVERY_MILLISECONDS = 2_000;
const MEASURED_MILLISECONDS = 2_000;
/** The part of what was served before that each probe must reach; what a probe takes varies. */
const FULL = 0.5;
const WORKERS = 2;
const PLACES = 8;

/** Nothing of this may happen to the database that other tests share. */
const NEED = 'a PostgreSQL of their own (needs initdb in /usr/lib/postgresql)';

describe.runIf(isOnPostgres && POSTGRES_PROGRAMS !== undefined)(`on bad days of ${NEED}, two workers`, () => {
  let cluster: PostgresCluster;
  let folder: string;
  let service: RunningService;
  let load: Load;
  let before: Service;
  beforeAll(async () => {
    [cluster, folder] = await Promise.all([PostgresCluster.start(), temporaryFolder()]);
    const limits = { RATE_LIMITS: 'off', MAIL_LIMITS: 'off' };
    const env = { ...SHARED, ...limits, DATA_DIR: folder, DATABASE_URL: cluster.url, LOG_LEVEL: 'info' };
    service = await startService({ ...env, WORKERS: String(WORKERS) });
    load = await Load.start(service.url);
    await load.serviceFor(MEASURED_MILLISECONDS);
    // Longer than what is compared with it: a moment in which the machine is busy is no measure for all others.
    before = await load.serviceFor(3 * MEASURED_MILLISECONDS);
  }, paced(120_000));
  afterAll(async () => {
    const ended = service?.kill('SIGKILL');
    await load?.stop();
    await ended;
    await cluster?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('serve all that is asked on a good day', () => {
    expect(before.failures).toEqual([]);
    expect(Math.min(before.reads, before.writes)).toBeGreaterThan(0);
  });

  test('serve as before two seconds after a hundred connections were ended inside transactions', async () => {
    let ended = 0;
    await cluster.operate(async (operator) => {
      for (; ended < 100; await pause(10)) {
        const { rowCount } = await operator.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where backend_type = 'client backend' and pid <> pg_backend_pid()
             and (backend_xid is not null or state like 'idle in transaction%')`,
        );
        ended += rowCount ?? 0;
      }
    });
    expect(await whatIsAmiss()).toEqual([]);
  });

  test('serve as before two seconds after each of five immediate restarts', { timeout: paced(120_000) }, async () => {
    for (let restart = 0; restart < 5; restart += 1) {
      await cluster.restartImmediately();
      expect(await whatIsAmiss()).toEqual([]);
    }
  });

  test('serve as before two seconds after a freeze of twenty seconds', async () => {
    await cluster.freeze();
    const failures = await load.failuresDuring(() => pause(20_000));
    await cluster.thaw();
    expect(failures.filter((failure) => !isToComeBack(failure))).toEqual([]);
    expect(await whatIsAmiss()).toEqual([]);
  });

  test('serve others all through a lock of thirty seconds on bookings, and everybody two seconds after it', async () => {
    await cluster.operate(async (operator) => {
      await operator.query('begin; lock table bookings');
      await load.serviceFor(3_000);
      const windows: Service[] = [];
      while (windows.length < 12) windows.push(await load.serviceFor(MEASURED_MILLISECONDS));
      await operator.query('commit');
      expect(Math.min(...windows.map(({ reads }) => reads))).toBeGreaterThan(before.reads * FULL);
      const failures = windows.flatMap((window) => window.failures);
      expect(failures.filter((failure) => !isToComeBack(failure))).toEqual([]);
    });
    expect(await whatIsAmiss()).toEqual([]);
  });

  test('have each place of their pools, and have not been replaced', async () => {
    await cluster.operate(async (operator) => {
      await operator.query('begin; lock table event_types');
      // As many as wait at once before it is seen that they are stuck.
      const asked = Array.from({ length: 60 }, (_, n) => fetch(`${service.url}/book/ada/place-${n}`));
      await expect.poll(statementsThatWait, { interval: 20, timeout: paced(5_000) }).toBe(WORKERS * PLACES);
      await operator.query('commit');
      expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([404]));
    });
    expect(service.output()).not.toMatch(/worker/i);
  });

  test('end within their grace on SIGTERM, with statements that are locked and requests that wait for them', async () => {
    await cluster.operate(async (operator) => {
      await operator.query('begin; lock table bookings');
      await load.serviceFor(500);
      const from = performance.now();
      const code = await service.kill('SIGTERM');
      expect(performance.now() - from).toBeLessThan(paced(15_000));
      // A request that still waits for the lock when the time of all is over is abandoned: then both say so.
      expect(code).toBe(/were cut off|waiting any longer/.test(service.output()) ? 1 : 0);
    });
  });

  /** In a session of its own: a transaction sees the activity of others as it was when it first looked. */
  function statementsThatWait(): Promise<number> {
    return cluster.operate(async (onlooker) => {
      const found = await onlooker.query(`select from pg_stat_activity where wait_event_type = 'Lock'`);
      return found.rowCount ?? 0;
    });
  }

  /** Two seconds after the trouble, in words. */
  async function whatIsAmiss(): Promise<string[]> {
    await pause(RECOVERY_MILLISECONDS);
    const after = await load.serviceFor(MEASURED_MILLISECONDS);
    const slower = (['reads', 'writes'] as const)
      .filter((rate) => after[rate] < before[rate] * FULL)
      .map((rate) => `${rate} for each probe: ${after[rate]}, and ${before[rate]} before`);
    return [...after.failures, ...slower];
  }
});

/** Clients are told so, in whatever words. */
function isToComeBack(failure: string): boolean {
  return /^50[34] /.test(failure);
}
