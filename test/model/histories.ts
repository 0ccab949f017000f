/** Random histories: a scene and steps, both made of a seed alone. What a step means is decided when it is taken, so any can be left out. */
import {
  dateOf,
  type EventType,
  type Host,
  type Hours,
  isLive,
  type Limit,
  type Model,
  type Override,
  type Request,
  type Rules,
  there,
  type Window,
} from './rules.ts';

export const HOSTS = 5;
export const BOOKERS = 8;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** A history plays in so many days, where its people get in each other's way. */
const DAYS = 3;

export interface Scene {
  readonly hosts: readonly Host[];
  readonly types: readonly EventType[];
  readonly timeZone: string;
  /** Its first day and the end of its last one. */
  readonly from: number;
  readonly to: number;
}

/** A step, and the dice that choose how it is done and to whose booking. */
export interface Step {
  readonly do: Request['do'] | 'together' | 'crash';
  readonly dice: readonly number[];
  /** The steps that are done at the same moment. */
  readonly parts?: readonly Step[];
}

export interface History {
  readonly seed: number;
  readonly scene: Scene;
  readonly steps: readonly Step[];
}

/** How often each is done. */
const STEPS: Readonly<Partial<Record<Step['do'], number>>> = {
  book: 34,
  reserve: 8,
  release: 2,
  reschedule: 13,
  cancel: 9,
  confirm: 6,
  decline: 3,
  reassign: 8,
  leave: 4,
  return: 2,
  hours: 3,
  rules: 5,
  together: 9,
};
/** The steps that can be done at the same moment: whatever changes bookings. */
const TOGETHER: readonly Step['do'][] = [
  'book',
  'book',
  'book',
  'reschedule',
  'cancel',
  'confirm',
  'decline',
  'reassign',
];

/** `now` only moves the scene: with the same seed, the same happens on other days. */
export function historyOf(seed: number, now: number, length: number): History {
  const dice = new Dice(seed);
  const scene = sceneOf(dice, now);
  const steps = Array.from({ length }, () => stepOf(dice));
  if (dice.roll() < 0.06) steps.splice(Math.floor(dice.roll() * length), 0, { do: 'crash', dice: dice.some(6) });
  return { seed, scene, steps };
}

function stepOf(dice: Dice): Step {
  let left = dice.roll() * Object.values(STEPS).reduce((sum, weight) => sum + weight, 0);
  for (const [name, weight] of Object.entries(STEPS)) {
    left -= weight;
    if (left >= 0) continue;
    if (name !== 'together') return { do: name as Step['do'], dice: dice.some(8) };
    const parts = Array.from({ length: 2 + Math.floor(dice.roll() * 2) }, () => ({
      do: dice.of(TOGETHER),
      dice: dice.some(8),
    }));
    // Those who race for one slot, now and then.
    const same =
      dice.roll() < 0.5
        ? parts.map((part) => ({ ...part, dice: [...there(parts[0]).dice.slice(0, 4), ...part.dice.slice(4)] }))
        : parts;
    return { do: 'together', dice: dice.some(2), parts: same };
  }
  throw new Error('The weights of the steps have no sum.');
}

// ---- The scene ----

