/** Texts as calendars publish them, and as RFC 5545 lets them. */
import { describe, expect, test } from 'vitest';
import { MAX_EVENTS, MAX_PERIODS } from '../../../../src/modules/calendars/feeds/ics-limits.rules.ts';
import { readIcs } from '../../../../src/modules/calendars/feeds/read-ics.ts';
import { BERLIN_BY_RULES, calendar, event, readIn } from './support/ics.ts';

const two = (number: number): string => String(number).padStart(2, '0');
/** From 1 March to 1 June 2026, of a user in Berlin. */
const times = (text: string, timeZone = 'Europe/Berlin'): string[] => readIn(text, timeZone);

describe.each<[string, string, string[]]>([
  [
    'Google: the secret address, with a weekly event, one instance moved, one cancelled, and one excluded',
    calendar(
      'PRODID:-//Google Inc//Google Calendar 70.9054//EN\nCALSCALE:GREGORIAN\nMETHOD:PUBLISH\nX-WR-CALNAME:ada@example.test\nX-WR-TIMEZONE:Europe/Berlin',
      BERLIN_BY_RULES('Europe/Berlin'),
      event(
        'UID:1@google.com\nDTSTART;TZID=Europe/Berlin:20260320T100000\nDTEND;TZID=Europe/Berlin:20260320T110000\nRRULE:FREQ=WEEKLY;UNTIL=20260417T215959Z;BYDAY=FR\nEXDATE;TZID=Europe/Berlin:20260403T100000\nSTATUS:CONFIRMED\nTRANSP:OPAQUE',
      ),
      event(
        'UID:1@google.com\nRECURRENCE-ID;TZID=Europe/Berlin:20260327T100000\nDTSTART;TZID=Europe/Berlin:20260327T140000\nDTEND;TZID=Europe/Berlin:20260327T150000\nSEQUENCE:1',
      ),
      event(
        'UID:1@google.com\nRECURRENCE-ID:20260410T080000Z\nDTSTART;TZID=Europe/Berlin:20260410T100000\nDTEND;TZID=Europe/Berlin:20260410T110000\nSTATUS:CANCELLED',
      ),
    ),
    ['2026-03-20 09:00-10:00', '2026-03-27 13:00-14:00', '2026-04-17 08:00-09:00'],
  ],
  [
    'Outlook: a zone by its own name and rules, an all-day event of two days, and a free one',
    calendar(
      'PRODID:Microsoft Exchange Server 2010\nMETHOD:PUBLISH',
      BERLIN_BY_RULES('W. Europe Standard Time'),
      event(
        'UID:040000008200E00074C5B7101A82E008\nDTSTART;TZID=W. Europe Standard Time:20260327T090000\nDTEND;TZID=W. Europe Standard Time:20260327T093000\nRRULE:FREQ=DAILY;COUNT=4;INTERVAL=1\nX-MICROSOFT-CDO-BUSYSTATUS:BUSY',
      ),
      event(
        'UID:2\nDTSTART;VALUE=DATE:20260501\nDTEND;VALUE=DATE:20260503\nTRANSP:OPAQUE\nX-MICROSOFT-CDO-ALLDAYEVENT:TRUE',
      ),
      event(
        'UID:3\nDTSTART;TZID=W. Europe Standard Time:20260504T090000\nDTEND;TZID=W. Europe Standard Time:20260504T093000\nTRANSP:TRANSPARENT',
      ),
    ),
    [
      '2026-03-27 08:00-08:30',
      '2026-03-28 08:00-08:30',
      '2026-03-29 07:00-07:30',
      '2026-03-30 07:00-07:30',
      '2026-04-30 22:00-+2 22:00',
    ],
  ],
  [
    'Apple: a duration, RDATE, floating times, and all later instances changed',
    calendar(
      'PRODID:-//Apple Inc.//macOS 15.0//EN',
      event(
        'UID:A\nDTSTART;TZID=America/New_York:20260306T090000\nDURATION:PT45M\nRDATE;TZID=America/New_York:20260310T090000,20260312T160000',
      ),
      event('UID:B\nDTSTART:20260420T120000\nDTEND:20260420T123000'),
      event(
        'UID:C\nDTSTART;TZID=Europe/Berlin:20260504T080000\nDTEND;TZID=Europe/Berlin:20260504T083000\nRRULE:FREQ=WEEKLY;COUNT=4',
      ),
      event(
        'UID:C\nRECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20260518T080000\nDTSTART;TZID=Europe/Berlin:20260519T090000\nDTEND;TZID=Europe/Berlin:20260519T100000',
      ),
    ),
    [
      '2026-03-06 14:00-14:45',
      '2026-03-10 13:00-13:45',
      '2026-03-12 20:00-20:45',
      '2026-04-20 10:00-10:30',
      '2026-05-04 06:00-06:30',
      '2026-05-11 06:00-06:30',
      '2026-05-19 07:00-08:00',
      '2026-05-26 07:00-08:00',
    ],
  ],
])('%s', (_, text, expected) => {
  test('is read as it is meant', () => expect(times(text)).toEqual(expected));
});

