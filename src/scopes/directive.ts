/**
 * `@requiresScope`: how the schema shows, in print and in words, what its fields require.
 *
 * The directive tells people and tools. Nothing here enforces anything, and enforcement reads none of it.
 */
import { extendSchema, type GraphQLSchema, Kind, parse } from 'graphql';
import { CATALOG } from './catalog.ts';
import { type Catalog, LEVELS, type ScopeLevel } from './create-catalog.ts';
import {
  BASE_SCOPES,
  type Extensible,
  LEVEL_KEYS,
  problemOfBase,
  problemOfRequirement,
  REQUIREMENT,
  type Requirement,
  type ScopeAccess,
  type ScopeLists,
} from './requirement.ts';

export const DIRECTIVE_NAME = 'requiresScope';

const LEVEL_IN_WORDS = {
  USER: 'What is the user’s own: through `me`, and mutations named after no group.',
  TEAM: 'What is a team’s: through `team`, and mutations that begin with `team`.',
  ORGANIZATION: 'What is an organization’s: through `organization`, and mutations that begin with `organization`.',
} as const satisfies Record<ScopeLevel, string>;

const HOW_GUARDED = {
  SCOPED: 'By scopes: those that are listed for the level at which it is reached.',
  INHERIT: 'By what the field that leads here requires, and nothing else.',
  PUBLIC: 'Not at all: anybody may ask, without a token too.',
  FIRST_PARTY: 'By a signed-in session. No access token can read it, and its schema does not have it.',
} as const satisfies Record<ScopeAccess, string>;

function valuesInWords(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, words]) => `  ${JSON.stringify(words)}\n  ${name}`)
    .join('\n');
}

/** The directive and its enums as schema text. */
export function directiveDefinition(catalog: Catalog = CATALOG): string {
  return `"""A scope that an access token may carry."""
enum Scope {
${catalog.definitions.map(({ name, words }) => `  ${JSON.stringify(words)}\n  ${name}`).join('\n')}
}

"""Whose resources a path of an operation is about; the door it came in by decides."""
enum ScopeLevel {
${valuesInWords(LEVEL_IN_WORDS)}
}

"""How a field is guarded: by scopes, by the field that leads to it, not at all, or by a signed-in session."""
enum ScopeAccess {
${valuesInWords(HOW_GUARDED)}
}

"""What an access token must hold for an operation that selects this field."""
directive @${DIRECTIVE_NAME}(
  "All of these, when the field is reached at user level."
  user: [Scope!]
  "All of these, when the field is reached at team level."
  team: [Scope!]
  "All of these, when the field is reached at organization level."
  organization: [Scope!]
  "How the field is guarded."
  access: ScopeAccess! = SCOPED
  "The level of this field and of everything below it."
  enters: ScopeLevel
) on FIELD_DEFINITION | OBJECT
`;
}

/** The schema with the directive defined. An enum of the same name that the schema has already is used as it is. */
export function withScopeDirective(schema: GraphQLSchema, catalog: Catalog = CATALOG): GraphQLSchema {
  const { definitions, ...document } = parse(directiveDefinition(catalog), { noLocation: true });
  const missing = definitions.filter((definition) => {
    if (definition.kind === Kind.DIRECTIVE_DEFINITION) return !schema.getDirective(definition.name.value);
    return definition.kind === Kind.ENUM_TYPE_DEFINITION && !schema.getType(definition.name.value);
  });
  return extendSchema(schema, { ...document, definitions: missing });
}

/** The arguments of the directive that shows a requirement, or the base scopes of a type. */
export function directiveArguments(requirement: Requirement<string> | ScopeLists<string>): Record<string, unknown> {
  const { access, enters, ...lists } = requirement as Record<string, unknown>;
  return {
    ...lists,
    ...(access !== undefined && access !== 'SCOPED' && { access }),
    ...(enters !== undefined && { enters }),
  };
}

/** A description that ends with the scopes: applied directives are invisible to introspection, descriptions are not. */
export function describeRequirement(description: string | null | undefined, requirement: Requirement<string>): string {
  const words = requirementInWords(requirement);
  return description ? `${description}\n\n${words}` : words;
}

/** The description as it was before: in print, the directive stands beside it. */
export function describedAlone({ description, extensions }: Configured): string | null | undefined {
  const requirement = extensions?.[REQUIREMENT] as Requirement<string> | undefined;
  if (!requirement || !description) return description;
  const words = requirementInWords(requirement);
  return description.endsWith(words) ? description.slice(0, -words.length).trimEnd() : description;
}

interface Configured extends Extensible {
  readonly description?: string | null | undefined;
}

interface Extended {
  readonly extensions: Readonly<Record<string, unknown>>;
}

/**
 * The config of a field with its requirement: enforced, printed and described from this one value.
 * Throws `TypeError`, naming the field by its coordinate, for a requirement that cannot be enforced or is missing.
 */
export function withRequirement<Config extends object>(
  config: Config & Configured,
  requirement: Requirement<string>,
  coordinate: string,
  catalog: Catalog = CATALOG,
): Config & Extended & { readonly description: string } {
  const problem = problemOfRequirement(requirement, catalog);
  if (problem !== undefined) throw new TypeError(`${coordinate} cannot be built: ${problem}.`);
  return {
    ...config,
    description: describeRequirement(config.description, requirement),
    extensions: extended(config, REQUIREMENT, requirement),
  };
}

/**
 * The config of an object type with its base scopes: what a selection of nothing but structure needs below a field
 * that costs nothing itself. Throws `TypeError` for scopes that cannot be enforced.
 */
export function withBaseScopes<Config extends object>(
  config: Config & Configured,
  base: ScopeLists<string>,
  typeName: string,
  catalog: Catalog = CATALOG,
): Config & Extended {
  const problem = problemOfBase(base, catalog);
  if (problem !== undefined) throw new TypeError(`${typeName} cannot be built: ${problem}.`);
  return { ...config, extensions: extended(config, BASE_SCOPES, base) };
}

function extended(
  config: Configured,
  key: string,
  value: Requirement<string> | ScopeLists<string>,
): Record<string, unknown> {
  const directives = config.extensions?.['directives'];
  return {
    ...config.extensions,
    [key]: value,
    directives: { ...(directives as object | undefined), [DIRECTIVE_NAME]: directiveArguments(value) },
  };
}

const ACCESS_IN_WORDS = {
  INHERIT: 'Scopes: those of the field that leads here.',
  PUBLIC: 'Scopes: none, this is public.',
  FIRST_PARTY: 'Signed-in sessions only.',
} as const satisfies Record<Exclude<ScopeAccess, 'SCOPED'>, string>;

function requirementInWords(requirement: Requirement<string>): string {
  if (requirement.access !== undefined && requirement.access !== 'SCOPED') return ACCESS_IN_WORDS[requirement.access];
  const { enters } = requirement;
  const lists = LEVELS.filter((level) => enters === undefined || enters === level).flatMap((level) => {
    const list = requirement[LEVEL_KEYS[level]];
    return list ? [`${list.join(' and ')} (${level.toLowerCase()})`] : [];
  });
  return `Scopes: ${lists.join(', ')}.`;
}