function sceneOf(dice: Dice, now: number): Scene {
  const timeZone = dice.of(['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe']);
  const first = firstDay(dice, now, timeZone);
  const dates = Array.from({ length: DAYS }, (_, day) => first.add({ days: day }).toString());
  const midnight = (date: Temporal.PlainDate) => date.toZonedDateTime(timeZone).epochMilliseconds;
  const [from, to] = [midnight(first), midnight(first.add({ days: DAYS }))];
  const hosts = Array.from({ length: HOSTS }, () => hostOf(dice, timeZone, dates));
  const zoneOf = (host: number) => there(hosts[host]).timeZone;
  const single = (host: number) => ({ kind: 'SINGLE' as const, hosts: [hosting(host)], timeZone: zoneOf(host) });
  const all = dice.shuffled([0, 1, 2, 3, 4]);
  const turns = all.slice(0, dice.of([2, 3, 4])).map((host) => hosting(host, dice));
  const oneInTurn = turns.map((one, index) => ({
    ...one,
    isMandatory: index === 0 && turns.length > 2 && dice.roll() < 0.3,
  }));
  const kinds = [
    single(0),
    single(dice.of([0, 1, 2])),
    { kind: 'ROUND_ROBIN' as const, hosts: oneInTurn, timeZone },
    {
      kind: 'COLLECTIVE' as const,
      hosts: dice
        .shuffled(all)
        .slice(0, dice.of([2, 3]))
        .map((host) => hosting(host)),
      timeZone,
    },
  ];
  const types = kinds.map((kind, index) => ({ ...kind, ...settingsOf(dice, index, { now, from, dates }) }));
  return { hosts, types, timeZone, from, to };
}

/** Soon, where notice and windows matter; later; or where the clocks change. */
function firstDay(dice: Dice, now: number, timeZone: string): Temporal.PlainDate {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone);
  const chance = dice.roll();
  const days = dice.of([0, 1, 1, 2, 3]);
  if (chance < 0.6) return today.toPlainDate().add({ days });
  const change = today.getTimeZoneTransition('next');
  if (chance < 0.8 && change) return change.toPlainDate().subtract({ days: 1 });
  return today.toPlainDate().add({ days: 20 + 10 * days });
}

function hosting(host: number, dice?: Dice) {
  return {
    host,
    isMandatory: false,
    priority: dice ? dice.of([2, 2, 2, 3, 1]) : 2,
    weight: dice ? dice.of([100, 100, 200]) : 100,
  };
}

function hostOf(dice: Dice, timeZone: string, dates: readonly string[]): Host {
  const own = dice.roll() < 0.75 ? timeZone : dice.of(['UTC', 'Europe/London', 'Asia/Kolkata']);
  return { timeZone: own, week: weekOf(dice), overrides: overridesOf(dice, dates), absences: [] };
}

function weekOf(dice: Dice): Hours[] {
  const days = dice.roll() < 0.7 ? [1, 2, 3, 4, 5, 6, 7] : [1, 2, 3, 4, 5];
  const first = {
    days,
    ...dice.of([
      { start: '09:00', end: '12:00' },
      { start: '08:30', end: '13:00' },
      { start: '10:00', end: '15:00' },
      { start: '01:00', end: '05:00' },
    ]),
  };
  const second = {
    days: days.slice(0, dice.of([0, 4, 7])),
    ...dice.of([
      { start: '15:00', end: '17:00' },
      { start: '13:00', end: '15:20' },
    ]),
  };
  const isApart = second.start >= first.end && second.days.length > 0;
  return isApart ? [first, second] : [first];
}

function overridesOf(dice: Dice, dates: readonly string[]): Override[] {
  if (dice.roll() < 0.6) return [];
  const date = dice.of(dates);
  if (dice.roll() < 0.3) return [{ date, hours: null }];
  const hours = [
    { start: '07:00', end: '09:30' },
    { start: '11:15', end: '14:15' },
  ];
  return (dice.roll() < 0.5 ? hours : hours.slice(1)).map((one) => ({ date, hours: one }));
}

interface Around {
  readonly now: number;
  readonly from: number;
  readonly dates: readonly string[];
}

function settingsOf(dice: Dice, index: number, around: Around) {
  const seatsPerSlot = dice.roll() < 0.25 ? dice.of([2, 3]) : null;
  const noticeInMinutes = Math.max(60, Math.round((around.from - around.now) / MINUTE) + 36 * 60);
  return {
    title: `Talk ${index}`,
    durationInMinutes: dice.of([15, 20, 30, 45, 60, 60]),
    bufferBeforeInMinutes: dice.of([0, 0, 5, 15, 30]),
    bufferAfterInMinutes: dice.of([0, 0, 10, 30]),
    confirmation:
      seatsPerSlot === null ? dice.of(['NEVER', 'NEVER', 'ALWAYS', { noticeInMinutes }] as const) : ('NEVER' as const),
    rules: rulesOf(dice, around, seatsPerSlot),
  };
}

