import * as fc from 'fast-check';

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export type Frequency = 'YEARLY' | 'MONTHLY' | 'WEEKLY' | 'DAILY' | 'HOURLY' | 'MINUTELY' | 'SECONDLY';

/** The parts of a rule without FREQ; one that is undefined is not there. */
export interface Parts {
  readonly INTERVAL: number;
  readonly BYMONTH?: readonly number[] | undefined;
  readonly BYWEEKNO?: readonly number[] | undefined;
  readonly BYYEARDAY?: readonly number[] | undefined;
  readonly BYMONTHDAY?: readonly number[] | undefined;
  readonly BYDAY?: readonly string[] | undefined;
  readonly BYHOUR?: readonly number[] | undefined;
  readonly BYMINUTE?: readonly number[] | undefined;
  readonly BYSECOND?: readonly number[] | undefined;
  readonly BYSETPOS?: readonly number[] | undefined;
  readonly WKST?: string | undefined;
  readonly COUNT?: number | undefined;
}

export interface AnyRule {
  readonly frequency: Frequency;
  readonly parts: Parts;
  readonly text: string;
  /** By the clock on the wall, epoch milliseconds as if in UTC. */
  readonly start: number;
}

/** How often a part is there, of four times. */
function sometimes<Value>(part: fc.Arbitrary<Value>, times: number): fc.Arbitrary<Value | undefined> {
  return fc.oneof({ weight: times, arbitrary: part }, { weight: 4 - times, arbitrary: fc.constant(undefined) });
}

function some<Value>(one: fc.Arbitrary<Value>, maxLength: number): fc.Arbitrary<readonly Value[]> {
  return fc.uniqueArray(one, { minLength: 1, maxLength });
}

/** Up to a number, from the beginning or from the end. */
function placed(max: number): fc.Arbitrary<number> {
  return fc.integer({ min: 1, max }).chain((place) => fc.constantFrom(place, place, -place));
}

const never = fc.constant(undefined);

/** A rule with parts as the table of RFC 5545 §3.3.10 allows them, and a start that it may or may not make. */
export function anyRule(frequencies: readonly Frequency[]): fc.Arbitrary<AnyRule> {
  return fc.constantFrom(...frequencies).chain((frequency) => {
    const [isYearly, isShort] = [frequency === 'YEARLY', ['HOURLY', 'MINUTELY', 'SECONDLY'].includes(frequency)];
    const weekday = fc.constantFrom(...WEEKDAYS);
    const numbered = fc.tuple(placed(isYearly ? 53 : 5), weekday).map(([place, day]) => `${place}${day}`);
    const hasNumbers = isYearly || frequency === 'MONTHLY';
    const parts = fc.record({
      INTERVAL: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 5, max: 40 })),
      BYMONTH: sometimes(some(fc.integer({ min: 1, max: 12 }), 3), 1),
      BYWEEKNO: isYearly ? sometimes(some(placed(53), 3), 1) : never,
      BYYEARDAY: isYearly || isShort ? sometimes(some(placed(366), 20), 1) : never,
      BYMONTHDAY: frequency === 'WEEKLY' ? never : sometimes(some(placed(31), 8), 1),
      BYDAY: sometimes(some(hasNumbers ? fc.oneof(weekday, numbered) : weekday, 4), 2),
      BYHOUR: sometimes(some(fc.integer({ min: 0, max: 23 }), 4), 1),
      BYMINUTE: sometimes(some(fc.integer({ min: 0, max: 59 }), 4), 1),
      BYSECOND: sometimes(some(fc.integer({ min: 0, max: 59 }), 3), 1),
      BYSETPOS: sometimes(some(placed(6), 3), 1),
      WKST: sometimes(weekday, 1),
      COUNT: sometimes(fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 30, max: 2_000 })), 1),
    });
    const start = fc
      .integer({ min: Date.UTC(2019) / 1_000, max: Date.UTC(2027) / 1_000 })
      .map((second) => second * 1_000);
    return fc.record({ parts: parts.map(allowed), start }).map((rest) => ({
      ...rest,
      frequency,
      text: `FREQ=${frequency};${textOf(rest.parts)}`,
    }));
  });
}

/** Numbers in BYDAY are not beside BYWEEKNO, and BYSETPOS not without another part. */
function allowed(parts: Parts): Parts {
  const { BYDAY, BYWEEKNO, BYSETPOS, ...rest } = parts;
  const days = BYWEEKNO && BYDAY ? [...new Set(BYDAY.map((day) => day.slice(-2)))] : BYDAY;
  const lists = [
    BYWEEKNO,
    BYDAY,
    rest.BYMONTH,
    rest.BYYEARDAY,
    rest.BYMONTHDAY,
    rest.BYHOUR,
    rest.BYMINUTE,
    rest.BYSECOND,
  ];
  const isListed = lists.some((list) => list !== undefined);
  return { ...parts, BYDAY: days, BYSETPOS: isListed ? BYSETPOS : undefined };
}

function textOf(parts: Parts): string {
  const known = Object.entries(parts).filter(([, value]) => value !== undefined);
  return known.map(([name, value]) => `${name}=${String(value)}`).join(';');
}
