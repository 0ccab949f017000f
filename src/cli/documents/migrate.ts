/** Rewrites documents whose names the schema has given up since: `gatehouse scopes --migrate`. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ArgumentNode,
  type DefinitionNode,
  type FieldNode,
  type GraphQLArgument,
  GraphQLID,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  GraphQLString,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  type Location,
  type NameNode,
  type ObjectFieldNode,
  parseSchemaCoordinate,
  type SelectionSetNode,
  type TypeNode,
  type ValueNode,
  type VariableDefinitionNode,
  type VariableNode,
} from 'graphql';
import { clashesIn, type Renaming } from './name-clashes.ts';
import { parseSource } from './operations.ts';
import { type Fault, LINE_BREAKS, type Position, type SourceText } from './source-text.ts';

/** docs/renames.json: by schema coordinate, what a name became, or what to write where more than a name has changed. */
export interface Renames {
  readonly renames: Readonly<Record<string, string>>;
  /** By coordinates that are renamed: the values there are others than before, and which. */
  readonly changedValues: Readonly<Record<string, string>>;
  readonly byHand: Readonly<Record<string, string>>;
}

/** A file as it should be, and where something is left to do by hand. */
export interface Migrated {
  readonly content: string;
  readonly changes: number;
  readonly faults: readonly Fault[];
}

/** The names that this version of the schema has given up. */
export async function readRenames(): Promise<Renames> {
  return JSON.parse(await readFile(join(import.meta.dirname, '../../../docs/renames.json'), 'utf8')) as Renames;
}

/** Rewrites the documents of files, which were written for an earlier schema than this one. */
export function migrateFiles(
  files: readonly MigratedFile[],
  schema: GraphQLSchema,
  renames: Renames,
): readonly Migrated[] {
  const read = files.map(({ content, sources }) => ({
    content,
    documents: sources.map((source) => readDocument(source, schema, renames)),
  }));
  const clashes = clashesIn(
    schema,
    read.flatMap(({ documents }) => documents),
  );
  return read.map(({ content, documents }) => rewritten(content, documents, clashes));
}

/** A file with the documents in it. */
export interface MigratedFile {
  readonly content: string;
  readonly sources: readonly SourceText[];
}

interface ReadDocument extends Renaming {
  readonly source: SourceText;
  readonly faults: readonly Fault[];
}

function readDocument(source: SourceText, schema: GraphQLSchema, renames: Renames): ReadDocument {
  const faults: Fault[] = [];
  const definitions = parseSource(source, faults)?.definitions ?? [];
  const migration = new Migration(schema, renames);
  migration.read(definitions);
  for (const { at, message } of migration.byHand) faults.push({ ...source.at(at), message });
  return { file: source.file, source, definitions, edits: migration.edits, faults };
}

function rewritten(
  content: string,
  documents: readonly ReadDocument[],
  clashes: ReadonlySet<Location | undefined>,
): Migrated {
  const faults = documents.flatMap((document) => document.faults);
  const edits = new Map<number, Edit>();
  const offsetOf = offsetsIn(content);
  for (const { source, name, to } of documents.flatMap((one) => one.edits.map((edit) => ({ ...edit, ...one })))) {
    const place = source.at(name.loc?.start ?? 0);
    const start = offsetOf(place);
    const end = start + name.value.length;
    if (clashes.has(name.loc)) faults.push({ ...place, message: clashMessage(name.value, to) });
    else if (content.slice(start, end) === name.value) edits.set(start, { start, end, to });
    else faults.push({ ...place, message: `is written with escapes: write "${to}" instead of "${name.value}".` });
  }
  const sorted = [...edits.values()].toSorted((a, b) => b.start - a.start);
  let written = content;
  for (const { start, end, to } of sorted) written = written.slice(0, start) + to + written.slice(end);
  return {
    content: written,
    changes: edits.size,
    faults: faults.toSorted((a, b) => a.line - b.line || a.column - b.column),
  };
}

function clashMessage(name: string, to: string): string {
  return `${name}: is "${to}" now, which another field is called in this answer: write "${name}: ${to}", or another alias.`;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly to: string;
}

function offsetsIn(content: string): (position: Position) => number {
  const starts = [0, ...content.matchAll(LINE_BREAKS).map(({ index, 0: lineBreak }) => index + lineBreak.length)];
  return ({ line, column }) => (starts[line - 1] ?? content.length) + column - 1;
}

