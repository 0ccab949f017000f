/**
 * The rules of scheduling as a plain model, written from the documents and without a look at the product. It is slow, keeps
 * everything in lists, and says for each request what the service may answer and whom it must tell. Read it from top to bottom.
 *
 * Instants are milliseconds since 1970. People are numbers: hosts from 0, bookers from 0.
 */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** How long a slot is kept for a booker. */
const KEPT = 5 * MINUTE;

export interface Hours {
  /** ISO days of the week: Monday is 1. */
  readonly days: readonly number[];
  readonly start: string;
  readonly end: string;
}

export interface Override {
  readonly date: string;
  /** Null: a day off. */
  readonly hours: { readonly start: string; readonly end: string } | null;
}

export interface Host {
  readonly timeZone: string;
  week: readonly Hours[];
  overrides: readonly Override[];
  absences: { id: string; start: number; end: number }[];
}

export interface Limit {
  readonly count?: number | null;
  readonly minutes?: number | null;
}

export interface EventType {
  readonly kind: 'SINGLE' | 'ROUND_ROBIN' | 'COLLECTIVE';
  readonly hosts: readonly {
    readonly host: number;
    readonly isMandatory: boolean;
    readonly priority: number;
    readonly weight: number;
  }[];
  readonly title: string;
  /** Its dates: those of its host, or of its team. */
  readonly timeZone: string;
  readonly durationInMinutes: number;
  readonly bufferBeforeInMinutes: number;
  readonly bufferAfterInMinutes: number;
  readonly confirmation: 'NEVER' | 'ALWAYS' | { readonly noticeInMinutes: number };
  /** The rules that its owner changes in the course of a history. */
  rules: Rules;
}

export interface Rules {
  readonly slotIntervalInMinutes: number | null;
  readonly minimumBookingNoticeInMinutes: number;
  readonly window: Window | null;
  readonly limits: Readonly<Partial<Record<Period, Limit>>>;
  readonly seatsPerSlot: number | null;
}

export type Window =
  | { readonly type: 'ROLLING_DAYS' | 'BUSINESS_DAYS'; readonly days: number }
  | { readonly type: 'DATE_RANGE'; readonly firstDate: string; readonly lastDate: string };

const PERIODS = ['day', 'week', 'month', 'year'] as const;
type Period = (typeof PERIODS)[number];

export interface Booking {
  readonly id: string;
  readonly type: number;
  readonly start: number;
  status: 'PENDING' | 'ACCEPTED' | 'REJECTED' | 'CANCELLED';
  hosts: number[];
  /** Null: of one attendee, who holds the uid. */
  readonly seats: number | null;
  attendees: Attendee[];
}

interface Attendee {
  /** The uid that they hold: of the booking, or of their seat. */
  readonly uid: string;
  readonly booker: number;
}

interface Reservation {
  readonly id: string;
  readonly type: number;
  readonly start: number;
  readonly hosts: readonly number[];
  readonly by: number;
  /** A seat of this meeting; null: the whole slot, as nobody has booked it yet. */
  readonly seatOf: string | null;
  expiresAt: number;
}

export type Request =
  | {
      readonly do: 'book';
      readonly type: number;
      readonly start: number;
      readonly booker: number;
      readonly reservation: string | null;
    }
  | { readonly do: 'reserve'; readonly type: number; readonly start: number; readonly booker: number }
  | { readonly do: 'release'; readonly reservation: string }
  | { readonly do: 'reschedule'; readonly uid: string; readonly start: number }
  | {
      readonly do: 'cancel';
      /** The uid of an attendee, or the id of the booking where a host cancels it. */
      readonly key: string;
      readonly host: number | null;
      readonly reason: string | null;
    }
  | { readonly do: 'confirm' | 'decline'; readonly id: string; readonly host: number }
  | { readonly do: 'reassign'; readonly id: string; readonly from: number; readonly to: number | null }
  | { readonly do: 'leave'; readonly host: number; readonly start: number; readonly end: number }
  | { readonly do: 'return'; readonly host: number; readonly absence: string }
  | {
      readonly do: 'hours';
      readonly host: number;
      readonly week: readonly Hours[];
      readonly overrides: readonly Override[];
    }
  | { readonly do: 'rules'; readonly type: number; readonly rules: Rules };

/** The service's answer: `done`, or the code of its refusal, and what it said of what it made. */
export interface Answer {
  readonly code: string;
  /** The id of a booking or an absence. */
  readonly id?: string;
  /** The uid of a booking, or of the seat where it has seats, or of a reservation. */
  readonly uid?: string;
  readonly status?: string;
  readonly hosts?: readonly number[];
}

/** Before the request was sent, and after it was answered: the service has decided in between. */
export interface When {
  readonly from: number;
  readonly to: number;
}

