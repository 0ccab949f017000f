/** Rules of recurrence: the examples of RFC 5545, each kind that readers of calendars were found to get wrong, and bounds. */
import { describe, expect, test } from 'vitest';
import { Steps, TooManyOccurrences } from '../../../../src/modules/calendars/feeds/ics-limits.rules.ts';
import { readIcs } from '../../../../src/modules/calendars/feeds/read-ics.ts';
import {
  NoRecurrenceRule,
  recurrenceRuleOf,
  recurrencesOf,
} from '../../../../src/modules/calendars/feeds/recurrence.rules.ts';
import { calendar, event } from './support/ics.ts';

const NEW_YORK = 'America/New_York';

/** The starts of an event in New York, `1997-09-02 09:00`: all where it ends, else up to the last one that is expected. */
function startsOf(lines: string, last: string): string[] {
  const known = Temporal.PlainDateTime.from(last.replace(' ', 'T')).toZonedDateTime(NEW_YORK).epochMilliseconds + 1_000;
  const end = /COUNT|UNTIL/.test(lines) ? Date.UTC(2050) : known;
  const text = calendar(event(`UID:x\n${lines}\nDURATION:PT1S`));
  const answer = readIcs({ text, timeZone: 'UTC', range: { start: 0, end } });
  if ('failure' in answer) throw new Error(answer.failure);
  return answer.periods.map(({ start }) => {
    const at = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(NEW_YORK).toPlainDateTime();
    return at.toString({ smallestUnit: 'minute' }).replace('T', ' ');
  });
}

/** `1997-09: 2 9-11; 1997-10: 1` are days, each at these times. */
function days(text: string, ...times: readonly string[]): string[] {
  return text.split('; ').flatMap((month) => {
    const [name = '', list = ''] = month.split(': ');
    return list.split(' ').flatMap((part) => {
      const [first = 0, last = first] = part.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index).flatMap((day) =>
        (times.length > 0 ? times : ['09:00']).map((time) => `${name}-${String(day).padStart(2, '0')} ${time}`),
      );
    });
  });
}

const EVERY_20_MINUTES = Array.from({ length: 24 }, (_, index) => {
  const hour = String(9 + Math.floor(index / 3)).padStart(2, '0');
  return `${hour}:${String((index % 3) * 20).padStart(2, '0')}`;
});
const THREE_JANUARIES = days('1998-01: 1-31; 1999-01: 1-31; 2000-01: 1-31');
const FIVE_WEEKS = days('1997-09: 2 4 9 11 16 18 23 25 30; 1997-10: 2');

