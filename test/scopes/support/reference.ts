/**
 * Finds what an operation requires, by the definition and nothing else: no memo, no bits, no graph. It follows every
 * path, as execution would, once for each object that each field might return.
 */

import {
  type DocumentNode,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { BASE_SCOPES, REQUIREMENT } from '../../../src/scopes/requirement.ts';

interface Declared {
  readonly access?: string;
  readonly enters?: string;
  readonly [level: string]: string | readonly string[] | undefined;
}

export interface Required {
  /** The scopes that fields require of their own. */
  readonly data: Set<string>;
  /** The scopes that are owed for structure alone. */
  readonly base: Set<string>;
}

/** The level outside of all doors is ''. */
export function requiredByDefinition(schema: GraphQLSchema, document: DocumentNode, operationName: string): Required {
  const result: Required = { data: new Set(), base: new Set() };
  const { operation, fieldsOf } = reading(schema, document, operationName);
  const root = rootOf(schema, operation);
  judge(fieldsOf(operation.selectionSet, root), root, '', result);
  return result;

  /** Adds what these fields require, and tells whether any of it is data. */
  function judge(fields: readonly FieldNode[], type: GraphQLObjectType, from: string, total: Required): boolean {
    return fields.map((field) => judgeField(field, type, from, total)).includes(true);
  }

  function judgeField(node: FieldNode, type: GraphQLObjectType, from: string, total: Required): boolean {
    const field = type.getFields()[node.name.value];
    if (field === undefined) return false;
    const declared = field.extensions[REQUIREMENT] as Declared;
    const access = declared.access ?? 'SCOPED';
    const level = declared.enters ?? from;
    if (level === 'USER' && !['', 'USER'].includes(from)) total.data.add('NOBODY');
    if (access === 'FIRST_PARTY') total.data.add('FIRST_PARTY');
    if (access === 'SCOPED') for (const scope of listed(declared, level)) total.data.add(scope);

    const below = objectsOf(schema, getNamedType(field.type)).map((object) => {
      const selected = node.selectionSet ? fieldsOf(node.selectionSet, object) : [];
      const hasData = judge(selected, object, level, total);
      const base = object.extensions[BASE_SCOPES] as Declared | undefined;
      if (access === 'INHERIT' && !hasData) {
        const owed = base ? listed(base, level) : declared.enters ? ['NOBODY'] : [];
        for (const scope of owed) total.base.add(scope);
      }
      return hasData;
    });
    return (
      access === 'SCOPED' ||
      access === 'FIRST_PARTY' ||
      (access === 'INHERIT' && below.length > 0 && !below.includes(false))
    );
  }
}

/** Tells of a field, as it is written, whether each object that may stand there would show data. */
export function showingData(schema: GraphQLSchema, document: DocumentNode, operationName: string) {
  const { fieldsOf } = reading(schema, document, operationName);
  return showsData;

  function showsData(node: FieldNode, type: GraphQLObjectType): boolean {
    const field = type.getFields()[node.name.value];
    const { access = 'SCOPED' } = (field?.extensions[REQUIREMENT] as Declared | undefined) ?? { access: 'PUBLIC' };
    if (access !== 'INHERIT') return access !== 'PUBLIC';
    const objects = objectsOf(schema, field && getNamedType(field.type));
    const selected = objects.map((object) => (node.selectionSet ? fieldsOf(node.selectionSet, object) : []));
    return (
      objects.length > 0 && objects.every((object, index) => selected[index]?.some((below) => showsData(below, object)))
    );
  }
}

/** One field, on one path, for one object that may stand there. */
export interface Selected {
  readonly path: string;
  readonly access: string;
  /** Whether it is shown by itself: a scalar or an enum, and not an object whose fields are shown. */
  readonly isValue: boolean;
  /**
   * The price of being shown it: its own scopes, or, if it inherits, the nearest there are on the way back: those of
   * the field that leads here, or the base scopes of the type that it stands in, if nothing was required since.
   */
  readonly price: ReadonlySet<string>;
}

/** Every field that an operation selects, path by path, with its price by the definition. */
export function pricesByDefinition(schema: GraphQLSchema, document: DocumentNode, operationName: string): Selected[] {
  const { operation, fieldsOf } = reading(schema, document, operationName);
  const selected: Selected[] = [];
  visit(fieldsOf(operation.selectionSet, rootOf(schema, operation)), rootOf(schema, operation), '', new Set(), '');
  return selected;

  function visit(nodes: readonly FieldNode[], type: GraphQLObjectType, from: string, paid: Set<string>, path: string) {
    for (const node of nodes) {
      const field = type.getFields()[node.name.value];
      if (field === undefined) continue;
      const declared = field.extensions[REQUIREMENT] as Declared;
      const access = declared.access ?? 'SCOPED';
      const level = declared.enters ?? from;
      const own = { SCOPED: listed(declared, level), FIRST_PARTY: ['FIRST_PARTY'], PUBLIC: [], INHERIT: [...paid] }[
        access
      ];
      const price = new Set(own);
      const here = `${path} ${type.name}.${field.name}`;
      const { selectionSet } = node;
      selected.push({ path: here, access, isValue: selectionSet === undefined, price });
      if (selectionSet === undefined) continue;
      for (const object of objectsOf(schema, getNamedType(field.type))) {
        const base = object.extensions[BASE_SCOPES] as Declared | undefined;
        const below = access === 'INHERIT' && base ? new Set(listed(base, level)) : price;
        visit(fieldsOf(selectionSet, object), object, level, below, here);
      }
    }
  }
}

function listed(declared: Declared, level: string): readonly string[] {
  const list = declared[level.toLowerCase()];
  return Array.isArray(list) ? (list as readonly string[]) : ['NOBODY'];
}

function objectsOf(schema: GraphQLSchema, type: unknown): readonly GraphQLObjectType[] {
  if (isAbstractType(type)) return schema.getPossibleTypes(type);
  return isObjectType(type) ? [type] : [];
}

/** The operation, and what its selections ask of an object. */
function reading(schema: GraphQLSchema, document: DocumentNode, operationName: string) {
  const operations = document.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  const operation = operations.find((one) => one.name?.value === operationName);
  if (operation === undefined) throw new Error(`There is no operation ${operationName}.`);
  return { operation, fieldsOf };

  /** The fields that an object of this type would be asked for. */
  function fieldsOf({ selections }: SelectionSetNode, type: GraphQLObjectType): FieldNode[] {
    return selections.flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return [selection];
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragmentNamed(selection.name.value);
      const condition = fragment.typeCondition?.name.value;
      const applies = condition === undefined || objectsOf(schema, schema.getType(condition)).includes(type);
      return applies ? fieldsOf(fragment.selectionSet, type) : [];
    });
  }

  function fragmentNamed(name: string) {
    const found = document.definitions.find((one) => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === name);
    if (found?.kind !== Kind.FRAGMENT_DEFINITION) throw new Error(`There is no fragment ${name}.`);
    return found;
  }
}

function rootOf(schema: GraphQLSchema, operation: OperationDefinitionNode): GraphQLObjectType {
  return schema.getRootType(operation.operation) as GraphQLObjectType;
}