/** It has this name now, and may have other values; or only a person can say what it becomes. */
type Member = { readonly name: string; readonly remark?: string | undefined } | { readonly advice: string };

/** Reads definitions along the new schema, of which it finds the old names in the list. */
class Migration {
  readonly edits: { readonly name: NameNode; readonly to: string }[] = [];
  readonly byHand: { readonly at: number; readonly message: string }[] = [];
  readonly #schema: GraphQLSchema;
  readonly #renames: Renames;
  /** Those that the definition that is being read may use. */
  #variables: readonly VariableDefinitionNode[] = [];
  /** By the name of a type, those it had before. */
  readonly #formerly = new Map<string, string[]>();

  constructor(schema: GraphQLSchema, renames: Renames) {
    this.#schema = schema;
    this.#renames = renames;
    for (const [from, to] of Object.entries(renames.renames)) {
      if (!from.includes('.')) this.#formerly.getOrInsertComputed(to, () => []).push(from);
    }
  }

  read(definitions: readonly DefinitionNode[]): void {
    const operations = definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
    for (const definition of definitions) {
      // A fragment has the variables of the operations that spread it.
      const ofAll = definition.kind === Kind.OPERATION_DEFINITION ? [definition] : operations;
      this.#variables = ofAll.flatMap(({ variableDefinitions = [] }) => variableDefinitions);
      this.#definition(definition);
    }
  }