test.each<[string, string, string[]]>([
  [
    'a day of the clock that jumps, from midnight to midnight',
    'DTSTART;VALUE=DATE:20260329',
    ['2026-03-28 23:00-22:00'],
  ],
  [
    'a day and an hour by DURATION: the day by the clock',
    'DTSTART:20260328T100000\nDURATION:P1DT1H',
    ['2026-03-28 09:00-+1 09:00'],
  ],
  ['a time that the clocks leave out', 'DTSTART:20260329T023000\nDURATION:PT1H', ['2026-03-29 01:30-02:30']],
  ['a time without an end', 'DTSTART:20260401T100000Z', []],
  ['an end before the start', 'DTSTART:20260401T100000Z\nDTEND:20260401T090000Z', []],
  [
    'an end by a date',
    'DTSTART:20260401T100000Z\nDTEND:20260401T110000Z\nRRULE:FREQ=DAILY;UNTIL=20260402',
    ['2026-04-01 10:00-11:00', '2026-04-02 10:00-11:00'],
  ],
  [
    'EXDATE by a date',
    'DTSTART:20260401T100000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=2\nEXDATE;VALUE=DATE:20260401',
    ['2026-04-02 10:00-11:00'],
  ],
  [
    'RDATE as a period: its own length (RFC 5545 §3.8.5.2)',
    'DTSTART:20260401T100000Z\nDURATION:PT1H\nRDATE;VALUE=PERIOD:20260403T100000Z/PT2H,20260404T100000Z/20260404T103000Z',
    ['2026-04-01 10:00-11:00', '2026-04-03 10:00-12:00', '2026-04-04 10:00-10:30'],
  ],
  [
    'what began long ago and goes on',
    'DTSTART:19800101T100000Z\nDURATION:PT1H\nRRULE:FREQ=MONTHLY;BYMONTHDAY=-1',
    ['2026-03-31 10:00-11:00', '2026-04-30 10:00-11:00', '2026-05-31 10:00-11:00'],
  ],
  [
    'what reaches into the time that is asked for',
    'DTSTART:20260228T100000Z\nDTEND:20260301T010000Z',
    ['2026-03-01 00:00-01:00'],
  ],
  [
    'a TZID with the name of a zone at its end',
    'DTSTART;TZID=/freeassociation.sourceforge.net/America/New_York:20260401T100000\nDURATION:PT1H',
    ['2026-04-01 14:00-15:00'],
  ],
  [
    'a TZID that nobody knows: the user’s',
    'DTSTART;TZID=Nowhere:20260401T100000\nDURATION:PT1H',
    ['2026-04-01 08:00-09:00'],
  ],
  [
    'a change of an instance that is there alone',
    'RECURRENCE-ID:20260101T100000Z\nDTSTART:20260401T100000Z\nDURATION:PT1H',
    ['2026-04-01 10:00-11:00'],
  ],
])('%s', (_, lines, expected) => {
  expect(times(calendar(event(`UID:x\n${lines}`)))).toEqual(expected);
});

