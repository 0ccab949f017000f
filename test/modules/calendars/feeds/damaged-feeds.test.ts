/** Calendars as they are published by mistake, each kind of damage by itself; random-feeds.test.ts has many at random. */
import { expect, test } from 'vitest';
import { readIcs } from '../../../../src/modules/calendars/feeds/read-ics.ts';
import { calendar, event, readIn } from './support/ics.ts';

const RANGE = { start: Date.UTC(2026, 2, 1), end: Date.UTC(2026, 5, 1) };
const HOUR = 'DTSTART:20260401T100000Z\nDTEND:20260401T110000Z';
const OTHER = event('UID:other\nDTSTART:20260402T100000Z\nDURATION:PT1H');
const [ON_1ST, ON_2ND, ON_3RD] = [1, 2, 3].map((day) => `2026-04-0${day} 10:00-11:00`) as [string, string, string];
const DAILY = `${HOUR}\nRRULE:FREQ=DAILY;COUNT=3`;
const MOVED = 'UID:x\nRECURRENCE-ID:20260402T100000Z\nDTSTART:20260410T100000Z\nDURATION:PT1H';
const AT_10TH = '2026-04-10 10:00-11:00';

/** Gives the busy times, beside another event that is always there, and the problems that are named. */
function read(...events: readonly string[]) {
  const text = calendar(...events, event('UID:witness\nDTSTART:20260520T100000Z\nDURATION:PT1H'));
  const answer = readIcs({ text, timeZone: 'UTC', range: RANGE });
  if ('failure' in answer) throw new Error(answer.failure);
  const [witness, ...busy] = readIn(text, 'UTC').toReversed();
  expect(witness).toBe('2026-05-20 10:00-11:00');
  expect(answer.unreadableCount).toBe(answer.unreadable.length);
  return [busy.toReversed(), answer.unreadable.map(({ problem }) => problem)];
}

test.each<[string, string, string[]]>([
  ['a line that was not folded', `${HOUR}\nDESCRIPTION:Patients:\nJane\n\nand: others`, [ON_1ST]],
  ['a date without VALUE=DATE', 'DTSTART:20260401\nDTEND:20260403', ['2026-04-01 00:00-+2 00:00']],
  ['a midnight that is called a date', 'DTSTART;VALUE=DATE:20260401T000000Z', ['2026-04-01 00:00-+1 00:00']],
  ['a time that is called a date', 'DTSTART;VALUE=DATE:20260401T100000Z\nDURATION:PT1H', [ON_1ST]],
  ['an EXDATE without VALUE=DATE', `${DAILY}\nEXDATE:20260402`, [ON_1ST, ON_3RD]],
  ['commas too many', `${DAILY}\nEXDATE:,20260402T100000Z,, ,`, [ON_1ST, ON_3RD]],
  ['small letters', 'dtstart:20260401t100000z\nduration:pt1h', [ON_1ST]],
  ['spaces', 'DTSTART : 20260401T100000Z \nDURATION: PT1H ', [ON_1ST]],
  ['a time without seconds', 'DTSTART:20260401T1000Z\nDTEND:20260401T1100Z', [ON_1ST]],
  ['lines that are there twice', `${DAILY}\n${DAILY}`, [ON_1ST, ON_2ND, ON_3RD]],
  ['a first DTSTART that cannot be read', `DTSTART:soon\n${HOUR}`, [ON_1ST]],
  ['an alarm without an end', `BEGIN:VALARM\nTRIGGER:-PT15M\nDURATION:PT5H\n${HOUR}`, [ON_1ST]],
  ['an alarm without a beginning', `${HOUR}\nTRIGGER:-PT15M\nDURATION:PT5H\nEND:VALARM`, [ON_1ST]],
  [
    'the end of 24 hours',
    'DTSTART:20260401T230000Z\nDTEND:20260401T240000Z',
    ['2026-04-01 23:00-+1 00:00'.replace('+1 ', '')],
  ],
])('%s does no harm', (_, lines, expected) => expect(read(event(`UID:x\n${lines}`))).toEqual([expected, []]));

