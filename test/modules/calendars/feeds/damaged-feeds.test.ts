/** Calendars as they are published by mistake: each kind of damage by itself, and many at random. */
import * as fc from 'fast-check';
import ICAL from 'ical.js';
import { describe, expect, test } from 'vitest';
import { readIcs } from '../../../../src/modules/calendars/feeds/read-ics.ts';
import { type Interval, unionOf } from '../../../../src/modules/schedules/interval.rules.ts';
import { calendar, event, readIn } from './support/ics.ts';

const RANGE = { start: Date.UTC(2026, 2, 1), end: Date.UTC(2026, 5, 1) };
const HOUR = 'DTSTART:20260401T100000Z\nDTEND:20260401T110000Z';
const OTHER = event('UID:other\nDTSTART:20260402T100000Z\nDURATION:PT1H');
const [ON_1ST, ON_2ND, ON_3RD] = [1, 2, 3].map((day) => `2026-04-0${day} 10:00-11:00`) as [string, string, string];
const DAILY = `${HOUR}\nRRULE:FREQ=DAILY;COUNT=3`;
const MOVED = 'UID:x\nRECURRENCE-ID:20260402T100000Z\nDTSTART:20260410T100000Z\nDURATION:PT1H';
const AT_10TH = '2026-04-10 10:00-11:00';

/** What is busy, beside another event that is always there, and the problems that are named. */
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

/** Each at an hour of its own, so that whose time is busy can be told. */
const REAL = [
  [
    'alpha',
    'DTSTART;TZID=Europe/Berlin:20260320T020000\nDTEND;TZID=Europe/Berlin:20260320T023000\nRRULE:FREQ=WEEKLY;UNTIL=20260517T215959Z;BYDAY=FR',
  ],
  [
    'bravo',
    'DTSTART:20260302T020000Z\nDURATION:PT30M\nRRULE:FREQ=DAILY;COUNT=20\nEXDATE:20260304T020000Z,20260305T020000Z',
  ],
  [
    'coral',
    'DTSTART;TZID=America/New_York:20260310T000000\nDTEND;TZID=America/New_York:20260310T003000\nRDATE;TZID=America/New_York:20260501T000000',
  ],
  ['delta', 'DTSTART:20260410T060000Z\nDTEND:20260410T063000Z'],
  ['eagle', 'DTSTART:20260305T070000Z\nDTEND:20260305T073000Z\nRRULE:FREQ=MONTHLY;BYDAY=1TH;COUNT=3'],
  ['fjord', 'DTSTART:20260415T080000Z\nDURATION:PT30M\nTRANSP:TRANSPARENT'],
  ['gamma', 'DTSTART:20260416T090000Z\nDURATION:PT30M\nSTATUS:CANCELLED'],
  [
    'hotel',
    'DTSTART;TZID=Asia/Tokyo:20260420T190000\nDTEND;TZID=Asia/Tokyo:20260420T193000\nRRULE:FREQ=DAILY;INTERVAL=3;COUNT=5',
  ],
  ['india', 'DTSTART:20260421T110000Z\nDTEND:20260421T113000Z\nSEQUENCE:2'],
] as const;
const BETWEEN =
  'ORGANIZER;CN="A: B":mailto:boss@example.test\nATTENDEE;PARTSTAT=ACCEPTED:mailto:ada@example.test\nDESCRIPTION:Agenda\\n one: two\\; DTSTART\nX-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC\nBEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-PT15M\nEND:VALARM';
const TEXT = calendar(
  'PRODID:-//Google Inc//Google Calendar 70.9054//EN\nMETHOD:PUBLISH',
  ...REAL.map(([uid, lines]) => event(`UID:${uid}\n${lines}\n${BETWEEN}`)),
).split('\r\n');
const PLACES = TEXT.flatMap((line, place) => (line === 'BEGIN:VEVENT' ? [place] : []));
const eventAt = (place: number): number => PLACES.findLastIndex((first) => first <= place);

type Lines = { readonly text: string; readonly of: number }[];
const mutation = fc.record({
  kind: fc.constantFrom('drop', 'double', 'cut', 'swap'),
  place: fc.integer({ min: 0, max: TEXT.length - 2 }),
  length: fc.double({ min: 0, max: 1, noNaN: true }),
});

/** Each line knows whose it was; what it hits is damaged. */
function damage(mutations: readonly { kind: string; place: number; length: number }[]) {
  const lines: Lines = TEXT.map((text, place) => ({ text, of: eventAt(place) }));
  const damaged = new Set<number>();
  for (const { kind, place, length } of mutations) {
    const [one, next] = [lines[place], lines[place + 1]];
    if (!one || !next) continue;
    damaged.add(one.of);
    if (kind === 'drop') lines.splice(place, 1);
    if (kind === 'double') lines.splice(place, 0, one);
    if (kind === 'cut')
      lines.splice(place, 1, { ...one, text: one.text.slice(0, Math.floor(length * one.text.length)) });
    if (kind === 'swap') {
      damaged.add(next.of);
      lines.splice(place, 2, next, one);
    }
  }
  return { lines, damaged };
}