/** A message to a webhook or a mail, as far as the documents promise it. */
export interface Told {
  /** `host 2` and `type 1` are webhooks; what has an @ is a mailbox. */
  readonly to: string;
  readonly what: string;
  /** The id of the booking, for webhooks; the title of its event type, for mails. */
  readonly about: string;
  /** It may be missing. */
  readonly isOptional?: boolean;
  /** A mail that says something else if it is written once the booking waits for its host no more. */
  readonly onceDecided?: { readonly id: string; readonly what: string };
}

/** How the subject of the mail begins that tells attendees of another host. */
const NEW_HOST = 'New host';

/** Names the part of a booking that a message to a webhook is about, where it is not the whole. */
const seatOf = (id: string, booker: number): string => `${id} booker ${booker}`;

export class Model {
  hosts: Host[];
  types: EventType[];
  bookings: Booking[] = [];
  reservations: Reservation[] = [];
  told: Told[] = [];

  constructor(hosts: Host[], types: EventType[]) {
    this.hosts = hosts;
    this.types = types;
  }

  copy(): Model {
    const copy = new Model(
      this.hosts.map((host) => ({ ...host, absences: [...host.absences] })),
      this.types.map((type) => ({ ...type })),
    );
    copy.bookings = this.bookings.map((booking) => ({ ...booking }));
    copy.reservations = [...this.reservations];
    copy.told = [...this.told];
    return copy;
  }

  // ---- What is offered ----

  /** The slots of an event type, as its list has them: each start, with how many seats are left. */
  slots(type: number, from: number, to: number, now: number, moving?: Booking): Map<number, number | null> {
    const offered = new Map<number, number | null>();
    const meetings = this.live({}).filter(
      (one) => one.type === type && one.seats !== null && from <= one.start && one.start < to,
    );
    for (const start of new Set([...this.starts(type, from, to), ...meetings.map((one) => one.start)])) {
      // A seat does not move to where it is.
      if (moving?.start === start && moving.seats !== null) continue;
      const but = { moving: moving && this.leaving(moving) };
      if (this.mistakes(type, start, now, but).length === 0)
        offered.set(start, this.remainingSeatCount(type, start, now, but));
    }
    return offered;
  }

  /** Why a slot cannot be booked: all codes that are true of it, and none where it can. */
  mistakes(type: number, start: number, now: number, but: Exceptions = {}): string[] {
    const { rules, timeZone } = this.type(type);
    const found: string[] = [];
    if (start <= now) found.push('SLOT_IN_PAST');
    // Whoever keeps a slot did so in time.
    const isKept = this.reservations.some(
      (one) => one.id === but.reservation && one.type === type && one.start === start && one.expiresAt > now,
    );
    if (!isKept && start < now + rules.minimumBookingNoticeInMinutes * MINUTE) found.push('NOTICE_TOO_SHORT');
    // All of it lies in the window.
    const dates = [start, this.endOf(type, start) - 1].map((at) => dateOf(at, timeZone));
    if (!dates.every((date) => isInWindow(rules.window, date, dateOf(now, timeZone))))
      found.push('OUTSIDE_BOOKING_WINDOW');
    // People are seated together before another meeting is begun. A meeting that stands takes them, whatever its hosts' hours
    // are by now, and adds no booking to its day.
    if (this.meetingAt(type, start, now, but)) return [...new Set(found)];
    found.push(...this.exceededLimits(type, start, now, but));
    const byCrew = this.crews(type).map((crew) => this.mistakesOfCrew(type, crew, start, now, but));
    if (!byCrew.some((mistakes) => mistakes.length === 0)) found.push(...byCrew.flat());
    return [...new Set(found)];
  }

  private mistakesOfCrew(type: number, crew: readonly number[], start: number, now: number, but: Exceptions): string[] {
    const end = this.endOf(type, start);
    const found: string[] = [];
    if (!this.grid(type, crew, start, end).includes(start)) found.push('SLOT_NOT_OFFERED');
    if (crew.some((host) => this.isAway(host, start, end))) found.push('SLOT_NOT_OFFERED');
    return [...found, ...this.conflicts(type, crew, start, now, but)];
  }

  /** Nobody hosts two meetings at once, their buffers included; what is kept by a reservation is taken too. */
  private conflicts(type: number, crew: readonly number[], start: number, now: number, but: Exceptions): string[] {
    const found: string[] = [];
    const mine = this.occupied(type, start);
    const isInTheWay = (other: { type: number; start: number; hosts: readonly number[] }) =>
      other.hosts.some((host) => crew.includes(host)) && overlap(mine, this.occupied(other.type, other.start));
    for (const booking of this.live(but).filter(isInTheWay)) {
      // The last seats may be kept, not taken.
      found.push(
        booking.type === type && booking.start === start && this.seatsKept(booking, now, but) > 0
          ? 'SLOT_RESERVED'
          : 'SLOT_TAKEN',
      );
    }
    for (const reservation of this.kept(now, but)) {
      if (reservation.seatOf === null && isInTheWay(reservation)) found.push('SLOT_RESERVED');
    }
    return found;
  }

