/**
 * Calendars as programs write them, with lines dropped, doubled, cut and swapped at random, read by us and by ical.js. `npm test`
 * takes new ones each day; `DAMAGED_FEEDS=20000 npx vitest run test/modules/calendars/feeds/random-feeds.test.ts` takes so
 * many of each program, in some ten minutes, and `DAMAGED_SEED` those of another day.
 */
import * as fc from 'fast-check';
import ICAL from 'ical.js';
import { describe, expect, test } from 'vitest';
import { readIcs } from '../../../../src/modules/calendars/feeds/read-ics.ts';
import { type Interval, unionOf } from '../../../../src/modules/schedules/interval.rules.ts';
import { CUSTOM_ZONE, REAL_FEEDS, type RealFeed } from './support/real-feeds.ts';

const DAY = 86_400_000;
const RANGE = { start: Date.UTC(2026, 2, 1), end: Date.UTC(2026, 5, 1) };

/** A line and whose it is: of the UID at a place in the feed, or of what is before all events (-1). */
interface Line {
  readonly text: string;
  readonly of: number;
}

function linesOf({ head, events }: RealFeed): Line[] {
  const heads = ['BEGIN:VCALENDAR', ...head.split('\n')].map((text) => ({ text, of: -1 }));
  const own = Object.values(events).flatMap((texts, of) =>
    texts.flatMap((text) => ['BEGIN:VEVENT', ...text.split('\n'), 'END:VEVENT'].map((line) => ({ text: line, of }))),
  );
  return [...heads, ...own, { text: 'END:VCALENDAR', of: -1 }];
}

const textOf = (lines: readonly string[]) => `${lines.join('\r\n')}\r\n`;

function read(text: string) {
  const answer = readIcs({ text, timeZone: 'UTC', range: RANGE });
  if ('failure' in answer) throw new Error(answer.failure);
  return answer;
}

/** Floating times are of a user in UTC. */
function instant(time: ICAL.Time, ofDays: string): number {
  if (Number.isNaN(time.toUnixTime())) throw new Error('no time');
  return time.isDate
    ? Temporal.PlainDate.from(time.toString()).toZonedDateTime(ofDays).epochMilliseconds
    : time.toUnixTime() * 1_000;
}

/** Whether each component that begins ends, no line is in none, and no event in another. */
function isBalanced(lines: readonly string[]): boolean {
  const open: string[] = [];
  return (
    lines.every((line) => {
      const [, kind, name = ''] = /^(BEGIN|END):(.*)$/.exec(line) ?? [];
      if (kind === 'BEGIN') return open.push(name) === 1 || name !== 'VEVENT';
      return kind === 'END' ? open.pop() === name : open.length > 0;
    }) && open.length === 0
  );
}

/** The events of one UID as ical.js' model sees them: when they are, and, for changes, when they may be. */
interface SecondReading {
  readonly certain: readonly Interval[];
  readonly possible: readonly Interval[];
}

const isChange = (one: ICAL.Component) => one.hasProperty('recurrence-id');

/** Undefined where it does not understand them. */
function byIcalJs({ head }: RealFeed, lines: readonly string[]): SecondReading | undefined {
  const ofDays = daysOf(head);
  if (!isBalanced(lines)) return undefined;
  try {
    const text = textOf(['BEGIN:VCALENDAR', ...head.split('\n'), ...lines, 'END:VCALENDAR']);
    const whole = new ICAL.Component(ICAL.parse(text) as unknown[]);
    const all = whole.getAllSubcomponents('vevent');
    const [master, ...others] = all.filter((one) => !isChange(one));
    const exdates = lines.filter((line) => line.startsWith('EXDATE'));
    // If a property is there twice, it takes one, or, in an instance, the last.
    const isTwice =
      all.some((one) => ONCE.some((name) => one.getAllProperties(name).length > 1)) ||
      new Set(exdates).size < exdates.length;
    if (!master || others.length > 0 || isTwice || whole.getAllSubcomponents().length > all.length + zonesIn(head))
      return undefined;
    const changes = all.filter(isChange).map((one) => new ICAL.Event(one));
    const series = new ICAL.Event(master);
    const areRelated = changes.every(
      ({ uid, recurrenceId }) => Boolean(uid) && uid === series.uid && recurrenceId instanceof ICAL.Time,
    );
    if (!areRelated) return undefined;
    for (const change of changes) series.relateException(change);
    return {
      certain: timesOf(series, ofDays),
      possible: changes.flatMap((one) => (isBusy(one) ? [timeOf(one.startDate, one.endDate, ofDays)] : [])),
    };
  } catch {
    return undefined;
  }
}