test('days and floating times are of the user’s zone, and days of the calendar’s where it names one', () => {
  const day = event('UID:d\nDTSTART;VALUE=DATE:20260401');
  const floating = event('UID:f\nDTSTART:20260410T090000\nDURATION:PT1H');
  expect(times(calendar(day, floating), 'Asia/Tokyo')).toEqual(
    ['2026-03-31 15:00-15:00', '2026-04-10 00:00-01:00'].map((time) => time.replace('15:00-15:00', '15:00-+1 15:00')),
  );
  expect(times(calendar('X-WR-TIMEZONE:America/New_York', day, floating), 'Asia/Tokyo')).toEqual([
    '2026-04-01 04:00-+1 04:00',
    '2026-04-10 00:00-01:00',
  ]);
});

test('an event that cannot be read is counted and left out; the others stay', () => {
  const good = event('UID:g\nDTSTART:20260401T100000Z\nDURATION:PT1H');
  const answer = readIcs({
    text: calendar(event('UID:b\nDTSTART:2026-13-45'), event('UID:n\nSUMMARY:no start'), good),
    timeZone: 'UTC',
    range: { start: Date.UTC(2026, 2, 1), end: Date.UTC(2026, 5, 1) },
  });
  expect(answer).toMatchObject({ eventCount: 3, unreadableCount: 2, periods: [{ icsUid: null }] });
});

test('an event that may be a booking of ours keeps its UID, and is not merged with events that overlap it', () => {
  const uid = '01930000-0000-7000-8000-000000000000@gatehouse';
  const text = calendar(
    event(`UID:${uid}\nDTSTART:20260401T100000Z\nDURATION:PT1H`),
    event('UID:other@example.test\nDTSTART:20260401T100000Z\nDURATION:PT30M'),
    event('UID:next@example.test\nDTSTART:20260401T103000Z\nDURATION:PT30M'),
  );
  const range = { start: Date.UTC(2026, 2, 1), end: Date.UTC(2026, 5, 1) };
  const answer = readIcs({ text, timeZone: 'UTC', range });
  const hour = { start: Date.UTC(2026, 3, 1, 10), end: Date.UTC(2026, 3, 1, 11) };
  expect(answer).toMatchObject({
    periods: [
      { ...hour, icsUid: null },
      { ...hour, icsUid: uid },
    ],
  });
});

