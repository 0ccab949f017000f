import { instantAt } from '../../../core/instant.ts';
import type { Mistake } from '../../../core/problem.ts';
import type { ProblemCode } from '../../../core/problem-code.ts';
import { lengthsOf } from '../../event-types/settings/event-type-scheduling.rules.ts';
import { isIn } from '../../schedules/interval.rules.ts';
import { slotAtInSteps } from './open-slots.rules.ts';
import type { Host, SlotRequest } from './slot-request.rules.ts';
import { RULES_OF_NEW_BOOKINGS, type StartRule } from './start-rules.rules.ts';

/** Every code that a start can be refused with: for the list of codes of a mutation that books. */
export const SLOT_CODES = [
  'LENGTH_NOT_OFFERED',
  'NOT_BOOKABLE',
  ...RULES_OF_NEW_BOOKINGS.map(({ code }) => code),
  'SLOT_NOT_OFFERED',
  'SLOT_TAKEN',
  'SLOT_RESERVED',
] as const;

/**
 * Why nothing can be booked at a start, or undefined when it can. Asks the very function that lists slots, then leaves
 * one obstacle after another away: the reason is the one without which the start would be open, and what is only reserved is the
 * reason where nothing that lasts is. It pauses after each host.
 */
export function* closedBecauseInSteps(request: SlotRequest, start: number): Generator<void, Mistake | undefined> {
  const length = lengthMistake(request);
  if (length) return length;
  if (request.hosts.length === 0 || request.eventType.schedulingType === 'MANAGED') return notBookable(request);
  if (yield* isOpen(request, start)) return undefined;
  const unreserved = withoutReservations(request);
  const rule = ruleAgainst(unreserved, start);
  if (rule) return refused(rule.code, start, rule.because);
  if (isAnyReserved(request) && (yield* isOpen(unreserved, start))) {
    return refused('SLOT_RESERVED', start, ruleAgainst(request, start) ? LAST_IS_RESERVED : IS_RESERVED);
  }
  const isOffered = yield* isOpen({ ...unreserved, hosts: request.hosts.map(freeOfBookings) }, start);
  return isOffered
    ? refused('SLOT_TAKEN', start, 'is taken; choose another slot')
    : refused('SLOT_NOT_OFFERED', start, 'is not offered; ask for the slots');
}

function ruleAgainst(request: SlotRequest, start: number): StartRule | undefined {
  const atStart = { ...request, range: { start, end: start + 1 } };
  return RULES_OF_NEW_BOOKINGS.find(({ starts }) => !isIn(starts(atStart), start));
}

function* isOpen(request: SlotRequest, start: number): Generator<void, boolean> {
  return (yield* slotAtInSteps(request, start)) !== undefined;
}

function lengthMistake({ eventType, lengthInMinutes }: SlotRequest): Mistake | undefined {
  const lengths = lengthsOf(eventType);
  if (lengths.includes(lengthInMinutes)) return undefined;
  const message = `A length of ${lengthInMinutes} minutes is not offered; choose one of: ${lengths.join(', ')}.`;
  return { code: 'LENGTH_NOT_OFFERED', message, path: ['lengthInMinutes'] };
}

function notBookable({ eventType }: SlotRequest): Mistake {
  const message =
    eventType.schedulingType === 'MANAGED'
      ? "A managed event type is not booked itself; book the copy that is a member's own."
      : 'This event type has no hosts; add one before it is booked.';
  return { code: 'NOT_BOOKABLE', message, path: ['eventTypeId'] };
}

const IS_RESERVED = 'is reserved by somebody for a few minutes; choose another slot, or try later';
const LAST_IS_RESERVED =
  'falls in a period whose last booking somebody has reserved for a few minutes; choose another day, week, month or year, or try later';

/** The same as though nobody kept time, or the last booking of a period; seats that are kept stay so. */
export function withoutReservations(request: SlotRequest): SlotRequest {
  const counted = request.counted.map((period) => ({
    ...period,
    count: period.count - (period.reserved?.count ?? 0),
    minutes: period.minutes - (period.reserved?.minutes ?? 0),
  }));
  return { ...request, counted, hosts: request.hosts.map(freeOfReservations) };
}

function isAnyReserved({ counted, hosts }: SlotRequest): boolean {
  return (
    counted.some(({ reserved }) => (reserved?.count ?? 0) > 0) ||
    hosts.some(({ occupied }) => occupied.some(({ reservationId }) => reservationId !== undefined))
  );
}

function freeOfBookings(host: Host): Host {
  return { ...host, occupied: [], busy: [] };
}

function freeOfReservations(host: Host): Host {
  return { ...host, occupied: host.occupied.filter(({ reservationId }) => reservationId === undefined) };
}

function refused(code: ProblemCode, start: number, because: string): Mistake {
  const at = instantAt(start).toString();
  return { code, message: `The start ${at} ${because}.`, path: ['start'] };
}
