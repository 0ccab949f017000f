/** Plays a history against the service, and says where the two differ. */
import { setTimeout as pause } from 'node:timers/promises';
import { BOOKERS, type History, HOSTS, requestOf, type Step } from './histories.ts';
import {
  type Answer,
  type Booking,
  isLive,
  Model,
  type Request,
  type Rules,
  type Told,
  there,
  type When,
} from './rules.ts';
import type { Payload, Person, Service } from './service.ts';

const DAYS_OF_THE_WEEK = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'];
const BOOKED = 'id uid status hosts { user { name } }';

/** The problems, in words: none where the service has kept the rules. */
export interface Played {
  readonly history: History;
  readonly problems: string[];
  /** The history, step by step. */
  readonly told: string[];
  readonly play: Play;
}

let plays = 0;

export class Play {
  readonly #service: Service;
  readonly #history: History;
  readonly #token = `m${process.pid}x${Date.now().toString(36)}x${(plays += 1)}`;
  #people: readonly Person[] = [];
  #teamId = '';
  #typeIds: readonly string[] = [];
  #networks: readonly string[] = [];
  #model: Model;
  readonly #told: string[] = [];
  readonly #problems: string[] = [];

  private constructor(service: Service, history: History) {
    this.#service = service;
    this.#history = history;
    const { hosts, types } = structuredClone(history.scene);
    this.#model = new Model([...hosts], [...types]);
  }