test.each<[string, string, string]>([
  ['a page', '<!doctype html><p>Sign in</p>', 'NOT_A_CALENDAR'],
  ['nothing', '', 'NOT_A_CALENDAR'],
  ['a calendar that breaks off', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nno colon', 'NOT_A_CALENDAR'],
  ['calendars inside calendars', 'BEGIN:VCALENDAR\r\n'.repeat(10_000), 'NOT_A_CALENDAR'],
  ['too many events', calendar('BEGIN:VEVENT\nEND:VEVENT\n'.repeat(MAX_EVENTS + 1)), 'TOO_MANY_EVENTS'],
  [
    'too many times',
    calendar(
      ...Array.from({ length: 70 }, (_, n) =>
        event(
          `UID:${n}\nDTSTART:20260301T${two(n % 24)}${two(2 * Math.floor(n / 24))}00Z\nDURATION:PT1M\nRRULE:FREQ=DAILY`,
        ),
      ),
    ),
    'TOO_MANY_PERIODS',
  ],
])('%s is refused', (_, text, failure) => {
  const range = { start: Date.UTC(2026, 2, 1), end: Date.UTC(2026, 5, 1) };
  expect(readIcs({ text, timeZone: 'UTC', range })).toEqual({ failure });
});

test.each(['DAILY', 'SECONDLY'])(
  'a rule of which no day is an instance (%s) ends, and leaves its first time',
  (frequency) => {
    const rule = `FREQ=${frequency};BYMONTH=2;BYMONTHDAY=30`;
    const never = event(`UID:n\nDTSTART:20260401T100000Z\nDURATION:PT1H\nRRULE:${rule}`);
    expect(times(calendar(never))).toEqual(['2026-04-01 10:00-11:00']);
  },
);

const every = (day: number) => `DTSTART:2026030${day}T000000Z\nDURATION:PT1M\nRRULE:FREQ=MINUTELY;INTERVAL=2;COUNT=700`;

test('when all come to too many times, those that come to most are left out', () => {
  const some = Array.from({ length: 8 }, (_, day) => event(`UID:${day}\n${every(day + 1)}`));
  const answer = readIcs({
    text: calendar(...some, event(`UID:g\nDTSTART:20260401T100000Z\nDURATION:PT1H`)),
    timeZone: 'UTC',
    range: { start: Date.UTC(2026, 2, 1), end: Date.UTC(2026, 5, 1) },
  });
  if ('failure' in answer) throw new Error(answer.failure);
  expect(answer.periods).toContainEqual({
    start: Date.UTC(2026, 3, 1, 10),
    end: Date.UTC(2026, 3, 1, 11),
    icsUid: null,
  });
  expect([answer.periods.length, answer.unreadableCount]).toEqual([7 * 700 + 1, 1]);
});

/** As long as feeds are read ahead. */
const YEAR = { start: Date.UTC(2026, 9, 17), end: Date.UTC(2027, 10, 21) };
const minutes = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    new Date(YEAR.start + n * 60_000).toISOString().replaceAll(/[-:]|\.000/g, ''),
  ).join();
const numbers = (least: number, highest: number) =>
  Array.from({ length: 1_000 }, (_, n) => least + (n % (highest - least + 1))).join();
const hourly = 'DTSTART;TZID=Europe/Berlin:20261001T000000\nDURATION:PT1M\nRRULE:FREQ=HOURLY';

describe('events that are sent to keep a reader busy', () => {
  const GOOD = event('UID:g\nDTSTART:20270401T100000Z\nDURATION:PT1H');
  const HOUR = { start: Date.UTC(2027, 3, 1, 10), end: Date.UTC(2027, 3, 1, 11), icsUid: null };

  test.each<[string, readonly string[]]>([
    ['each second', ['DTSTART:20200101T000000Z\nDURATION:PT1S\nRRULE:FREQ=SECONDLY']],
    ['each second that is counted', ['DTSTART:20200101T000000Z\nRRULE:FREQ=SECONDLY;BYSECOND=1;COUNT=999999999']],
    ['a hundred thousand dates', [`DTSTART:20270101T000000Z\nDURATION:PT1S\nRDATE:${minutes(100_000)}`]],
    ['three hundred thousand exceptions', [`DTSTART:20270101T000000Z\nDURATION:PT1S\nEXDATE:${minutes(300_000)}`]],
    [
      'lists of a thousand',
      [
        `DTSTART:20270101T000000Z\nDURATION:PT1S\nRRULE:FREQ=YEARLY;BYMONTHDAY=${numbers(1, 31)};BYHOUR=${numbers(0, 23)};BYMINUTE=${numbers(0, 59)}`,
      ],
    ],
    [
      'twenty thousand rules',
      [`DTSTART:20270101T000000Z\nDURATION:PT1S\n${'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30\n'.repeat(20_000)}`],
    ],
    ['each hour, a hundred times', Array.from({ length: 100 }, () => `${hourly};BYMINUTE=1,2`)],
    [
      'nine hundred changes of all that comes later',
      [
        hourly,
        ...Array.from(
          { length: 900 },
          (_, n) =>
            `RECURRENCE-ID;RANGE=THISANDFUTURE:202610${two(1 + (n % 30))}T${two(n % 24)}0000Z\nDTSTART:20270101T100000Z\nDURATION:PT1M`,
        ),
      ],
    ],
    [
      'from the first year to the last',
      ['DTSTART:00010101T000000Z\nDTEND:99991231T000000Z\nRRULE:FREQ=DAILY;COUNT=999999'],
    ],
  ])('(%s) takes nothing from others', (_, hostile) => {
    const text = calendar(...hostile.map((lines) => event(`UID:h\n${lines}`)), GOOD);
    const before = process.cpuUsage().user;
    const answer = readIcs({ text, timeZone: 'UTC', range: YEAR });
    if ('failure' in answer) throw new Error(answer.failure);
    expect([answer.periods, answer.unreadableCount]).toEqual([[HOUR], hostile.length]);
    expect(answer.unreadable[0]).toMatchObject({ problem: 'TOO_MANY' });
    expect((process.cpuUsage().user - before) / 1e6).toBeLessThan(6);
  });

  test.each(['INTERVAL=999999999', 'INTERVAL=999999999;BYMONTH=2;BYMONTHDAY=30'])('(%s) is read soon', (parts) => {
    const hostile = ['YEARLY', 'MONTHLY', 'DAILY', 'HOURLY', 'SECONDLY'].map((frequency) =>
      event(`UID:${frequency}\nDTSTART:20270101T000000Z\nRRULE:FREQ=${frequency};${parts}`),
    );
    expect(readIcs({ text: calendar(...hostile, GOOD), timeZone: 'UTC', range: YEAR })).toMatchObject({
      periods: [HOUR],
      unreadableCount: 0,
    });
  });
});