  /**
   * The hosts who can host together: everybody of a collective type; of a round robin one in turn, and the mandatory
   * ones.
   */
  private crews(type: number): number[][] {
    const { kind, hosts } = this.type(type);
    if (kind !== 'ROUND_ROBIN') return [hosts.map(({ host }) => host)];
    const mandatory = hosts.filter(({ isMandatory }) => isMandatory).map(({ host }) => host);
    return hosts.filter(({ isMandatory }) => !isMandatory).map(({ host }) => [...mandatory, host]);
  }

  /** All starts that the hours of hosts give. */
  starts(type: number, from: number, to: number): number[] {
    return [...new Set(this.crews(type).flatMap((crew) => this.grid(type, crew, from, to)))].toSorted((a, b) => a - b);
  }

  /** The starts that the hours of a crew give, whoever has booked what. */
  private grid(type: number, crew: readonly number[], from: number, to: number): number[] {
    const { durationInMinutes, rules } = this.type(type);
    const step = (rules.slotIntervalInMinutes ?? durationInMinutes) * MINUTE;
    const windows = crew.map((host) => this.windows(host, from, to)).reduce(common);
    return windows
      .flatMap((window) => stepsOf(window, step))
      .filter(({ start, end }) => start + durationInMinutes * MINUTE <= end && start >= from && start < to)
      .map(({ start }) => start);
  }

  /** When somebody works: the hours of the week on the wall clock of their zone, or those of the date. */
  private windows(host: number, from: number, to: number): Open[] {
    const { timeZone, week, overrides } = this.host(host);
    return datesBetween(from, to, timeZone).flatMap(({ date, dayOfWeek }) => {
      const own = overrides.filter((override) => override.date === date);
      const hours =
        own.length > 0
          ? own.flatMap((override) => override.hours ?? [])
          : week.filter(({ days }) => days.includes(dayOfWeek));
      const at = (time: string) => instantOn(date, time, timeZone);
      return union(hours.map(({ start, end }) => ({ start: at(start), end: at(end), timeZone })));
    });
  }

  private isAtWork(host: number, start: number, end: number): boolean {
    const isOpen = this.windows(host, start, end).some((window) => window.start <= start && end <= window.end);
    return isOpen && !this.isAway(host, start, end);
  }

  private isAway(host: number, start: number, end: number): boolean {
    return this.host(host).absences.some((absence) => overlap(absence, { start, end }));
  }

  /** In each period, no more bookings and no more minutes than the event type allows. What is kept counts, until it is free again. */
  private exceededLimits(type: number, start: number, now: number, but: Exceptions): string[] {
    const { rules, timeZone, durationInMinutes } = this.type(type);
    const isFull = (others: readonly { type: number; start: number }[]) =>
      PERIODS.some((period) => {
        const limit = rules.limits[period];
        const isSame = (other: { type: number; start: number }) =>
          other.type === type && periodOf(period, other.start, timeZone) === periodOf(period, start, timeZone);
        const count = others.filter(isSame).length + 1;
        return (
          (limit?.count ?? count) < count || (limit?.minutes ?? count * durationInMinutes) < count * durationInMinutes
        );
      });
    const booked = this.live(but);
    if (isFull(booked)) return ['LIMIT_REACHED'];
    const kept = this.kept(now, but).filter(({ seatOf }) => seatOf === null);
    return isFull([...booked, ...kept]) ? ['SLOT_RESERVED'] : [];
  }

  // ---- Seats ----

  /** The meeting that somebody who books this slot joins: the one with most seats left. */
  private meetingAt(type: number, start: number, now: number, but: Exceptions): Booking | undefined {
    const left = (meeting: Booking) => this.seatsLeftIn(meeting, now, but);
    return this.live(but)
      .filter((one) => one.seats !== null && one.type === type && one.start === start && left(one) > 0)
      .toSorted((a, b) => left(b) - left(a))[0];
  }

  private seatsLeftIn(meeting: Booking, now: number, but: Exceptions): number {
    return (meeting.seats ?? 1) - meeting.attendees.length - this.seatsKept(meeting, now, but);
  }

  private seatsKept({ id }: Booking, now: number, but: Exceptions): number {
    return this.kept(now, but).filter(({ seatOf }) => seatOf === id).length;
  }

  private remainingSeatCount(type: number, start: number, now: number, but: Exceptions): number | null {
    const meeting = this.meetingAt(type, start, now, but);
    return meeting ? this.seatsLeftIn(meeting, now, but) : this.type(type).rules.seatsPerSlot;
  }

  // ---- What holds a host's time ----