describe('RFC 5545 §3.8.5.3, each example', () => {
  test.each<[string, string, string[]]>([
    ['19970902T090000', 'FREQ=DAILY;COUNT=10', days('1997-09: 2-11')],
    [
      '19970902T090000',
      'FREQ=DAILY;UNTIL=19971224T000000Z',
      days('1997-09: 2-30; 1997-10: 1-31; 1997-11: 1-30; 1997-12: 1-23'),
    ],
    [
      '19970902T090000',
      'FREQ=DAILY;INTERVAL=2',
      days(
        '1997-09: 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30; 1997-10: 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30; 1997-11: 1 3',
      ),
    ],
    ['19970902T090000', 'FREQ=DAILY;INTERVAL=10;COUNT=5', days('1997-09: 2 12 22; 1997-10: 2 12')],
    ['19980101T090000', 'FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA', THREE_JANUARIES],
    ['19980101T090000', 'FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1', THREE_JANUARIES],
    ['19970902T090000', 'FREQ=WEEKLY;COUNT=10', days('1997-09: 2 9 16 23 30; 1997-10: 7 14 21 28; 1997-11: 4')],
    [
      '19970902T090000',
      'FREQ=WEEKLY;UNTIL=19971224T000000Z',
      days('1997-09: 2 9 16 23 30; 1997-10: 7 14 21 28; 1997-11: 4 11 18 25; 1997-12: 2 9 16 23'),
    ],
    [
      '19970902T090000',
      'FREQ=WEEKLY;INTERVAL=2;WKST=SU',
      days('1997-09: 2 16 30; 1997-10: 14 28; 1997-11: 11 25; 1997-12: 9 23; 1998-01: 6 20; 1998-02: 3 17'),
    ],
    ['19970902T090000', 'FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH', FIVE_WEEKS],
    ['19970902T090000', 'FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH', FIVE_WEEKS],
    [
      '19970901T090000',
      'FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR',
      days(
        '1997-09: 1 3 5 15 17 19 29; 1997-10: 1 3 13 15 17 27 29 31; 1997-11: 10 12 14 24 26 28; 1997-12: 8 10 12 22',
      ),
    ],
    [
      '19970902T090000',
      'FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH',
      days('1997-09: 2 4 16 18 30; 1997-10: 2 14 16'),
    ],
    [
      '19970905T090000',
      'FREQ=MONTHLY;COUNT=10;BYDAY=1FR',
      days(
        '1997-09: 5; 1997-10: 3; 1997-11: 7; 1997-12: 5; 1998-01: 2; 1998-02: 6; 1998-03: 6; 1998-04: 3; 1998-05: 1; 1998-06: 5',
      ),
    ],
    [
      '19970905T090000',
      'FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR',
      days('1997-09: 5; 1997-10: 3; 1997-11: 7; 1997-12: 5'),
    ],
    [
      '19970907T090000',
      'FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU',
      days('1997-09: 7 28; 1997-11: 2 30; 1998-01: 4 25; 1998-03: 1 29; 1998-05: 3 31'),
    ],
    [
      '19970922T090000',
      'FREQ=MONTHLY;COUNT=6;BYDAY=-2MO',
      days('1997-09: 22; 1997-10: 20; 1997-11: 17; 1997-12: 22; 1998-01: 19; 1998-02: 16'),
    ],
    [
      '19970928T090000',
      'FREQ=MONTHLY;BYMONTHDAY=-3',
      days('1997-09: 28; 1997-10: 29; 1997-11: 28; 1997-12: 29; 1998-01: 29; 1998-02: 26'),
    ],
    [
      '19970902T090000',
      'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15',
      days('1997-09: 2 15; 1997-10: 2 15; 1997-11: 2 15; 1997-12: 2 15; 1998-01: 2 15'),
    ],
    [
      '19970930T090000',
      'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1',
      days('1997-09: 30; 1997-10: 1 31; 1997-11: 1 30; 1997-12: 1 31; 1998-01: 1 31; 1998-02: 1'),
    ],
    [
      '19970910T090000',
      'FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15',
      days('1997-09: 10-15; 1999-03: 10-13'),
    ],
    [
      '19970902T090000',
      'FREQ=MONTHLY;INTERVAL=2;BYDAY=TU',
      days('1997-09: 2 9 16 23 30; 1997-11: 4 11 18 25; 1998-01: 6 13 20 27; 1998-03: 3 10 17 24 31'),
    ],
    [
      '19970610T090000',
      'FREQ=YEARLY;COUNT=10;BYMONTH=6,7',
      days(
        '1997-06: 10; 1997-07: 10; 1998-06: 10; 1998-07: 10; 1999-06: 10; 1999-07: 10; 2000-06: 10; 2000-07: 10; 2001-06: 10; 2001-07: 10',
      ),
    ],
    [
      '19970310T090000',
      'FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3',
      days(
        '1997-03: 10; 1999-01: 10; 1999-02: 10; 1999-03: 10; 2001-01: 10; 2001-02: 10; 2001-03: 10; 2003-01: 10; 2003-02: 10; 2003-03: 10',
      ),
    ],
    [
      '19970101T090000',
      'FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200',
      days(
        '1997-01: 1; 1997-04: 10; 1997-07: 19; 2000-01: 1; 2000-04: 9; 2000-07: 18; 2003-01: 1; 2003-04: 10; 2003-07: 19; 2006-01: 1',
      ),
    ],
    ['19970519T090000', 'FREQ=YEARLY;BYDAY=20MO', days('1997-05: 19; 1998-05: 18; 1999-05: 17')],
    ['19970512T090000', 'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO', days('1997-05: 12; 1998-05: 11; 1999-05: 17')],
    [
      '19970313T090000',
      'FREQ=YEARLY;BYMONTH=3;BYDAY=TH',
      days('1997-03: 13 20 27; 1998-03: 5 12 19 26; 1999-03: 4 11 18 25'),
    ],
    [
      '19970605T090000',
      'FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8',
      days(
        '1997-06: 5 12 19 26; 1997-07: 3 10 17 24 31; 1997-08: 7 14 21 28; 1998-06: 4 11 18 25; 1998-07: 2 9 16 23 30; 1998-08: 6 13 20 27',
      ),
    ],
    [
      '19970902T090000\nEXDATE;TZID=America/New_York:19970902T090000',
      'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13',
      days('1998-02: 13; 1998-03: 13; 1998-11: 13; 1999-08: 13; 2000-10: 13'),
    ],
    [
      '19970913T090000',
      'FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13',
      days(
        '1997-09: 13; 1997-10: 11; 1997-11: 8; 1997-12: 13; 1998-01: 10; 1998-02: 7; 1998-03: 7; 1998-04: 11; 1998-05: 9; 1998-06: 13',
      ),
    ],
    [
      '19961105T090000',
      'FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8',
      days('1996-11: 5; 2000-11: 7; 2004-11: 2'),
    ],
    ['19970904T090000', 'FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3', days('1997-09: 4; 1997-10: 7; 1997-11: 6')],
    [
      '19970929T090000',
      'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2',
      days('1997-09: 29; 1997-10: 30; 1997-11: 27; 1997-12: 30; 1998-01: 29; 1998-02: 26; 1998-03: 30'),
    ],
    // Until 5 p.m. of New York; the RFC writes 17:00 in UTC, which is 1 p.m. there.
    ['19970902T090000', 'FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z', days('1997-09: 2', '09:00', '12:00', '15:00')],
    [
      '19970902T090000',
      'FREQ=MINUTELY;INTERVAL=15;COUNT=6',
      days('1997-09: 2', '09:00', '09:15', '09:30', '09:45', '10:00', '10:15'),
    ],
    ['19970902T090000', 'FREQ=MINUTELY;INTERVAL=90;COUNT=4', days('1997-09: 2', '09:00', '10:30', '12:00', '13:30')],
    [
      '19970902T090000',
      'FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40',
      days('1997-09: 2-3', ...EVERY_20_MINUTES),
    ],
    [
      '19970902T090000',
      'FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16',
      days('1997-09: 2-3', ...EVERY_20_MINUTES),
    ],
    ['19970805T090000', 'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO', days('1997-08: 5 10 19 24')],
    ['19970805T090000', 'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU', days('1997-08: 5 17 19 31')],
    ['20070115T090000', 'FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5', days('2007-01: 15 30; 2007-02: 15; 2007-03: 15 30')],
  ])('%s %s', (start, rule, expected) => {
    expect(startsOf(`DTSTART;TZID=${NEW_YORK}:${start}\nRRULE:${rule}`, expected.at(-1) ?? '')).toEqual(expected);
  });
});

