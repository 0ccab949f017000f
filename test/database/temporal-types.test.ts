import { defineEntity, MikroORM, p } from '@mikro-orm/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { InstantType } from '../../src/database/temporal-types.ts';
import { ormOptions } from '../../src/persistence/orm-options.ts';
import { isOnPostgres } from '../support/database.ts';
import { lendEmbedded } from '../support/embedded-loans.ts';
import { embeddedSettings } from '../support/settings.ts';

const Moment = defineEntity({
  name: 'Moment',
  tableName: 'moments',
  properties: {
    id: p.integer().primary(),
    instant: p.type(InstantType).nullable(),
  },
});

let orm: MikroORM;
beforeAll(async () => {
  // Where others have used one, it is lent: a new one takes three seconds.
  const lent = isOnPostgres ? {} : { openInMemory: lendEmbedded('empty') };
  const options = await ormOptions(embeddedSettings(), lent);
  orm = await MikroORM.init({ ...options, entities: [Moment] });
  await orm.em.getConnection().execute(await orm.schema.getCreateSchemaSQL());
});
afterAll(() => orm.close());

test('an instant comes back from the database as it went in', async () => {
  const instant = Temporal.Instant.from('2026-03-29T01:30:00.123Z');
  const em = orm.em.fork();
  em.create(Moment, { id: 1, instant });
  await em.flush();
  const found = await orm.em.fork().findOneOrFail(Moment, 1);
  expect(found.instant?.equals(instant)).toBe(true);
});

test('an unchanged row is not written again, and null stays null', async () => {
  const em = orm.em.fork();
  em.create(Moment, { id: 2, instant: null });
  await em.flush();
  const again = orm.em.fork();
  const found = await again.findOneOrFail(Moment, 2);
  expect(found.instant).toBeNull();
  again.getUnitOfWork().computeChangeSets();
  expect(again.getUnitOfWork().getChangeSets()).toEqual([]);
});
