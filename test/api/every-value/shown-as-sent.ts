import type { LeafPath } from '../every-mutation/input-leaves.ts';

/**
 * Finds a value that is shown otherwise than it was sent; undefined where it is the same, or is not shown under that
 * name.
 */
export function isShownAsSent(entity: unknown, path: LeafPath, sent: unknown): unknown {
  let shown = entity;
  for (const step of path) {
    if (typeof shown !== 'object' || shown === null || !(step in shown)) return undefined;
    shown = (shown as Record<string | number, unknown>)[step];
  }
  return isSame(sent, shown) ? undefined : { shown };
}

function isSame(sent: unknown, shown: unknown): boolean {
  // Null empties a field, or leaves it as it is by default.
  if (sent === null || sent === shown) return true;
  // A text without a character leaves its place empty, where it may be.
  if (typeof sent === 'string' && sent.trim() === '' && shown == null) return true;
  if (typeof sent === 'string' && typeof shown === 'string') return spelling(sent) === spelling(shown);
  // GraphQL takes one value for a list of one.
  if (Array.isArray(shown)) return isSameList(Array.isArray(sent) ? sent : [sent], shown);
  if (typeof shown !== 'object' || shown === null) return false;
  // A guest is sent as an address and shown as an object that has it.
  if (typeof sent !== 'object') return Object.values(shown).some((value) => isSame(sent, value));
  return Object.entries(sent).every(([key, value]) => isSame(value, (shown as Record<string, unknown>)[key]));
}

/** Where elements are objects, a list may say something of some of those that are there. */
function isSameList(sent: readonly unknown[], shown: readonly unknown[]): boolean {
  if (shown.some((one) => typeof one === 'object'))
    return sent.every((one) => shown.some((other) => isSame(one, other)));
  return sent.length === shown.length && sent.every((one, index) => isSame(one, shown[index]));
}

const INSTANT = /^\d{4}-\d\d-\d\dT/;

/** One spelling of what is the same: composed, tidied, without capitals; an instant in UTC, to the millisecond. */
function spelling(text: string): string {
  if (INSTANT.test(text)) return String(Temporal.Instant.from(text).epochMilliseconds);
  return text.normalize('NFC').replace(/\r\n?/g, '\n').trim().toLowerCase();
}
