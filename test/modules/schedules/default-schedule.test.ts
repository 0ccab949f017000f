import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Selection } from '../../../src/database/columns.ts';
import { violatedConstraint } from '../../../src/database/failure.ts';
import { row, rows, sql } from '../../../src/database/sql.ts';
import { own } from '../../../src/modules/levels/reach.ts';
import {
  createFirstSchedule,
  createSchedule,
  deleteSchedule,
  updateSchedule,
} from '../../../src/modules/schedules/schedule.commands.ts';
import { Schedule } from '../../../src/modules/schedules/schedule.entity.ts';
import { findDefaultSchedules } from '../../../src/modules/schedules/schedule.queries.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { outcomeOf } from '../../support/outcome.ts';
import { aUser } from './support/a-user.ts';

const WHOLE = Selection.whole(Schedule);

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
  // This table uses a schedule as any does: by a foreign key.
  await rows(
    em(),
    sql`create table uses (user_id uuid not null, schedule_id uuid not null,
          foreign key (user_id, schedule_id) references schedules (user_id, id) on delete restrict)`,
  );
});
afterAll(() => database.close());

describe('the first schedule of an account', () => {
  test('is Monday to Friday from 09:00 to 17:00 in the user’s zone, as the default', async () => {
    const userId = await aUser(em(), 'Asia/Kolkata');
    await createFirstSchedule(em(), userId);
    expect((await findDefaultSchedules(em(), [userId], WHOLE)).get(userId)).toMatchObject({
      userId,
      timeZone: 'Asia/Kolkata',
      isDefault: true,
      availability: [{ days: ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'], start: '09:00', end: '17:00' }],
      overrides: [],
    });
  });

  test('is made once, however often it is asked for at the same moment', async () => {
    const userId = await aUser(em());
    await Promise.all(Array.from({ length: 20 }, () => createFirstSchedule(em(), userId)));
    expect(await countsOf(userId)).toEqual({ schedules: 1, defaults: 1 });
  });

  test('does not come on top of a default that the user has chosen', async () => {
    const userId = await aUser(em());
    await createSchedule(em(), own(userId), { name: 'Mine' });
    await createFirstSchedule(em(), userId);
    expect(await countsOf(userId)).toEqual({ schedules: 1, defaults: 1 });
  });
});

describe('exactly one of a user’s schedules is the default', () => {
  test('the first, and not the next ones', async () => {
    const owner = own(await aUser(em()));
    const first = await createSchedule(em(), owner, { name: 'First', isDefault: false });
    await createSchedule(em(), owner, { name: 'Second' });
    expect((await findDefaultSchedules(em(), [owner.ownerId], WHOLE)).get(owner.ownerId)?.id).toBe(first);
    expect(await countsOf(owner.ownerId)).toEqual({ schedules: 2, defaults: 1 });
  });

  test('after 50 first ones at the same moment', async () => {
    const userId = await aUser(em());
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => createSchedule(em(), own(userId), { name: `No. ${index}` })),
    );
    expect(await countsOf(userId)).toEqual({ schedules: 50, defaults: 1 });
  });

  test('after 50 new ones at the same moment that all want to be it', async () => {
    const userId = await aUser(em());
    await Promise.all(
      Array.from({ length: 50 }, () => createSchedule(em(), own(userId), { name: 'Mine', isDefault: true })),
    );
    expect(await countsOf(userId)).toEqual({ schedules: 50, defaults: 1 });
  });

  test('after 50 are made the default at the same moment', async () => {
    const { userId, ids } = await aUserWithSchedules(50);
    const outcomes = await Promise.all(
      ids.map((id) => outcomeOf(updateSchedule(em(), own(userId), id, { isDefault: true }))),
    );
    expect(new Set(outcomes)).toEqual(new Set(['done']));
    expect(await countsOf(userId)).toEqual({ schedules: 50, defaults: 1 });
  });

  test('when one is deleted and made the default at the same moment', async () => {
    const { userId, ids } = await aUserWithSchedules(11);
    const owner = own(userId);
    for (const id of ids.slice(1)) {
      const outcomes = await Promise.all([
        outcomeOf(updateSchedule(em(), owner, id, { isDefault: true })),
        outcomeOf(deleteSchedule(em(), owner, id)),
      ]);
      expect(['done,DEFAULT_SCHEDULE', 'NOT_FOUND,done']).toContain(outcomes.join());
      expect(await countsOf(userId)).toMatchObject({ defaults: 1 });
    }
  });

  test('when one is deleted that is just becoming it', async () => {
    const { userId, ids } = await aUserWithSchedules(2);
    const [owner, second = ''] = [own(userId), ids[1]];
    const [made, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const making = em().transactional(async (inner) => {
      await updateSchedule(inner, owner, second, { isDefault: true });
      made.resolve();
      await mayEnd.promise;
    });
    await made.promise;
    const deletion = outcomeOf(deleteSchedule(em(), owner, second));
    mayEnd.resolve();
    await making;
    expect(await deletion).toBe('DEFAULT_SCHEDULE');
    expect(await countsOf(userId)).toEqual({ schedules: 2, defaults: 1 });
  });

  test('also when the one that was to be it is missing', async () => {
    const { userId, ids } = await aUserWithSchedules(2);
    const [first = '', second = ''] = ids;
    await deleteSchedule(em(), own(userId), second);
    const refused = updateSchedule(em(), own(userId), second, { isDefault: true });
    await expect(refused).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await findDefaultSchedules(em(), [userId], WHOLE)).get(userId)?.id).toBe(first);
  });

  test('even where a statement bypasses the commands', async () => {
    const { userId } = await aUserWithSchedules(2);
    const second = rows(em(), sql`update schedules set is_default = true where user_id = ${userId}`);
    expect(violatedConstraint(await second.catch((error: unknown) => error))).toBe('schedules_default_key');
  });
});

