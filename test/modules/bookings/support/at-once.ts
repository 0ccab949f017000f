/** The rules about slots without their pauses. */
import { atOnce } from '../../../../src/core/turns.ts';
import { assignHostsInSteps } from '../../../../src/modules/bookings/slots/assign-hosts.rules.ts';
import { assignSeriesInSteps } from '../../../../src/modules/bookings/slots/booking-series.rules.ts';
import { closedBecauseInSteps } from '../../../../src/modules/bookings/slots/closed-slot.rules.ts';
import { slotAtInSteps } from '../../../../src/modules/bookings/slots/open-slots.rules.ts';

export const assignHosts = (...asked: Parameters<typeof assignHostsInSteps>) => atOnce(assignHostsInSteps(...asked));
export const assignSeries = (...asked: Parameters<typeof assignSeriesInSteps>) => atOnce(assignSeriesInSteps(...asked));
export const slotAt = (...asked: Parameters<typeof slotAtInSteps>) => atOnce(slotAtInSteps(...asked));
export const isOpen = (...asked: Parameters<typeof slotAtInSteps>) => slotAt(...asked) !== undefined;

export const closedBecause = (...asked: Parameters<typeof closedBecauseInSteps>) =>
  atOnce(closedBecauseInSteps(...asked));
