/** Reads the parameters of a request, and makes the same request for Yoga once its body was read. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { holdsMore } from '../../core/json-text.ts';
import { MOST_BODY_VALUES } from '../request/json-body.ts';

/** The request as Yoga's adapter takes it once its stream is read. */
export function withBody(request: IncomingMessage, bytes: Buffer): IncomingMessage {
  const body = {
    length: bytes.length,
    async *[Symbol.asyncIterator]() {
      yield bytes;
    },
  };
  return Object.assign(request, { body });
}

export interface Params {
  readonly query: string;
  readonly operationName?: string | null;
  readonly variables?: Readonly<Record<string, unknown>> | null;
}

const PARAMS: ReadonlySet<string> = new Set(['query', 'operationName', 'variables', 'extensions']);

export function bodyParams(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) return undefined;
  const text = bytes.toString();
  return holdsMore(text, MOST_BODY_VALUES) ? undefined : JSON.parse(text);
}

/** Undefined for what is not just a document, the name of an operation, variables, and extensions, of which none means anything here. */
export function usable(params: unknown): Params | undefined {
  if (!isObject(params)) return undefined;
  for (const name in params) if (!PARAMS.has(name)) return undefined;
  const { query, operationName, variables, extensions } = params;
  if (typeof query !== 'string') return undefined;
  if (operationName != null && typeof operationName !== 'string') return undefined;
  if (variables != null && !isObject(variables)) return undefined;
  if (extensions != null && !isObject(extensions)) return undefined;
  return params as unknown as Params;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
