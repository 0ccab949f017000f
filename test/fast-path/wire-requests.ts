/** Requests as bytes: what HTTP lets a client do on a connection, beside what it asks for. */
import { FORM, TOKEN_PATH } from '../support/oauth-requests.ts';

const BODY = 'grant_type=refresh_token&client_id=nobody&client_secret=x&refresh_token=y';
export const HOST = 'Host: gatehouse.test\r\n';
const TYPE = `Content-Type: ${FORM}\r\n`;

interface Parts {
  readonly method?: string;
  readonly path?: string;
  readonly version?: string;
  readonly headers?: string;
  readonly body?: string;
}

/** With its length, unless the headers say how it is sent. */
function request({ method = 'POST', path = TOKEN_PATH, version = '1.1', headers = TYPE, body }: Parts = {}): string {
  const length =
    body === undefined || /transfer-encoding|content-length/i.test(headers) ? '' : `Content-Length: ${body.length}\r\n`;
  return `${method} ${path} HTTP/${version}\r\n${HOST}${headers}${length}\r\n${body ?? ''}`;
}

const GOOD_FORM = request({ body: BODY });
/** Ends the connection. */
const LAST = request({ method: 'GET', headers: 'Connection: close\r\n' });
const chunked = (...chunks: readonly string[]): string =>
  [...chunks, ''].map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
const CHUNKED = `${TYPE}Transfer-Encoding: chunked\r\n`;
const LARGE = 'a'.repeat(70_000);

/** The requests on a connection, and the statuses of all answers; the last request ends it. */
export const MANY_ON_A_WIRE: readonly (readonly [string, string, readonly number[]])[] = [
  ['a request, and the next on its connection', GOOD_FORM + LAST, [401, 405]],
  ['three at once', GOOD_FORM + GOOD_FORM + GOOD_FORM + LAST, [401, 401, 401, 405]],
  ['one in chunks', request({ headers: CHUNKED, body: chunked(BODY.slice(0, 9), BODY.slice(9)) }) + LAST, [401, 405]],
  [
    'chunks and a trailer',
    request({ headers: CHUNKED, body: chunked(BODY).replace(/\r\n$/, 'X-A: b\r\n\r\n') }) + LAST,
    [401, 405],
  ],
  ['a large body in chunks', request({ headers: CHUNKED, body: chunked(LARGE) }) + LAST, [413, 405]],
  ['a large body', request({ body: LARGE }) + LAST, [413, 405]],
  ['no body', request() + LAST, [401, 405]],
  ['no body and no type', request({ headers: '' }) + LAST, [400, 405]],
  ['an empty body', request({ body: '' }) + LAST, [401, 405]],
  ['a byte order mark', request({ body: `\xef\xbb\xbf${BODY}` }) + LAST, [401, 405]],
  ['bytes that are no UTF-8', request({ body: '\xff\xfe' }) + LAST, [400, 405]],
  ['a body in Latin 1', request({ body: `${BODY}&a=\xe9` }) + LAST, [400, 405]],
  ['gzip', request({ headers: `${TYPE}Content-Encoding: gzip\r\n`, body: 'abcd' }) + LAST, [415, 405]],
  [
    'no encoding, twice',
    request({ headers: `${TYPE}Content-Encoding: identity\r\nContent-Encoding: identity\r\n`, body: BODY }) + LAST,
    [415, 405],
  ],
  ['an empty encoding', request({ headers: `${TYPE}Content-Encoding:\r\n`, body: BODY }) + LAST, [415, 405]],
  ['two types', request({ headers: `${TYPE}Content-Type: application/json\r\n`, body: BODY }) + LAST, [401, 405]],
  [
    'two types, the other way round',
    request({ headers: `Content-Type: text/plain\r\n${TYPE}`, body: BODY }) + LAST,
    [400, 405],
  ],
  [
    'two credentials',
    request({ headers: `${TYPE}Authorization: Basic YTpi\r\nAuthorization: Basic YTpi\r\n`, body: BODY }) + LAST,
    [401, 405],
  ],
  ['100-continue', request({ headers: `${TYPE}Expect: 100-continue\r\n`, body: BODY }) + LAST, [100, 401, 405]],
  ['another expectation', request({ headers: `${TYPE}Expect: more\r\n`, body: BODY }) + LAST, [417, 405]],
  ['HTTP/1.0', request({ version: '1.0', body: BODY }), [401]],
  ['the end of the connection', request({ headers: `${TYPE}Connection: close\r\n`, body: BODY }), [401]],
  ['an origin', request({ headers: `${TYPE}Origin: https://app.example\r\n`, body: BODY }) + LAST, [401, 405]],
  [
    'a preflight',
    request({ method: 'OPTIONS', headers: 'Origin: https://app.example\r\nAccess-Control-Request-Method: POST\r\n' }) +
      LAST,
    [204, 405],
  ],
  ['HEAD', request({ method: 'HEAD', headers: '' }) + LAST, [405, 405]],
  ['GET', request({ method: 'GET', headers: '' }) + LAST, [405, 405]],
  ['QUERY', request({ method: 'QUERY', headers: TYPE, body: BODY }) + LAST, [405, 405]],
  ['a query', request({ path: `${TOKEN_PATH}?scope=x`, body: BODY }) + LAST, [400, 405]],
  ['an empty query', request({ path: `${TOKEN_PATH}?`, body: BODY }) + LAST, [401, 405]],
  ['a fragment', request({ path: `${TOKEN_PATH}#x`, body: BODY }) + LAST, [401, 405]],
  ['a query in a fragment', request({ path: `${TOKEN_PATH}#x?a=b`, body: BODY }) + LAST, [401, 405]],
  ['a fragment in a query', request({ path: `${TOKEN_PATH}?#x`, body: BODY }) + LAST, [401, 405]],
  ['an encoded path', request({ path: TOKEN_PATH.replace('token', '%74oken'), body: BODY }) + LAST, [401, 405]],
  ['a path with a slash behind it', request({ path: `${TOKEN_PATH}/`, body: BODY }) + LAST, [404, 405]],
  ['a path in capitals', request({ path: TOKEN_PATH.toUpperCase(), body: BODY }) + LAST, [404, 405]],
  ['the whole address', request({ path: `http://gatehouse.test${TOKEN_PATH}`, body: BODY }) + LAST, [401, 405]],
  ['two hosts', request({ headers: `${TYPE}Host: other.test\r\n`, body: BODY }), [400]],
];

/** Requests that are answered before they are complete. */
export const ONE_ON_A_WIRE: readonly (readonly [string, string, number])[] = [
  ['a large body that is announced', request({ headers: `${TYPE}Content-Length: 70000\r\n`, body: BODY }), 413],
  ['a body that has grown too large', request({ headers: CHUNKED, body: chunked(LARGE).slice(0, -5) }), 413],
  [
    'gzip that is announced',
    request({ headers: `${TYPE}Content-Encoding: gzip\r\nContent-Length: 9\r\n`, body: '' }),
    415,
  ],
];