  #definition(definition: DefinitionNode): void {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      const type = this.#typeNamed(definition.typeCondition.name);
      if (type) this.#selection(definition.selectionSet, type);
    } else if (definition.kind === Kind.OPERATION_DEFINITION) {
      for (const variable of this.#variables) this.#variable(variable);
      const root = this.#schema.getRootType(definition.operation);
      if (root) this.#selection(definition.selectionSet, root);
    }
  }

  #selection({ selections }: SelectionSetNode, type: GraphQLNamedType): void {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) this.#field(selection, type);
      else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const condition = selection.typeCondition ? this.#typeNamed(selection.typeCondition.name) : type;
        if (condition) this.#selection(selection.selectionSet, condition);
      }
    }
  }

  #field({ name, arguments: given = [], selectionSet }: FieldNode, type: GraphQLNamedType): void {
    if (name.value.startsWith('__')) return;
    const fields = isObjectType(type) || isInterfaceType(type) ? type.getFields() : {};
    const field = this.#member(name, type, fields, (parent) => `${parent}.${name.value}`);
    if (!field) return;
    const names = new Set([name.value, field.name]);
    const args = Object.fromEntries(field.args.map((arg) => [arg.name, arg]));
    for (const argument of given) {
      const coordinates = (parent: string) => [...names].map((one) => `${parent}.${one}(${argument.name.value}:)`);
      this.#input(argument, type, args, coordinates);
    }
    const output = getNamedType(field.type);
    if (isCompositeType(output) !== (selectionSet !== undefined))
      this.#leave(name, selectionSet ? 'has no fields any more.' : `is of ${output.name} now: select fields of it.`);
    else if (selectionSet) this.#selection(selectionSet, output);
  }

  #input(
    { name, value }: ArgumentNode | ObjectFieldNode,
    type: GraphQLNamedType,
    inputs: Readonly<Record<string, GraphQLArgument | GraphQLInputField>>,
    coordinates: (parent: string) => string | string[],
  ): void {
    const input = this.#member(name, type, inputs, coordinates);
    if (input) this.#value(value, getNamedType(input.type));
  }

  #value(value: ValueNode, type: GraphQLNamedType): void {
    if (value.kind === Kind.VARIABLE && type === GraphQLID) this.#holdsId(value);
    else if (value.kind === Kind.LIST) for (const item of value.values) this.#value(item, type);
    else if (value.kind === Kind.OBJECT && isInputObjectType(type)) {
      for (const field of value.fields)
        this.#input(field, type, type.getFields(), (parent) => `${parent}.${field.name.value}`);
    } else if (value.kind === Kind.ENUM && isEnumType(type)) {
      const values = Object.fromEntries(type.getValues().map((one) => [one.name, one]));
      // A value is written as a name is.
      const name = { ...value, kind: Kind.NAME } as const;
      this.#member(name, type, values, (parent) => `${parent}.${value.value}`);
    }
  }

  /** Declares a variable for an id that was one for any text: its values stay. */
  #holdsId({ name }: VariableNode): void {
    const types = this.#variables.filter(({ variable }) => variable.name.value === name.value);
    for (const declared of types.map(({ type }) => nameOf(type)))
      if (declared.value === GraphQLString.name) this.#rename(declared, GraphQLID.name);
  }

  /** Values of variables are made elsewhere: says what has changed in them. */
  #variable({ variable, type, defaultValue }: VariableDefinitionNode): void {
    const named = this.#typeNamed(nameOf(type));
    if (!named) return;
    if (defaultValue) this.#value(defaultValue, named);
    const changes = this.#changesWithin(named);
    if (changes.length > 0) this.#leave(variable.name, `has values to change: ${changes.join(' ')}`);
  }

  #changesWithin(start: GraphQLNamedType): string[] {
    const types = new Set([start]);
    const changes: string[] = [];
    // The set grows while it is read.
    for (const type of types) {
      if (!isInputObjectType(type) && !isEnumType(type)) continue;
      if (isInputObjectType(type))
        for (const { type: inner } of Object.values(type.getFields())) types.add(getNamedType(inner));
      for (const former of this.#namesOf(type)) {
        const isOf = ([coordinate]: readonly [string, string]) => coordinate.startsWith(`${former}.`);
        for (const [from, to] of Object.entries(this.#renames.renames).filter(isOf))
          changes.push([`${from} is ${to}.`, this.#renames.changedValues[from] ?? []].flat().join(' '));
        for (const [from, advice] of Object.entries(this.#renames.byHand).filter(isOf))
          changes.push(`${from}: ${advice}`);
      }
    }
    return changes;
  }

  /** The type of this name now; renames it. */
  #typeNamed(name: NameNode): GraphQLNamedType | undefined {
    const { [name.value]: advice } = this.#renames.byHand;
    if (advice !== undefined) return this.#leave(name, advice);
    const { [name.value]: to = name.value } = this.#renames.renames;
    const type = this.#schema.getType(to);
    if (!type) return this.#leave(name, 'is no type of the schema.');
    this.#rename(name, to);
    return type;
  }

  /** Finds the field, the argument or the value that is meant by a name; renames it. */
  #member<One extends { readonly name: string }>(
    name: NameNode,
    type: GraphQLNamedType,
    members: Readonly<Record<string, One>>,
    coordinates: (parent: string) => string | readonly string[],
  ): One | undefined {
    const became = this.#became(name.value, type, Object.hasOwn(members, name.value), coordinates);
    if ('advice' in became) return this.#leave(name, became.advice);
    const member = Object.hasOwn(members, became.name) ? members[became.name] : undefined;
    if (!member) return this.#leave(name, `is not in ${type.name}.`);
    this.#rename(name, became.name);
    if (became.remark !== undefined) this.#leave(name, became.remark);
    return member;
  }

  #became(
    name: string,
    type: GraphQLNamedType,
    isThere: boolean,
    coordinates: (parent: string) => string | readonly string[],
  ): Member {
    const names = this.#namesOf(type);
    for (const parent of names) {
      // Where several types became one, another of them may have had the name that is there.
      if (isThere && parent !== type.name && names.length > 2) break;
      for (const coordinate of [coordinates(parent)].flat()) {
        const { [coordinate]: to } = this.#renames.renames;
        const { [coordinate]: advice } = this.#renames.byHand;
        if (advice !== undefined) return { advice };
        if (to !== undefined) return { name: lastNameOf(to), remark: this.#renames.changedValues[coordinate] };
      }
    }
    return { name };
  }

  #namesOf({ name }: GraphQLNamedType): readonly string[] {
    return [name, ...(this.#formerly.get(name) ?? [])];
  }

  #rename(name: NameNode, to: string): void {
    if (to !== name.value) this.edits.push({ name, to });
  }

  #leave({ value, loc }: NameNode, message: string): undefined {
    this.byHand.push({ at: loc?.start ?? 0, message: `${value}: ${message}` });
  }
}

/** The name at the end of a schema coordinate: `b` of `A.b`, `c` of `A.b(c:)`. */
function lastNameOf(coordinate: string): string {
  const { name, ...of } = parseSchemaCoordinate(coordinate);
  if ('argumentName' in of) return of.argumentName.value;
  return 'memberName' in of ? of.memberName.value : name.value;
}

function nameOf(type: TypeNode): NameNode {
  return type.kind === Kind.NAMED_TYPE ? type.name : nameOf(type.type);
}