/** The first times that a rule makes of a start by the clock on the wall, `2026-03-01` or `2026-03-01 09:30`. */
function made(rule: string, start: string, number = 6): string[] {
  const isDate = !start.includes(' ');
  const wall = Date.parse(`${start.replace(' ', 'T')}${isDate ? 'T00:00' : ''}Z`);
  const question = { start: wall, isDate, from: wall, to: Date.UTC(2100), steps: new Steps(100_000) };
  const times = recurrencesOf(recurrenceRuleOf(rule), question).take(number);
  return times
    .map((time) =>
      new Date(time)
        .toISOString()
        .slice(0, isDate ? 10 : 16)
        .replace('T', ' '),
    )
    .toArray();
}

/** Checked by hand against a calendar, and against the tests of libical and ical.net, which have rules of each kind. */
describe.each<[string, [string, string, string][]]>([
  [
    'BYSETPOS takes of the whole period, also of what is before the start',
    [
      ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,-1', '2027-01-04', '2027-01-04 2027-01-08 2027-01-11 2027-01-15'],
      ['FREQ=WEEKLY;BYDAY=MO,TU,WE;BYSETPOS=1,2', '2026-09-08', '2026-09-08 2026-09-14 2026-09-15 2026-09-21'],
      ['FREQ=WEEKLY;WKST=SU;BYDAY=SU,MO;BYSETPOS=1', '2026-09-06', '2026-09-06 2026-09-13 2026-09-20 2026-09-27'],
      ['FREQ=MONTHLY;BYMONTHDAY=10,20,30;BYSETPOS=-1', '2026-01-30', '2026-01-30 2026-02-20 2026-03-30 2026-04-30'],
      [
        'FREQ=MONTHLY;BYMONTHDAY=1,2,3;BYDAY=SA,SU;BYSETPOS=1',
        '2026-02-01',
        '2026-02-01 2026-03-01 2026-05-02 2026-08-01',
      ],
      ['FREQ=YEARLY;BYMONTH=4,5;BYSETPOS=2,1,1', '2026-05-07', '2026-05-07 2027-04-07 2027-05-07 2028-04-07'],
      ['FREQ=YEARLY;BYDAY=FR;BYSETPOS=-1,2', '2026-01-09', '2026-01-09 2026-12-25 2027-01-08 2027-12-31'],
    ],
  ],
  [
    'BYWEEKNO: weeks of at least four days in the year, which may reach into the next or the last one',
    [
      ['FREQ=YEARLY;BYWEEKNO=1', '2026-01-02', '2026-01-02 2027-01-08 2028-01-07 2029-01-05'],
      ['FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO', '2024-12-30', '2024-12-30 2025-12-29 2027-01-04 2028-01-03'],
      ['FREQ=YEARLY;BYWEEKNO=1;BYDAY=SU;WKST=SU', '2026-01-04', '2026-01-04 2027-01-03 2028-01-02 2028-12-31'],
      ['FREQ=YEARLY;BYWEEKNO=53;BYDAY=SA', '2021-01-02', '2021-01-02 2027-01-02 2033-01-01 2038-01-02'],
      ['FREQ=YEARLY;BYWEEKNO=-1;BYDAY=TH', '2026-12-31', '2026-12-31 2027-12-30 2028-12-28 2029-12-27'],
      ['FREQ=YEARLY;INTERVAL=3;BYWEEKNO=1;BYDAY=TU', '2024-12-31', '2024-12-31 2028-01-04 2030-12-31 2034-01-03'],
      ['FREQ=YEARLY;BYMONTH=1;BYWEEKNO=1,5;BYDAY=SA', '2026-01-03', '2026-01-03 2026-01-31 2027-01-09 2028-01-08'],
      ['FREQ=YEARLY;BYWEEKNO=9;BYMONTHDAY=1,-1', '2026-02-28', '2026-02-28 2026-03-01 2027-03-01 2028-02-29'],
      ['FREQ=YEARLY;BYWEEKNO=52;BYYEARDAY=-1', '2028-12-31', '2028-12-31 2033-12-31 2034-12-31 2038-12-31'],
    ],
  ],
  [
    'a number in BYDAY counts within the year, or within the month where months are given',
    [
      ['FREQ=YEARLY;BYDAY=20MO', '2026-05-18', '2026-05-18 2027-05-17 2028-05-15 2029-05-14'],
      ['FREQ=YEARLY;BYDAY=-1FR,1FR', '2026-01-02', '2026-01-02 2026-12-25 2027-01-01 2027-12-31'],
      ['FREQ=YEARLY;BYDAY=53TH', '2026-12-31', '2026-12-31 2032-12-30 2037-12-31 2043-12-31'],
      ['FREQ=YEARLY;BYMONTH=3,9;BYDAY=2MO', '2026-03-09', '2026-03-09 2026-09-14 2027-03-08 2027-09-13'],
      ['FREQ=YEARLY;BYYEARDAY=1,8,15;BYDAY=2TH', '2026-01-08', '2026-01-08 2032-01-08 2037-01-08 2043-01-08'],
      ['FREQ=MONTHLY;BYDAY=MO,2TU', '2026-09-07', '2026-09-07 2026-09-08 2026-09-14 2026-09-21'],
      ['FREQ=MONTHLY;BYDAY=5WE', '2026-04-29', '2026-04-29 2026-07-29 2026-09-30 2026-12-30'],
      ['FREQ=MONTHLY;BYMONTHDAY=1,8;BYDAY=2TU', '2026-09-08', '2026-09-08 2026-12-08 2027-06-08 2028-02-08'],
    ],
  ],
  [
    'days are counted from the end of the month or the year',
    [
      ['FREQ=DAILY;BYMONTHDAY=-3', '2027-01-29', '2027-01-29 2027-02-26 2027-03-29 2027-04-28'],
      ['FREQ=DAILY;BYMONTH=2,4;BYMONTHDAY=-1,1', '2028-02-01', '2028-02-01 2028-02-29 2028-04-01 2028-04-30'],
      ['FREQ=MONTHLY;BYMONTHDAY=-31', '2026-01-01', '2026-01-01 2026-03-01 2026-05-01 2026-07-01'],
      ['FREQ=YEARLY;BYYEARDAY=-1,-366', '2028-01-01', '2028-01-01 2028-12-31 2029-12-31 2030-12-31'],
      [
        'FREQ=HOURLY;BYHOUR=12;BYYEARDAY=-366',
        '2028-01-01 12:00',
        '2028-01-01 12:00,2032-01-01 12:00,2036-01-01 12:00,2040-01-01 12:00',
      ],
    ],
  ],
  [
    'a day that is not there is left out, and moves to no other',
    [
      ['FREQ=YEARLY', '2024-02-29', '2024-02-29 2028-02-29 2032-02-29 2036-02-29'],
      ['FREQ=YEARLY;INTERVAL=3', '2024-02-29', '2024-02-29 2036-02-29 2048-02-29 2060-02-29'],
      ['FREQ=MONTHLY', '2026-10-31', '2026-10-31 2026-12-31 2027-01-31 2027-03-31'],
      ['FREQ=YEARLY;BYMONTH=2,3', '2026-03-30', '2026-03-30 2027-03-30 2028-03-30 2029-03-30'],
      ['FREQ=YEARLY;BYYEARDAY=366', '2024-12-31', '2024-12-31 2028-12-31 2032-12-31 2036-12-31'],
    ],
  ],
  [
    'BYMONTHDAY of a year is of each of its months (§3.3.10, table), where libical and ical.net take that of the start',
    [
      ['FREQ=YEARLY;BYMONTHDAY=15', '2026-12-15', '2026-12-15 2027-01-15 2027-02-15 2027-03-15'],
      ['FREQ=YEARLY;BYMONTHDAY=29', '2027-01-29', '2027-01-29 2027-03-29 2027-04-29 2027-05-29'],
      ['FREQ=YEARLY;BYMONTHDAY=13;BYDAY=FR', '2026-02-13', '2026-02-13 2026-03-13 2026-11-13 2027-08-13'],
    ],
  ],
  [
    'INTERVAL counts all periods, of which the other parts then leave some out',
    [
      ['FREQ=MONTHLY;INTERVAL=2;BYMONTH=1,2,3', '2026-05-12', '2027-01-12 2027-03-12 2028-01-12 2028-03-12'],
      ['FREQ=MONTHLY;INTERVAL=13;BYMONTH=5', '2026-05-12', '2026-05-12 2039-05-12 2052-05-12 2065-05-12'],
      ['FREQ=DAILY;INTERVAL=7;BYMONTHDAY=1,20', '2025-01-01', '2025-01-01 2025-08-20 2025-10-01 2026-04-01'],
      ['FREQ=WEEKLY;INTERVAL=2;BYMONTH=3;BYDAY=MO', '2026-03-02', '2026-03-02 2026-03-16 2026-03-30 2027-03-01'],
      ['FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO', '2026-09-06', '2026-09-06 2026-09-14 2026-09-20 2026-09-28'],
      ['FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=SU,MO', '2026-09-06', '2026-09-06 2026-09-07 2026-09-20 2026-09-21'],
      [
        'FREQ=HOURLY;INTERVAL=7;BYHOUR=3,6',
        '2025-01-01 03:05',
        '2025-01-01 03:05,2025-01-07 06:05,2025-01-08 03:05,2025-01-14 06:05',
      ],
      [
        'FREQ=MINUTELY;INTERVAL=61;BYMINUTE=5,25',
        '2025-01-01 05:05',
        '2025-01-01 05:05,2025-01-02 01:25,2025-01-03 18:05,2025-01-04 14:25',
      ],
    ],
  ],
  [
    'hours, minutes and seconds are listed in any order, and count once',
    [
      [
        'FREQ=DAILY;BYHOUR=14,9;BYMINUTE=30,0,30',
        '2026-03-01 09:00',
        '2026-03-01 09:00,2026-03-01 09:30,2026-03-01 14:00,2026-03-01 14:30',
      ],
      [
        'FREQ=HOURLY;BYDAY=TH;BYHOUR=22,23',
        '2026-03-05 22:15',
        '2026-03-05 22:15,2026-03-05 23:15,2026-03-12 22:15,2026-03-12 23:15',
      ],
      [
        'FREQ=HOURLY;INTERVAL=2;BYMINUTE=0,20,40;BYSETPOS=-1',
        '2026-03-01 09:40',
        '2026-03-01 09:40,2026-03-01 11:40,2026-03-01 13:40,2026-03-01 15:40',
      ],
      [
        'FREQ=SECONDLY;BYHOUR=8;BYMINUTE=15;BYSECOND=0',
        '2026-03-01 08:15',
        '2026-03-01 08:15,2026-03-02 08:15,2026-03-03 08:15,2026-03-04 08:15',
      ],
      [
        'FREQ=MINUTELY;BYSECOND=60;BYMINUTE=1;BYHOUR=2',
        '2026-03-01 02:01',
        '2026-03-01 02:01,2026-03-02 02:01,2026-03-03 02:01,2026-03-04 02:01',
      ],
      ['FREQ=DAILY;BYHOUR=9,10;BYMINUTE=5', '2026-03-01', '2026-03-01 2026-03-02 2026-03-03 2026-03-04'],
    ],
  ],
  [
    'a start that the rule does not make is not counted, as others read it',
    [
      ['FREQ=WEEKLY;BYDAY=MO,TH;COUNT=2', '2026-09-08', '2026-09-10 2026-09-14'],
      ['FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=2', '2026-03-14', '2026-11-13 2027-08-13'],
      ['FREQ=YEARLY;BYMONTH=6;COUNT=2', '2026-07-05', '2027-06-05 2028-06-05'],
    ],
  ],
  [
    'what others write and read, though it is not to the letter',
    [
      ['freq=weekly;byday=mo,we', '2026-09-07', '2026-09-07 2026-09-09 2026-09-14 2026-09-16'],
      ['FREQ=MONTHLY;BYDAY=2 TH, 4 TH;', '2026-09-10', '2026-09-10 2026-09-24 2026-10-08 2026-10-22'],
      ['INTERVAL=0;FREQ=DAILY;X-NAME=1', '2026-09-10', '2026-09-10 2026-09-11 2026-09-12 2026-09-13'],
      ['FREQ=WEEKLY;BYDAY=1MO,', '2026-09-07', '2026-09-07 2026-09-14 2026-09-21 2026-09-28'],
      ['FREQ=MONTHLY;BYDAY=0MO,+1SA', '2026-09-05', '2026-09-05 2026-10-03 2026-11-07 2026-12-05'],
    ],
  ],
])('%s', (_, cases) => {
  test.each(cases)('%s from %s', (rule, start, expected) => {
    const times = expected.split(start.includes(' ') ? ',' : ' ');
    expect(made(rule, start, 4)).toEqual(times);
  });
});