  private endOf(type: number, start: number): number {
    return start + this.type(type).durationInMinutes * MINUTE;
  }

  private occupied(type: number, start: number): Span {
    const { bufferBeforeInMinutes, bufferAfterInMinutes } = this.type(type);
    return {
      start: start - bufferBeforeInMinutes * MINUTE,
      end: this.endOf(type, start) + bufferAfterInMinutes * MINUTE,
    };
  }

  /** Bookings that take place, pending ones too. One that moves is not in its own way. */
  private live({ moving }: Exceptions): Booking[] {
    return this.bookings.filter((booking) => isLive(booking) && booking !== moving);
  }

  private kept(now: number, { reservation }: Exceptions): Reservation[] {
    return this.reservations.filter((one) => one.expiresAt > now && one.id !== reservation);
  }

  host(host: number): Host {
    return there(this.hosts[host]);
  }

  type(type: number): EventType {
    return there(this.types[type]);
  }

  holding(key: string): Booking | undefined {
    return this.bookings.find((one) => one.id === key || one.attendees.some((attendee) => attendee.uid === key));
  }

  // ---- What happens ----

  /** Takes what the service has answered, and says what of it is wrong. */
  take(request: Request, answer: Answer, when: When): string[] {
    const allowed = this.allowed(request, when);
    if (!allowed.includes(answer.code)) return [`answered ${answer.code}, and may answer ${allowed.join(' or ')}`];
    return answer.code === 'done' ? this.carryOut(request, answer, when) : [];
  }

  /** The codes that are right. Where a moment decides that lies within the request, there are several. */
  private allowed(request: Request, { from, to }: When): string[] {
    const codes = [from, to].map((now) => this.refusals(request, now));
    return [...new Set(codes.flatMap((list) => (list.length === 0 ? ['done', ...this.mayAlso(request)] : list)))];
  }

  /** Few slots can be kept, and of what is open half stays open: a reservation may be refused where a booking is not. */
  private mayAlso(request: Request): string[] {
    return request.do === 'reserve' ? ['RESERVATION_LIMIT_REACHED'] : [];
  }

  private refusals(request: Request, now: number): string[] {
    switch (request.do) {
      case 'book': {
        const { type, start, reservation } = request;
        const own = this.reservations.find((one) => one.id === reservation && one.expiresAt > now);
        if (reservation === null) return this.mistakes(type, start, now);
        const mistakes = this.mistakes(type, start, now, { reservation });
        if (!own || own.type !== type) return [...mistakes, 'NOT_FOUND'];
        return mistakes;
      }
      case 'reserve': {
        const { type, start, booker } = request;
        const own = this.kept(now, {}).filter((one) => one.type === type && one.by === booker);
        const mistakes = this.mistakes(type, start, now);
        return own.length >= 3 ? [...mistakes, 'RESERVATION_LIMIT_REACHED'] : mistakes;
      }
      case 'release':
        return this.kept(now, {}).some((one) => one.id === request.reservation) ? [] : ['NOT_FOUND'];
      case 'reschedule': {
        const booking = this.holding(request.uid);
        if (!booking) return ['NOT_FOUND'];
        if (!isLive(booking)) return ['NOT_POSSIBLE'];
        if (booking.start <= now) return ['BOOKING_OVER'];
        const mistakes = this.mistakes(booking.type, request.start, now, { moving: this.leaving(booking) });
        // A seat does not move to where it is.
        return booking.seats !== null && booking.start === request.start ? [...mistakes, 'SLOT_TAKEN'] : mistakes;
      }
      case 'cancel': {
        const booking = this.holding(request.key);
        if (!booking) return ['NOT_FOUND'];
        if (!isLive(booking)) return ['NOT_POSSIBLE'];
        if (booking.start <= now) return ['BOOKING_OVER'];
        const isHost = request.host !== null && booking.hosts.includes(request.host);
        return isHost && request.reason === null ? ['REASON_REQUIRED'] : [];
      }
      case 'confirm':
      case 'decline': {
        const booking = this.holding(request.id);
        if (!booking?.hosts.includes(request.host)) return ['NOT_FOUND'];
        return booking.status === 'PENDING' ? [] : ['NOT_POSSIBLE'];
      }
      case 'reassign':
        return this.refusalsOfReassigning(request, now);
      case 'return':
        return this.host(request.host).absences.some(({ id }) => id === request.absence) ? [] : ['NOT_FOUND'];
      case 'leave':
      case 'hours':
      case 'rules':
        return [];
    }
  }

  /** One's part goes to another host of the event type who is free then. */
  private refusalsOfReassigning({ id, from, to }: Request & { do: 'reassign' }, now: number): string[] {
    const booking = this.holding(id);
    if (!booking?.hosts.includes(from)) return ['NOT_FOUND'];
    if (!isLive(booking)) return ['NOT_POSSIBLE'];
    if (booking.start <= now) return ['BOOKING_OVER'];
    const others = this.successors(booking, now);
    if (to === null) return others.length > 0 ? [] : ['HOST_NOT_AVAILABLE'];
    return others.includes(to) ? [] : ['HOST_NOT_AVAILABLE'];
  }