const ONCE = [
  'rrule',
  'dtstart',
  'dtend',
  'duration',
  'recurrence-id',
  'uid',
  'status',
  'transp',
  'sequence',
  'dtstamp',
];
const zonesIn = (head: string) => head.split('BEGIN:VTIMEZONE').length - 1;
const daysOf = (head: string) => /X-WR-TIMEZONE:(.*)/.exec(head)?.[1] ?? 'UTC';

function isBusy({ component }: ICAL.Event): boolean {
  const says = (name: string) => String(component.getFirstPropertyValue(name) ?? '').toUpperCase();
  return says('status') !== 'CANCELLED' && says('transp') !== 'TRANSPARENT';
}

function timeOf(from: ICAL.Time, to: ICAL.Time, ofDays: string): Interval {
  const start = instant(from, ofDays);
  return { start, end: Math.max(start, instant(to, ofDays)) };
}

function timesOf(series: ICAL.Event, ofDays: string): Interval[] {
  // It leaves out the start where there are RDATEs alone.
  const isAlone = !series.component.hasProperty('rrule') && isBusy(series);
  const times = isAlone ? [timeOf(series.startDate, series.endDate, ofDays)] : [];
  if (!series.isRecurring()) return times;
  const iterator = series.iterator();
  for (let next = iterator.next(), count = 0; next && count < 500; next = iterator.next(), count += 1) {
    const { item, startDate, endDate } = series.getOccurrenceDetails(next);
    if (instant(next, ofDays) > RANGE.end) break;
    if (isBusy(item)) times.push(timeOf(startDate, endDate, ofDays));
  }
  return times;
}

const within = ({ start, end }: Interval): Interval => ({
  start: Math.max(start, RANGE.start),
  end: Math.min(end, RANGE.end),
});
const isCovered = (all: readonly Interval[], { start, end }: Interval) =>
  start >= end || all.some((one) => one.start <= start && end <= one.end);

const timeText = ({ start, end }: Interval) =>
  [start, end].map((time) => new Date(time).toISOString().slice(0, 16)).join('/');

const KINDS = ['drop', 'double', 'cut', 'swap'] as const;
const damage = fc.record({
  kind: fc.constantFrom(...KINDS),
  place: fc.nat(),
  length: fc.double({ min: 0, max: 1, noNaN: true }),
});
type Damage = typeof damage extends fc.Arbitrary<infer Value> ? Value : never;

/** @returns whose lines were hit, and of the lines before all events, which */
function damaged(lines: Line[], all: readonly Damage[]): { hit: Set<number>; heads: Set<string> } {
  const [hit, heads] = [new Set<number>(), new Set<string>()];
  for (const { kind, place: any, length } of all) {
    const place = any % (lines.length - 1);
    const [one, next] = [lines[place], lines[place + 1]] as [Line, Line];
    for (const { of, text } of kind === 'swap' ? [one, next] : [one]) {
      hit.add(of);
      if (of < 0) heads.add(text);
    }
    if (kind === 'drop') lines.splice(place, 1);
    if (kind === 'double') lines.splice(place, 0, one);
    if (kind === 'cut')
      lines.splice(place, 1, { ...one, text: one.text.slice(0, Math.floor(length * one.text.length)) });
    if (kind === 'swap') lines.splice(place, 2, next, one);
  }
  return { hit, heads };
}

/** Events alone, in the calendar that they are of. */
const alone = ({ head }: RealFeed, own: readonly string[]) =>
  read(textOf(['BEGIN:VCALENDAR', ...head.split('\n'), ...own, 'END:VCALENDAR']));

interface Intact {
  readonly uid: string;
  readonly isOfDays: boolean;
  readonly isCustom: boolean;
  readonly times: readonly Interval[];
  /** A day around all that it may be said to be, whatever is left out of it or free. */
  readonly near: readonly Interval[];
}

