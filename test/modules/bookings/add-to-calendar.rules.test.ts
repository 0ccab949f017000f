import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CalendarEntry,
  calendarLinks,
  type Invitation,
  icsOf,
  icsOfSeries,
} from '../../../src/modules/bookings/add-to-calendar.rules.ts';

const INVITATION: Invitation = {
  title: 'Talk',
  description: 'Half an hour',
  status: 'ACCEPTED',
  start: '2026-12-01T10:00:00+01:00',
  end: '2026-12-01T09:30:00Z',
  location: { type: 'LINK', value: 'https://meet.example/1?a=b&c' },
  hosts: [{ name: 'Ada' }],
  attendee: { name: 'Grace', email: 'grace@example.test', timeZone: 'Europe/Paris' },
  cancellationReason: null,
  icsId: '1',
  icsSequence: 7,
  createdAt: '2026-11-20T08:00:00.100Z',
  updatedAt: '2026-11-20T08:00:07.100Z',
};

const ics = (changes: Partial<Invitation> = {}) => icsOf({ ...INVITATION, ...changes }, 'no-reply@gatehouse.test');

interface Line {
  readonly parameters: Readonly<Record<string, string>>;
  readonly value: string;
}

/** Reads as RFC 5545 §3.1 and RFC 6868 say, by the name of each line; refuses whatever is not well-formed. */
function read(text: string): Map<string, Line[]> {
  expect(text.endsWith('\r\n')).toBe(true);
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  const lines = text.replaceAll('\r\n ', '').split('\r\n').slice(0, -1);
  return Map.groupBy(lines.map(lineOf), ({ name }) => name);
}

function lineOf(line: string): Line & { readonly name: string } {
  const parts = /^([A-Z-]+)((?:;[A-Z-]+=(?:"[^"\p{Cc}]*"|[^";:,\p{Cc}]*))*):(\P{Cc}*)$/u.exec(line);
  if (!parts) throw new Error(`Not a content line: ${JSON.stringify(line)}`);
  const [, name = '', parameters = '', value = ''] = parts;
  const found = [...parameters.matchAll(/;([A-Z-]+)=(?:"([^"]*)"|([^;]*))/g)];
  return {
    name,
    parameters: Object.fromEntries(found.map(([, key, inQuotes, plain]) => [key, unquoted(inQuotes ?? plain ?? '')])),
    value,
  };
}

