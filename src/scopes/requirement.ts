/**
 * Declares what a field requires of the caller who selects it: the value that every field carries, and how it is read
 * back.
 */
import type { Scope } from './catalog.ts';
import { type Catalog, LEVELS, type ScopeDefinition, type ScopeLevel } from './create-catalog.ts';

/** All of these scopes must be held. An empty list does not compile: it would look like "open" and mean nothing. */
export type ScopeList<Name extends string = Scope> = readonly [Name, ...Name[]];

/** The scopes by the level at which something is reached. A level that is not named cannot be reached at all. */
export interface ScopeLists<Name extends string = Scope> {
  readonly user?: ScopeList<Name>;
  readonly team?: ScopeList<Name>;
  readonly organization?: ScopeList<Name>;
}

/** Needs the scopes listed for the level it is judged at; `enters` changes that level for itself and all below. */
export interface ScopedRequirement<Name extends string = Scope> extends ScopeLists<Name> {
  readonly access?: 'SCOPED';
  readonly enters?: ScopeLevel;
}

/** Costs what the field that leads here has cost: wrappers, and doors (with `enters`) whose content is judged itself. */
export interface InheritRequirement {
  readonly access: 'INHERIT';
  readonly enters?: ScopeLevel;
}

/** Needs no token. Everything below must be public too. */
export interface PublicRequirement {
  readonly access: 'PUBLIC';
}

/** Needs a signed-in session, which no access token replaces. */
export interface FirstPartyRequirement {
  readonly access: 'FIRST_PARTY';
  readonly enters?: ScopeLevel;
}

export type Requirement<Name extends string = Scope> =
  | ScopedRequirement<Name>
  | InheritRequirement
  | PublicRequirement
  | FirstPartyRequirement;

export const ACCESSES = ['SCOPED', 'INHERIT', 'PUBLIC', 'FIRST_PARTY'] as const;
export type ScopeAccess = (typeof ACCESSES)[number];

/** `USER` → `user`: the name of a level's list in a requirement and in the directive. */
export type LevelKey = Lowercase<ScopeLevel>;
export const LEVEL_KEYS = { USER: 'user', TEAM: 'team', ORGANIZATION: 'organization' } as const satisfies {
  [Level in ScopeLevel]: Lowercase<Level>;
};

/**
 * Where a schema keeps what a field requires (`extensions` of the field) and what a type's base scopes are (of the type).
 *
 * Enforcement reads only these. A directive found by its name can be renamed, imported under another name or dropped
 * by a schema tool, and the check is gone without a word (GHSA-g8jh-vg5j-4h3f). Strings, because graphql-js copies
 * extensions by `Object.entries`, which loses symbols.
 */
export const REQUIREMENT = 'gatehouse.scopes.requirement';
export const BASE_SCOPES = 'gatehouse.scopes.base';

/** A field or type as far as the engine reads it: graphql-js' own objects and their configs both fit. */
export interface Extensible {
  readonly extensions?: Readonly<Record<string, unknown>> | null | undefined;
}

/** Reads the requirement of a field as it was declared, well-formed or not; `undefined` if it declares nothing. */
export function declaredRequirement(field: Extensible): unknown {
  return field.extensions?.[REQUIREMENT];
}

/** The base scopes of an object type as they were declared, well-formed or not; `undefined` if it has none. */
export function declaredBase(type: Extensible): unknown {
  return type.extensions?.[BASE_SCOPES];
}

export function isFirstParty(field: Extensible): boolean {
  const requirement = declaredRequirement(field);
  return isRecord(requirement) && requirement['access'] === 'FIRST_PARTY';
}

/** Whether this is a requirement the engine can enforce; if not, says what is wrong with it. */
export function problemOfRequirement(requirement: unknown, catalog: Catalog): string | undefined {
  if (requirement === undefined) return 'it declares no requirement: say what it takes to select it';
  if (!isRecord(requirement)) return 'its requirement is not an object';

  const { access = 'SCOPED', enters, ...lists } = requirement;
  if (!isOneOf(ACCESSES, access)) return `its access ${JSON.stringify(access)} is none of ${ACCESSES.join(', ')}`;
  if (enters !== undefined && !isOneOf(LEVELS, enters)) {
    return `it enters ${JSON.stringify(enters)}, which is none of ${LEVELS.join(', ')}`;
  }
  if (access === 'PUBLIC' && enters !== undefined)
    return 'it is PUBLIC and enters a level, which changes nothing below';
  if (access === 'SCOPED') return problemOfLists(lists, catalog) ?? problemOfEntry(lists, enters);
  return Object.keys(lists).length > 0 ? `it is ${access} and lists scopes: it can be only one of the two` : undefined;
}

/** Whether these are base scopes the engine can enforce; if not, says what is wrong with them. */
export function problemOfBase(base: unknown, catalog: Catalog): string | undefined {
  return isRecord(base) ? problemOfLists(base, catalog) : 'its base scopes are not an object';
}

function problemOfEntry(lists: Record<string, unknown>, enters: ScopeLevel | undefined): string | undefined {
  if (enters === undefined || lists[LEVEL_KEYS[enters]] !== undefined) return undefined;
  return `it enters ${enters} and lists no scopes for it, so that nobody could select it`;
}

function problemOfLists(lists: Record<string, unknown>, catalog: Catalog): string | undefined {
  const keys = Object.keys(lists);
  const known: readonly string[] = Object.values(LEVEL_KEYS);
  const strange = keys.find((key) => !known.includes(key));
  if (strange !== undefined) return `it names "${strange}", which is no level: use ${known.join(', ')}`;
  if (keys.length === 0) return 'it lists no scopes: name them, or say INHERIT, PUBLIC or FIRST_PARTY';
  for (const level of LEVELS) {
    const list = lists[LEVEL_KEYS[level]];
    const problem = list === undefined ? undefined : problemOfList(list, level, catalog);
    if (problem !== undefined) return `its ${LEVEL_KEYS[level]} list ${problem}`;
  }
  return undefined;
}

function problemOfList(list: unknown, level: ScopeLevel, catalog: Catalog): string | undefined {
  if (!Array.isArray(list) || list.length === 0) return 'is empty: an empty list is never "open"';
  const definitions: ScopeDefinition[] = [];
  for (const name of list as unknown[]) {
    const definition = typeof name === 'string' ? catalog.definitions[catalog.positions.get(name) ?? -1] : undefined;
    if (definition === undefined) return `names ${JSON.stringify(name)}, which is no scope`;
    definitions.push(definition);
  }
  // A slip such as `team: ['BOOKING_READ']` would open every team's bookings to a token of one user.
  if (definitions.some((definition) => opensLevel(definition.level, level))) return undefined;
  return `holds no scope of its level: ${definitions.map(({ name }) => name).join(', ')} would open it from outside`;
}

function opensLevel(scope: ScopeLevel, level: ScopeLevel): boolean {
  return scope === level || (scope === 'ORGANIZATION' && level === 'TEAM');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isOneOf<const Value>(values: readonly Value[], value: unknown): value is Value {
  return (values as readonly unknown[]).includes(value);
}
