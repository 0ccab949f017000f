/** Revisions, answers, whole days and time zones of events, as RFC 5545, RFC 5546 and those who write calendars have them. */
import { describe, expect, test } from 'vitest';
import { readIcs } from '../../../../src/modules/calendars/feeds/read-ics.ts';
import { BERLIN_BY_RULES, calendar, event, readIn } from './support/ics.ts';

const [TEN, NOON] = ['DTSTART:20260401T100000Z\nDURATION:PT1H', 'DTSTART:20260401T120000Z\nDURATION:PT1H'];
const [AT_TEN, AT_NOON] = ['2026-04-01 10:00-11:00', '2026-04-01 12:00-13:00'];
const DAILY = `${TEN}\nRRULE:FREQ=DAILY;COUNT=2`;
const ON_2ND = 'RECURRENCE-ID:20260402T100000Z';
const stamped = (lines: string, time: string) => event(lines).replace(/DTSTAMP:.*/, `DTSTAMP:${time}`);

describe.each<[string, readonly string[], readonly string[]]>([
  ['the higher SEQUENCE', [`UID:a\n${TEN}`, `UID:a\nSEQUENCE:1\n${NOON}`].map(event), [AT_NOON]],
  [
    'the higher SEQUENCE, which is no text',
    ['9', '10'].map((n, i) => event(`UID:a\nSEQUENCE:${n}\n${[TEN, NOON][i]}`)),
    [AT_NOON],
  ],
  ['a cancellation', [`UID:a\n${TEN}`, `UID:a\nSEQUENCE:1\nSTATUS:CANCELLED\n${TEN}`].map(event), []],
  ['a cancellation without a start', [`UID:a\n${TEN}`, 'UID:a\nSEQUENCE:1\nSTATUS:CANCELLED'].map(event), []],
  [
    'no cancellation that is older',
    [`UID:a\nSEQUENCE:2\n${TEN}`, `UID:a\nSEQUENCE:1\nSTATUS:CANCELLED\n${TEN}`].map(event),
    [AT_TEN],
  ],
  [
    'of one SEQUENCE, what was written last',
    [stamped(`UID:a\n${NOON}`, '20260102T000000Z'), event(`UID:a\n${TEN}`)],
    [AT_NOON],
  ],
  ['all, where nothing says which is the newer', [`UID:a\n${TEN}`, `UID:a\n${NOON}`].map(event), [AT_TEN, AT_NOON]],
  ['all that have no UID', [`SEQUENCE:1\n${TEN}`, NOON].map(event), [AT_TEN, AT_NOON]],
  [
    'of one instance, its newest change',
    [`UID:a\n${DAILY}`, `UID:a\n${ON_2ND}\nSEQUENCE:2\nSTATUS:CANCELLED`, `UID:a\n${ON_2ND}\nSEQUENCE:1\n${NOON}`].map(
      event,
    ),
    [AT_TEN],
  ],
  [
    'a cancellation of a whole series, with the instances that were changed before',
    [`UID:a\nSEQUENCE:3\nSTATUS:CANCELLED\n${DAILY}`, `UID:a\n${ON_2ND}\nSEQUENCE:2\n${NOON}`].map(event),
    [],
  ],
])('the one of several revisions that counts is %s', (_, events, expected) => {
  test.each([
    ['in this order', events],
    ['in the other', events.toReversed()],
  ])('%s', (_order, some) => expect(readIn(calendar(...some), 'UTC')).toEqual(expected));
});

describe('an invitation', () => {
  const range = { start: Date.UTC(2026, 2, 1), end: Date.UTC(2026, 5, 1) };
  const isFree = (attendees: string, addresses = ['Ada@example.test', 'ada@work.test']) => {
    const text = calendar(event(`UID:a\n${TEN}\n${attendees}`));
    const answer = readIcs({ text, timeZone: 'UTC', range, addresses });
    return 'periods' in answer && answer.periods.length === 0;
  };

  test.each([
    ['ATTENDEE;PARTSTAT=DECLINED:mailto:ada@example.test', true],
    ['ATTENDEE;CN="Ada: me";PARTSTAT=declined:MAILTO:ADA@EXAMPLE.TEST', true],
    ['ATTENDEE;PARTSTAT=DECLINED;EMAIL=ada@work.test:urn:uuid:1', true],
    ['ATTENDEE;PARTSTAT=DECLINED:mailto:bo@example.test', false],
    ['ATTENDEE;PARTSTAT=ACCEPTED:mailto:ada@example.test', false],
    ['ATTENDEE:mailto:ada@example.test', false],
    ['ATTENDEE;PARTSTAT=DECLINED:mailto:ada@example.test\nATTENDEE;PARTSTAT=ACCEPTED:mailto:ada@work.test', false],
  ])('with %s is free: %s', (attendees, free) => expect(isFree(attendees)).toBe(free));

  test('that somebody else has declined is theirs, where no address is known', () =>
    expect(isFree('ATTENDEE;PARTSTAT=DECLINED:mailto:ada@example.test', [])).toBe(false));
});

