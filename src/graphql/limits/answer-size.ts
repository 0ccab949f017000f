/** Answers end where they would be larger than any may be: the price is the most that could be there, and long texts in full lists are more than that. */
import { GraphQLError, OperationTypeNode } from 'graphql';
import { ANSWER, limitError } from './limits.ts';

/** As executors give it. `stringify`: writes it, where it was written in turns with other work. */
export interface Result {
  readonly data?: unknown;
  readonly errors?: readonly GraphQLError[];
  readonly extensions?: Readonly<Record<string, unknown>>;
  readonly stringify?: (result: Result) => string;
}

export function isWithin(text: string, maxBytes: number): boolean {
  return text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes;
}

/** A value as JSON; `undefined` once it is larger than that. Pauses after each object, so that others have their turns. */
export function* piecesWithin(value: unknown, maxBytes: number): Generator<void, string | undefined> {
  const parts: string[] = [];
  let bytes = 0;
  for (const piece of piecesOf(value)) {
    bytes += Buffer.byteLength(piece);
    if (bytes > maxBytes) return undefined;
    parts.push(piece);
    yield;
  }
  return parts.join('');
}

function* piecesOf(value: unknown): Generator<string> {
  if (!isObject(value) || !Object.values(value).some(isObject)) {
    yield JSON.stringify(value);
    return;
  }
  const isList = Array.isArray(value);
  let before = isList ? '[' : '{';
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    yield isList ? before : `${before}${JSON.stringify(key)}:`;
    yield* piecesOf(inner);
    before = ',';
  }
  yield isList ? ']' : '}';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Everything beside the data is small, and known only at the end. */
export function withData(text: string, final: Result): string {
  const others = JSON.stringify({ ...final, data: undefined, stringify: undefined });
  return others === '{}' ? `{"data":${text}}` : `{"data":${text},${others.slice(1)}`;
}

export function answerTooLarge(maxBytes: number, operation: OperationTypeNode | undefined): GraphQLError {
  if (operation !== OperationTypeNode.MUTATION) return limitError(ANSWER, maxBytes);
  const { code } = ANSWER;
  const message = `The mutation was carried out, but its answer would have more than ${maxBytes} bytes: select less of it, and look up what you need.`;
  return new GraphQLError(message, { extensions: { code, limit: maxBytes, http: { status: 400 } } });
}