function intactIn(feed: RealFeed): Intact[] {
  return Object.entries(feed.events).map(([uid, texts]) => {
    const events = texts.map((text) => ['BEGIN:VEVENT', ...text.split('\n'), 'END:VEVENT']);
    const bare = events.map((lines) => lines.filter((line) => !/^(TRANSP|STATUS|EXDATE)/.test(line)));
    const all = [events.flat(), bare.flat(), ...bare].flatMap((own) => alone(feed, own).periods);
    return {
      uid,
      isOfDays: texts.some((text) => text.includes('DTSTART;VALUE=DATE')),
      isCustom: texts.some((text) => text.includes(CUSTOM_ZONE)),
      times: alone(feed, events.flat()).periods,
      near: all.map(({ start, end }) => ({ start: start - DAY, end: end + DAY })),
    };
  });
}

interface Expected {
  readonly certain: readonly Interval[];
  readonly possible: readonly Interval[];
  readonly isSure?: boolean;
}

/** The times that must be busy, and those that may be, of a UID in a feed that is damaged. */
function expected(
  feed: RealFeed,
  { times, near, isOfDays, isCustom }: Intact,
  of: number,
  lines: readonly Line[],
  { hit, heads }: ReturnType<typeof damaged>,
): Expected {
  // Where days are, a line before all events says; a zone that has a name needs no definition.
  const isMoved =
    (isOfDays && [...heads].some((text) => text.startsWith('X-WR-TIMEZONE'))) || (isCustom && hit.has(-1));
  if (!hit.has(of) && !isMoved) return { certain: times, possible: times };
  const first = lines.findIndex((line) => line.of === of);
  const own = lines.filter((line) => line.of === of).map(({ text }) => text);
  const isTogether = lines.slice(first, first + own.length).every((line) => line.of === of);
  const isWhole = isTogether && isBalanced(own);
  // Two of them may have become one.
  if (!isWhole && (hit.has(of - 1) || hit.has(of + 1))) return { certain: [], possible: [RANGE] };
  const second = isWhole && !isMoved ? byIcalJs(feed, own) : undefined;
  if (second && alone(feed, own).unreadableCount === 0)
    return { certain: second.certain, possible: [...second.certain, ...second.possible], isSure: true };
  return { certain: [], possible: [...near, ...(second?.certain ?? []), ...(second?.possible ?? [])] };
}

/** Seeds that have found something are tried each time. */
const FOUND: readonly number[] = [34, 777, 4_242, 20_786];
const RUNS = Number(process.env['DAMAGED_FEEDS'] ?? 400);
const TODAY = Number(process.env['DAMAGED_SEED'] ?? Math.floor(Date.now() / DAY));

describe.each(REAL_FEEDS)('a feed of $name', (feed) => {
  const lines = linesOf(feed);
  const intact = intactIn(feed);

  test('is read by ical.js as by us', () => {
    const text = textOf(lines.map((line) => line.text));
    const seconds = Object.values(feed.events).map((_, of) =>
      byIcalJs(
        feed,
        lines.filter((line) => line.of === of).map((line) => line.text),
      ),
    );
    expect(unionOf(seconds.flatMap((second) => second?.certain ?? []).map(within))).toEqual(
      read(text).periods.map(({ start, end }) => ({ start, end })),
    );
    expect([seconds.includes(undefined), read(text).unreadableCount]).toEqual([false, 0]);
  });

  test.each([...FOUND.map((seed) => [seed, 200] as const), [TODAY, RUNS] as const])(
    'loses nothing that two readers understand, and blocks nothing else, by seed %d',
    (seed, numRuns) => {
      let understood = 0;
      fc.assert(
        fc.property(fc.array(damage, { minLength: 1, maxLength: 4 }), (all) => {
          const some = [...lines];
          const hits = damaged(some, all);
          const { periods } = read(textOf(some.map(({ text }) => text)));
          const each = intact.map((one, of) => expected(feed, one, of, some, hits));
          understood += each.filter((one) => one.isSure).length;
          const possible = unionOf(each.flatMap((one) => one.possible));
          const certain = each.flatMap((one): readonly Interval[] => one.certain).map(within);
          const [lost, blocked] = [
            certain.filter((one) => !isCovered(periods, one)),
            periods.filter((one) => !isCovered(possible, one)),
          ];
          const note = () => some.filter(({ of }) => hits.hit.has(of)).map(({ text }) => text);
          const isRight = lost.length === 0 && blocked.length === 0;
          expect(isRight ? {} : { lost: lost.map(timeText), blocked: blocked.map(timeText), lines: note() }).toEqual(
            {},
          );
        }),
        { seed, numRuns },
      );
      expect(understood).toBeGreaterThan(numRuns / 10);
    },
    600_000 + RUNS * 100,
  );
});
