import { isUtf8 } from 'node:buffer';
import { GraphQLError } from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';
import { holdsMore } from '../../core/json-text.ts';
import { readAtMost } from '../../limits/read-at-most.ts';
import { LIMITS, limitError, VARIABLES } from '../limits/limits.ts';
import { addressParams } from './address-params.ts';

export const MAX_BODY_BYTES = 1_000_000;

/** The variables, and what may stand beside them. */
export const MOST_BODY_VALUES = LIMITS.variableValues + 100;

const WHOLE_NUMBER = /^\d+$/;

/**
 * Reads what a request asks: its body, or, by GET, its address. A body whose length is announced is measured by the
 * announcement, since Node's parser takes no more than that; only one that comes in chunks is counted, which costs a stream.
 * What is no UTF-8 is refused and not repaired, and no error repeats the body, which may hold confidential data.
 * `takesDocumentId`: as `addressParams` has it. @throws GraphQLError where the length itself says that it is not to be read
 */
export function bodyParser(
  { method, headers }: Request,
  takesDocumentId: boolean,
): (request: Request) => GraphQLParams | Promise<GraphQLParams> {
  if (method === 'GET') return ({ url }) => addressParams(url, takesDocumentId);
  const length = headers.get('content-length');
  if (length !== null && !WHOLE_NUMBER.test(length)) {
    throw bodyError(400, 'BAD_REQUEST', 'The Content-Length is not a whole number; leave it to your HTTP library.');
  }
  if (Number(length) > MAX_BODY_BYTES) throw tooLarge(MAX_BODY_BYTES);
  return async (incoming) => {
    const bytes = length === null ? await readAtMost(incoming.body, MAX_BODY_BYTES) : await incoming.bytes();
    if (!bytes) throw tooLarge(MAX_BODY_BYTES);
    return paramsOf(bytes);
  };
}

function paramsOf(bytes: Uint8Array): GraphQLParams {
  if (!isUtf8(bytes)) throw bodyError(400, 'BAD_REQUEST', 'The body is not UTF-8 text; send it in that encoding.');
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  if (holdsMore(text, MOST_BODY_VALUES)) throw limitError(VARIABLES, LIMITS.variableValues);
  const params = parseJson(text);
  if (typeof params === 'object' && params !== null) return params;
  throw bodyError(400, 'BAD_REQUEST', 'The body is no JSON object: send {"query": "…"} with the operation as text.');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw bodyError(400, 'BAD_REQUEST', 'The body is not valid JSON: send {"query": "…"} with the operation as text.');
  }
}

function tooLarge(maxBytes: number): GraphQLError {
  return bodyError(413, 'REQUEST_ENTITY_TOO_LARGE', `The body is larger than ${maxBytes} bytes; send less.`);
}

function bodyError(status: number, code: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status } } });
}