  private successors(booking: Booking, now: number): number[] {
    return this.type(booking.type)
      .hosts.map(({ host }) => host)
      .filter((host) => !booking.hosts.includes(host))
      .filter((host) => this.isAtWork(host, booking.start, this.endOf(booking.type, booking.start)))
      .filter((host) => this.conflicts(booking.type, [host], booking.start, now, { moving: booking }).length === 0);
  }

  /** The booking that is not in the way of itself, or of a seat, that moves: it leaves if nobody else sits in it. */
  private leaving(booking: Booking): Booking | undefined {
    return booking.attendees.length === 1 ? booking : undefined;
  }

  private carryOut(request: Request, answer: Answer, when: When): string[] {
    switch (request.do) {
      case 'book':
        return this.book(request, answer, when);
      case 'reserve': {
        const { type, start, booker } = request;
        const hosts = [...(answer.hosts ?? [])];
        const meeting = this.meetingAt(type, start, when.from, {});
        const expiresAt = when.from + KEPT;
        this.reservations.push({
          id: there(answer.uid),
          type,
          start,
          hosts: meeting ? [] : hosts,
          by: booker,
          seatOf: meeting?.id ?? null,
          expiresAt,
        });
        if (meeting) return [];
        return this.unfit(type, start, hosts, when, {}, [there(answer.uid)]);
      }
      case 'release':
        this.reservations = this.reservations.filter((one) => one.id !== request.reservation);
        return [];
      case 'reschedule':
        return this.reschedule(request, answer, when);
      case 'cancel':
        return this.cancel(request);
      case 'confirm': {
        const booking = there(this.holding(request.id));
        booking.status = 'ACCEPTED';
        this.tell('CONFIRMED', booking);
        return [];
      }
      case 'decline': {
        const booking = there(this.holding(request.id));
        booking.status = 'REJECTED';
        this.tell('REJECTED', booking);
        return [];
      }
      case 'reassign':
        return this.reassign(request, answer, when);
      case 'leave': {
        const { host, start, end } = request;
        this.host(host).absences.push({ id: there(answer.id), start, end });
        this.told.push({ to: `host ${host}`, what: 'OUT_OF_OFFICE_CREATED', about: there(answer.id) });
        return [];
      }
      case 'return': {
        const host = this.host(request.host);
        host.absences = host.absences.filter(({ id }) => id !== request.absence);
        // A thing that is gone before its message is written needs none.
        this.told = this.told.map((one) => (one.about === request.absence ? { ...one, isOptional: true } : one));
        return [];
      }
      case 'hours':
        Object.assign(this.host(request.host), { week: request.week, overrides: request.overrides });
        return [];
      case 'rules':
        this.type(request.type).rules = request.rules;
        return [];
    }
  }

  private book({ type, start, booker, reservation }: Request & { do: 'book' }, answer: Answer, when: When): string[] {
    const hosts = [...(answer.hosts ?? [])];
    const kept = this.reservations.find((one) => one.id === reservation);
    this.reservations = this.reservations.filter((one) => one !== kept);
    const meeting = this.meetingAt(type, start, when.from, {});
    const attendee = { uid: there(answer.uid), booker };
    if (meeting) {
      meeting.attendees = [...meeting.attendees, attendee];
      this.tell('CREATED', meeting, attendee);
      this.joins(attendee, meeting);
      return [
        ...(meeting.id === answer.id ? [] : ['a seat is in another meeting than the one that stands']),
        ...(sameHosts(hosts, meeting.hosts) ? [] : ['a seat has other hosts than its meeting']),
      ];
    }
    const problems = this.unfit(type, start, hosts, when, { prefers: kept?.hosts });
    const booking: Booking = {
      id: there(answer.id),
      type,
      start,
      status: this.firstStatus(type, start, answer, when),
      hosts,
      seats: this.type(type).rules.seatsPerSlot,
      attendees: [attendee],
    };
    problems.push(...this.begin(booking));
    this.tell(
      booking.status === 'PENDING' ? 'REQUESTED' : 'CREATED',
      booking,
      booking.seats === null ? undefined : attendee,
    );
    return [...problems, ...wrongStatus(booking, answer)];
  }

  /**
   * Begins a meeting. Of two steps at once, one may have joined a meeting before its last seat left it: then it is no
   * new one.
   */
  private begin(booking: Booking): string[] {
    const isKnown = this.bookings.some(({ id }) => id === booking.id);
    this.bookings.push(booking);
    return isKnown ? ['is no new meeting'] : [];
  }