/** Days from Wednesday, 1 April, in New York, while the calendar is Berlin's. */
describe('a series of whole days, in a calendar that writes its midnights', () => {
  const days = 'UID:a\nDTSTART;VALUE=DATE:20260401\nRRULE:FREQ=DAILY;COUNT=3';
  const [FIRST, SECOND, THIRD] = [1, 2, 3].map((day) => `2026-04-0${day} 04:00-+1 04:00`);
  const ZONE = 'W. Europe Standard Time';
  const read = (...events: readonly string[]) => readIn(calendar(BERLIN_BY_RULES(ZONE), ...events), 'America/New_York');

  test.each([
    ['EXDATE', `EXDATE;TZID=${ZONE}:20260401T000000,20260403T000000`],
    ['EXDATE in UTC, of days where the calendar is', 'EXDATE:20260401T040000Z,20260403T040000Z'],
    ['EXDATE in UTC', 'EXDATE:20260401T000000Z,20260403T000000Z'],
    ['EXDATE as floating', 'EXDATE:20260401T000000,20260403T000000'],
  ])('%s takes those days out', (_, line) => expect(read(event(`${days}\n${line}`))).toEqual([SECOND]));

  test('RECURRENCE-ID names its day, and DTEND may be a midnight', () => {
    const moved = `UID:a\nRECURRENCE-ID;TZID=${ZONE}:20260402T000000\nDTSTART;VALUE=DATE:20260410\nDTEND;TZID=${ZONE}:20260411T000000`;
    expect(read(event(days), event(moved))).toEqual([FIRST, THIRD, '2026-04-10 04:00-+1 04:00']);
  });

  test('RDATE is a day', () =>
    expect(read(event(`UID:a\nDTSTART;VALUE=DATE:20260401\nRDATE;TZID=${ZONE}:20260403T000000`))).toEqual([
      FIRST,
      THIRD,
    ]));
});

/** From its rules alone, under a name that nobody knows. */
const by = (rules: string, start: string) =>
  readIn(calendar(rules, event(`UID:a\nDTSTART;TZID=Office:${start}\nDURATION:PT1H`)), 'Asia/Tokyo');
const observance = (kind: string, start: string, from: string, to: string, rule = '') =>
  `BEGIN:${kind}\nDTSTART:${start}\nTZOFFSETFROM:${from}\nTZOFFSETTO:${to}\n${rule}\nEND:${kind}`;
const zone = (...observances: readonly string[]) =>
  `BEGIN:VTIMEZONE\nTZID:Office\n${observances.join('\n')}\nEND:VTIMEZONE`;