/** By `Temporal`'s zones, as ical.js has none. */
const instant = (time: ICAL.Time, tzid: unknown) => {
  if (time.isDate || Number.isNaN(time.toUnixTime())) throw new Error('no time');
  const zone = time.zone === ICAL.Timezone.utcTimezone || typeof tzid !== 'string' ? 'UTC' : tzid;
  return Temporal.PlainDateTime.from(time.toString().replace('Z', '')).toZonedDateTime(zone).epochMilliseconds;
};

/** ical.js' own model of one event; undefined where that does not understand it. */
function byIcalJs(lines: readonly string[]): Interval[] | undefined {
  try {
    const component = new ICAL.Component(ICAL.parse(`${lines.join('\r\n')}\r\n`) as unknown[]);
    // Of an instance or an exception that is there twice, it takes one.
    const isTwice = ['rrule', 'exdate'].some((name) => component.getAllProperties(name).length > 1);
    if (component.name !== 'vevent' || isTwice) return undefined;
    const one = new ICAL.Event(component);
    const says = (name: string) => String(component.getFirstPropertyValue(name) ?? '').toUpperCase();
    const tzid = component.getFirstProperty('dtstart')?.getFirstParameter('tzid');
    const first = instant(one.startDate, tzid);
    const endZone = component.hasProperty('dtend')
      ? component.getFirstProperty('dtend')?.getFirstParameter('tzid')
      : tzid;
    const length = Math.max(0, instant(one.endDate, endZone) - first);
    const isBusy = says('status') !== 'CANCELLED' && says('transp') !== 'TRANSPARENT';
    // ical.js leaves out the start where there are RDATEs alone.
    const times: Interval[] = component.hasProperty('rrule') ? [] : [{ start: first, end: first + length }];
    const iterator = one.iterator();
    for (let next = iterator.next(); next && times.length < 500; next = iterator.next()) {
      const start = instant(next, tzid);
      if (start > RANGE.end) break;
      times.push({ start, end: start + length });
    }
    return isBusy ? times : [];
  } catch {
    return undefined;
  }
}

/** What ical.js reads of a damaged event, and whether we read it without any loss, too. */
function byBoth(lines: readonly string[]): { readonly isSure: boolean; readonly times: Interval[] | undefined } {
  const isWhole = lines[0] === 'BEGIN:VEVENT' && lines.at(-1) === 'END:VEVENT';
  const times = isWhole ? byIcalJs(lines) : undefined;
  const ours = times && busyIn(calendar(...lines));
  return { isSure: ours?.unreadableCount === 0 && ours.eventCount === 1, times };
}

const covers = (all: readonly Interval[], { start, end }: Interval) =>
  start >= end || end <= RANGE.start || start >= RANGE.end || all.some((one) => one.start <= start && end <= one.end);
const busyIn = (text: string) => {
  const answer = readIcs({ text, timeZone: 'UTC', range: RANGE });
  if ('failure' in answer) throw new Error(answer.failure);
  return answer;
};
/** Of intact events, each read by itself. */
const INTACT = REAL.map(
  (_, of) =>
    busyIn(calendar(...TEXT.filter((_line, place) => eventAt(place) === of && TEXT[place] !== 'END:VCALENDAR')))
      .periods,
);
const DAY = 86_400_000;

describe('damage at random', () => {
  test('ical.js reads the intact events as we do', () => {
    for (const [of, intact] of INTACT.entries()) {
      const lines = TEXT.filter((line, place) => eventAt(place) === of && line !== 'END:VCALENDAR' && line !== '');
      expect([REAL[of]?.[0], unionOf(byIcalJs(lines) ?? [])]).toEqual([
        REAL[of]?.[0],
        intact.map(({ start, end }) => ({ start, end })),
      ]);
    }
  });

  test('loses no event that two readers understand, and blocks no time but that of damaged events', () => {
    let understood = 0;
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), (mutations) => {
        const { lines, damaged } = damage(mutations);
        const { periods } = busyIn(lines.map(({ text }) => text).join('\r\n'));
        /** Where two readers say that somebody is busy, and where one may: of what is damaged, on the days that it is on. */
        const [certain, possible]: [Interval[], Interval[]] = [[], []];
        for (const [of, intact] of INTACT.entries()) {
          const own = lines.filter((line) => line.of === of && !['', 'END:VCALENDAR'].includes(line.text));
          const read = damaged.has(of) ? byBoth(own.map(({ text }) => text)) : { isSure: true, times: intact };
          if (damaged.has(of) && read.isSure) understood += 1;
          if (read.isSure) certain.push(...(read.times ?? []));
          const near = intact.map(({ start, end }) => ({ start: start - DAY, end: end + DAY }));
          possible.push(...(read.times ?? [RANGE]), ...(damaged.has(of) ? near : []));
        }
        expect(certain.filter((one) => !covers(periods, one))).toEqual([]);
        expect(periods.filter((one) => !covers(unionOf(possible), one))).toEqual([]);
      }),
      { seed: 34, numRuns: Number(process.env['DAMAGED_FEEDS'] ?? 300) },
    );
    expect(understood).toBeGreaterThan(50);
  });
});