  /** PENDING if a host has to confirm it. */
  private firstStatus(type: number, start: number, answer: Answer, { from, to }: When): 'PENDING' | 'ACCEPTED' {
    const { confirmation } = this.type(type);
    if (typeof confirmation === 'string') return confirmation === 'ALWAYS' ? 'PENDING' : 'ACCEPTED';
    const isShort = [from, to].map((now) => start - now < confirmation.noticeInMinutes * MINUTE);
    if (isShort[0] !== isShort[1]) return answer.status === 'PENDING' ? 'PENDING' : 'ACCEPTED';
    return isShort[0] ? 'PENDING' : 'ACCEPTED';
  }

  /**
   * Those who were booked must be free, and of all who are have the highest priority. Somebody who moves or has kept a
   * slot stays with their host if they can.
   */
  private unfit(
    type: number,
    start: number,
    hosts: readonly number[],
    { from }: When,
    but: Exceptions,
    besides: readonly string[] = [],
  ): string[] {
    const exceptions = besides[0] === undefined ? but : { ...but, reservation: besides[0] };
    const free = this.crews(type).filter(
      (crew) => this.mistakesOfCrew(type, crew, start, from, exceptions).length === 0,
    );
    const priorityOf = (crew: readonly number[]) =>
      Math.min(
        ...this.type(type)
          .hosts.filter(({ host }) => crew.includes(host))
          .map(({ priority }) => priority),
      );
    const highest = Math.max(...free.map(priorityOf));
    const inTurn = free.filter((crew) => this.type(type).kind !== 'ROUND_ROBIN' || priorityOf(crew) === highest);
    const preferred = but.prefers ?? but.moving?.hosts;
    const same = free.filter((crew) => preferred?.includes(there(crew.at(-1))));
    const fit = same.length > 0 ? same : inTurn;
    if (fit.some((crew) => sameHosts(crew, hosts))) return [];
    return [`is with hosts ${hosts.join()}, and may be with ${fit.map((crew) => crew.join('+')).join(' or ')}`];
  }

  /** A booking moves to a new one and is cancelled. A seat moves alone, and keeps its uid. */
  private reschedule({ uid, start }: Request & { do: 'reschedule' }, answer: Answer, when: When): string[] {
    const old = there(this.holding(uid));
    const { type } = old;
    const attendee = there(old.attendees.find((one) => one.uid === uid));
    const hosts = [...(answer.hosts ?? [])];
    if (old.seats === null) {
      const problems = this.unfit(type, start, hosts, when, { moving: old });
      const isAsked = old.status === 'PENDING';
      old.status = 'CANCELLED';
      const status = isAsked ? 'PENDING' : this.firstStatus(type, start, answer, when);
      const seats = this.type(type).rules.seatsPerSlot;
      const moved: Booking = {
        ...old,
        id: there(answer.id),
        start,
        status,
        hosts,
        seats,
        attendees: [{ ...attendee, uid: there(answer.uid) }],
      };
      problems.push(...this.begin(moved));
      this.tell('RESCHEDULED', moved);
      this.tellFormer(old, moved);
      return [...problems, ...wrongStatus(moved, answer)];
    }
    old.attendees = old.attendees.filter((one) => one !== attendee);
    if (old.attendees.length === 0) old.status = 'CANCELLED';
    this.leaves(attendee, old);
    const meeting = this.meetingAt(type, start, when.from, {});
    if (meeting) {
      meeting.attendees = [...meeting.attendees, attendee];
      this.joins(attendee, meeting);
    }
    const target: Booking = meeting ?? {
      ...old,
      id: there(answer.id),
      start,
      status: 'ACCEPTED',
      hosts,
      seats: old.attendees.length === 0 ? old.seats : (this.type(type).rules.seatsPerSlot ?? old.seats),
      attendees: [attendee],
    };
    const problems = meeting ? [] : this.begin(target);
    if (target.id !== answer.id) problems.push('a seat is in another meeting than the one that stands');
    this.tell('RESCHEDULED', target, attendee);
    if (old.status === 'CANCELLED') this.tellFormer(old, target);
    return problems;
  }

  /** A booking ends for all; a seat is given back by its own uid, and the meeting ends with the last one. */
  private cancel({ key }: Request & { do: 'cancel' }): string[] {
    const booking = there(this.holding(key));
    const attendee = booking.attendees.find((one) => one.uid === key);
    if (booking.seats !== null && attendee) {
      this.tell('CANCELLED', booking, attendee);
      this.leaves(attendee, booking);
      if (booking.attendees.length === 1) booking.status = 'CANCELLED';
      else booking.attendees = booking.attendees.filter((one) => one !== attendee);
      return [];
    }
    this.tell('CANCELLED', booking);
    booking.status = 'CANCELLED';
    return [];
  }

