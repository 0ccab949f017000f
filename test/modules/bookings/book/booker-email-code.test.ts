import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changed, rows, sql } from '../../../../src/database/sql.ts';
import { NOBODY } from '../../../../src/events/record-event.ts';
import { CODE_REQUESTS, CODE_TRIES, type Verification } from '../../../../src/limits/guess-limit.ts';
import { MAIL_LIMITS, MailLimit } from '../../../../src/limits/mail-limit.ts';
import { createBooking } from '../../../../src/modules/bookings/book/book.ts';
import { requestBookerEmailCode } from '../../../../src/modules/bookings/book/booker-email-code.ts';
import type { BookingRequest } from '../../../../src/modules/bookings/booking-request.rules.ts';
import type { BookableEventType } from '../../../../src/modules/bookings/slots/bookable-event-type.queries.ts';
import { removeExpiredVerificationCodes } from '../../../../src/modules/verified-resources/verify-receiver.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { outcomeOf } from '../../../support/outcome.ts';
import { ownGuessLimit } from '../../../support/own-guess-limit.ts';
import { asSent, type SentMail } from '../../../support/sent-mail.ts';
import { aRequest, eventTypeOf, newHosts, outcomesOf, slotOn, times } from '../support/booked-hosts.ts';

const NINE = slotOn(0, '09:00');
const TEN = slotOn(0, '10:00');
const EMAIL = 'grace@example.test';
const HERE = '192.0.2.1';
const ELSEWHERE = '198.51.100.1';

let database: TestDatabase;
let eventType: BookableEventType;
let mails: SentMail[];
let verification: Verification;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  eventType = await newEventType();
  mails = [];
  verification = {
    key: new Uint8Array(32),
    requests: ownGuessLimit(CODE_REQUESTS, database),
    tries: ownGuessLimit(CODE_TRIES, database),
    mailLimit: new MailLimit(undefined, console),
    send: (mail) => void mails.push(asSent(mail)),
  };
});

const em = () => database.em.fork();

async function newEventType(): Promise<BookableEventType> {
  return eventTypeOf(await newHosts(em(), 1), { requiresBookerEmailVerification: true });
}

function ask(email = EMAIL, { of = eventType, address = HERE } = {}): Promise<void> {
  return requestBookerEmailCode(em(), of, { email, address }, verification);
}

/** The code of the last mail, once it was asked for. */
async function aCode(...asked: Parameters<typeof ask>): Promise<string> {
  await ask(...asked);
  return /\d{6}/.exec(mails.at(-1)?.text ?? '')?.[0] ?? '';
}

function wrong(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}

interface Shown {
  readonly start?: Temporal.Instant;
  readonly address?: string;
  readonly changes?: Partial<BookingRequest>;
  readonly of?: BookableEventType;
}

function book(code: string | null, { start = NINE, address = HERE, changes = {}, of = eventType }: Shown = {}) {
  return createBooking(em(), of, aRequest(start, changes), NOBODY, { code, address, verification });
}

async function bookingsOf({ ownerId }: BookableEventType): Promise<number> {
  return (await rows(em(), sql`select 1 from bookings where owner_id = ${ownerId}`)).length;
}

test('codes are mails: of one receiver, however the address is written and from wherever, five go in an hour', async () => {
  const mailLimit = new MailLimit(MAIL_LIMITS, { warn: () => undefined });
  verification = { ...verification, mailLimit };
  const outcomes = await outcomesOf(
    times(8, (index) => ask(`grace+${index}@example.test`, { address: `198.51.${index}.1` })),
  );
  expect(outcomes).toEqual({ done: 5, TOO_MANY_MAILS: 3 });
  expect(mails).toHaveLength(5);
  expect(await outcomeOf(ask('lin@example.test'))).toBe('done');
});