function rulesOf(dice: Dice, around: Around, seatsPerSlot: number | null): Rules {
  const untilMiddle = Math.max(0, Math.round((around.from - around.now) / MINUTE) + 34 * 60);
  return {
    slotIntervalInMinutes: dice.of([null, null, 15, 20, 30]),
    minimumBookingNoticeInMinutes: dice.of([0, 0, 0, 60, untilMiddle]),
    window: windowOf(dice, around),
    limits: limitsOf(dice),
    seatsPerSlot,
  };
}

function windowOf(dice: Dice, { now, from, dates }: Around): Window | null {
  const days = Math.max(1, Math.round((from - now) / DAY) + 1);
  const [first = '', second = ''] = dates;
  return dice.of<Window | null>([
    null,
    null,
    null,
    null,
    { type: 'ROLLING_DAYS', days },
    { type: 'BUSINESS_DAYS', days: Math.max(1, Math.round((days * 5) / 7)) },
    { type: 'DATE_RANGE', firstDate: dice.of([first, second]), lastDate: second },
  ]);
}

function limitsOf(dice: Dice): Rules['limits'] {
  return dice.of<Rules['limits']>([
    {},
    {},
    { day: one({ count: 1 }, { count: 2 }) },
    { day: { minutes: 60 } },
    { week: one({ count: 2 }, { minutes: 120 }) },
    { month: { count: 3 }, day: { count: 2 } },
    { year: { count: 4 } },
  ]);
  function one(...some: readonly Limit[]): Limit {
    return dice.of(some);
  }
}

// ---- What a step means ----

/** The request that a step is, as things are by then; undefined where there is nothing to do it to. */
export function requestOf(
  { do: name, dice: rolled }: Step,
  model: Model,
  scene: Scene,
  now: number,
): Request | undefined {
  const dice = Dice.loaded(rolled);
  switch (name) {
    case 'book':
    case 'reserve': {
      const [type, which, how] = [dice.below(model.types.length), dice.roll(), dice.roll()];
      const start = startOf(model, scene, type, which, how, now);
      const booker = dice.below(BOOKERS);
      if (start === undefined) return undefined;
      if (name === 'reserve') return { do: 'reserve', type, start, booker };
      const own = model.reservations.filter((one) => one.by === booker);
      const kept = dice.roll() < 0.6 && own.length > 0 ? dice.of(own) : undefined;
      return kept
        ? { do: 'book', type: kept.type, start: kept.start, booker, reservation: kept.id }
        : { do: 'book', type, start, booker, reservation: null };
    }
    case 'release': {
      const one = dice.maybe(model.reservations);
      return one && { do: 'release', reservation: one.id };
    }
    case 'reschedule': {
      const booking = bookingOf(dice, model);
      const attendee = booking && dice.maybe(booking.attendees);
      if (!booking || !attendee) return undefined;
      const start = startOf(model, scene, booking.type, dice.roll(), dice.roll(), now);
      return start === undefined ? undefined : { do: 'reschedule', uid: attendee.uid, start };
    }
    case 'cancel': {
      const booking = bookingOf(dice, model);
      const attendee = booking && dice.maybe(booking.attendees);
      if (!booking || !attendee) return undefined;
      if (dice.roll() < 0.6) return { do: 'cancel', key: attendee.uid, host: null, reason: null };
      return { do: 'cancel', key: booking.id, host: dice.of(booking.hosts), reason: dice.roll() < 0.8 ? 'Ill' : null };
    }
    case 'confirm':
    case 'decline': {
      const pending = model.bookings.filter(({ status }) => status === 'PENDING');
      const booking = dice.maybe(dice.roll() < 0.8 ? pending : model.bookings);
      return (
        booking && { do: name, id: booking.id, host: dice.roll() < 0.9 ? dice.of(booking.hosts) : dice.below(HOSTS) }
      );
    }
    case 'reassign': {
      const inTurn = model.bookings.filter((one) => model.type(one.type).kind === 'ROUND_ROBIN' && isLive(one));
      const booking = dice.maybe(dice.roll() < 0.85 ? inTurn : model.bookings);
      if (!booking) return undefined;
      const from = dice.roll() < 0.9 ? dice.of(booking.hosts) : dice.below(HOSTS);
      return { do: 'reassign', id: booking.id, from, to: dice.roll() < 0.4 ? null : dice.below(HOSTS) };
    }
    case 'leave': {
      const start = scene.from + dice.below(DAYS * 24 * 2) * 30 * MINUTE;
      return { do: 'leave', host: dice.below(HOSTS), start, end: start + (1 + dice.below(16)) * 30 * MINUTE };
    }
    case 'return': {
      const host = dice.maybe(model.hosts.flatMap(({ absences }, index) => (absences.length > 0 ? [index] : [])));
      return host === undefined ? undefined : { do: 'return', host, absence: dice.of(model.host(host).absences).id };
    }
    case 'hours': {
      const [host, seed] = [dice.below(HOSTS), dice.below(1_000_000)];
      const fresh = new Dice(seed);
      return { do: 'hours', host, week: weekOf(fresh), overrides: overridesOf(fresh, datesOf(scene)) };
    }
    case 'rules': {
      const [type, seed] = [dice.below(model.types.length), dice.below(1_000_000)];
      const { seatsPerSlot: seats } = model.type(type).rules;
      const fresh = new Dice(seed);
      return {
        do: 'rules',
        type,
        rules: rulesOf(fresh, { now, from: scene.from, dates: datesOf(scene) }, seats && fresh.of([1, 2, 3])),
      };
    }
    case 'together':
    case 'crash':
      return undefined;
  }
}

