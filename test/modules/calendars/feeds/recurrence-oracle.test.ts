/**
 * Rules of recurrence, held against others: rrule-temporal where that follows the RFC, and days against the RFC's definitions.
 * `RULES=100000 npx vitest run test/modules/calendars/feeds/recurrence-oracle.test.ts` takes so many rules, in about ten minutes.
 */
import * as fc from 'fast-check';
import { RRuleTemporal } from 'rrule-temporal';
import { expect, test } from 'vitest';
import { Steps } from '../../../../src/modules/calendars/feeds/ics-limits.rules.ts';
import { readIcs } from '../../../../src/modules/calendars/feeds/read-ics.ts';
import { recurrenceRuleOf, recurrencesOf } from '../../../../src/modules/calendars/feeds/recurrence.rules.ts';
import { type AnyRule, anyRule, type Frequency } from './support/any-rule.ts';
import { daysByDefinition } from './support/days-by-definition.ts';
import { calendar, event } from './support/ics.ts';

const RANGE = { start: Date.UTC(2026, 1, 1), end: Date.UTC(2026, 10, 1) };
const DAY = 86_400_000;
const RULES = Number(process.env['RULES'] ?? 1_000);

const day = fc.constantFrom('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU');
const days = fc.uniqueArray(day, { minLength: 1, maxLength: 4 }).map((some) => `;BYDAY=${some.join()}`);
const nth = fc.tuple(fc.constantFrom(1, 2, 3, 4, -1), day).map(([n, one]) => `;BYDAY=${n}${one}`);
const until = fc.constantFrom('', ';UNTIL=20260801T120000Z', ';UNTIL=20260405T000000Z');
const counted = fc.integer({ min: 1, max: 40 }).map((count) => `;COUNT=${count}`);

/** Counting from a start that the rule does not name is undefined (§3.8.5.3), so no rule counts where that can be. */
const rules: fc.Arbitrary<string> = fc
  .oneof(
    fc.tuple(fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'), fc.constant(''), fc.oneof(until, counted)),
    fc.tuple(fc.constant('DAILY'), fc.oneof(days, fc.constant(';BYMONTH=3,4,10')), until),
    fc.tuple(
      fc.constant('WEEKLY'),
      fc.tuple(fc.constantFrom('', ';WKST=SU'), days).map((parts) => parts.join('')),
      until,
    ),
    fc.tuple(
      fc.constant('MONTHLY'),
      fc.oneof(
        nth,
        fc.integer({ min: 1, max: 31 }).map((date) => `;BYMONTHDAY=${date}`),
        fc.constantFrom(';BYMONTHDAY=-1', ';BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1'),
      ),
      until,
    ),
    fc.tuple(
      fc.constant('YEARLY'),
      fc.tuple(fc.integer({ min: 1, max: 12 }), nth).map(([month, one]) => `;BYMONTH=${month}${one}`),
      until,
    ),
  )
  .chain(([frequency, parts, end]) =>
    fc.integer({ min: 1, max: 4 }).map((interval) => `FREQ=${frequency};INTERVAL=${interval}${parts}${end}`),
  );
/** At hours that no clock leaves out or has twice. */
const starts = fc
  .record({ days: fc.integer({ min: 0, max: 2_000 }), hour: fc.integer({ min: 4, max: 23 }) })
  .map(({ days: later, hour }) =>
    Temporal.PlainDateTime.from('2021-01-01T00:00:00').add({ days: later }).with({ hour }),
  );
const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe');

test('an event is when its rule says, by the clock on the wall of its zone', () => {
  let found = 0;
  fc.assert(
    fc.property(rules, zones, starts, (rule, timeZone, start) => {
      const at = start.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '');
      const lines = `DTSTART;TZID=${timeZone}:${at}\nRRULE:${rule}`;
      const text = calendar(event(`UID:x\n${lines}\nDURATION:PT1M`));
      const answer = readIcs({ text, timeZone: 'UTC', range: RANGE });
      const times = 'periods' in answer ? answer.periods.map((period) => period.start) : [];
      found += times.length;
      expect(times).toEqual(expected(lines, start.toZonedDateTime(timeZone).epochMilliseconds));
    }),
    { numRuns: 300 },
  );
  expect(found).toBeGreaterThan(100);
});

/** The start counts whatever the rule says. */
function expected(lines: string, first: number): number[] {
  const oracle = new RRuleTemporal({ rruleString: lines });
  const times = oracle.between(new Date(RANGE.start - DAY), new Date(RANGE.end), true);
  const all = new Set([first, ...times.map(({ epochMilliseconds }) => epochMilliseconds)]);
  return [...all].filter((time) => RANGE.start <= time && time < RANGE.end).toSorted((a, b) => a - b);
}

