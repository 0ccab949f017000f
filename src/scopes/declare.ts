/**
 * The words in which a schema says what its fields require:
 *
 * ```ts
 * reads('BOOKING')                           // user, team, organization: BOOKING_READ, TEAM_BOOKING_READ, ORG_BOOKING_READ
 * reads('WEBHOOK', ['USER'])                 // at user level only
 * entering('TEAM', writes('EVENT_TYPE'))     // a mutation on a team
 * entering('USER', INHERIT)                  // the door `me`
 * { team: ['TEAM_EVENT_TYPE_READ'] }         // irregular, written out
 * ```
 */
import { CATALOG, type Scope } from './catalog.ts';
import type { Catalog, ScopeAction, ScopeDefinition, ScopeLevel } from './create-catalog.ts';
import type {
  FirstPartyRequirement,
  InheritRequirement,
  LevelKey,
  PublicRequirement,
  Requirement,
  ScopeList,
} from './requirement.ts';
import { LEVEL_KEYS } from './requirement.ts';

export const INHERIT: InheritRequirement = { access: 'INHERIT' };
export const PUBLIC: PublicRequirement = { access: 'PUBLIC' };
export const FIRST_PARTY: FirstPartyRequirement = { access: 'FIRST_PARTY' };

type Listed<Definition extends ScopeDefinition> = {
  readonly [One in Definition as Lowercase<One['level']>]: readonly [One['name']];
};

/**
 * A function that turns a resource into the catalogue's scopes for it, level by level. A resource without such a
 * scope, and a level at which the resource has none, do not compile.
 */
export function scopesFor<Definition extends ScopeDefinition, Action extends ScopeAction>(
  catalog: Catalog<Definition>,
  action: Action,
) {
  type Acting = Extract<Definition, { action: Action }>;
  return <Resource extends Acting['resource'], Level extends Extract<Acting, { resource: Resource }>['level']>(
    resource: Resource,
    levels?: readonly [Level, ...Level[]],
  ): Listed<Extract<Acting, { resource: Resource; level: Level }>> => {
    const chosen = catalog.definitions.filter(
      (scope) =>
        scope.resource === resource &&
        scope.action === action &&
        (levels === undefined || (levels as readonly ScopeLevel[]).includes(scope.level)),
    );
    const lists: Record<string, unknown> = Object.fromEntries(
      chosen.map(({ level, name }) => [LEVEL_KEYS[level], [name]]),
    );
    return lists as Listed<Extract<Acting, { resource: Resource; level: Level }>>;
  };
}

/** `reads('BOOKING')`: the READ scope of a resource at each level that has one, or at the levels given. */
export const reads = scopesFor(CATALOG, 'READ');

/** `writes('BOOKING')`: the WRITE scope of a resource at each level that has one, or at the levels given. */
export const writes = scopesFor(CATALOG, 'WRITE');

/** The same requirement, at `level` and with everything below at `level`. Lists for other levels fall away. */
export function entering<Level extends ScopeLevel, Name extends string = Scope>(
  level: Level,
  requirement: InheritRequirement | FirstPartyRequirement | { readonly [Key in Lowercase<Level>]: ScopeList<Name> },
): Requirement<Name> {
  if ('access' in requirement) return { access: requirement.access, enters: level };
  const key: LevelKey = LEVEL_KEYS[level];
  const list = (requirement as { readonly [Key in LevelKey]?: ScopeList<Name> })[key];
  if (list === undefined) throw new TypeError(`This requirement lists no scopes for ${level}: it cannot enter it.`);
  return { [key]: list, enters: level };
}