test.each([
  ['', 'FREQ='],
  ['FREQ=FORTNIGHTLY', 'FREQ=FORTNIGHTLY'],
  ['FREQ=CONSTRUCTOR', 'FREQ=CONSTRUCTOR'],
  ['FREQ=WEEKLY;BYDAY=', 'BYDAY is empty'],
  ['FREQ=WEEKLY;BYDAY=XX', 'XX is no weekday'],
  ['FREQ=YEARLY;BYDAY=54MO', 'BYDAY=54MO'],
  ['FREQ=DAILY;BYHOUR=24', 'BYHOUR=24'],
  ['FREQ=DAILY;BYHOUR=-1', 'BYHOUR=-1'],
  ['FREQ=MONTHLY;BYMONTHDAY=0', 'BYMONTHDAY=0'],
  ['FREQ=MONTHLY;BYMONTHDAY=32', 'BYMONTHDAY=32'],
  ['FREQ=YEARLY;BYMONTH=13', 'BYMONTH=13'],
  ['FREQ=DAILY;INTERVAL=2.5', 'INTERVAL=2.5'],
  ['FREQ=DAILY;COUNT=1E3', 'COUNT=1E3'],
  ['FREQ=DAILY;UNTIL=NEVER', 'UNTIL=NEVER'],
  ['FREQ=DAILY;UNTIL=20261301', 'UNTIL=20261301'],
  ['FREQ=MONTHLY;RSCALE=HEBREW', 'RSCALE=HEBREW;SKIP=OMIT'],
])('%s is no rule', (text, message) => {
  expect(() => recurrenceRuleOf(text)).toThrow(new NoRecurrenceRule(message));
});