describe('a booker who verifies their address', () => {
  test('is mailed six digits, and books with them and not without', async () => {
    const code = await aCode();
    expect(mails).toMatchObject([{ to: EMAIL, text: expect.stringContaining(code) }]);
    expect(code).toMatch(/^\d{6}$/);
    expect(await outcomeOf(book(null))).toBe('EMAIL_VERIFICATION_REQUIRED');
    expect(await bookingsOf(eventType)).toBe(0);
    expect(await outcomeOf(book(code))).toBe('done');
  });

  test.each([
    ['with white space around and inside', (code: string) => ` ${code.slice(0, 3)} ${code.slice(3)}\n`],
    ['as it was sent', (code: string) => code],
  ])('may type the code %s', async (_, typed) => {
    expect(await outcomeOf(book(typed(await aCode())))).toBe('done');
  });

  test('may write the address in other capitals', async () => {
    const code = await aCode('Grace@Example.test');
    expect(await outcomeOf(book(code))).toBe('done');
  });

  test('books once with a code', async () => {
    const code = await aCode();
    expect(await outcomeOf(book(code))).toBe('done');
    expect(await outcomeOf(book(code, { start: TEN }))).toBe('INVALID_VERIFICATION_CODE');
    expect(await outcomeOf(book(await aCode(), { start: TEN }))).toBe('done');
  });

  test('books once with a code, of twenty who send it at the same moment', async () => {
    const code = await aCode();
    const outcomes = await outcomesOf(
      times(20, (index) => book(code, { start: slotOn(index % 5, `1${Math.floor(index / 5)}:00`) })),
    );
    expect(outcomes['done']).toBe(1);
    expect(await bookingsOf(eventType)).toBe(1);
  });

  test('keeps the code when the slot is taken', async () => {
    await book(await aCode());
    const code = await aCode();
    for (const _ of times(4, String)) expect(await outcomeOf(book(code))).toBe('SLOT_TAKEN');
    expect(await outcomeOf(book(code, { start: TEN }))).toBe('done');
  });

  test('finds with the same request what it has booked, though the code is spent', async () => {
    const changes = { idempotencyKey: 'a-key-of-my-own-choice' };
    const code = await aCode();
    const first = await book(code, { changes });
    expect(await book(code, { changes })).toEqual(first);
    expect(await bookingsOf(eventType)).toBe(1);
  });
});

describe('a code is refused', () => {
  test.each(['', '12345', '1234567', '١٢٣٤٥٦', '\0', '__proto__', '\ud800', '1'.repeat(100_000)])(
    'when it can be none: %#',
    async (typed) => {
      const code = await aCode();
      for (const _ of times(4, String)) expect(await outcomeOf(book(typed))).toBe('INVALID_VERIFICATION_CODE');
      expect(await outcomeOf(book(code))).toBe('done');
    },
  );

  test('for another address, for another event type, and where none was sent', async () => {
    const [other, code] = [await newEventType(), await aCode()];
    const attendee = { ...aRequest(NINE).attendee, email: 'mallory@example.test' };
    expect(await outcomeOf(book(code, { changes: { attendee } }))).toBe('INVALID_VERIFICATION_CODE');
    expect(await outcomeOf(book(code, { of: other }))).toBe('INVALID_VERIFICATION_CODE');
    expect(await outcomeOf(book(code))).toBe('done');
  });

  test('once it is over, and is then swept away', async () => {
    const code = await aCode();
    await changed(em(), sql`update verification_codes set expires_at = expires_at - interval '14 minutes'`);
    expect(await removeExpiredVerificationCodes(em(), 100)).toBe(0);
    await changed(em(), sql`update verification_codes set expires_at = expires_at - interval '1 minute'`);
    expect(await outcomeOf(book(code))).toBe('INVALID_VERIFICATION_CODE');
    expect(await removeExpiredVerificationCodes(em(), 100)).toBeGreaterThanOrEqual(1);
    expect(await outcomeOf(book(await aCode()))).toBe('done');
  });

  test('once another one was sent', async () => {
    const first = await aCode();
    let second = await aCode();
    while (second === first) second = await aCode();
    expect(await outcomeOf(book(first))).toBe('INVALID_VERIFICATION_CODE');
    expect(await outcomeOf(book(second))).toBe('done');
  });

  test('after three wrong ones, also when it is right; the next code begins anew', async () => {
    const code = await aCode();
    for (const _ of times(3, String)) expect(await outcomeOf(book(wrong(code)))).toBe('INVALID_VERIFICATION_CODE');
    expect(await outcomeOf(book(code))).toBe('TOO_MANY_GUESSES');
    expect(await bookingsOf(eventType)).toBe(0);
    expect(await outcomeOf(book(await aCode()))).toBe('done');
  });

  test('after two wrong ones it is not', async () => {
    const code = await aCode();
    for (const _ of times(2, String)) await outcomeOf(book(wrong(code)));
    expect(await outcomeOf(book(code))).toBe('done');
  });

  test('at fifty guesses sent at the same moment, of which three are judged', async () => {
    const code = await aCode();
    const outcomes = await outcomesOf(times(50, () => book(wrong(code))));
    expect(outcomes).toEqual({ INVALID_VERIFICATION_CODE: 3, TOO_MANY_GUESSES: 47 });
  });

  test('after thirty wrong ones from many networks; from one of them, nobody else is locked out', async () => {
    const code = await aCode();
    for (const _ of times(4, String)) await outcomeOf(book(wrong(code), { address: ELSEWHERE }));
    expect(await outcomeOf(book(code, { address: ELSEWHERE }))).toBe('TOO_MANY_GUESSES');
    expect(await outcomeOf(book(code, { start: TEN }))).toBe('done');

    const next = await aCode();
    for (const network of times(30, (index) => `203.0.${index}.1`))
      await outcomeOf(book(wrong(next), { address: network }));
    expect(await outcomeOf(book(next))).toBe('INVALID_VERIFICATION_CODE');
  });
});