test.each([
  ['2,000 daily series, in a zone by its name', 2_000, 'Europe/Berlin', 'FREQ=DAILY', 400],
  ['2,000 daily series, in a zone of their own', 2_000, 'Odd', 'FREQ=DAILY', 400],
  ['20,000 weekly series', 20_000, 'Europe/Berlin', 'FREQ=WEEKLY', 57],
])('%s are read, all of them, within the time for one calendar', (_, count, tzid, rule, times) => {
  const text = calendar(
    BERLIN_BY_RULES('Odd').replaceAll('+0100', '+0110'),
    ...Array.from({ length: count }, (_one, n) =>
      event(`UID:${n}\nDTSTART;TZID=${tzid}:20260102T${two(n % 7)}0000\nDURATION:PT1H\nRRULE:${rule}`),
    ),
  );
  const before = process.cpuUsage().user;
  const answer = readIcs({ text, timeZone: 'UTC', range: YEAR });
  if ('failure' in answer) throw new Error(answer.failure);
  expect(answer).toMatchObject({ eventCount: count, unreadableCount: 0 });
  expect(answer.periods.length).toBeGreaterThanOrEqual(times);
  expect((process.cpuUsage().user - before) / 1e6).toBeLessThan(6);
});

test.each([
  ['every minute', 'DTSTART:20200101T000000Z\nDURATION:PT1S\nRRULE:FREQ=MINUTELY'],
  ['every second', 'DTSTART:20260301T000000Z\nDURATION:PT1S\nRRULE:FREQ=SECONDLY'],
  [
    'at more times than all may come to',
    `DTSTART:20260302T000000Z\nDURATION:PT1M\nRRULE:FREQ=MINUTELY;INTERVAL=2;COUNT=${MAX_PERIODS + 1}`,
  ],
])('one that is repeated %s is left out, as strangers may have sent it, and the others stay', (_, lines) => {
  const text = calendar(event(`UID:x\n${lines}`), event('UID:g\nDTSTART:20260401T100000Z\nDURATION:PT1H'));
  const range = { start: Date.UTC(2026, 2, 1), end: Date.UTC(2026, 5, 1) };
  const hour = { start: Date.UTC(2026, 3, 1, 10), end: Date.UTC(2026, 3, 1, 11), icsUid: null };
  expect(readIcs({ text, timeZone: 'UTC', range })).toMatchObject({
    periods: [hour],
    eventCount: 2,
    unreadableCount: 1,
    unreadable: [{ problem: 'TOO_MANY', title: 'Something' }],
  });
});