describe('UNTIL is the last time, in the zone that it is written in', () => {
  const NINE = `DTSTART;TZID=${NEW_YORK}:20260301T220000\nRRULE:FREQ=DAILY;UNTIL=`;
  test.each([
    ['in UTC, at the moment of an instance', '20260304T030000Z', '1-3'],
    ['in UTC, a second before', '20260304T025959Z', '1-2'],
    ['without a zone: by the clock of the start', '20260303T220000', '1-3'],
    ['without a zone, a second before', '20260303T215959', '1-2'],
    ['as a date: the whole day', '20260303', '1-3'],
  ])('%s', (_, until, expected) => {
    expect(startsOf(`${NINE}${until}`, '2026-03-09 22:00')).toEqual(days(`2026-03: ${expected}`, '22:00'));
  });

  test('also beside COUNT, which the standard forbids: both hold', () => {
    expect(startsOf(`${NINE}20260303;COUNT=9`, '2026-03-09 22:00')).toEqual(days('2026-03: 1-3', '22:00'));
    expect(startsOf(`${NINE}20260303;COUNT=2`, '2026-03-09 22:00')).toEqual(days('2026-03: 1-2', '22:00'));
  });
});

/** A part of a zone that changes each year on the last Sunday of a month. */
function observance(name: string, from: string, to: string, rule: string): string {
  const offsets = `TZOFFSETFROM:${from}\nTZOFFSETTO:${to}`;
  return `BEGIN:${name}\nDTSTART:20200101T020000\n${offsets}\nRRULE:FREQ=YEARLY;BYDAY=-1SU;${rule}\nEND:${name}`;
}

