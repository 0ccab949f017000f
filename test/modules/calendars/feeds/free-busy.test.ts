/** VFREEBUSY (RFC 5545 §3.6.4, §3.8.2.6), and the EXRULE of old (RFC 2445 §4.8.5.2). */
import { describe, expect, test } from 'vitest';
import { readIcs } from '../../../../src/modules/calendars/feeds/read-ics.ts';
import { calendar, event, readIn } from './support/ics.ts';

const freeBusy = (lines: string, end = 'END:VFREEBUSY') =>
  `BEGIN:VFREEBUSY\nUID:a@example.test\nDTSTAMP:20260101T000000Z\n${lines}\n${end}`;
const range = { start: Date.UTC(2026, 0, 1), end: Date.UTC(2027, 0, 1) };
const answerTo = (text: string | readonly string[]) => readIcs({ text, timeZone: 'UTC', range });
const countsOf = (text: string) => {
  const answer = answerTo(text);
  return 'periods' in answer ? [answer.eventCount, answer.unreadable.map(({ problem }) => problem)] : answer.failure;
};
const TEN = '20260401T100000Z/20260401T110000Z';
const AT_TEN = '2026-04-01 10:00-11:00';
const days = (...given: readonly number[]) => given.map((day) => `2026-04-0${day} 10:00-11:00`);

describe('busy time (VFREEBUSY)', () => {
  test.each([
    ['a period by its end', `FREEBUSY:${TEN}`, [AT_TEN]],
    ['a period by its duration', 'FREEBUSY:20260401T100000Z/PT1H', [AT_TEN]],
    [
      'several periods in a line, and several lines',
      'FREEBUSY:20260401T100000Z/PT1H,20260402T100000Z/20260402T103000Z\nFREEBUSY:20260403T100000Z/PT15M',
      [AT_TEN, '2026-04-02 10:00-10:30', '2026-04-03 10:00-10:15'],
    ],
    ['periods that overlap, as one', `FREEBUSY:${TEN},20260401T103000Z/PT1H`, ['2026-04-01 10:00-11:30']],
    // The examples of §3.2.9 and §3.8.2.6, in another year.
    [
      'what is unavailable, over midnight',
      'FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20260308T160000Z/PT8H30M',
      ['2026-03-08 16:00-00:30'],
    ],
    ['what is tentative, as an event that is tentative', `FREEBUSY;FBTYPE=BUSY-TENTATIVE:${TEN}`, [AT_TEN]],
    ['BUSY', `FREEBUSY;FBTYPE=BUSY:${TEN}`, [AT_TEN]],
    ['a type that nobody knows, as BUSY', `FREEBUSY;FBTYPE=X-FOCUS:${TEN}`, [AT_TEN]],
    ['a type in quotes and small letters', `FREEBUSY;FBTYPE="busy-unavailable":${TEN}`, [AT_TEN]],
    ['not what is free', `FREEBUSY;FBTYPE=FREE:${TEN}\nFREEBUSY;fbtype=free:${TEN}`, []],
    ['not the time that it is about', 'DTSTART:20260401T000000Z\nDTEND:20260501T000000Z', []],
    [
      'what is busy of the time that it is about',
      `DTSTART:20260401T000000Z\nDTEND:20260501T000000Z\nFREEBUSY:${TEN}`,
      [AT_TEN],
    ],
    ['a line that is folded', `FREEBUSY:20260401T100000Z/\n PT1H`, [AT_TEN]],
    ['nothing without a period', '', []],
  ])('is %s', (_what, lines, expected) => {
    expect(readIn(calendar(freeBusy(lines)), 'Europe/Berlin')).toEqual(readIn(calendar(freeBusy(lines)), 'UTC'));
    expect(readIn(calendar(freeBusy(lines)), 'UTC')).toEqual(expected);
    expect(countsOf(calendar(freeBusy(lines)))).toEqual([1, []]);
  });

  test('is beside events, also with the same UID', () => {
    const lunch = event('UID:a@example.test\nDTSTART:20260401T120000Z\nDURATION:PT1H');
    const text = calendar(freeBusy(`FREEBUSY:${TEN}`), lunch);
    expect(readIn(text, 'UTC')).toEqual([AT_TEN, '2026-04-01 12:00-13:00']);
    expect(countsOf(text)).toEqual([2, []]);
  });

  test('is as it was written last, of several with one UID', () => {
    const later = freeBusy('FREEBUSY:20260402T100000Z/PT1H').replace('DTSTAMP:2026', 'DTSTAMP:2027');
    for (const both of [
      [freeBusy(`FREEBUSY:${TEN}`), later],
      [later, freeBusy(`FREEBUSY:${TEN}`)],
    ])
      expect(readIn(calendar(...both), 'UTC')).toEqual(['2026-04-02 10:00-11:00']);
  });

  test('is read of an object of a calendar by itself, too', () => {
    const answer = answerTo([
      calendar(freeBusy(`FREEBUSY:${TEN}`)),
      calendar(event('DTSTART:20260402T100000Z\nDURATION:PT1H')),
    ]);
    expect(answer).toMatchObject({
      ofEach: [{ uids: ['a@example.test'], times: [{ start: Date.UTC(2026, 3, 1, 10) }] }, { times: [{}] }],
    });
  });

  test.each([
    ['a period that is none', `FREEBUSY:${TEN},soon,20260402T100000Z/PT1H`],
    ['a period without an end', `FREEBUSY:${TEN},20260403T100000Z\nFREEBUSY:20260402T100000Z/PT1H`],
    ['an end that is none', `FREEBUSY:${TEN}\nFREEBUSY:20260403T100000Z/later,20260402T100000Z/PT1H`],
  ])('loses %s, and no other one', (_what, lines) => {
    const text = calendar(freeBusy(lines));
    expect(readIn(text, 'UTC')).toEqual([AT_TEN, '2026-04-02 10:00-11:00']);
    expect(countsOf(text)).toEqual([1, ['DATES']]);
  });

  test('whose BEGIN or END is missing is no event that takes all of its time', () => {
    const about = 'DTSTART:20260401T000000Z\nDTEND:20260501T000000Z\n';
    const next = event('DTSTART:20260402T100000Z\nDURATION:PT1H');
    const whole = freeBusy(`${about}FREEBUSY:${TEN}`);
    for (const damaged of [whole.replace('BEGIN:VFREEBUSY\n', ''), whole.replace('\nEND:VFREEBUSY', '')])
      for (const parts of [
        [damaged, next],
        [next, damaged],
      ])
        expect(readIn(calendar(...parts), 'UTC')).toEqual([AT_TEN, '2026-04-02 10:00-11:00']);
  });

  test('of more periods than can be kept is left out by itself', () => {
    const many = Array.from({ length: 12_000 }, (_, n) => new Date(Date.UTC(2026, 0, 1) + n * 1_800_000));
    const lines = many.map((at) => `FREEBUSY:${at.toISOString().replace(/[-:]|\.\d+/g, '')}/PT10M`).join('\n');
    const text = calendar(freeBusy(lines), event('DTSTART:20260402T101500Z\nDURATION:PT1H'));
    expect(answerTo(text)).toMatchObject({ periods: [{ start: Date.UTC(2026, 3, 2, 10, 15) }] });
    expect(countsOf(text)).toEqual([2, ['TOO_MANY']]);
  });
});

