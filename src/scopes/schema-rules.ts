/**
 * Holds what the engine knows of one schema: its requirements read once and turned into bits, ready to be walked.
 *
 * Only object types have rules. An interface or a union is never what a resolver returns, so it is never what a
 * selection is judged by: a field selected on an interface is judged on every object type that may stand there.
 */
import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isIntrospectionType,
  isObjectType,
} from 'graphql';
import { CATALOG } from './catalog.ts';
import type { Catalog } from './create-catalog.ts';
import { type ByStanding, byStanding, type Judgement, judge, scopesAt } from './judgement.ts';
import {
  declaredBase,
  declaredRequirement,
  problemOfBase,
  problemOfRequirement,
  type Requirement,
  type ScopeAccess,
  type ScopeLists,
} from './requirement.ts';
import type { ScopeSet } from './scope-set.ts';

export interface FieldRule {
  readonly name: string;
  /** `Type.field` */
  readonly coordinate: string;
  /** `undefined` for a field whose requirement is missing or unusable. Nobody may select it; `problem` says why. */
  readonly requirement: Requirement | undefined;
  readonly access: ScopeAccess | undefined;
  readonly problem: string | undefined;
  /** By the standing of the selection that the field is in. */
  readonly judgements: ByStanding<Judgement>;
  /** The object types that may stand in the field's place; none for scalars and enums. One list for all fields of a type. */
  readonly output: readonly TypeRule[];
}

export interface TypeRule {
  readonly name: string;
  readonly fields: ReadonlyMap<string, FieldRule>;
  /** The names that a type condition may give for an object of this type: its own, its interfaces, its unions. */
  readonly conditions: ReadonlySet<string>;
  /** The base scopes by standing, if the type declares any; a standing without scopes admits nobody. */
  readonly base: ByStanding<ScopeSet> | undefined;
  readonly baseProblem: string | undefined;
  /** The list of this type alone: the `output` of a field that returns it. */
  readonly alone: readonly TypeRule[];
}

export interface SchemaRules {
  readonly schema: GraphQLSchema;
  readonly catalog: Catalog;
  readonly roots: { readonly [Operation in 'query' | 'mutation' | 'subscription']: TypeRule | undefined };
}

const RULES = new WeakMap<GraphQLSchema, WeakMap<Catalog, SchemaRules>>();

/** The rules of a schema, read on first use. They never throw: what cannot be read is closed, and `findHoles` tells. */
export function rulesOf(schema: GraphQLSchema, catalog: Catalog = CATALOG): SchemaRules {
  const byCatalog = RULES.getOrInsertComputed(schema, () => new WeakMap());
  return byCatalog.getOrInsertComputed(catalog, () => readRules(schema, catalog));
}

interface OpenTypeRule extends TypeRule {
  readonly fields: Map<string, FieldRule>;
  readonly alone: TypeRule[];
}

function readRules(schema: GraphQLSchema, catalog: Catalog): SchemaRules {
  const all = Object.values(schema.getTypeMap());
  const objects = all.filter(isObjectType).filter((type) => !isIntrospectionType(type));
  const abstract = all.filter(isAbstractType);
  const types = new Map(
    objects.map((type) => {
      const unions = abstract.filter((one) => schema.isSubType(one, type));
      return [type.name, readType(type, unions, catalog)];
    }),
  );
  const roots = {
    query: types.get(schema.getQueryType()?.name ?? ''),
    mutation: types.get(schema.getMutationType()?.name ?? ''),
    subscription: types.get(schema.getSubscriptionType()?.name ?? ''),
  };
  const outputs = new Map<GraphQLNamedType, readonly TypeRule[]>();
  // Thousands of fields have a few dozen requirements.
  const judgements = new Map<string, ByStanding<Judgement>>();
  const judged = (requirement: Requirement | undefined): ByStanding<Judgement> =>
    judgements.getOrInsertComputed(JSON.stringify(requirement) ?? '', () =>
      byStanding((standing) => judge(requirement, standing, catalog)),
    );
  // Fields come second: they point to the rules of their types, which may point back.
  for (const type of objects) {
    const rule = types.get(type.name);
    if (rule === undefined) continue;
    const isRoot = Object.values(roots).includes(rule);
    for (const field of Object.values(type.getFields())) {
      const output = outputs.getOrInsertComputed(getNamedType(field.type), (named) => outputOf(named, types, schema));
      rule.fields.set(field.name, readField(`${type.name}.${field.name}`, field, { output, isRoot, catalog, judged }));
    }
  }
  return { schema, catalog, roots };
}

/** `unions`: the interfaces and unions that it is one of. */
function readType(type: GraphQLObjectType, unions: readonly GraphQLNamedType[], catalog: Catalog): OpenTypeRule {
  const declared = declaredBase(type);
  const baseProblem = declared === undefined ? undefined : problemOfBase(declared, catalog);
  const lists = baseProblem === undefined ? (declared as ScopeLists | undefined) : {};
  const rule: OpenTypeRule = {
    name: type.name,
    fields: new Map(),
    conditions: new Set([type.name, ...unions.map(({ name }) => name)]),
    base: lists && byStanding((standing) => scopesAt(lists, standing, catalog)),
    baseProblem,
    alone: [],
  };
  rule.alone.push(rule);
  return rule;
}

function outputOf(
  type: GraphQLNamedType,
  types: ReadonlyMap<string, TypeRule>,
  schema: GraphQLSchema,
): readonly TypeRule[] {
  if (isAbstractType(type)) return schema.getPossibleTypes(type).flatMap(({ name }) => types.get(name) ?? []);
  return types.get(type.name)?.alone ?? [];
}

interface FieldSurroundings {
  readonly output: readonly TypeRule[];
  readonly isRoot: boolean;
  readonly catalog: Catalog;
  readonly judged: (requirement: Requirement | undefined) => ByStanding<Judgement>;
}

function readField(
  coordinate: string,
  field: GraphQLField<unknown, unknown>,
  { output, isRoot, catalog, judged }: FieldSurroundings,
): FieldRule {
  const declared = declaredRequirement(field);
  const problem =
    problemOfRequirement(declared, catalog) ?? (isRoot ? problemOfRoot(declared as Requirement) : undefined);
  const requirement = problem === undefined ? (declared as Requirement) : undefined;
  return {
    name: field.name,
    coordinate,
    requirement,
    access: requirement === undefined ? undefined : (requirement.access ?? 'SCOPED'),
    problem,
    judgements: judged(requirement),
    output,
  };
}

/** At the root, a path stands nowhere: a field there says which door it is, or that it needs none. */
function problemOfRoot(requirement: Requirement): string | undefined {
  if (requirement.access === 'PUBLIC' || requirement.access === 'FIRST_PARTY') return undefined;
  return requirement.enters === undefined ? 'it is a root field and enters no level: say which door it is' : undefined;
}
