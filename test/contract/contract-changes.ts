import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildSchema, type GraphQLSchema } from 'graphql';
import type { Manifest, ManifestField } from '../../src/scopes/manifest.ts';

/** A contract as it is printed into schema/. */
export interface Contract {
  readonly sdl: string;
  readonly manifest: Manifest;
}

/**
 * Finds what breaks clients of the old contract: changes of the schema, and scopes that an operation which ran before
 * does not hold now. The manifest decides about scopes, since an applied directive is nothing that GraphQL's own
 * comparison looks at.
 */
export async function breakingChanges(before: Contract, after: Contract): Promise<string[]> {
  const changes = await diff(schemaOf(before), schemaOf(after));
  const breaking = changes.filter(
    ({ criticality, type }) => criticality.level === CriticalityLevel.Breaking || WIDENS.has(type),
  );
  return [...breaking.map(({ message }) => message), ...raisedScopes(before.manifest, after.manifest)];
}

/** A new possible type adds its requirement to every operation that selects the abstract one. */
const WIDENS = new Set<string>(['UNION_MEMBER_ADDED', 'OBJECT_TYPE_INTERFACE_ADDED']);

function schemaOf({ sdl }: Contract): GraphQLSchema {
  return buildSchema(sdl);
}

function raisedScopes(before: Manifest, after: Manifest): string[] {
  const fields = Object.entries(before.fields).flatMap(([coordinate, old]) => {
    const now = after.fields[coordinate];
    // A field that is gone is the schema's breaking change.
    return now ? raisedField(coordinate, old, now) : [];
  });
  const bases = Object.entries(after.baseScopes).flatMap(([type, scopes]) =>
    added(scopesOf(before.baseScopes[type]), scopesOf(scopes)).map((scope) => `${type} now costs ${scope} by itself`),
  );
  return [...fields, ...bases];
}

const OPENNESS = { PUBLIC: 0, INHERIT: 1, SCOPED: 2, FIRST_PARTY: 3 } as const;

function raisedField(coordinate: string, old: ManifestField, now: ManifestField): string[] {
  if (OPENNESS[now.access] > OPENNESS[old.access]) return [`${coordinate} was ${old.access} and is ${now.access}`];
  if (old.enters !== now.enters && judgedAt(old) !== judgedAt(now))
    return [`${coordinate} entered ${old.enters ?? 'no level'} and enters ${now.enters ?? 'none'}`];
  return added(scopesOf(old.scopes), scopesOf(now.scopes)).map((scope) => `${coordinate} now needs ${scope}`);
}

/** Where a field is judged, and what is below it; a field that names one level stands there with `enters` or without. */
function judgedAt({ enters, scopes }: ManifestField): string | undefined {
  return enters ?? (scopes && Object.keys(scopes).join(' '));
}

function scopesOf(byLevel: ManifestField['scopes']): string[] {
  return Object.entries(byLevel ?? {}).flatMap(([level, scopes]) =>
    scopes.map((scope) => `${scope} at ${level} level`),
  );
}

/** Only at levels where the field could be reached before: a new way to it breaks nobody. */
function added(old: readonly string[], now: readonly string[]): string[] {
  const levels = new Set(old.map((entry) => entry.split(' at ')[1]));
  return now.filter((entry) => levels.has(entry.split(' at ')[1]) && !old.includes(entry));
}