describe('a time zone', () => {
  /** This zone is of no place: summer is from 5 April, 01:00, to 3 May, 01:00, and half an hour. */
  const ODD = zone(
    observance('DAYLIGHT', '20260405T010000', '+0310', '+0340', 'RRULE:FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=5'),
    observance('STANDARD', '20260503T010000', '+0340', '+0310', 'RRULE:FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=3'),
  );
  /** As Apple writes it: from the change that comes next. */
  const NEXT = zone(
    observance('STANDARD', '20261025T030000', '+0200', '+0100', 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU'),
    observance('DAYLIGHT', '20270328T020000', '+0100', '+0200', 'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU'),
  );

  test.each<[string, string, string, string[]]>([
    ['before the first observance, the offset that it ends', ODD, '20260301T130000', ['2026-03-01 09:50-10:50']],
    ['after it, its own', ODD, '20260405T130000', ['2026-04-05 09:20-10:20']],
    ['after the second one, that', ODD, '20260503T130000', ['2026-05-03 09:50-10:50']],
    ['a time that is left out has the offset of before', ODD, '20260405T011500', ['2026-04-04 22:05-23:05']],
    ['a time that is there twice is the first', ODD, '20260503T004500', ['2026-05-02 21:05-22:05']],
    ['soon after what is left out', ODD, '20260405T014500', ['2026-04-04 22:05-23:05']],
    ['soon after what is there twice', ODD, '20260503T011000', ['2026-05-02 22:00-23:00']],
    ['the last moment before', ODD, '20260405T005900', ['2026-04-04 21:49-22:49']],
    [
      'a definition that equals Berlin’s is Berlin’s, before it begins too',
      NEXT.replaceAll('2026', '2025').replaceAll('2027', '2026'),
      '20260301T100000',
      ['2026-03-01 09:00-10:00'],
    ],
    [
      'one offset',
      zone(observance('STANDARD', '19700101T000000', '+0545', '+0545')),
      '20260401T100000',
      ['2026-04-01 04:15-05:15'],
    ],
    [
      'from the first century on',
      zone(observance('STANDARD', '00010101T000000', '-0330', '-0330')),
      '20260401T100000',
      ['2026-04-01 13:30-14:30'],
    ],
    [
      'of nothing that can be read, is the user’s',
      zone('BEGIN:STANDARD\nEND:STANDARD'),
      '20260401T100000',
      ['2026-04-01 01:00-02:00'],
    ],
    [
      'that changes more often than anybody follows, is the user’s',
      zone(
        observance(
          'STANDARD',
          '19700101T000000',
          '+0100',
          '+0200',
          `RDATE:${Array.from({ length: 1_001 }, (_, n) => `${1_000 + n}0101T000000`).join()}`,
        ),
      ),
      '20260401T100000',
      ['2026-04-01 01:00-02:00'],
    ],
  ])('by a definition: %s', (_, rules, start, expected) => expect(by(rules, start)).toEqual(expected));

  test.each<[string, string[]]>([
    ['W. Europe Standard Time', ['2026-04-01 08:00-09:00']],
    ['eastern standard time', ['2026-04-01 14:00-15:00']],
    ['India Standard Time', ['2026-04-01 04:30-05:30']],
    ['UTC-11', ['2026-04-01 21:00-22:00']],
    ['tzone://Microsoft/Utc', ['2026-04-01 10:00-11:00']],
    ['europe/berlin', ['2026-04-01 08:00-09:00']],
    ['America/New York', ['2026-04-01 14:00-15:00']],
    ['"GMT+05:45"', ['2026-04-01 04:15-05:15']],
    ['GMT-3', ['2026-04-01 13:00-14:00']],
    ['Somewhere', ['2026-04-01 01:00-02:00']],
  ])('by its name alone: %s', (tzid, expected) => {
    const text = calendar(event(`UID:a\nDTSTART;TZID=${tzid}:20260401T100000\nDURATION:PT1H`));
    expect(readIn(text, 'Asia/Tokyo')).toEqual(expected);
  });

  test('by a name with a colon and commas that nobody has quoted', () => {
    const tzid = '(UTC+01:00) Amsterdam, Berlin, Bern';
    const text = calendar(BERLIN_BY_RULES(tzid), event(`UID:a\nDTSTART;TZID=${tzid}:20260401T100000\nDURATION:PT1H`));
    expect(readIn(text, 'Asia/Tokyo')).toEqual(['2026-04-01 08:00-09:00']);
  });

  test.each(['20260329T023000', '20260329T013000', '20251026T023000', '20251026T030000', '20260701T120000'])(
    'is the same by Windows’ name, by a definition and by IANA’s name (%s)',
    (start) => {
      const read = (tzid: string) => {
        const text = calendar(BERLIN_BY_RULES(tzid), event(`UID:a\nDTSTART;TZID=${tzid}:${start}\nDURATION:PT1H`));
        return readIcs({ text, timeZone: 'UTC', range: { start: Date.UTC(2025, 0, 1), end: Date.UTC(2027, 0, 1) } });
      };
      const known = read('Europe/Berlin');
      expect(known).toMatchObject({ periods: [{}] });
      expect([read('W. Europe Standard Time'), read('Office')]).toEqual([known, known]);
    },
  );
});