  /** Whoever has left a meeting when the mail about its new host is written need not know. */
  private leaves({ booker }: Attendee, meeting: Booking): void {
    const news = this.newHostMails(meeting).filter(({ to }) => to === `booker-${booker}@`);
    this.told = this.told.map((one) => (news.includes(one) ? { ...one, isOptional: true } : one));
  }

  /** Whoever has joined a meeting when the mail about its new host is written may be told with the others. */
  private joins({ booker }: Attendee, meeting: Booking): void {
    for (const news of this.newHostMails(meeting))
      this.told.push({ ...news, to: `booker-${booker}@`, isOptional: true });
  }

  private newHostMails({ type, start }: Booking): readonly Told[] {
    const about = `${this.type(type).title} ${zonedAt(start, 'UTC').wallTime}`;
    return this.told.filter((one) => one.what === NEW_HOST && one.about === about);
  }

  private reassign({ id, from }: Request & { do: 'reassign' }, answer: Answer, { from: now }: When): string[] {
    const booking = there(this.holding(id));
    const [to = -1] = answer.hosts ?? [];
    const isFit = this.successors(booking, now).includes(to);
    // Hosts are told while it is theirs: what has not been written by now goes to the new host, and no more to the former one.
    this.told = this.told.flatMap((one) =>
      one.to === `host ${from}` && one.about.startsWith(booking.id)
        ? [
            { ...one, isOptional: true },
            { ...one, to: `host ${to}`, isOptional: true },
          ]
        : one,
    );
    booking.hosts = booking.hosts.map((host) => (host === from ? to : host));
    const bookers = booking.attendees.map(({ booker }) => booker);
    this.mail({ booker: NEW_HOST, host: '' }, booking, { bookers, hosts: [] });
    const isToConfirm = booking.status === 'PENDING';
    this.mail(wordsOf(isToConfirm ? 'REQUESTED' : 'CREATED'), booking, { bookers: [], hosts: [to] });
    if (isToConfirm) {
      const onceDecided = { id: booking.id, what: wordsOf('CREATED').host };
      this.told.push({ ...there(this.told.pop()), onceDecided });
    }
    this.mail({ booker: '', host: 'Handed over' }, booking, { bookers: [], hosts: [from] });
    return isFit ? [] : [`went to host ${to}, who cannot have it`];
  }

  // ---- Who is told ----

  /** One change is one message to each webhook that is concerned, and one mail to each person. */
  private tell(what: string, booking: Booking, seat?: Attendee): void {
    const about = seat ? seatOf(booking.id, seat.booker) : booking.id;
    for (const to of [...booking.hosts.map((host) => `host ${host}`), `type ${booking.type}`])
      this.told.push({ to, what: `BOOKING_${what}`, about });
    const attendees = seat ? [seat] : booking.attendees;
    this.mail(wordsOf(what), booking, {
      bookers: attendees.map(({ booker }) => booker),
      hosts: booking.hosts,
    });
  }

  /** Whoever hosts a booking no more since it has moved has their old time back. */
  private tellFormer(old: Booking, { hosts }: Booking): void {
    const former = old.hosts.filter((host) => !hosts.includes(host));
    this.mail({ booker: '', host: 'Handed over' }, old, { bookers: [], hosts: former });
  }

  /** Everybody has one mail. It names the event type, and the start on the wall clock of their reader: bookers live in UTC. */
  private mail(what: Readonly<Record<'booker' | 'host', string>>, { type, start }: Booking, people: People): void {
    const { title } = this.type(type);
    const about = (timeZone: string) => `${title} ${zonedAt(start, timeZone).wallTime}`;
    for (const booker of new Set(people.bookers))
      this.told.push({ to: `booker-${booker}@`, what: what.booker, about: about('UTC') });
    for (const host of people.hosts) {
      this.told.push({ to: `host-${host}@`, what: what.host, about: about(this.host(host).timeZone) });
    }
  }
}

interface People {
  readonly bookers: readonly number[];
  readonly hosts: readonly number[];
}

/** How the subject of a mail begins. */
function wordsOf(what: string): Readonly<Record<'booker' | 'host', string>> {
  switch (what) {
    case 'CREATED':
      return { booker: 'Booked', host: 'New booking' };
    case 'REQUESTED':
      return { booker: 'Requested', host: 'Please confirm' };
    case 'CONFIRMED':
      return { booker: 'Confirmed', host: 'Confirmed' };
    case 'REJECTED':
      return { booker: 'Declined', host: 'Declined' };
    case 'CANCELLED':
      return { booker: 'Cancelled', host: 'Cancelled' };
    case 'RESCHEDULED':
      return { booker: 'New time', host: 'New time' };
    default:
      throw new Error(`No mail tells of ${what}.`);
  }
}

/**
 * The exceptions that do not count against a slot: the booking that moves there, the booker's reservation. The hosts of
 * the one that moves go first, or those who are preferred.
 */
