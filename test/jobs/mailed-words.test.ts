import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Em, rows, sql } from '../../src/database/sql.ts';
import type { JobKind } from '../../src/jobs/job-kind.ts';
import { JobRunner } from '../../src/jobs/job-runner.ts';
import { BOOKING_CHANGES } from '../../src/modules/bookings/booking.queries.ts';
import { addAttendee, addGuests } from '../../src/modules/bookings/change/add-guests-and-attendees.ts';
import { book, eventTypeOf, newHosts, slotOn } from '../modules/bookings/support/booked-hosts.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { MailServer, type ReceivedMail } from '../support/mail-server.ts';
import { outcomeOf } from '../support/outcome.ts';
import { kindsWith } from './support/booking-mails.ts';
import { BOOKER, everythingHappens, MARKS, type Marked, nameHosts } from './support/marked-bookings.ts';

let database: TestDatabase;
let mailServer: MailServer;
let runner: JobRunner;
const heard = new Set<string>();
const em = (): Em => database.em.fork();
beforeAll(async () => {
  database = await openTestDatabase();
  mailServer = await MailServer.open();
  runner = new JobRunner(database.em, kindsWith(mailServer).map(listening), console);
});
afterAll(async () => {
  await runner.stop();
  await mailServer.close();
  await database.close();
});

/** Remembers of which events somebody was mailed. */
function listening(kind: JobKind): JobKind {
  if (kind.queue !== 'booking-mails') return kind;
  return {
    ...kind,
    run: async (within, data) => {
      const jobs = await kind.run(within, data);
      if (jobs.length > 0) heard.add((data as { type: string }).type);
      return jobs;
    },
  };
}

async function mails(): Promise<readonly ReceivedMail[]> {
  await runner.settled();
  return mailServer.mails.splice(0);
}

async function setVerified(userId: string, isVerified: boolean): Promise<void> {
  await rows(
    em(),
    sql`update users set email_verified_at = case when ${isVerified} then now() end where id = ${userId}`,
  );
}

interface Case {
  readonly owner: boolean;
  readonly secondHost?: boolean;
  /** Undefined: nobody is signed in. */
  readonly booker?: boolean;
}

async function everythingMailed({ owner, secondHost, booker }: Case): Promise<readonly ReceivedMail[]> {
  const hostIds = await newHosts(em(), secondHost === undefined ? 1 : 2);
  await nameHosts(em(), hostIds);
  await setVerified(hostIds[0] ?? '', owner);
  if (secondHost !== undefined) await setVerified(hostIds[1] ?? '', secondHost);
  const [bookerId = null] = booker === undefined ? [] : await newHosts(em(), 1);
  if (bookerId !== null) await setVerified(bookerId, booker ?? false);
  return everythingHappens({ em, hostIds, bookerId, mails });
}

const isToHost = ({ mailbox }: ReceivedMail): boolean => mailbox.startsWith('host-');
const isToSecondHost = ({ mailbox }: ReceivedMail): boolean => mailbox.startsWith('host-1');

/** The marks of somebody in mails, as `BookerNotes to host`. */
function marksIn(all: readonly ReceivedMail[], whose: Marked): string[] {
  const found = all.flatMap((mail) =>
    MARKS[whose].filter((mark) => wordsOf(mail).has(mark)).map((mark) => `${mark} to ${mail.mailbox.split(/[-@]/)[0]}`),
  );
  return [...new Set(found)].toSorted();
}

/** Whole words: HostName is none in SecondHostName. */
function wordsOf({ everything }: ReceivedMail): ReadonlySet<string> {
  return new Set(everything.match(/[A-Za-z]+/g));
}

describe('in mails there is no word', () => {
  test.each([
    ['of a booker who is nobody in particular', undefined],
    ['of a booker whose account is not verified', false],
  ])('%s, but to the hosts who have put up the form, who are verified', async (_, booker) => {
    const all = await everythingMailed({ owner: true, secondHost: true, ...(booker !== undefined && { booker }) });
    const others = all.filter((mail) => !isToHost(mail));
    expect(others.length).toBeGreaterThan(20);
    expect(marksIn(others, 'BOOKER')).toEqual([]);
    expect(marksIn(others, 'SEATMATE')).toEqual([]);
    expect(marksIn(all.filter(isToHost), 'BOOKER')).toEqual(
      ['BookerAnswer', 'BookerName', 'BookerNotes', 'BookerPlace', 'BookerReason'].map((mark) => `${mark} to host`),
    );
    expect(marksIn(others, 'OWNER')).toContain('OwnerTitle to booker');
  });

  test('of an owner who is not verified, to anybody; nobody but the owner is mailed', async () => {
    const all = await everythingMailed({ owner: false, booker: true });
    expect(new Set(all.map(({ mailbox }) => mailbox.replace(/-.*/, '')))).toEqual(new Set(['host']));
    expect(all.length).toBeGreaterThan(10);
    expect([...marksIn(all, 'OWNER'), ...marksIn(all, 'HOST')]).toEqual([]);
    expect(marksIn(all, 'BOOKER')).toContain('BookerNotes to host');
  });

  test('of a stranger, to an owner who is not verified', async () => {
    const all = await everythingMailed({ owner: false });
    expect(all.length).toBeGreaterThan(10);
    for (const whose of ['OWNER', 'HOST', 'BOOKER', 'SEATMATE'] as const) expect(marksIn(all, whose)).toEqual([]);
    expect(all.map(({ everything }) => everything).join('\n')).not.toMatch(/booker@|guest@|seatmate@/);
  });

  test('of a host who is not verified among others who are', async () => {
    const all = await everythingMailed({ owner: true, secondHost: false, booker: true });
    const second = marksIn(all, 'HOST').filter((mark) => mark.startsWith('Second'));
    expect(second).toEqual([]);
    expect(marksIn(all, 'HOST')).toContain('HostReason to booker');
    // This host does not hear a stranger's words by mail either.
    expect(marksIn(all.filter(isToSecondHost), 'SEATMATE')).toEqual([]);
    expect(
      marksIn(
        all.filter((mail) => isToHost(mail) && !isToSecondHost(mail)),
        'SEATMATE',
      ),
    ).not.toEqual([]);
  });
});