describe('codes are sent', () => {
  test('five times in a quarter of an hour to an address from a network, for all event types together', async () => {
    const other = await newEventType();
    for (const index of times(5, Number))
      expect(await outcomeOf(ask(EMAIL, { of: index % 2 ? other : eventType }))).toBe('done');
    expect(await outcomeOf(ask())).toBe('TOO_MANY_GUESSES');
    expect(await outcomeOf(ask('GRACE@example.test'))).toBe('TOO_MANY_GUESSES');
    expect(mails).toHaveLength(5);
    expect(await outcomeOf(ask(EMAIL, { address: ELSEWHERE }))).toBe('done');
    expect(await outcomeOf(ask('another@example.test'))).toBe('done');
  });

  test('only where the event type asks for them, and the caller hears nothing of it', async () => {
    await requestBookerEmailCode(em(), undefined, { email: EMAIL, address: HERE }, verification);
    await ask(EMAIL, { of: { ...eventType, requiresBookerEmailVerification: false } });
    expect(mails).toEqual([]);
    await ask();
    expect(mails).toHaveLength(1);
  });

  test('to addresses only', async () => {
    expect(await outcomeOf(ask(''))).toBe('REQUIRED');
    expect(await outcomeOf(ask(`${EMAIL}\r\nBcc: all@example.test`))).toBe('INVALID_EMAIL');
    expect(await outcomeOf(ask('x'.repeat(100_000)))).toBe('INVALID_EMAIL');
    expect(mails).toEqual([]);
    expect(await outcomeOf(ask(` ${EMAIL} `))).toBe('done');
  });

  test('and not stored: without their key, the tables tell nothing of them', async () => {
    const code = await aCode();
    const stored = await rows<object>(
      em(),
      sql`select * from verification_codes where owner_id = ${eventType.ownerId}`,
    );
    const columns = ['expires_at', 'owner_id', 'receiver', 'salt', 'subject', 'tries'];
    expect(stored.map((one) => Object.keys(one).toSorted())).toEqual([columns]);
    const underAnotherKey = { ...verification, key: new Uint8Array(32).fill(1) };
    const proof = { code, address: HERE, verification: underAnotherKey };
    expect(await outcomeOf(createBooking(em(), eventType, aRequest(NINE), NOBODY, proof))).toBe(
      'INVALID_VERIFICATION_CODE',
    );
    expect(await outcomeOf(book(code))).toBe('done');
  });
});

test.each([
  ['de-AT', 'Ihr Buchungscode', /diesen Code.*: \d{6}\n/],
  ['fr', 'Your booking code', /this code.*: \d{6}\n/],
  [undefined, 'Your booking code', /this code.*: \d{6}\n/],
])('a reader of %s is mailed the code in a language of theirs, else in English', async (locale, subject, text) => {
  await requestBookerEmailCode(em(), eventType, { email: EMAIL, address: HERE, locale }, verification);
  expect(mails).toMatchObject([{ to: EMAIL, subject, text: expect.stringMatching(text) }]);
});