function unquoted(text: string): string {
  return text.replace(/\^([n'^])/g, (_, code: string) => ({ n: '\n', "'": '"' })[code] ?? '^');
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, code: string) => (code === 'n' ? '\n' : code));
}

const values = (text: string): Record<string, string[]> =>
  Object.fromEntries([...read(text)].map(([name, lines]) => [name, lines.map(({ value }) => value)]));

test('a booking is told in UTC, with the times of its making and of its last change', () => {
  expect(values(ics())).toEqual({
    BEGIN: ['VCALENDAR', 'VEVENT'],
    VERSION: ['2.0'],
    PRODID: ['-//Gatehouse//Bookings//EN'],
    METHOD: ['REQUEST'],
    UID: ['1@gatehouse'],
    DTSTAMP: ['20261120T080007Z'],
    SEQUENCE: ['7'],
    CREATED: ['20261120T080000Z'],
    'LAST-MODIFIED': ['20261120T080007Z'],
    DTSTART: ['20261201T090000Z'],
    DTEND: ['20261201T093000Z'],
    STATUS: ['CONFIRMED'],
    SUMMARY: ['Talk'],
    DESCRIPTION: ['Half an hour'],
    LOCATION: ['https://meet.example/1?a=b&c'],
    ORGANIZER: ['mailto:no-reply@gatehouse.test'],
    ATTENDEE: ['mailto:grace@example.test'],
    END: ['VEVENT', 'VCALENDAR'],
  });
});

test.each([
  ['PENDING', 'REQUEST', 'TENTATIVE'],
  ['ACCEPTED', 'REQUEST', 'CONFIRMED'],
  ['REJECTED', 'CANCEL', 'CANCELLED'],
  ['CANCELLED', 'CANCEL', 'CANCELLED'],
] as const)('a booking that is %s comes as %s and is %s', (status, method, shown) => {
  const { METHOD, STATUS } = values(ics({ status }));
  expect([METHOD, STATUS]).toEqual([[method], [shown]]);
});

test('a booking that is nobody’s in particular is published, not sent to somebody', () => {
  const { METHOD, ATTENDEE } = values(ics({ attendee: null }));
  expect([METHOD, ATTENDEE]).toEqual([['PUBLISH'], undefined]);
});

test('missing values are left out, and a reason for cancelling is a comment', () => {
  const { DESCRIPTION, LOCATION } = values(ics({ description: null, location: null }));
  expect([DESCRIPTION, LOCATION]).toEqual([undefined, undefined]);
  expect(values(ics({ status: 'CANCELLED', cancellationReason: 'Ill; sorry' }))['COMMENT']).toEqual(['Ill\\; sorry']);
});

test('several bookings are one object that invites nobody', () => {
  const text = icsOfSeries([INVITATION, { ...INVITATION, icsId: '2' }], 'no-reply@gatehouse.test');
  const { METHOD, UID, BEGIN, ATTENDEE } = values(text);
  expect(METHOD).toEqual(['PUBLISH']);
  expect(UID).toEqual(['1@gatehouse', '2@gatehouse']);
  expect(BEGIN).toEqual(['VCALENDAR', 'VEVENT', 'VEVENT']);
  expect(ATTENDEE).toBeUndefined();
});

describe('no text of others adds a line or a parameter:', () => {
  const INJECTION =
    'x\r\nATTENDEE:mailto:eve@evil.test\nEND:VEVENT\r\u2028\u0085";ROLE=CHAIR:mailto:eve@evil.test,\\n\0';

  test.each<[string, Partial<Invitation>]>([
    ['title', { title: INJECTION }],
    ['description', { description: INJECTION }],
    ['location', { location: { type: 'ADDRESS', value: INJECTION } }],
    ['reason', { cancellationReason: INJECTION }],
    ['name of a host', { hosts: [{ name: INJECTION }] }],
    ['name of an attendee', { attendee: { name: INJECTION, email: 'a@b.test', timeZone: 'UTC' } }],
    ['address of an attendee', { attendee: { name: 'A', email: INJECTION, timeZone: 'UTC' } }],
  ])('%s', (_, changes) => {
    const lines = read(ics({ cancellationReason: 'Ill', ...changes }));
    expect([...lines.keys()].toSorted()).toEqual([...read(ics({ cancellationReason: 'Ill' })).keys()].toSorted());
    expect(lines.get('ATTENDEE')).toHaveLength(1);
    expect(lines.get('END')).toHaveLength(2);
    expect(lines.get('ATTENDEE')?.[0]?.parameters['ROLE']).toBe('REQ-PARTICIPANT');
  });

  test('an address of mail that holds what addresses of the web mean something by', () => {
    const attendee = { name: 'A', email: 'a?bcc=eve%40evil.test&b#c+d@b.test', timeZone: 'UTC' };
    expect(values(ics({ attendee }))['ATTENDEE']).toEqual(['mailto:a%3Fbcc%3Deve%2540evil.test%26b%23c+d@b.test']);
  });
});

test('any text is read back as it was, from lines of at most 75 octets', () => {
  const text = fc.string({ unit: 'binary', maxLength: 300 }).filter((one) => !/[\p{Cc}\p{Cs}]/u.test(one));
  fc.assert(
    fc.property(text, text, text, (title, description, name) => {
      const written = ics({ title, description: `${description}\nsecond ${description}`, hosts: [{ name }] });
      for (const line of written.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      // A text that was cut inside a character would not be read back.
      const lines = read(Buffer.from(written).toString());
      expect(unescaped(lines.get('SUMMARY')?.[0]?.value ?? '')).toBe(title);
      expect(unescaped(lines.get('DESCRIPTION')?.[0]?.value ?? '')).toBe(`${description}\nsecond ${description}`);
      expect(lines.get('ORGANIZER')?.[0]?.parameters['CN']).toBe(name);
    }),
    { numRuns: 300 },
  );
});

const ENTRY: CalendarEntry = {
  title: 'Talk & more',
  description: 'Bring #1 ✏️',
  start: Temporal.Instant.from('2026-12-01T09:00:00Z'),
  end: Temporal.Instant.from('2026-12-01T09:30:00.500Z'),
  location: { type: 'LINK', value: 'https://meet.example/1?a=b&c' },
  icsUrl: 'https://gatehouse.test/bookings/bkg_1.ics',
};

function parametersOf(entry: CalendarEntry, calendar: string): Record<string, string> {
  const link = calendarLinks(entry).find((one) => one.calendar === calendar);
  return Object.fromEntries(new URL(link?.url ?? '').searchParams);
}

test('Google is told of a meeting in UTC, with whatever its texts hold', () => {
  expect(parametersOf(ENTRY, 'GOOGLE')).toEqual({
    action: 'TEMPLATE',
    text: 'Talk & more',
    dates: '20261201T090000Z/20261201T093000Z',
    details: 'Bring #1 ✏️',
    location: 'https://meet.example/1?a=b&c',
  });
});

test.each(['OUTLOOK', 'OFFICE365'])('%s is told of it in RFC 3339', (calendar) => {
  expect(parametersOf(ENTRY, calendar)).toMatchObject({
    rru: 'addevent',
    subject: 'Talk & more',
    startdt: '2026-12-01T09:00:00Z',
    location: 'https://meet.example/1?a=b&c',
  });
});

test('missing values are left out, and long ones are cut between characters', () => {
  const entry = { ...ENTRY, description: '👩'.repeat(5_000), location: null };
  expect(parametersOf(entry, 'GOOGLE')).not.toHaveProperty('location');
  expect(parametersOf(entry, 'GOOGLE')['details']).toBe('👩'.repeat(500));
});

test('any other calendar is led to the calendar object', () => {
  expect(calendarLinks(ENTRY).find(({ calendar }) => calendar === 'ICS')?.url).toBe(ENTRY.icsUrl);
});