test.each<[string, string[], string[], string[]]>([
  ['a rule that is none', [`${HOUR}\nRRULE:FREQ=WEEKLY;BYDAY=`], [ON_2ND], ['RULE']],
  ['no start', ['DTEND:20260401T110000Z'], [ON_2ND], ['START']],
  ['a day that there is not', ['DTSTART:20260431T100000Z\nDURATION:PT1H'], [ON_2ND], ['START']],
  ['an end that is none', ['DTSTART:20260401T100000Z\nDTEND:later'], [ON_2ND], ['END']],
  [
    'an end of a day that is none',
    ['DTSTART;VALUE=DATE:20260401\nDURATION:PT'],
    ['2026-04-01 00:00-+1 00:00', ON_2ND],
    ['END'],
  ],
  ['one of several exceptions', [`${DAILY}\nEXDATE:20260401T100000Z,tomorrow`], [ON_2ND, ON_3RD], ['DATES']],
  ['one of several dates', [`${HOUR}\nRDATE:20260403T100000Z,20260432`], [ON_1ST, ON_2ND, ON_3RD], ['DATES']],
  [
    'the instance that is changed',
    [DAILY, MOVED.replace('20260402T', 'x')],
    [ON_1ST, ON_2ND, ON_3RD, AT_10TH],
    ['INSTANCE'],
  ],
  [
    'the time of a changed instance',
    [DAILY, MOVED.replace('DTSTART:', 'DTSTART:x')],
    [ON_1ST, ON_2ND, ON_3RD],
    ['START'],
  ],
  [
    'the rule, where dates are written by themselves',
    [`${HOUR}\nRRULE:FREQ=OFTEN\nRDATE:20260403T100000Z`],
    [ON_2ND, ON_3RD],
    ['RULE'],
  ],
  ['the rule, where an instance is changed', [`${HOUR}\nRRULE:FREQ=OFTEN`, MOVED], [ON_2ND, AT_10TH], ['RULE']],
])('%s is left out with what hangs on it, and named; nothing else is', (_, lines, expected, problems) =>
  expect(read(...lines.map((some) => event(some.startsWith('UID') ? some : `UID:x\n${some}`)), OTHER)).toEqual([
    expected,
    problems,
  ]),
);

test.each([
  ['a calendar without a beginning', (text: string) => text.replace('BEGIN:VCALENDAR\r\n', '')],
  ['a calendar without an end', (text: string) => text.replace('END:VCALENDAR\r\n', '')],
  ['an event without an end', (text: string) => text.replace('END:VEVENT\r\n', '')],
  ['an event without a beginning', (text: string) => text.replace('BEGIN:VEVENT\r\n', '')],
  ['an event that begins twice', (text: string) => text.replace('BEGIN:VEVENT', 'BEGIN:VEVENT\r\nBEGIN:VEVENT')],
  ['an end too many', (text: string) => text.replace('END:VEVENT', 'END:VEVENT\r\nEND:VEVENT\r\nEND:VALARM')],
  ['lines that end in another way', (text: string) => text.replaceAll('\r\n', '\r')],
])('%s loses nothing', (_, damage) => {
  const text = damage(calendar(event(`UID:x\n${HOUR}`), OTHER));
  expect(readIn(text, 'UTC')).toEqual([ON_1ST, ON_2ND]);
});

test('an invitation with more instances than anybody follows is left out, and stops nothing', () => {
  const some = Array.from(
    { length: 25_000 },
    (_, n) => `BEGIN:VEVENT\nUID:x\nRECURRENCE-ID:2026040${1 + (n % 9)}T100000Z\n${HOUR}\nEND:VEVENT`,
  );
  const answer = readIcs({ text: calendar(...some, OTHER), timeZone: 'UTC', range: RANGE });
  expect(answer).toMatchObject({ periods: [{}], eventCount: 25_001, unreadable: [{ problem: 'TOO_MANY' }] });
});
