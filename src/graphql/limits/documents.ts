import { BREAK, type DocumentNode, type FieldNode, GraphQLError, visit } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { OperationLimits } from './operation-limits.ts';

/** A token takes about half a kilobyte as syntax tree, so this is 50 MB at most, or a thousand ordinary documents. */
const MAX_WEIGHT = 100_000;
const CHARACTERS_PER_TOKEN = 50;

/**
 * Parsed documents by their text, those used last. Everything that is kept for a document (what it requires, what it
 * costs, how it executes) hangs on the node that this returns, so that it goes when the document goes.
 */
export class Documents {
  readonly #limits: OperationLimits;
  readonly #known = new LRUCache<string, DocumentNode>({
    maxSize: MAX_WEIGHT,
    sizeCalculation: (document, text) => weightOf(text, document),
  });

  constructor(limits: OperationLimits) {
    this.#limits = limits;
  }

  /** A document within the limits; it need not be valid. What is refused is not kept. @throws GraphQLError */
  read(text: string): DocumentNode {
    const known = this.#known.get(text);
    if (known) return known;
    const document = this.#parse(text);
    const error = this.#limits.documentError(document) ?? (text.includes('then') ? thenableError(document) : undefined);
    if (error) throw error;
    this.#known.set(text, document);
    return document;
  }

  /** The document, if it was read before. */
  known(text: string): DocumentNode | undefined {
    return this.#known.get(text);
  }

  #parse(text: string): DocumentNode {
    try {
      return this.#limits.parse(text);
    } catch (error) {
      if (!(error instanceof GraphQLError) || error.extensions['code'] !== undefined) throw error;
      // GraphQL over HTTP: to callers who accept application/json only, a syntax error is answered with 200 (`spec`).
      Object.assign(error.extensions, { code: 'GRAPHQL_PARSE_FAILED', http: { status: 400, spec: true } });
      throw error;
    }
  }
}

function weightOf(
  text: string,
  { tokenCount = 0 }: DocumentNode & { readonly tokenCount?: number | undefined },
): number {
  return tokenCount + Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/** The executor takes an object with this key for a promise, and fails where nobody can mend it. */
function thenableError(document: DocumentNode): GraphQLError | undefined {
  let found: FieldNode | undefined;
  visit(document, {
    Field(node) {
      if (node.alias?.value !== 'then') return undefined;
      found = node;
      return BREAK;
    },
  });
  return (
    found &&
    new GraphQLError('An alias cannot be "then"; choose another one.', {
      nodes: found,
      extensions: { code: 'BAD_REQUEST', http: { status: 400 } },
    })
  );
}