describe('an EXRULE', () => {
  const DAILY = 'DTSTART:20260401T100000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=5';

  test.each([
    ['takes away what it makes', `${DAILY}\nEXRULE:FREQ=DAILY;INTERVAL=2`, days(2, 4)],
    ['takes away so many as its COUNT, from the start', `${DAILY}\nEXRULE:FREQ=DAILY;COUNT=2`, days(3, 4, 5)],
    ['takes away until its UNTIL', `${DAILY}\nEXRULE:FREQ=DAILY;UNTIL=20260403T100000Z`, days(4, 5)],
    // 1 April 2026 is a Wednesday.
    ['takes away weekdays', `${DAILY}\nEXRULE:FREQ=WEEKLY;BYDAY=TH,SA`, days(1, 3, 5)],
    ['takes away nothing at another time of day', `${DAILY}\nEXRULE:FREQ=DAILY;BYHOUR=11`, days(1, 2, 3, 4, 5)],
    [
      'takes away dates of an RDATE',
      'DTSTART:20260401T100000Z\nDURATION:PT1H\nRDATE:20260402T100000Z,20260403T100000Z\nEXRULE:FREQ=DAILY;INTERVAL=2',
      days(2),
    ],
    ['is one of several', `${DAILY}\nEXRULE:FREQ=WEEKLY;BYDAY=TH\nEXRULE:FREQ=WEEKLY;BYDAY=SA`, days(1, 3, 5)],
    ['is beside an EXDATE', `${DAILY}\nEXRULE:FREQ=WEEKLY;BYDAY=TH\nEXDATE:20260405T100000Z`, days(1, 3, 4)],
    ['takes away all', `${DAILY}\nEXRULE:FREQ=DAILY`, []],
  ])('%s', (_what, lines, expected) => {
    expect(readIn(calendar(event(`UID:a\n${lines}`)), 'UTC')).toEqual(expected);
    expect(countsOf(calendar(event(`UID:a\n${lines}`)))).toEqual([1, []]);
  });

  test('goes by the clock of the zone of its event, over a change of the clocks', () => {
    const lines =
      'DTSTART;TZID=Europe/Berlin:20260327T090000\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=4\nEXRULE:FREQ=DAILY;INTERVAL=3';
    // 27 and 30 March are taken away: the clocks change on the 29th.
    expect(readIn(calendar(event(`UID:a\n${lines}`)), 'UTC')).toEqual([
      '2026-03-28 08:00-09:00',
      '2026-03-29 07:00-08:00',
    ]);
  });

  test('is of whole days where its event is', () => {
    const lines = 'DTSTART;VALUE=DATE:20260401\nRRULE:FREQ=DAILY;COUNT=3\nEXRULE:FREQ=DAILY;INTERVAL=2';
    const alone = 'DTSTART;VALUE=DATE:20260402';
    expect(readIn(calendar(event(`UID:a\n${lines}`)), 'UTC')).toEqual(
      readIn(calendar(event(`UID:a\n${alone}`)), 'UTC'),
    );
  });

  test('takes away no instance that was changed', () => {
    const moved = event('UID:a\nRECURRENCE-ID:20260401T100000Z\nDTSTART:20260401T150000Z\nDURATION:PT1H');
    expect(readIn(calendar(event(`UID:a\n${DAILY}\nEXRULE:FREQ=DAILY`), moved), 'UTC')).toEqual([
      '2026-04-01 15:00-16:00',
    ]);
  });

  test.each(['FREQ=SOMETIMES', 'nothing'])('that cannot be read (%s) takes nothing away, and is named', (rule) => {
    const text = calendar(event(`UID:a\n${DAILY}\nEXRULE:${rule}`));
    expect(readIn(text, 'UTC')).toEqual(days(1, 2, 3, 4, 5));
    expect(countsOf(text)).toEqual([1, ['DATES']]);
  });
});