describe('a schedule that something uses', () => {
  test('cannot be deleted until it is used no more', async () => {
    const { userId, ids } = await aUserWithSchedules(2);
    const scheduleId = ids[1] ?? '';
    await rows(em(), sql`insert into uses values (${userId}, ${scheduleId})`);
    expect(await outcomeOf(deleteSchedule(em(), own(userId), scheduleId))).toBe('SCHEDULE_IN_USE');
    expect(await countsOf(userId)).toEqual({ schedules: 2, defaults: 1 });
    await rows(em(), sql`delete from uses where user_id = ${userId}`);
    expect(await outcomeOf(deleteSchedule(em(), own(userId), scheduleId))).toBe('done');
    expect(await countsOf(userId)).toEqual({ schedules: 1, defaults: 1 });
  });

  test('is either used or deleted, when both happen at the same moment', async () => {
    const { userId, ids } = await aUserWithSchedules(11);
    for (const scheduleId of ids.slice(1)) {
      const use = rows(em(), sql`insert into uses values (${userId}, ${scheduleId})`);
      const [isUsed, deletion] = await Promise.all([
        use.then(
          () => true,
          () => false,
        ),
        outcomeOf(deleteSchedule(em(), own(userId), scheduleId)),
      ]);
      expect(deletion).toBe(isUsed ? 'SCHEDULE_IN_USE' : 'done');
    }
  });
});

function em() {
  return database.em.fork();
}

async function aUserWithSchedules(count: number): Promise<{ userId: string; ids: string[] }> {
  const userId = await aUser(em());
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const id = await createSchedule(em(), own(userId), { name: `No. ${index}` });
    ids.push(id);
  }
  return { userId, ids };
}

async function countsOf(userId: string): Promise<unknown> {
  return row(
    em(),
    sql`select count(*)::int as schedules, (count(*) filter (where is_default))::int as defaults
        from schedules where user_id = ${userId}`,
  );
}
