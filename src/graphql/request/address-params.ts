import { GraphQLError } from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';
import { decodeComponent } from '../../core/text.ts';

const DOCUMENT_ID = 'documentId';
const TEXTS = ['query', 'operationName', DOCUMENT_ID];
/** Counts as none, whatever the method: addresses are logged (RFC 6750 §2.3). */
const TOKEN = 'access_token';
const JSON_VALUES = ['variables', 'extensions'];
/** A name that is longer or looks otherwise may be a token that was put there without a name; no answer repeats it. */
const LIKE_A_NAME = /^[\w.[\]-]{1,30}$/;

/** Whether there is a token in the address: beside one in a header, it is one too many (RFC 6750 §2). */
export function hasTokenInAddress(address: string): boolean {
  return pairsOf(address).some(([name]) => name === TOKEN);
}

/**
 * The parameters of a request by GET, from its address as it was sent. What is empty counts as left out, as some clients
 * send all four. `takesDocumentId`: whether documents may be named by their hashes.
 * @throws GraphQLError for what is unknown, there twice, no UTF-8 or no JSON
 */
export function addressParams(address: string, takesDocumentId = false): GraphQLParams {
  const params: Record<string, unknown> = {};
  for (const [name, value] of pairsOf(address)) {
    if (name === undefined || value === undefined) {
      throw addressError('The address is not percent-encoded UTF-8; send the parameters in that encoding.');
    }
    if (name === TOKEN) continue;
    const isKnown = name === DOCUMENT_ID ? takesDocumentId : TEXTS.includes(name) || JSON_VALUES.includes(name);
    if (!isKnown) {
      const what = LIKE_A_NAME.test(name) ? `the unknown parameter "${name}"` : 'an unknown parameter';
      throw addressError(`The query string has ${what}; send query, operationName, variables and extensions.`);
    }
    if (name in params) throw addressError(`The query string has "${name}" twice; send it once.`);
    if (value !== '') params[name] = TEXTS.includes(name) ? value : parsed(name, value);
  }
  return params;
}

function* pairsOf(address: string): Generator<readonly [string | undefined, string | undefined]> {
  const [beforeFragment = ''] = address.split('#', 1);
  const start = beforeFragment.indexOf('?');
  if (start === -1) return;
  for (const pair of beforeFragment.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const [name, value] = equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
    yield [decodeComponent(name), decodeComponent(value)];
  }
}

function parsed(name: string, value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    throw addressError(
      `The query string has "${name}" that is not valid JSON; send an object as JSON, percent-encoded.`,
    );
  }
}

function addressError(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status: 400 } } });
}
