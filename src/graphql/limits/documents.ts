import {
  type ASTNode,
  BREAK,
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  TokenKind,
  visit,
} from 'graphql';
import { bytesOfText, CACHES, type Caches, type FilledBy, ownText, type Share } from '../../core/caches.ts';
import { operationsOf } from '../../scopes/compile.ts';
import type { OperationLimits } from './operation-limits.ts';

/** The bytes that the parser makes of a document; `test/core/cache-weights.test.ts` weighs the heap against it. */
const WEIGHTS = { document: 600, token: 120, node: 150, list: 40, item: 10, escape: 32 };

/**
 * Valid documents by their text, from their second use on. Everything that is kept for a document (what it requires, what it
 * costs, how it executes) hangs on the node that this returns, counts with it, and goes when it goes. Of what is refused,
 * nothing is kept.
 */
export class Documents {
  readonly #limits: OperationLimits;
  readonly #share: Share<DocumentNode>;
  /** Whether a schema takes a document. The errors of a document that it does not take are found again each time. */
  readonly #verdicts = new WeakMap<DocumentNode, Map<GraphQLSchema, boolean>>();

  constructor(limits: OperationLimits, caches: Caches = CACHES) {
    this.#limits = limits;
    this.#share = caches.share({ name: 'documents', weigh: weightOf });
  }

  /** A document within the limits; it need not be valid. @throws GraphQLError */
  read(text: string, by?: FilledBy): DocumentNode {
    const known = this.#share.get(text, by);
    if (known) return known;
    // A document that will be kept shares no text with its request.
    const document = this.#parse(this.#share.hasCome(text, by) ? ownText(text) : text);
    const error = this.#limits.documentError(document) ?? (text.includes('then') ? thenableError(document) : undefined);
    if (error) throw error;
    return document;
  }

  /** Whether this schema takes it, where that was found out before. */
  isValid(schema: GraphQLSchema, document: DocumentNode): boolean | undefined {
    return this.#verdicts.get(document)?.get(schema);
  }

  /** A document was validated. One that is valid is kept when it has come before; otherwise it is noted that it has now. */
  judged(schema: GraphQLSchema, document: DocumentNode, isValid: boolean, by?: FilledBy): void {
    this.#verdicts.getOrInsertComputed(document, () => new Map()).set(schema, isValid);
    const text = document.loc?.source.body;
    if (!isValid || text === undefined || this.#share.has(text)) return;
    this.#share.set(text, document, by, [document, ...operationsOf(document)]);
  }

  /** Whether an operation of a document that is kept has come before, too: of one that has many, each is worth a plan only then. */
  hasComeAgain(document: DocumentNode, operationName: string | undefined, by: FilledBy = 'ANONYMOUS'): boolean {
    const text = document.loc?.source.body ?? '';
    if (!this.#share.has(text)) return false;
    if (operationsOf(document).length < 2) return true;
    return this.#share.comesAgain(text, `operation ${operationName}`, by);
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

/** The text itself is that of the key, and counts there. */
function weightOf(document: DocumentNode): number {
  let bytes = WEIGHTS.document;
  for (let token = document.loc?.startToken; token; token = token.next ?? undefined) {
    bytes += WEIGHTS.token;
    // One of several lines is a text of its own, one with escapes is put together of pieces; any other is a view of the whole.
    if (token.kind === TokenKind.BLOCK_STRING && token.value.includes('\n')) bytes += bytesOfText(token.value);
    if (token.kind === TokenKind.STRING) bytes += WEIGHTS.escape * (token.end - token.start - 2 - token.value.length);
  }
  const add = (node: ASTNode): void => {
    bytes += WEIGHTS.node;
    for (const [name, value] of Object.entries(node) as [string, unknown][]) {
      if (name === 'loc' || typeof value !== 'object' || value === null) continue;
      if (!Array.isArray(value)) {
        add(value as ASTNode);
        continue;
      }
      bytes += WEIGHTS.list + WEIGHTS.item * value.length;
      for (const item of value) add(item as ASTNode);
    }
  };
  add(document);
  return bytes;
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
