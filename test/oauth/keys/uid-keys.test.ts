import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId, newUserId } from '../../../src/core/id.ts';
import { DatabaseClock } from '../../../src/database/database-clock.ts';
import { changed, type Em, rows, sql } from '../../../src/database/sql.ts';
import { findBooking } from '../../../src/modules/bookings/booking.queries.ts';
import { Uids } from '../../../src/modules/bookings/booking-key.rules.ts';
import { KeyRing } from '../../../src/oauth/keys/key-ring.ts';
import { rotateUidKey } from '../../../src/oauth/keys/signing-keys.ts';
import { book, eventTypeOf, newHosts, slotOn } from '../../modules/bookings/support/booked-hosts.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';

const MASTER = new Uint8Array(32).fill(1);
const NEXT_MASTER = new Uint8Array(32).fill(2);

let database: TestDatabase;
let em: Em;
let ring: KeyRing;
let uids: Uids;
beforeAll(async () => {
  database = await openTestDatabase();
  em = database.em.fork();
  ring = await KeyRing.open(em, { current: MASTER }, new DatabaseClock());
  uids = new Uids(() => ring.uidKeys());
});
afterAll(() => database.close());

const numberOf = (uid: string): string | undefined => uid[4];
const stored = async () =>
  (await rows<{ id: string }>(em, sql`select id from oauth_keys where purpose = 'UIDS' order by id`)).map(
    ({ id }) => id,
  );

/** As after the time in which every process notices the key that was made last. */
async function letItWrite(): Promise<void> {
  await changed(em, sql`update oauth_keys set active_at = now() where purpose = 'UIDS' and active_at > now()`);
  await changed(em, sql`update oauth_keys set retired_at = now() where purpose = 'UIDS' and retired_at > now()`);
  await ring.reload();
}

test('a rotated key writes the new uids, and those of before open their bookings', async () => {
  const [hostId = ''] = await newHosts(em, 1);
  const { key } = await book(em, eventTypeOf([hostId]), slotOn(0, '09:00'));
  const attendee = { ownerId: key.ownerId, id: key.id, version: 0 };
  const [old, file] = [uids.of(attendee), uids.ofFile(attendee)];
  expect(numberOf(old)).toBe('0');

  expect(await rotateUidKey(em, { current: MASTER })).toMatchObject({ number: 1, deleted: [] });
  // Another process may not know the key yet, so it does not write.
  await ring.reload();
  expect(uids.of(attendee)).toBe(old);
  await expect(rotateUidKey(em, { current: MASTER })).rejects.toMatchObject({ code: 'ROTATION_UNDER_WAY' });

  await letItWrite();
  const next = uids.of(attendee);
  expect(numberOf(next)).toBe('1');
  for (const uid of [old, next]) {
    const read = uids.read(uid);
    expect(await findBooking(em, read ?? { ownerId: newUserId(), id: newId() })).toMatchObject({ id: key.id });
  }
  expect(uids.readFile(file)).toMatchObject({ id: key.id });

  // It stands until the last booking under it has ended, whatever else is rotated.
  expect(await rotateUidKey(em, { current: MASTER })).toMatchObject({ number: 2, deleted: [] });
  await letItWrite();
  expect(await stored()).toEqual(['uids-0', 'uids-1', 'uids-2']);
  const after = await KeyRing.open(em, { current: NEXT_MASTER, previous: MASTER }, new DatabaseClock());
  expect(new Uids(() => after.uidKeys()).read(old)).toMatchObject({ id: key.id });

  await changed(
    em,
    sql`update bookings set starts_at = now() - interval '2 hours', ends_at = now() - interval '1 hour'`,
  );
  expect(await rotateUidKey(em, { current: NEXT_MASTER })).toMatchObject({ number: 3, deleted: [0, 1] });
  const last = await KeyRing.open(em, { current: NEXT_MASTER }, new DatabaseClock());
  const lastUids = new Uids(() => last.uidKeys());
  expect([lastUids.read(old), lastUids.read(next)]).toEqual([undefined, undefined]);
  expect(lastUids.metrics()).toContain('gatehouse_wrong_uids_total 2\n');
});

test('a key that was deleted is forgotten by running processes', async () => {
  const running = await KeyRing.open(em, { current: NEXT_MASTER }, new DatabaseClock());
  const before = new Uids(() => running.uidKeys());
  const uid = before.of({ ownerId: newUserId(), id: newId(), version: 0 });
  expect(before.read(uid)).toBeDefined();
  await changed(em, sql`update oauth_keys set active_at = now() where id = 'uids-3'`);
  await changed(em, sql`delete from oauth_keys where id = ${`uids-${numberOf(uid)}`}`);
  await running.reload();
  expect(before.read(uid)).toBeUndefined();
});