function datesOf({ from, timeZone }: Scene): string[] {
  return Array.from({ length: DAYS }, (_, day) => dateOf(from + day * DAY + DAY / 2, timeZone));
}

/** Live ones mostly, as there is little to do to others. */
function bookingOf(dice: Dice, model: Model) {
  return dice.maybe(dice.roll() < 0.9 ? model.bookings.filter(isLive) : model.bookings);
}

/** A slot that is offered, one that the hours would give, or any quarter of an hour. */
function startOf(
  model: Model,
  { from, to }: Scene,
  type: number,
  which: number,
  how: number,
  now: number,
): number | undefined {
  const dice = Dice.loaded([which]);
  if (how < 0.55) return dice.maybe([...model.slots(type, from, to, now).keys()]);
  if (how < 0.9) return dice.maybe(model.starts(type, from, to));
  return from + dice.below((to - from) / (15 * MINUTE)) * 15 * MINUTE;
}

/** Numbers from 0 to 1: by a seed (mulberry32), or those that a step was given. */
export class Dice {
  #next: () => number;

  constructor(seed: number) {
    let state = seed >>> 0;
    this.#next = () => {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
  }

  static loaded(rolled: readonly number[]): Dice {
    const dice = new Dice(0);
    let next = 0;
    dice.#next = () => {
      next += 1;
      return rolled[(next - 1) % rolled.length] ?? 0;
    };
    return dice;
  }

  roll(): number {
    return this.#next();
  }

  some(count: number): number[] {
    return Array.from({ length: count }, () => this.roll());
  }

  below(count: number): number {
    return Math.floor(this.roll() * count);
  }

  of<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)] as Value;
  }

  maybe<Value>(values: readonly Value[]): Value | undefined {
    return values[this.below(values.length)];
  }

  shuffled<Value>(values: readonly Value[]): Value[] {
    return values
      .map((value) => [this.roll(), value] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, value]) => value);
  }
}
