/**
 * Sets of scopes as bits, two 32-bit integers wide.
 *
 * 46 scopes do not fit JavaScript's 32-bit operators and BigInt is slower, so a set is a pair. A set knows no names:
 * a catalogue gives each scope its position (0 to 61). The last two positions belong to the engine: see below.
 */
export interface ScopeSet {
  readonly lo: number;
  readonly hi: number;
}

/** How many scopes a catalogue may hold; positions 62 and 63 are the engine's own. */
export const MAX_SCOPES = 62;

export const NO_SCOPES: ScopeSet = { lo: 0, hi: 0 };

/** Required by first-party fields. Only a signed-in session holds it; no token does, not even an unrestricted one. */
export const FIRST_PARTY_BIT: ScopeSet = scopeAt(62);

/** Required where nothing may pass (an undeclared field, a level without a requirement). No caller ever holds it. */
export const NOBODY_BIT: ScopeSet = scopeAt(63);

const ENGINE_BITS: ScopeSet = union(FIRST_PARTY_BIT, NOBODY_BIT);

/** The set of the one scope at this position. */
export function scopeAt(position: number): ScopeSet {
  return position < 32 ? { lo: 1 << position, hi: 0 } : { lo: 0, hi: 1 << (position - 32) };
}

/** Whether a holder of `held` may do what needs `required`. This is the whole check of an operation at run time. */
export function covers(held: ScopeSet, required: ScopeSet): boolean {
  return (required.lo & ~held.lo) === 0 && (required.hi & ~held.hi) === 0;
}

export function union(a: ScopeSet, b: ScopeSet): ScopeSet {
  // Most additions add nothing, in documents that select the same thing over and over.
  if (covers(a, b)) return a;
  return { lo: a.lo | b.lo, hi: a.hi | b.hi };
}

/** The scopes that are in `a` and not in `b`. */
export function minus(a: ScopeSet, b: ScopeSet): ScopeSet {
  return { lo: a.lo & ~b.lo, hi: a.hi & ~b.hi };
}

export function isEmpty(set: ScopeSet): boolean {
  return set.lo === 0 && set.hi === 0;
}

/** The set without the engine's own two bits: what an access token can hold at most. */
export function grantable(set: ScopeSet): ScopeSet {
  return minus(set, ENGINE_BITS);
}
