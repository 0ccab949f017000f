/**
 * `extensions.code` of an error is one of these, beside the codes of limits (limits/limits.ts) and of mistakes in
 * arguments (core/problem-code.ts): its HTTP status, what is wrong, and what to do. docs/errors.md is made of this;
 * test/contract/schema-errors.test.ts looks whether all that the sources give stand here.
 */
export const GRAPHQL_ERRORS: Readonly<Record<string, readonly [status: string, says: string]>> = {
  METHOD_NOT_ALLOWED: ['405', 'A mutation was sent by GET, or the method is not supported; send mutations by POST.'],
  UNSUPPORTED_MEDIA_TYPE: ['415', 'The body is not JSON, or is compressed; send `Content-Type: application/json`.'],
  NOT_ACCEPTABLE: [
    '406',
    'None of the types in `Accept` is available; accept `application/graphql-response+json` or `application/json`.',
  ],
  BAD_REQUEST: [
    '400',
    'The body is not JSON, has no document or is a batch, or the `Authorization` header is unusable; the message says which.',
  ],
  REQUEST_ENTITY_TOO_LARGE: ['413', 'The request body is too large; send less at a time.'],
  UNAUTHENTICATED: ['401', 'A token is needed, or the token is unknown, expired or revoked; refresh it.'],
  FOREIGN_REQUEST: [
    '403',
    'A session cookie came by GET, or with a request from another site; send the query by POST, or an access token.',
  ],
  RATE_LIMITED: ['429', 'Too many requests; wait `Retry-After` seconds.'],
  GRAPHQL_PARSE_FAILED: [
    '200, or 400 with `Accept: application/graphql-response+json`',
    'The document cannot be parsed; `locations` says where.',
  ],
  GRAPHQL_VALIDATION_FAILED: [
    '200, or 400 with `Accept: application/graphql-response+json`',
    'The document does not fit the schema; `locations` says where, and the message often suggests the right name.',
  ],
  OPERATION_RESOLUTION_FAILURE: [
    '400',
    'There is no operation of that name, or there are several and none was named; send `operationName`.',
  ],
  BAD_USER_INPUT: [
    '200, or 400 with `Accept: application/graphql-response+json`',
    'A variable is missing or does not fit its type; the message names it, its value and what is accepted.',
  ],
  PERSISTED_QUERY_NOT_SUPPORTED: [
    '200, or 400 with `Accept: application/graphql-response+json`',
    'A hash was sent instead of a document; send the document.',
  ],
  PERSISTED_QUERY_NOT_FOUND: [
    '200 or 400 as above, 404 for a `documentId`',
    'The document is not a trusted one; register it.',
  ],
  DOCUMENT_NOT_TRUSTED: ['403', 'Only trusted documents are accepted; register the document.'],
  INSUFFICIENT_SCOPE: [
    '403',
    'Scopes are missing: `missingScopes` and `fields` name them; send the user through authorization again, or select less.',
  ],
  EXECUTION_TIMEOUT: [
    '504',
    'The operation was stopped after 10 seconds; ask for less. If it was a mutation, check whether it was carried out.',
  ],
  OUTCOME_UNKNOWN: [
    '504',
    'The database was lost before it said whether a change was made, so it may have been carried out: check before you send it again. With the same `idempotencyKey`, you can send it again as it is.',
  ],
  SERVICE_UNAVAILABLE: [
    '503',
    'The database is unavailable, or others were changing the same data (a deadlock); try again after `Retry-After` seconds. If the operation has several mutations, earlier ones may have been carried out: check first.',
  ],
  INTERNAL_SERVER_ERROR: ['500', 'Our fault; quote the id in the message when you report it.'],
};
