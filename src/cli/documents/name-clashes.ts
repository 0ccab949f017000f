/** Finds names that cannot be rewritten: two different fields would have one key in the answer. */
import {
  type ASTNode,
  type DefinitionNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type Location,
  type NameNode,
  OverlappingFieldsCanBeMergedRule,
  type SelectionSetNode,
  validate,
  visit,
} from 'graphql';

/** A document, and what its names are to become. */
export interface Renaming {
  readonly file: string;
  readonly definitions: readonly DefinitionNode[];
  readonly edits: readonly { readonly name: NameNode; readonly to: string }[];
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** The places of names to leave as they are, in documents that may spread each other’s fragments. */
export function clashesIn(schema: GraphQLSchema, documents: readonly Renaming[]): ReadonlySet<Location | undefined> {
  const left = new Set<Location | undefined>();
  let known: number;
  do {
    known = left.size;
    // A field that keeps its name has another key in the answer, which can be taken as well.
    for (const place of clashesWithout(left, schema, documents)) left.add(place);
  } while (left.size > known);
  return left;
}

function clashesWithout(
  left: ReadonlySet<Location | undefined>,
  schema: GraphQLSchema,
  documents: readonly Renaming[],
): (Location | undefined)[] {
  const edits = documents.flatMap((document) => document.edits).filter(({ name }) => !left.has(name.loc));
  const names = new Map(edits.map(({ name, to }) => [name.loc, to]));
  const written = documents.map((document) => ({
    ...document,
    definitions: document.definitions.map((definition) => renamed(definition, names)),
  }));
  return written.flatMap((document) => {
    const fragments = fragmentsFor(document, written);
    const definitions = [...document.definitions.filter(isNoFragment), ...fragments.values()];
    const errors = validate(schema, { kind: Kind.DOCUMENT, definitions }, [OverlappingFieldsCanBeMergedRule]);
    return errors.flatMap(({ nodes }) => causesOf(nodes ?? [], names, fragments));
  });
}

function renamed<Node extends ASTNode>(node: Node, names: ReadonlyMap<Location | undefined, string>): Node {
  const rename = <Named extends ASTNode & { readonly value: string }>(one: Named): Named | undefined => {
    const to = names.get(one.loc);
    return to === undefined ? undefined : { ...one, value: to };
  };
  return visit(node, { Name: rename, EnumValue: rename });
}

/** Its own fragments, and those that it spreads from elsewhere, first of its own file. */
function fragmentsFor(document: Renaming, all: readonly Renaming[]): Fragments {
  const nearest = [document, ...all.filter(({ file }) => file === document.file), ...all];
  const fragments = new Map(document.definitions.filter(isFragment).map((one) => [one.name.value, one]));
  const pending = [...document.definitions];
  for (const definition of pending) {
    visit(definition, {
      FragmentSpread({ name: { value: name } }) {
        if (fragments.has(name)) return;
        const isNamed = (one: DefinitionNode): one is FragmentDefinitionNode =>
          isFragment(one) && one.name.value === name;
        const found = nearest.flatMap(({ definitions }) => definitions.find(isNamed) ?? []).at(0);
        if (!found) return;
        fragments.set(name, found);
        pending.push(found);
      },
    });
  }
  return fragments;
}

/** The innermost fields of a clash that have got another key: those around them may be innocent. */
function causesOf(
  nodes: readonly ASTNode[],
  names: ReadonlyMap<Location | undefined, string>,
  fragments: Fragments,
): (Location | undefined)[] {
  const fields = nodes.filter((node) => node.kind === Kind.FIELD);
  const candidates = fields.filter(({ alias, name }) => !alias && names.has(name.loc));
  const innermost = candidates.filter((candidate) => {
    const below = fieldsBelow(candidate.selectionSet, fragments);
    return !candidates.some((other) => below.has(other));
  });
  return innermost.map(({ name }) => name.loc);
}

function fieldsBelow(start: SelectionSetNode | undefined, fragments: Fragments): ReadonlySet<FieldNode> {
  const fields = new Set<FieldNode>();
  const sets = new Set(start ? [start] : []);
  // The set grows while it is read.
  for (const set of sets) {
    visit(set, {
      Field: (field) => void fields.add(field),
      FragmentSpread: ({ name }) => {
        const fragment = fragments.get(name.value);
        if (fragment) sets.add(fragment.selectionSet);
      },
    });
  }
  return fields;
}

function isFragment(definition: DefinitionNode): definition is FragmentDefinitionNode {
  return definition.kind === Kind.FRAGMENT_DEFINITION;
}

function isNoFragment(definition: DefinitionNode): boolean {
  return !isFragment(definition);
}
