/** The bookings that somebody attends: by the verified address of their account, and no more of them than an attendee sees. */
import { isObjectType } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changed, sql } from '../../src/database/sql.ts';
import { buildSchemas } from '../../src/schema.ts';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { uuidOf } from '../support/ids.ts';
import { type BookingPage, openBookingPage } from './booking-pages.ts';

let api: TestApi;
let pages: readonly BookingPage[];
let guest: TestCaller;
let email: string;
const starts: string[] = [];

beforeAll(async () => {
  api = await openTestApi();
  pages = [await openBookingPage(api), await openBookingPage(api)];
  guest = await api.newUser('guest');
  email = (await guest.ask('{ me { email } }')).data.me.email;
  for (const [index, page] of [...pages, ...pages].entries()) {
    const start = (await page.slots())[10 - index] ?? '';
    // However the address is typed.
    await page.book(start, { attendee: { ...as(index % 2 === 0 ? email : email.toUpperCase()) }, notes: 'Secret' });
    starts.push(start);
  }
  // Somebody else's.
  await pages[0]?.book((await pages[0].slots())[20] ?? '');
});
afterAll(() => api.close());

const as = (address: string) => ({ name: 'Guest', email: address, timeZone: 'Europe/Paris' });
const LIST = `query($first: Int, $after: String, $last: Int, $filter: AppointmentFilterInput) {
  me { appointments(first: $first, after: $after, last: $last, filter: $filter) {
    nodes { bookingId title status start location { text } hosts { name } } totalCount pageInfo { hasNextPage endCursor } } } }`;
const listed = async (variables: Record<string, unknown> = {}, who = guest) => {
  const { data, codes } = await who.ask(LIST, variables);
  expect(codes).toEqual([]);
  return data.me.appointments;
};
const startsOf = ({ nodes }: { nodes: readonly { start: string }[] }) => nodes.map(({ start }) => start);

test('are listed with all hosts, earliest start first, page by page, and counted', async () => {
  const all = await listed();
  expect(startsOf(all)).toEqual(starts.toSorted());
  expect(all.totalCount).toBe(4);
  expect(all.nodes[0]).toMatchObject({ title: 'Talk', status: 'ACCEPTED', hosts: [{ name: expect.any(String) }] });
  const first = await listed({ first: 3 });
  const rest = await listed({ first: 3, after: first.pageInfo.endCursor });
  expect([...startsOf(first), ...startsOf(rest)]).toEqual(starts.toSorted());
  expect([first.pageInfo.hasNextPage, rest.pageInfo.hasNextPage]).toEqual([true, false]);
  expect(startsOf(await listed({ last: 1 }))).toEqual([starts.toSorted().at(-1)]);
});

test('are narrowed to a period', async () => {
  const [, second, third] = starts.toSorted();
  const found = await listed({ filter: { start: { from: second, to: third } } });
  expect([startsOf(found), found.totalCount]).toEqual([[second], 1]);
  const { errors, codes } = await guest.ask(LIST, { filter: { start: { from: third, to: second } } });
  expect([codes, errors[0]?.message]).toEqual([
    ['BAD_INPUT'],
    expect.stringMatching(/^start ends at .*choose a later end/v),
  ]);
});

test('take the scope to read bookings, and show no uid and nobody else', async () => {
  const { codes } = await api.as('guest', ['PROFILE_READ']).ask(LIST);
  expect(codes).toEqual(['INSUFFICIENT_SCOPE']);
  const type = buildSchemas().forTokens.schema.getType('Appointment');
  const fields = isObjectType(type) ? Object.keys(type.getFields()) : [];
  expect(fields.filter((name) => /uid|attendee|guest|note|response|metadata/i.test(name))).toEqual([]);
});

test('are nobody else’s, and none without a verified address', async () => {
  expect((await listed({}, pages[0]?.host)).nodes).toEqual([]);
  await setVerifiedAt(null);
  expect(await listed()).toMatchObject({ nodes: [], totalCount: 0 });
  await setVerifiedAt(new Date().toISOString());
  expect((await listed()).totalCount).toBe(4);
});

function setVerifiedAt(at: string | null) {
  return changed(
    api.database.em.fork(),
    sql`update users set email_verified_at = ${at}::timestamptz where id = ${uuidOf(guest.userId)}`,
  );
}
