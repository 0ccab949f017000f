import { defineEntity, MikroORM, p } from '@mikro-orm/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DurationType, InstantType, PlainDateType, PlainTimeType } from '../../src/database/temporal-types.ts';
import { ormOptions } from '../../src/persistence/orm-options.ts';
import { embeddedSettings } from '../support/settings.ts';

const Moment = defineEntity({
  name: 'Moment',
  tableName: 'moments',
  properties: {
    id: p.integer().primary(),
    instant: p.type(InstantType).nullable(),
    date: p.type(PlainDateType).nullable(),
    time: p.type(PlainTimeType).nullable(),
    duration: p.type(DurationType).nullable(),
  },
});

let orm: MikroORM;
beforeAll(async () => {
  orm = await MikroORM.init({ ...ormOptions(embeddedSettings()), entities: [Moment] });
  await orm.em.getConnection().execute(`set intervalstyle = 'iso_8601'; ${await orm.schema.getCreateSchemaSQL()}`);
});
afterAll(() => orm.close());

test('Temporal values come back from the database as they went in', async () => {
  const values = {
    instant: Temporal.Instant.from('2026-03-29T01:30:00.123Z'),
    date: Temporal.PlainDate.from('2011-12-30'),
    time: Temporal.PlainTime.from('09:05'),
    duration: Temporal.Duration.from('P1DT2H'),
  };
  const em = orm.em.fork();
  em.create(Moment, { id: 1, ...values });
  await em.flush();
  const found = await orm.em.fork().findOneOrFail(Moment, 1);
  expect(found.instant?.equals(values.instant)).toBe(true);
  expect(found.date?.equals(values.date)).toBe(true);
  expect(found.time?.equals(values.time)).toBe(true);
  expect(found.duration?.toString()).toBe('P1DT2H');
});

test('an unchanged row is not written again, and null stays null', async () => {
  const em = orm.em.fork();
  em.create(Moment, { id: 2, instant: null, date: null, time: null, duration: null });
  await em.flush();
  const again = orm.em.fork();
  const found = await again.findOneOrFail(Moment, 2);
  expect([found.instant, found.date, found.time, found.duration]).toEqual([null, null, null, null]);
  again.getUnitOfWork().computeChangeSets();
  expect(again.getUnitOfWork().getChangeSets()).toEqual([]);
});
