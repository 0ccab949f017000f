import { type IdKind, newOwnedId, ownerOf } from '../../core/id.ts';
import { randomBase62 } from '../../core/secret.ts';

/** Ids that are capabilities: anybody with one may use the booking, the seat or the reservation. */
export type CapabilityKind = Extract<IdKind, 'booking' | 'seat' | 'reservation'>;

/** 22 characters of 62 hold 131 bits. */
const SECRET_LENGTH = 22;
const CAPABILITY = new RegExp(`^(.+)[0-9A-Za-z]{${SECRET_LENGTH}}$`);

/** An owned id and, behind it, what nobody can guess: it leads to its shard and proves that it was given. */
export function newCapability(kind: CapabilityKind, ownerId: string): string {
  return newOwnedId(kind, ownerId) + randomBase62(SECRET_LENGTH);
}

/** The owner that it carries, or undefined when `text` is none of this kind. */
export function ownerOfCapability(kind: CapabilityKind, text: string): string | undefined {
  const id = text.length > 200 ? undefined : CAPABILITY.exec(text)?.[1];
  return id === undefined ? undefined : ownerOf(kind, id);
}