interface Exceptions {
  readonly moving?: Booking | undefined;
  readonly reservation?: string | null | undefined;
  readonly prefers?: readonly number[] | undefined;
}

export function isLive({ status }: Booking): boolean {
  return status === 'PENDING' || status === 'ACCEPTED';
}

function wrongStatus({ status }: Booking, answer: Answer): string[] {
  return answer.status === status ? [] : [`is ${answer.status}, and should be ${status}`];
}

function sameHosts(some: readonly number[], others: readonly number[]): boolean {
  return some.length === others.length && some.every((host) => others.includes(host));
}

// ---- Times ----

interface Span {
  readonly start: number;
  readonly end: number;
}

function overlap(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}

/** Hours of a day, on the clocks of a zone. */
interface Open extends Span {
  readonly timeZone: string;
}

/** Hours of a day that overlap or touch are one. */
function union(spans: readonly Open[]): Open[] {
  const merged: Open[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && span.start <= last.end) merged[merged.length - 1] = { ...last, end: Math.max(last.end, span.end) };
    else merged.push(span);
  }
  return merged;
}

/** The time that two people have in common, with the clock of whose hours begin last. */
function common(some: readonly Open[], others: readonly Open[]): Open[] {
  return some.flatMap((a) =>
    others.filter((b) => overlap(a, b)).map((b) => ({ ...(b.start > a.start ? b : a), end: Math.min(a.end, b.end) })),
  );
}

/** Where steps from its beginning fall within hours, by what the clocks on the wall show: they may jump meanwhile. */
function stepsOf({ start: first, end, timeZone }: Open, step: number): Span[] {
  const starts: Span[] = [];
  const jumped = (at: number) => offsetAt(at, timeZone) - offsetAt(first, timeZone);
  const isSteady = jumped(end) === 0;
  for (let start = first; start < end; start += isSteady ? step : MINUTE) {
    if ((start - first + jumped(start)) % step === 0) starts.push({ start, end });
  }
  return starts;
}

/** The dates of a zone from one instant to another. */
function datesBetween(from: number, to: number, timeZone: string): { date: string; dayOfWeek: number }[] {
  const last = dateOf(to, timeZone);
  const dates: { date: string; dayOfWeek: number }[] = [];
  for (let date = dateOf(from, timeZone); date <= last; date = dayAfter(date)) {
    dates.push({ date, dayOfWeek: ((Date.parse(date) / DAY + 3) % 7) + 1 });
  }
  return dates;
}

function dayAfter(date: string): string {
  return new Date(Date.parse(date) + DAY).toISOString().slice(0, 10);
}

/** Remembers answers about zones that the rules ask for again and again. */
function remembered<Result>(find: (at: number | string, timeZone: string) => Result): typeof find {
  const found = new Map<string, Result>();
  return (at, timeZone) => found.getOrInsertComputed(`${at} ${timeZone}`, () => find(at, timeZone));
}

const zonedAt = remembered((at, timeZone) => {
  const zoned = Temporal.Instant.fromEpochMilliseconds(Number(at)).toZonedDateTimeISO(timeZone);
  return { wallTime: zoned.toPlainDateTime().toString(), offset: zoned.offsetNanoseconds / 1_000_000 };
});

const instantAt = remembered((at, timeZone) => Temporal.ZonedDateTime.from(`${at}[${timeZone}]`).epochMilliseconds);

function instantOn(date: string, time: string, timeZone: string): number {
  return instantAt(`${date}T${time}`, timeZone);
}

function offsetAt(instant: number, timeZone: string): number {
  return zonedAt(instant, timeZone).offset;
}

export function dateOf(instant: number, timeZone: string): string {
  return zonedAt(instant, timeZone).wallTime.slice(0, 10);
}

/** A name for the day, the week from Monday on, the month or the year of the calendar. */
function periodOf(period: Period, instant: number, timeZone: string): string {
  const date = dateOf(instant, timeZone);
  switch (period) {
    case 'day':
      return date;
    case 'week':
      return `week ${Math.floor((Date.parse(date) / DAY + 3) / 7)}`;
    case 'month':
      return date.slice(0, 7);
    case 'year':
      return date.slice(0, 4);
  }
}

function isInWindow(window: Window | null, date: string, today: string): boolean {
  if (!window) return true;
  if (window.type === 'DATE_RANGE') return window.firstDate <= date && date <= window.lastDate;
  let last = Temporal.PlainDate.from(today);
  if (window.type === 'ROLLING_DAYS') last = last.add({ days: window.days });
  // Up to the n-th Monday to Friday from today on; weekends between are in it.
  else for (let left = window.days; left > 0; left -= last.dayOfWeek <= 5 ? 1 : 0) last = last.add({ days: 1 });
  return date <= last.toString();
}

export function there<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('The model names something that is not there.');
  return value;
}
