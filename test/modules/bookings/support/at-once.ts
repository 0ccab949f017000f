/** The rules about slots without their pauses. */
import { atOnce } from '../../../../src/core/turns.ts';
import { assignHostsInSteps, decideInSteps } from '../../../../src/modules/bookings/slots/assign-hosts.rules.ts';
import {
  openSlotsInSteps,
  type SlotRequest,
  slotAtInSteps,
} from '../../../../src/modules/bookings/slots/open-slots.rules.ts';

export const assignHosts = (...asked: Parameters<typeof assignHostsInSteps>) => atOnce(assignHostsInSteps(...asked));
export const assignSeries = (...asked: Parameters<typeof decideInSteps>) => atOnce(decideInSteps(...asked));
export const listedSlots = (request: SlotRequest) => atOnce(openSlotsInSteps(request));
export const slotAt = (...asked: Parameters<typeof slotAtInSteps>) => atOnce(slotAtInSteps(...asked));
export const isOpen = (...asked: Parameters<typeof slotAtInSteps>) => slotAt(...asked) !== undefined;

/** Why a start is closed, and by what. */
export function closedAt(request: SlotRequest, start: number) {
  const decision = assignSeries(request, [start]);
  return decision.kind === 'CLOSED' ? { ...decision, closedBy: atOnce(decision.closedBy()) } : undefined;
}
export const closedBecause = (request: SlotRequest, start: number) => closedAt(request, start)?.mistake;
