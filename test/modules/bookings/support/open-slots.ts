import type { Slot, SlotRequest } from '../../../../src/modules/bookings/slots/open-slots.rules.ts';
import { listedSlots, slotAt } from './at-once.ts';

/**
 * The open slots with the hosts who could attend: the list has the times, and each of its slots, asked for by itself,
 * the hosts.
 */
export function openSlots(request: SlotRequest): readonly Slot[] {
  return listedSlots(request).map((listed) => {
    const slot = slotAt(request, listed.start);
    if (slot) return slot;
    throw new Error(`The slot at ${new Date(listed.start).toISOString()} is listed and not open.`);
  });
}
