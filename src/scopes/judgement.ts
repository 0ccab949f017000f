/** Says what one requirement means for a path, by where the path stands. */
import { type Catalog, type ScopeLevel, scopeSetOf } from './create-catalog.ts';
import { LEVEL_KEYS, type Requirement, type ScopeLists } from './requirement.ts';
import { FIRST_PARTY_BIT, NO_SCOPES, NOBODY_BIT, type ScopeSet } from './scope-set.ts';

/** The standing of a path: a level, or outside while it has come through no door. */
export type Standing = 'OUTSIDE' | ScopeLevel;

export type ByStanding<Value> = Readonly<Record<Standing, Value>>;

/** The meaning of a selected field for a path: the scopes that it requires there, and where the path stands below. */
export interface Judgement {
  readonly standing: Standing;
  readonly required: ScopeSet;
}

/** A person's own resources are reached through their own door only, and no other path leads to them. */
export function mayEnter(from: Standing, to: ScopeLevel): boolean {
  return from === 'OUTSIDE' || from === to || to !== 'USER';
}

export function byStanding<Value>(valueAt: (standing: Standing) => Value): ByStanding<Value> {
  return {
    OUTSIDE: valueAt('OUTSIDE'),
    USER: valueAt('USER'),
    TEAM: valueAt('TEAM'),
    ORGANIZATION: valueAt('ORGANIZATION'),
  };
}

/** Judges the requirement of a field for a path that stands at `from`. A field that says nothing is nobody's. */
export function judge(requirement: Requirement | undefined, from: Standing, catalog: Catalog): Judgement {
  if (requirement === undefined) return { standing: from, required: NOBODY_BIT };
  if (requirement.access === 'PUBLIC') return { standing: from, required: NO_SCOPES };
  const standing = requirement.enters ?? from;
  if (standing !== 'OUTSIDE' && !mayEnter(from, standing)) return { standing, required: NOBODY_BIT };
  if (requirement.access === 'INHERIT') return { standing, required: NO_SCOPES };
  if (requirement.access === 'FIRST_PARTY') return { standing, required: FIRST_PARTY_BIT };
  return { standing, required: scopesAt(requirement, standing, catalog) };
}

/** The scopes listed for a standing; nobody's bit where none are. */
export function scopesAt(lists: ScopeLists, standing: Standing, catalog: Catalog): ScopeSet {
  const list = standing === 'OUTSIDE' ? undefined : lists[LEVEL_KEYS[standing]];
  return list === undefined ? NOBODY_BIT : scopeSetOf(list, catalog);
}