test('UNTIL of a VTIMEZONE is the moment of its last change', () => {
  const text = calendar(
    'BEGIN:VTIMEZONE\nTZID:Summer for ever',
    observance('STANDARD', '+0200', '+0100', 'BYMONTH=10;UNTIL=20251026T000000Z'),
    observance('DAYLIGHT', '+0100', '+0200', 'BYMONTH=3;UNTIL=20260329T010000Z'),
    'END:VTIMEZONE',
    ...['20260328T100000', '20260401T100000', '20261201T100000'].map((start) =>
      event(`UID:${start}\nDTSTART;TZID=Summer for ever:${start}\nDURATION:PT1H`),
    ),
  );
  const answer = readIcs({ text, timeZone: 'UTC', range: { start: Date.UTC(2026), end: Date.UTC(2027) } });
  const periods = 'periods' in answer ? answer.periods : [];
  const starts = periods.map(({ start }) => new Date(start).toISOString().slice(0, 16));
  expect(starts).toEqual(['2026-03-28T09:00', '2026-04-01T08:00', '2026-12-01T08:00']);
});

describe('a rule ends in time', () => {
  const YEAR = { from: Date.UTC(2026), to: Date.UTC(2027) };
  const taken = (rule: string, start: number, maxSteps: number): [number, number] => {
    const began = performance.now();
    const all = [
      ...recurrencesOf(recurrenceRuleOf(rule), { start, isDate: false, ...YEAR, steps: new Steps(maxSteps) }),
    ];
    return [all.length, performance.now() - began];
  };

  test.each([
    ['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', 0],
    ['FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30', 0],
    ['FREQ=YEARLY;BYYEARDAY=1;BYMONTH=12', 0],
    ['FREQ=MONTHLY;BYDAY=5MO;BYSETPOS=2', 0],
    ['FREQ=YEARLY;BYWEEKNO=20;BYMONTH=1', 0],
    ['FREQ=SECONDLY;INTERVAL=999999999', 0],
    ['FREQ=YEARLY;INTERVAL=999999999', 0],
    ['FREQ=DAILY;COUNT=999999999', 366],
    ['FREQ=SECONDLY;BYHOUR=9;BYMINUTE=0;BYSECOND=0', 365],
    ['FREQ=SECONDLY;COUNT=999999999;BYMONTH=2;BYMONTHDAY=30', 0],
    ['FREQ=MINUTELY;INTERVAL=1439;COUNT=999999', 366],
    ['FREQ=YEARLY;COUNT=2000', 1],
    ['FREQ=MONTHLY;COUNT=9999;BYDAY=1MO', 12],
  ])('%s, from 1970 on, within its steps and without those before', (rule, number) => {
    const [found] = taken(rule, 0, 60_000);
    expect(Math.abs(found - number)).toBeLessThanOrEqual(1);
  });

  test.each([
    'FREQ=SECONDLY',
    'FREQ=MINUTELY',
    'FREQ=SECONDLY;BYHOUR=1,2,3,4,5,6,7,8,9;COUNT=999999999',
    'FREQ=SECONDLY;INTERVAL=7;BYMINUTE=1,3,5,7,9,11;COUNT=999999999',
  ])('%s comes to too many', (rule) => {
    expect(() => taken(rule, 0, 60_000)).toThrow(TooManyOccurrences);
  });
});
