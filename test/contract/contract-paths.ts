import {
  buildSchema,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isListType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';
import { contractFiles } from '../../src/cli/print-schema.ts';
import type { Manifest, ManifestField } from '../../src/scopes/manifest.ts';

/**
 * Reads what the files in schema/ promise, as an outsider does: the schema as text and the manifest as JSON. Nothing
 * here asks the engine, which is tested against it.
 */
export interface Contract {
  readonly schema: GraphQLSchema;
  readonly manifest: Manifest;
  /** Every scope, from the enum in the schema */
  readonly scopes: readonly string[];
}

export function readContract(): Contract {
  const files = contractFiles();
  const schema = buildSchema(files['first-party.graphql'] ?? '');
  const scopeEnum = schema.getType('Scope') as GraphQLEnumType;
  const manifest = JSON.parse(files['scopes.json'] ?? '') as Manifest;
  return { schema, manifest, scopes: scopeEnum.getValues().map(({ name }) => name) };
}

/** One field, reached at one level by a shortest way, as the least document that selects it. */
export interface ContractPath {
  /** `Team.eventTypes at TEAM` */
  readonly title: string;
  readonly coordinate: string;
  readonly document: string;
  /** Scopes, `FIRST_PARTY`, or `NOBODY` */
  readonly required: ReadonlySet<string>;
}

interface Step {
  readonly coordinate: string;
  /** The field with its required arguments, in a fragment where it stands below an abstract type */
  readonly open: string;
  readonly close: string;
  readonly rule: ManifestField;
  readonly level: string;
  /** The objects that may stand in the field's place. */
  readonly objects: readonly GraphQLObjectType[];
}

interface Place {
  readonly type: GraphQLObjectType;
  readonly isBelowAbstract: boolean;
  readonly level: string;
  readonly steps: readonly Step[];
}

/** Every field that the contract lists, once for each level at which a path can reach it. */
export function contractPaths(contract: Contract): ContractPath[] {
  const { schema, manifest } = contract;
  const paths: ContractPath[] = [];
  const places: Place[] = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    type ? [{ type, isBelowAbstract: false, level: 'OUTSIDE', steps: [] }] : [],
  );
  const seen = new Set<string>();
  for (const place of places) {
    const key = `${place.type.name} ${place.level}`;
    if (seen.has(key)) continue;
    seen.add(key);
    for (const field of Object.values(place.type.getFields())) {
      const coordinate = `${place.type.name}.${field.name}`;
      const rule = manifest.fields[coordinate];
      if (!rule) throw new Error(`The manifest does not list ${coordinate}.`);
      const level = rule.enters ?? place.level;
      const objects = objectsOf(schema, field);
      const steps = [...place.steps, { coordinate, ...selectionOf(field, place), rule, level, objects }];
      paths.push(pathOf(steps, contract));
      const isBelowAbstract = isAbstractType(getNamedType(field.type));
      for (const type of objects) places.push({ type, isBelowAbstract, level, steps });
    }
  }
  return paths;
}

function pathOf(steps: readonly Step[], contract: Contract): ContractPath {
  const last = steps.at(-1);
  if (!last) throw new Error('A path has at least one field.');
  const isMutation = steps[0]?.coordinate.startsWith('Mutation.');
  const inner = last.objects.length > 0 ? ' { __typename }' : '';
  const body = steps.toReversed().reduce((below, { open, close }) => ` { ${open}${below}${close} }`, inner);
  return {
    title: `${last.coordinate} at ${last.level}`,
    coordinate: last.coordinate,
    document: `${isMutation ? 'mutation' : 'query'}${body}`,
    required: requiredBy(steps, contract.manifest),
  };
}

/** The union of what each field lists at its level, and what structure owes for which nothing else was paid. */
function requiredBy(steps: readonly Step[], { baseScopes }: Manifest): ReadonlySet<string> {
  const required = new Set<string>();
  steps.forEach(({ rule, level, objects }, index) => {
    if (rule.access === 'FIRST_PARTY') required.add('FIRST_PARTY');
    if (rule.access === 'SCOPED') addAll(required, scopesAt(rule.scopes, level));
    const hasData = steps.slice(index + 1).some((below) => ['SCOPED', 'FIRST_PARTY'].includes(below.rule.access));
    if (rule.access !== 'INHERIT' || hasData) return;
    for (const { name } of objects) {
      const base = baseScopes[name];
      if (base) addAll(required, scopesAt(base, level));
      else if (rule.enters) required.add('NOBODY');
    }
  });
  return required;
}

function selectionOf(
  field: GraphQLField<unknown, unknown>,
  { type, isBelowAbstract }: Place,
): Pick<Step, 'open' | 'close'> {
  const given = field.args
    .filter(isRequiredArgument)
    .map((argument) => `${argument.name}: ${literalOf(argument.type)}`);
  const text = given.length > 0 ? `${field.name}(${given.join(', ')})` : field.name;
  return isBelowAbstract ? { open: `... on ${type.name} { ${text}`, close: ' }' } : { open: text, close: '' };
}

/** A value that validation accepts; nothing is executed. */
function literalOf(type: GraphQLInputType): string {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return '[]';
  if (isEnumType(nullable)) return nullable.getValues()[0]?.name ?? 'null';
  if (!isInputObjectType(nullable)) return LITERALS[nullable.name] ?? '"x"';
  const fields = Object.values(nullable.getFields());
  const required = nullable.isOneOf ? fields.slice(0, 1) : fields.filter(isRequiredInputField);
  return `{ ${required.map((field) => `${field.name}: ${literalOf(field.type)}`).join(', ')} }`;
}

const LITERALS: Readonly<Record<string, string>> = {
  Int: '1',
  Float: '1',
  Boolean: 'true',
  DateTime: '"2026-12-01T09:00:00Z"',
  BookingResponses: '{}',
  Metadata: '{}',
  MetadataPatch: '{}',
};

function scopesAt(scopes: ManifestField['scopes'], level: string): readonly string[] {
  return scopes?.[level as keyof typeof scopes] ?? ['NOBODY'];
}

function addAll(set: Set<string>, values: Iterable<string>): void {
  for (const value of values) set.add(value);
}

function objectsOf(schema: GraphQLSchema, { type }: GraphQLField<unknown, unknown>): readonly GraphQLObjectType[] {
  const named = getNamedType(type);
  if (isAbstractType(named)) return schema.getPossibleTypes(named);
  return isObjectType(named) ? [named] : [];
}
