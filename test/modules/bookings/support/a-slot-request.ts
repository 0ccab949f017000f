import type { Host, SlotRequest } from '../../../../src/modules/bookings/slots/open-slots.rules.ts';
import {
  EVENT_TYPE_DEFAULTS,
  type EventTypeRules,
} from '../../../../src/modules/event-types/settings/scheduling.rules.ts';
import { aSchedule, at, between } from '../../schedules/support/a-schedule.ts';

export function aHost(changes: Partial<Host> = {}): Host {
  return {
    userId: 'ada',
    schedule: aSchedule('UTC', ['09:00-17:00']),
    outOfOffice: [],
    occupied: [],
    busy: [],
    isMandatory: false,
    priority: 2,
    weight: 100,
    bookingCount: 0,
    lastBookedAt: null,
    ...changes,
  };
}

/** Half an hour in UTC, without notice: what a test does not mention does not matter. */
export function anEventType(changes: Partial<EventTypeRules> = {}): EventTypeRules {
  return {
    ...EVENT_TYPE_DEFAULTS,
    durationInMinutes: 30,
    minimumBookingNoticeInMinutes: 0,
    timeZone: 'UTC',
    weekStart: 'MONDAY',
    ...changes,
  };
}

type Changes = Partial<Omit<SlotRequest, 'eventType'>> & { readonly eventType?: Partial<EventTypeRules> };

/** Asks for Monday 15 June 2026, two weeks before it. */
export function aSlotRequest({ eventType, ...changes }: Changes = {}): SlotRequest {
  const rules = anEventType(eventType);
  return {
    eventType: rules,
    hosts: [aHost()],
    range: between('2026-06-15T00:00Z/2026-06-16T00:00Z'),
    now: at('2026-06-01T00:00Z'),
    durationInMinutes: rules.durationInMinutes,
    counted: [],
    seated: [],
    replaces: null,
    reservationId: null,
    ...changes,
  };
}
