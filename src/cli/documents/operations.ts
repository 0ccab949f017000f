import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type Location,
  type OperationDefinitionNode,
  parse,
  visit,
} from 'graphql';
import { type Fault, LINE_BREAKS, type Position, partOf, placeOf, positionOf, type SourceText } from './source-text.ts';

/** One operation with the fragments it uses, wherever they are written, as one text that can be explained. */
export interface FoundOperation extends Position {
  /** `query Mine` */
  readonly title: string;
  readonly query: string;
  /** Where a place in `query` was written */
  readonly origin: (location: { readonly line: number; readonly column: number }) => Position;
}

interface Definition<Node> {
  readonly node: Node;
  readonly source: SourceText;
}
type Fragments = ReadonlyMap<string, readonly Definition<FragmentDefinitionNode>[]>;

/** All operations of some texts. A fragment may be written in another file, as it is with generated types. */
export function findOperations(sources: readonly SourceText[]): { operations: FoundOperation[]; faults: Fault[] } {
  const faults: Fault[] = [];
  const operations: Definition<OperationDefinitionNode>[] = [];
  const fragments = new Map<string, Definition<FragmentDefinitionNode>[]>();
  for (const source of sources) {
    const document = parseSource(source, faults);
    for (const node of document?.definitions ?? []) {
      if (node.kind === Kind.OPERATION_DEFINITION) operations.push({ node, source });
      if (node.kind !== Kind.FRAGMENT_DEFINITION) continue;
      const known = fragments.get(node.name.value) ?? [];
      fragments.set(node.name.value, [...known, { node, source }]);
    }
  }
  return { operations: operations.flatMap((operation) => assemble(operation, fragments, faults) ?? []), faults };
}

/** Parses a document. Adds what is wrong with it to the faults. */
export function parseSource(source: SourceText, faults: Fault[]): DocumentNode | undefined {
  // A file of fragments commented out, or of nothing yet, is no mistake.
  if (source.text.replaceAll(/#.*|[\s,\uFEFF]/g, '') === '') return undefined;
  try {
    return parse(source.text);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    faults.push({ message: error.message, ...positionOf(source, error.locations?.[0] ?? { line: 1, column: 1 }) });
    return undefined;
  }
}

function assemble(
  { node, source }: Definition<OperationDefinitionNode>,
  fragments: Fragments,
  faults: Fault[],
): FoundOperation | undefined {
  const parts = [textOf({ node, source })];
  const used = new Set<string>();
  const pending: Definition<OperationDefinitionNode | FragmentDefinitionNode>[] = [{ node, source }];
  for (const definition of pending) {
    for (const name of spreadsIn(definition.node)) {
      if (used.has(name)) continue;
      used.add(name);
      const candidates = fragments.get(name) ?? [];
      const ownFile = candidates.filter((candidate) => candidate.source.file === source.file);
      const [fragment, ...others] = ownFile.length > 0 ? ownFile : candidates;
      // One that nobody wrote is told by the explanation, with the place that spreads it.
      if (!fragment) continue;
      const fault = differenceBetween(name, fragment, others);
      if (fault) return void faults.push(fault);
      parts.push(textOf(fragment));
      pending.push(fragment);
    }
  }
  const title = [node.operation, node.name?.value].filter(Boolean).join(' ');
  return {
    ...(parts[0] ?? source).at(0),
    title,
    query: parts.map(({ text }) => text).join('\n'),
    origin: originIn(parts),
  };
}

function spreadsIn(node: OperationDefinitionNode | FragmentDefinitionNode): string[] {
  const names: string[] = [];
  visit(node, { FragmentSpread: (spread) => void names.push(spread.name.value) });
  return names;
}

function differenceBetween(
  name: string,
  fragment: Definition<FragmentDefinitionNode>,
  others: readonly Definition<FragmentDefinitionNode>[],
): Fault | undefined {
  const { text, at } = textOf(fragment);
  const other = others.map(textOf).find((one) => one.text !== text);
  if (!other) return undefined;
  const message = `The fragment "${name}" is written differently at ${placeOf(other.at(0))}: give one of them another name.`;
  return { ...at(0), message };
}

function textOf({ node: { loc }, source }: Definition<{ readonly loc?: Location | undefined }>): SourceText {
  const { start, end } = loc ?? { start: 0, end: source.text.length };
  return partOf(source, start, end);
}

function originIn(parts: readonly SourceText[]): FoundOperation['origin'] {
  const starts: number[] = [];
  let line = 1;
  for (const { text } of parts) {
    starts.push(line);
    line += text.split(LINE_BREAKS).length;
  }
  return (location) => {
    const index = starts.findLastIndex((start) => start <= location.line);
    const part = parts[index];
    if (!part) throw new RangeError(`Line ${location.line} is in no part of the document.`);
    return positionOf(part, { line: location.line - (starts[index] ?? 1) + 1, column: location.column });
  };
}
