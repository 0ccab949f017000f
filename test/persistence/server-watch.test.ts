import { beforeEach, describe, expect, test } from 'vitest';
import { hasMovedAway } from '../../src/database/database-away.ts';
import { type Ask, ServerWatch } from '../../src/persistence/server-watch.ts';

/** PostgreSQL describes itself so to a new connection: by its functions, whatever they are asked for beside that. */
function server(told: {
  isStandby?: boolean;
  isReadOnly?: boolean;
  system?: string | null;
  timeline?: string | null;
}): Ask {
  const { isStandby = false, isReadOnly = false, system = '7300000000000000001', timeline = '00000001' } = told;
  return async () => [{ isStandby, isReadOnly, system, timeline, pid: 1 }];
}

const OLD = server({});
const PROMOTED = server({ timeline: '00000002' });

const TELLING_NO_NAMES: Ask = async (statement) => {
  if (statement.includes('pg_control_system')) throw Object.assign(new Error('no'), { code: '42501' });
  return [{ isStandby: false, isReadOnly: false, system: null, timeline: null, pid: 1 }];
};

describe('a new connection', () => {
  let watch: ServerWatch;
  let renewed: number;
  let left: string[];
  beforeEach(async () => {
    watch = new ServerWatch();
    renewed = 0;
    left = [];
    watch.onMove(() => (renewed += 1));
    watch.onLeave((name) => left.push(name));
    await watch.admit(OLD);
  });

  const refusalOf = (ask: Ask) =>
    watch.admit(ask).then(
      () => 'taken',
      (error: unknown) => (hasMovedAway(error) ? 'refused' : error),
    );

  test('to the same server is taken, and renews nothing', async () => {
    expect([await refusalOf(OLD), renewed, watch.isMoving]).toEqual(['taken', 0, false]);
  });

  test.each([
    ['a standby', server({ isStandby: true, timeline: null })],
    ['a primary that is read-only', server({ isReadOnly: true })],
  ])('to %s is refused, and all others are renewed', async (_, ask) => {
    expect([await refusalOf(ask), renewed, watch.isMoving]).toEqual(['refused', 1, true]);
    expect(await refusalOf(ask)).toBe('refused');
    expect(renewed).toBe(1);
    expect([await refusalOf(PROMOTED), watch.isMoving]).toEqual(['taken', false]);
  });

  test('to a promoted one is taken; all others are renewed, and other processes hear which server was left', async () => {
    expect([await refusalOf(PROMOTED), renewed, left]).toEqual(['taken', 1, ['7300000000000000001/00000001']]);
  });

  test('to the one from before is refused from then on, however it says that it is a primary', async () => {
    await watch.admit(PROMOTED);
    expect(await refusalOf(OLD)).toBe('refused');
    expect(await refusalOf(PROMOTED)).toBe('taken');
  });

  test('to another database, restored from elsewhere, is taken: no timeline of it is older', async () => {
    await watch.admit(PROMOTED);
    expect(await refusalOf(server({ system: '7300000000000000002' }))).toBe('taken');
  });

  test('is waited for once another process has left this server, and not for any other one', () => {
    watch.hear('7300000000000000001/00000009');
    expect([renewed, watch.isMoving]).toEqual([0, false]);
    watch.hear('7300000000000000001/00000001');
    expect([renewed, watch.isMoving]).toEqual([1, true]);
  });

  test('is made after a statement was refused as read-only', () => {
    watch.failed(Object.assign(new Error('read-only'), { code: '25006' }));
    expect([renewed, watch.isMoving, left.length]).toEqual([1, true, 1]);
    watch.failed(Object.assign(new Error('read-only'), { code: '25006' }));
    expect(renewed).toBe(1);
  });

  test('to a server that does not report its names is taken, as long as it is no standby', async () => {
    const other = new ServerWatch();
    expect(await other.admit(TELLING_NO_NAMES)).toMatchObject({ system: null });
    await expect(other.admit(server({ isStandby: true }))).rejects.toThrow('standby');
  });
});