  /** All but what was told, which `messages` says once the service has nothing more to send. Ends with the first problem. */
  static async of(service: Service, history: History, gate: Gate): Promise<Played> {
    const play = new Play(service, history);
    try {
      await gate.beside(() => play.#setUp());
      for (const [n, step] of history.steps.entries()) {
        if (step.do === 'crash') await gate.alone(() => play.#crash(step));
        else await gate.beside(() => play.#take(step));
        await gate.beside(() => play.#look(n));
        if (play.#problems.length > 0) break;
      }
      if (play.#problems.length === 0) await gate.beside(() => play.#lookAtEverything());
    } catch (error) {
      play.#problems.push(`stopped by ${String(error)}`);
    }
    return { history, problems: play.#problems, told: play.#told, play };
  }

  // ---- The scene ----

  async #setUp(): Promise<void> {
    const { hosts, types, timeZone } = this.#history.scene;
    const service = this.#service;
    this.#people = await service.people(
      this.#token,
      hosts.map((host) => host.timeZone),
    );
    this.#networks = Array.from({ length: BOOKERS }, () => service.newNetwork());
    this.#teamId = await service.team(this.#people, this.#token, timeZone);
    await Promise.all(
      hosts.map(async (host, index) => {
        const { timeZone: zone } = host;
        const input = { name: 'Hours', timeZone: zone, isDefault: true, ...hoursInput(host) };
        await service.do('scheduleCreate', input, 'scheduleId', this.#person(index));
        const url = service.receiver.url(`/${this.#token}/host-${index}`);
        const triggers = ['OUT_OF_OFFICE_CREATED', ...TRIGGERS];
        await service.do('webhookCreate', { url, triggers }, 'webhookId', this.#person(index));
      }),
    );
    this.#typeIds = await Promise.all(
      types.map(async (type, index) => {
        const { kind, hosts: hosting, timeZone: _, rules, confirmation, ...own } = type;
        const settings = {
          slug: `talk-${index}`,
          ...own,
          ...rulesInput(rules),
          confirmation: confirmationInput(confirmation),
        };
        const url = service.receiver.url(`/${this.#token}/type-${index}`);
        if (kind === 'SINGLE') {
          const owner = this.#person(there(hosting[0]).host);
          const { eventTypeId } = await service.do('eventTypeCreate', settings, 'eventTypeId', owner);
          await service.do(
            'eventTypeWebhookCreate',
            { eventTypeId, url, triggers: TRIGGERS },
            'eventTypeWebhookId',
            owner,
          );
          return eventTypeId;
        }
        const inTeam = { teamId: this.#teamId };
        const named = hosting.map(({ host, isMandatory, priority, weight }) => ({
          userId: this.#person(host).id,
          ...(kind === 'ROUND_ROBIN' && { isMandatory, priority, weight }),
        }));
        const input = { ...inTeam, ...settings, schedulingType: kind, hosts: named };
        const { eventTypeId } = await service.do('teamEventTypeCreate', input, 'eventTypeId', this.#person(0));
        const webhook = { ...inTeam, eventTypeId, url, triggers: TRIGGERS };
        await service.do('teamEventTypeWebhookCreate', webhook, 'eventTypeWebhookId', this.#person(0));
        return eventTypeId;
      }),
    );
  }

  #person(host: number): Person {
    return there(this.#people[host]);
  }

  // ---- Steps ----

  async #take(step: Step): Promise<void> {
    const now = Date.now();
    const parts = step.parts ?? [step];
    const requests = parts.flatMap((part) => requestOf(part, this.#model, this.#history.scene, now) ?? []);
    if (requests.length === 0) return;
    const done = await Promise.all(requests.map((request) => this.#sent(request)));
    const when = { from: now, to: Date.now() };
    this.#note(requests, done, when);
  }

  #note(requests: readonly Request[], answers: readonly Answer[], when: When): void {
    const lines = requests.map((request, index) => `${shown(request)} → ${shown(answers[index])}`);
    this.#told.push(lines.join('\n    and '));
    const outcomes = orders(requests.length).map((order) => {
      const model = this.#model.copy();
      const problems = order.flatMap((index) => {
        const wrong = model.take(there(requests[index]), there(answers[index]), when);
        return wrong.map((problem) => `${there(requests[index]).do}: ${problem}`);
      });
      return { model, problems };
    });
    const best = outcomes.find(({ problems }) => problems.length === 0) ?? there(outcomes[0]);
    this.#model = best.model;
    const prefix = requests.length > 1 ? 'in no order right: ' : '';
    this.#problems.push(...best.problems.map((problem) => prefix + problem));
  }

  /** A process dies while somebody books. The same request with the same key, sent again, books once. */
  async #crash({ dice }: Step): Promise<void> {
    if (!this.#service.canCrash) return;
    const [which, after, ...rest] = dice;
    const victim = Math.floor((which ?? 0) * 2);
    const now = Date.now();
    const request = requestOf({ do: 'book', dice: rest }, this.#model, this.#history.scene, now);
    const url = this.#service.url(victim);
    const idempotencyKey = `${this.#token}-crash-${this.#told.length}`;
    const first = request && this.#sent(request, { url, idempotencyKey }).catch(() => undefined);
    await pause((after ?? 0) * 25);
    const { restarted } = await this.#service.crash(victim);
    await first;
    if (request) {
      const answer = await this.#sent(request, { url: this.#service.url(), idempotencyKey });
      this.#told.push('a process is killed meanwhile');
      this.#note([request], [answer], { from: now, to: Date.now() });
    }
    await restarted;
  }

  /** One request, as its caller sends it. */
  async #sent(request: Request, { url, ...key }: { url?: string; idempotencyKey?: string } = {}): Promise<Answer> {
    const service = this.#service;
    switch (request.do) {
      case 'book': {
        const { type, start, booker, reservation: reservationUid } = request;
        const attendee = { name: `Booker ${booker}`, email: `booker-${booker}@${this.#token}.test`, timeZone: 'UTC' };
        const input = { eventTypeId: this.#typeIds[type], start: rfc(start), attendee, reservationUid, ...key };
        const network = there(this.#networks[booker]);
        const { code, payload } = await service.change('bookingCreate', input, `booking { ${BOOKED} }`, network, url);
        return { code, ...(await this.#booked(payload.booking, type)) };
      }
      case 'reserve': {
        const { type, start, booker } = request;
        const input = { eventTypeId: this.#typeIds[type], start: rfc(start) };
        const network = there(this.#networks[booker]);
        const { code, payload } = await service.change('slotReservationCreate', input, 'reservation { uid }', network);
        return code === 'done'
          ? { code, uid: payload.reservation.uid, hosts: await this.#holdersOf(request) }
          : { code };
      }
      case 'release': {
        const input = { reservationUid: request.reservation };
        const { code } = await service.change('slotReservationDelete', input, '', there(this.#networks[0]));
        return { code };
      }
      case 'reschedule': {
        const { uid, start } = request;
        const input = { uid, start: rfc(start) };
        const selection = `booking { ${BOOKED} }`;
        const { code, payload } = await service.change('bookingReschedule', input, selection, there(this.#networks[0]));
        return { code, ...(await this.#booked(payload.booking, there(this.#model.holding(uid)).type)) };
      }
      case 'cancel': {
        const { key, host, reason } = request;
        const { code } = await (host === null
          ? service.change('bookingCancel', { uid: key, reason }, '', there(this.#networks[0]))
          : service.change('userBookingCancel', { bookingId: key, reason }, '', this.#person(host)));
        return { code };
      }
      case 'confirm':
      case 'decline': {
        const name = request.do === 'confirm' ? 'bookingConfirm' : 'bookingDecline';
        const { code } = await service.change(name, { bookingId: request.id }, '', this.#person(request.host));
        return { code };
      }
      case 'reassign': {
        const { id: bookingId, from, to } = request;
        const input = { bookingId, ...(to !== null && { toUserId: this.#person(to).id }) };
        const { code, payload } = await service.change('bookingReassign', input, 'hostUserId', this.#person(from));
        return code === 'done'
          ? { code, hosts: [this.#people.findIndex(({ id }) => id === payload.hostUserId)] }
          : { code };
      }
      case 'leave': {
        const input = { start: rfc(request.start), end: rfc(request.end), reason: 'Away' };
        const { code, payload } = await service.change(
          'outOfOfficeCreate',
          input,
          'outOfOfficeId',
          this.#person(request.host),
        );
        return { code, id: payload.outOfOfficeId };
      }
      case 'return': {
        const input = { outOfOfficeId: request.absence };
        const { code } = await service.change('outOfOfficeDelete', input, '', this.#person(request.host));
        return { code };
      }
      case 'hours': {
        const { me } = await service.ask('{ me { defaultSchedule { id } } }', {}, this.#person(request.host));
        const input = { scheduleId: me.defaultSchedule.id, ...hoursInput(request) };
        const { code } = await service.change('scheduleUpdate', input, '', this.#person(request.host));
        return { code };
      }
      case 'rules': {
        const { kind, hosts } = this.#model.type(request.type);
        const input = { eventTypeId: this.#typeIds[request.type], ...rulesInput(request.rules) };
        const isOwn = kind === 'SINGLE';
        const owner = this.#person(isOwn ? there(hosts[0]).host : 0);
        const { code } = await (isOwn
          ? service.change('eventTypeUpdate', input, '', owner)
          : service.change('teamEventTypeUpdate', { teamId: this.#teamId, ...input }, '', owner));
        return { code };
      }
    }
  }

  /** A booking by its own id, which attendees of one with seats are not told, but hosts are. */
  async #booked(booking: Payload, type: number): Promise<Partial<Answer>> {
    if (!booking) return {};
    const { id, uid, status } = booking;
    const hosts = booking.hosts.map(({ user }: { user: { name: string } }) => Number(user.name.slice('Host '.length)));
    if (!id.startsWith('sea_')) return { id, uid, status, hosts };
    const query = `query ($filter: BookingFilterInput) { me { bookings(first: 30, filter: $filter) { nodes { id attendees { seatId } } } } }`;
    const filter = { eventTypeIds: [this.#typeIds[type]] };
    const { me } = await this.#service.ask(query, { filter }, this.#person(hosts[0]));
    const whole = me.bookings.nodes.find((one: Payload) => one.attendees.some((seat: Payload) => seat.seatId === id));
    return { id: whole?.id ?? 'of no booking that its host sees', uid, status, hosts };
  }

  /**
   * Finds the hosts whose time was taken: the crew with a member who has one more kept slot than the model knows of.
   */
  async #holdersOf({ type, start }: { type: number; start: number }): Promise<number[]> {
    const { hosts, title, kind } = this.#model.type(type);
    const query = '{ me { reservedSlots(first: 100) { nodes { title start } } } }';
    const holding = await Promise.all(
      hosts.map(async ({ host, isMandatory }) => {
        const { me } = await this.#service.ask(query, {}, this.#person(host));
        const isKept = me.reservedSlots.nodes.some(
          (one: Payload) => one.title === title && Date.parse(one.start) === start,
        );
        const isKnown = this.#model.reservations.some(
          (one) => one.type === type && one.start === start && one.hosts.includes(host),
        );
        return isKept && (isMandatory || kind !== 'ROUND_ROBIN' || !isKnown) ? [host] : [];
      }),
    );
    return holding.flat();
  }

  // ---- What is shown ----

  /** The slots of one event type, or those to which a booking can move. */
  async #look(n: number): Promise<void> {
    const live = this.#model.bookings.filter(isLive);
    const moving = n % 4 === 3 ? live[n % Math.max(1, live.length)] : undefined;
    await this.#lookAtSlots(moving?.type ?? n % this.#typeIds.length, moving);
  }

  async #lookAtSlots(type: number, moving?: Booking): Promise<void> {
    const { from, to } = this.#history.scene;
    const query = `query ($id: ID!, $start: DateTime!, $end: DateTime!, $moving: String) {
      slots(eventType: { id: $id }, start: $start, end: $end, bookingUidToReschedule: $moving) { start remainingSeatCount } }`;
    const variables = {
      id: this.#typeIds[type],
      start: rfc(from),
      end: rfc(to),
      moving: moving && there(moving.attendees[0]).uid,
    };
    const before = Date.now();
    const { slots } = await this.#service.ask(query, variables, there(this.#networks[0]));
    const after = Date.now();
    const found = new Map<number, number | null>(
      slots?.map((slot: Payload) => [Date.parse(slot.start), slot.remainingSeatCount]),
    );
    const [first, last] = [before, after].map((now) => this.#model.slots(type, from, to, now, moving));
    if (!first || !last) return;
    const problems: string[] = [];
    for (const start of new Set([...first.keys(), ...last.keys(), ...found.keys()])) {
      const allowed = [first, last].map((one) => String(one.get(start)));
      const is = String(found.get(start));
      if (!allowed.includes(is)) problems.push(`${rfc(start)} has ${is}, and should have ${allowed[0]}`);
    }
    const what = moving ? `slots to move ${moving.id} to` : `slots of ${this.#model.type(type).title}`;
    if (problems.length > 0)
      this.#problems.push(`${what} (seats left; null: offered, undefined: not): ${problems.slice(0, 3).join('; ')}`);
  }

  async #lookAtEverything(): Promise<void> {
    for (const type of this.#typeIds.keys()) await this.#lookAtSlots(type);
    const query = `{ me { bookings(first: 30) { nodes { id status start hosts { user { name } } attendees { email } } } } }`;
    for (let host = 0; host < HOSTS; host += 1) {
      const { me } = await this.#service.ask(query, {}, this.#person(host));
      const found = me.bookings.nodes.map(({ id, status, start, hosts, attendees }: Payload) =>
        [
          id,
          status,
          start,
          hosts
            .map(({ user }: Payload) => user.name)
            .toSorted()
            .join('+'),
          attendees
            .map(({ email }: Payload) => email.split('@')[0])
            .toSorted()
            .join('+'),
        ].join(' '),
      );
      const expected = this.#model.bookings
        .filter(({ hosts }) => hosts.includes(host))
        .map((booking) =>
          [
            booking.id,
            booking.status,
            rfc(booking.start),
            booking.hosts
              .map((one) => `Host ${one}`)
              .toSorted()
              .join('+'),
            booking.attendees
              .map(({ booker }) => `booker-${booker}`)
              .toSorted()
              .join('+'),
          ].join(' '),
        );
      this.#problems.push(...problemsIn(found, expected).map((one) => `bookings of host ${host}: ${one}`));
    }
  }

  // ---- What was told ----

  /** Compares what has come with what should have. Only once the service has nothing left to send. */
  messages(): string[] {
    const path = `/${this.#token}/`;
    const messages = new Map<string, string>();
    for (const { path: at, headers, body } of this.#service.receiver.all) {
      if (!at.startsWith(path)) continue;
      const { type, data } = JSON.parse(body);
      const { booking, attendee, outOfOffice } = data;
      const seat = attendee ? ` ${attendee.email.split('@')[0].replace('-', ' ')}` : '';
      const about = outOfOffice ? outOfOffice.id : `${booking.id}${seat}`;
      messages.set(
        `${String(headers['webhook-id'])} ${at}`,
        `${at.slice(path.length).replace('-', ' ')} ${type} ${about}`,
      );
    }
    const mails = this.#service.mailed
      .filter(({ mailbox }) => mailbox.endsWith(`@${this.#token}.test`))
      .map(({ mailbox, subject }) => `${mailbox.split('@')[0]}@ ${subjectInShort(subject)}`);
    const expected = this.#asWritten(mails);
    return [
      ...problemsIn(
        [...messages.values()],
        expected.filter((one) => !isMail(one)),
      ).map((one) => `webhooks: ${one}`),
      ...problemsIn(mails, expected.filter(isMail)).map((one) => `mails: ${one}`),
    ];
  }

  /** Words each mail by whether its booking had been decided when it was written. One that was sent stands for one that is expected. */
  #asWritten(mails: readonly string[]): Told[] {
    const { told, bookings } = this.#model;
    const left = differences(
      mails,
      told.filter(({ onceDecided }) => !onceDecided),
    ).tooMany;
    return told.map((one) => {
      const { onceDecided } = one;
      if (!onceDecided || take(left, inShort(one))) return one;
      const isDecided = bookings.some(({ id, status }) => id === onceDecided.id && status !== 'PENDING');
      return isDecided ? { ...one, what: onceDecided.what } : one;
    });
  }
}

const TRIGGERS = ['CREATED', 'REQUESTED', 'CONFIRMED', 'REJECTED', 'CANCELLED', 'RESCHEDULED'].map(
  (one) => `BOOKING_${one}`,
);

/** One history crashes a process alone; all else is done beside each other. */
export class Gate {
  #beside = new Set<Promise<unknown>>();
  #alone: Promise<unknown> | undefined;

  async beside(run: () => Promise<void>): Promise<void> {
    while (this.#alone) await this.#alone;
    const running = run();
    const settled = running.catch(() => undefined);
    this.#beside.add(settled);
    await settled;
    this.#beside.delete(settled);
    return running;
  }

  async alone(run: () => Promise<void>): Promise<void> {
    while (this.#alone) await this.#alone;
    const running = Promise.all(this.#beside).then(run);
    this.#alone = running.catch(() => undefined);
    await this.#alone;
    this.#alone = undefined;
    return running;
  }
}

function isMail({ to }: Told): boolean {
  return to.includes('@');
}

function inShort({ to, what, about }: Told): string {
  return `${to} ${what} ${about}`;
}

function orders(count: number): number[][] {
  const places = Array.from({ length: count }, (_, index) => index);
  if (count <= 1) return [places];
  return places.flatMap((first) =>
    orders(count - 1).map((rest) => [first, ...rest.map((index) => (index >= first ? index + 1 : index))]),
  );
}

function problemsIn(found: readonly string[], expected: readonly (string | Told)[]): string[] {
  const { missing, tooMany } = differences(found, expected);
  return [...missing.map((one) => `missing: ${one}`), ...tooMany.map((one) => `not expected: ${one}`)];
}

function differences(found: readonly string[], expected: readonly (string | Told)[]) {
  const left = expected.map((one) => (typeof one === 'string' ? one : inShort(one)));
  const optional = expected.flatMap((one) => (typeof one !== 'string' && one.isOptional ? [inShort(one)] : []));
  const tooMany = found.filter((one) => !take(left, one));
  return { missing: left.filter((one) => !take(optional, one)), tooMany };
}

/** Removes the first one of these; false if there is none. */
function take(from: string[], one: string): boolean {
  const at = from.indexOf(one);
  if (at >= 0) from.splice(at, 1);
  return at >= 0;
}

/**
 * `New time: Talk 2 with Host 0, Dec 2, 2026, 8:00 AM` is `New time Talk 2 2026-12-02T08:00:00`. The status that the booking has when
 * the mail is written, which may be a later one, says whether a new time is requested.
 */
function subjectInShort(subject: string): string {
  const [, what, title, at] = /^(.+): (.+) with .+?, (\w+ \d+, \d+, [\d:]+(?: [AP]M)?)$/.exec(subject) ?? [];
  if (at === undefined) return subject;
  const kind = what === 'New time requested' || what === 'Please confirm the new time' ? 'New time' : what;
  return `${kind} ${title} ${new Date(`${at.replaceAll('\u202f', ' ')} UTC`).toISOString().slice(0, 19)}`;
}

function rfc(instant: number): string {
  return Temporal.Instant.fromEpochMilliseconds(instant).toString();
}

function shown(value: object | undefined): string {
  return JSON.stringify(value, (key, one) =>
    (key === 'start' || key === 'end') && typeof one === 'number' ? rfc(one) : one,
  );
}

function hoursInput({ week, overrides }: Pick<Request & { do: 'hours' }, 'week' | 'overrides'>) {
  return {
    availability: week.map(({ days, start, end }) => ({
      days: days.map((day) => DAYS_OF_THE_WEEK[day - 1]),
      start,
      end,
    })),
    overrides: overrides.map(({ date, hours }) => ({ date, ...hours })),
  };
}

function rulesInput({ slotIntervalInMinutes, minimumBookingNoticeInMinutes, window, limits, seatsPerSlot }: Rules) {
  return {
    slotIntervalInMinutes,
    minimumBookingNoticeInMinutes,
    bookingWindow: window,
    bookingLimits: Object.fromEntries(
      (['day', 'week', 'month', 'year'] as const).map((period) => [
        period,
        { maxBookings: limits[period]?.count ?? null, maxMinutes: limits[period]?.minutes ?? null },
      ]),
    ),
    seats: seatsPerSlot === null ? null : { perSlot: seatsPerSlot, showsAttendees: false },
  };
}

function confirmationInput(confirmation: string | { readonly noticeInMinutes: number }) {
  return typeof confirmation === 'string' ? { type: confirmation } : { type: 'SHORT_NOTICE', ...confirmation };
}