test('verified people’s words are mailed, in every kind of mail', async () => {
  heard.clear();
  const all = await everythingMailed({ owner: true, secondHost: true, booker: true });
  expect(marksIn(all, 'OWNER')).toEqual(
    expect.arrayContaining(['OwnerTitle to guest', 'OwnerDescription to guest', 'OwnerPlace to guest']),
  );
  expect(marksIn(all, 'HOST')).toEqual(expect.arrayContaining(MARKS.HOST.map((mark) => `${mark} to booker`)));
  expect(marksIn(all, 'BOOKER')).toEqual(
    expect.arrayContaining(['BookerName to guest', 'BookerReason to booker', 'BookerPlace to booker']),
  );
  // Metadata is for the API; answers and notes are for hosts, and for the booker to check.
  expect(marksIn(all, 'BOOKER').filter((mark) => /Answer|Metadata|Notes/.test(mark))).toEqual([
    'BookerAnswer to booker',
    'BookerAnswer to host',
    'BookerNotes to booker',
    'BookerNotes to host',
  ]);
  const released = BOOKING_CHANGES.filter((type) => type !== 'BOOKING_GUESTS_RELEASED');
  expect([...heard].toSorted()).toEqual(released.toSorted());
});

describe('a host hears of a stranger', () => {
  test.each([
    ['https://evil.test/now', 'has a link'],
    ['EVIL.test', 'names a domain'],
    ['ask eve@evil.test', 'has an address'],
    ['www．evil．test', 'has one in wide letters'],
  ])('no notes with %s, which %s', async (link) => {
    const hostIds = await newHosts(em(), 1);
    await nameHosts(em(), hostIds);
    await book(em(), eventTypeOf(hostIds), slotOn(0, '09:00'), { attendee: BOOKER, notes: `Quite harmless: ${link}` });
    const [toHost] = (await mails()).filter(isToHost);
    expect(toHost?.text).toContain('Notes:\n> (left out of this e-mail, because it has a link or an address in it,');
    expect(toHost?.everything).not.toContain('harmless');
  });

  test('the name as "an attendee" when it holds an address, and the address that was given', async () => {
    const hostIds = await newHosts(em(), 1);
    await nameHosts(em(), hostIds);
    const attendee = { ...BOOKER, name: 'Eve eve@evil.test' };
    await book(em(), eventTypeOf(hostIds), slotOn(0, '09:00'), { attendee });
    const [toHost] = (await mails()).filter(isToHost);
    expect(toHost?.everything).not.toContain('evil.test');
    expect(toHost?.text).toContain('An attendee booked a meeting with you.');
    expect(toHost?.email.replyTo).toEqual([{ name: 'an attendee', address: BOOKER.email }]);
  });
});

test('a host who is not verified adds nobody, who would be mailed in their name', async () => {
  const [hostId = ''] = await newHosts(em(), 1);
  const eventType = eventTypeOf([hostId]);
  const { key } = await book(em(), eventType, slotOn(0, '09:00'));
  const guests = () =>
    addGuests(em(), { ...key, hostId, network: 'unknown' }, ['max@example.test'], { allowsGuests: true });
  const attendee = () => addAttendee(em(), eventType, { ...key, hostId, network: 'unknown' }, BOOKER);
  await setVerified(hostId, false);
  expect([await outcomeOf(guests()), await outcomeOf(attendee())]).toEqual([
    'EMAIL_NOT_VERIFIED',
    'EMAIL_NOT_VERIFIED',
  ]);
  const stored = () => rows(em(), sql`select guest_emails from bookings where id = ${key.id} and guest_emails <> '{}'`);
  expect(await stored()).toEqual([]);
  await setVerified(hostId, true);
  expect([await outcomeOf(guests()), await outcomeOf(attendee())]).toEqual(['done', 'done']);
  expect(await stored()).toHaveLength(1);
});