/** How many days are looked at, which is enough for some instances of most rules, and not too long for those of each second. */
const HORIZONS: Readonly<Record<Frequency, number>> = {
  YEARLY: 12 * 366,
  MONTHLY: 4 * 366,
  WEEKLY: 2 * 366,
  DAILY: 366,
  HOURLY: 60,
  MINUTELY: 2,
  SECONDLY: 0.02,
};
const DAYS = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY'] as const;

/**
 * Where rrule-temporal 2.2.8 goes by another rule than the RFC, whose table has each of these parts limit what the ones before it
 * expand to: of YEARLY rules it ignores BYMONTHDAY beside BYWEEKNO, BYYEARDAY and numbers in BYDAY, takes what either of BYYEARDAY
 * and another part says, and takes of BYDAY only the days with numbers. The 53rd Monday of a year that has 52 is one of the next
 * year, and it does not know weeks that reach into another year, unless the year that they are of is the start's.
 */
function isReadAsTheRfc({ frequency, parts }: AnyRule): boolean {
  if (frequency !== 'YEARLY') return true;
  const { BYMONTH, BYWEEKNO, BYYEARDAY, BYMONTHDAY, BYDAY } = parts;
  const numbered = (BYDAY ?? []).filter((day) => day.length > 2).length;
  if (BYYEARDAY && (BYMONTH ?? BYWEEKNO ?? BYMONTHDAY ?? BYDAY)) return false;
  if (BYMONTHDAY && (BYWEEKNO || numbered > 0)) return false;
  if (numbered > 0 && numbered < (BYDAY ?? []).length) return false;
  if ((BYDAY ?? []).some((day) => day.includes('53'))) return false;
  return !BYWEEKNO;
}

function ours({ text, start }: AnyRule, to: number): number[] {
  return [...recurrencesOf(recurrenceRuleOf(text), { start, isDate: false, from: start, to, steps: new Steps(1e6) })];
}

test('a rule is what rrule-temporal says, where that goes by the RFC', { timeout: 60_000 + RULES * 50 }, () => {
  let found = 0;
  const rule = anyRule([...DAYS, 'HOURLY', 'MINUTELY', 'SECONDLY']).filter(isReadAsTheRfc);
  fc.assert(
    fc.property(rule, (one) => {
      const to = one.start + HORIZONS[one.frequency] * DAY;
      const at = new Date(one.start).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
      const oracle = new RRuleTemporal({ rruleString: `DTSTART:${at}Z\nRRULE:${one.text}` });
      const theirs = oracle.between(new Date(one.start), new Date(to), true);
      found += theirs.length > 0 ? 1 : 0;
      expect(ours(one, to)).toEqual(theirs.map(({ epochMilliseconds }) => epochMilliseconds));
    }),
    { numRuns: RULES },
  );
  expect(found).toBeGreaterThan(RULES / 3);
});

test('a rule makes the days that each of its parts allows by its definition', { timeout: 60_000 + RULES * 50 }, () => {
  let found = 0;
  const rule = anyRule(['YEARLY', 'YEARLY', ...DAYS]).map((one) => ({
    ...one,
    start: Math.floor(one.start / DAY) * DAY,
  }));
  fc.assert(
    fc.property(rule, (one) => {
      const to = one.start + (HORIZONS[one.frequency] / 2) * DAY;
      // Hours, minutes and seconds say nothing of a date.
      const question = { start: one.start, isDate: true, from: one.start, to, steps: new Steps(1e6) };
      const days = [...recurrencesOf(recurrenceRuleOf(one.text), question)];
      found += days.length > 0 ? 1 : 0;
      expect(days).toEqual(daysByDefinition(one, to));
    }),
    { numRuns: RULES },
  );
  expect(found).toBeGreaterThan(RULES / 3);
});

test('a part of the time has what the whole has there, also long after the start', {
  timeout: 60_000 + RULES * 50,
}, () => {
  let found = 0;
  const rule = anyRule([...DAYS, 'HOURLY', 'MINUTELY', 'SECONDLY']);
  const share = fc.integer({ min: 0, max: 1_000 }).map((thousandths) => thousandths / 1_000);
  fc.assert(
    fc.property(rule, share, share, (one, a, b) => {
      const length = HORIZONS[one.frequency] * DAY;
      const [from, to] = [one.start + Math.min(a, b) * length, one.start + Math.max(a, b) * length];
      const question = { start: one.start, isDate: false, from, to, steps: new Steps(1e6) };
      const times = [...recurrencesOf(recurrenceRuleOf(one.text), question)];
      found += times.length > 0 ? 1 : 0;
      expect(times).toEqual(ours(one, one.start + length).filter((time) => from <= time && time <= to));
    }),
    { numRuns: RULES },
  );
  expect(found).toBeGreaterThan(RULES / 8);
});
