/**
 * What `extensions.code` of an error can be beside the codes of limits (limits/limits.ts) and of mistakes in arguments
 * (core/problem-code.ts): its HTTP status, what is wrong, and what to do. docs/errors.md is made of this;
 * test/contract/schema-errors.test.ts looks whether all that the sources give stand here.
 */
export const GRAPHQL_ERRORS: Readonly<Record<string, readonly [status: string, says: string]>> = {
  METHOD_NOT_ALLOWED: ['405', 'A mutation by GET, or another method; send mutations by POST.'],
  UNSUPPORTED_MEDIA_TYPE: ['415', 'Not JSON, or compressed; send `Content-Type: application/json`.'],
  NOT_ACCEPTABLE: [
    '406',
    'No type of answer that there is; accept `application/graphql-response+json` or `application/json`.',
  ],
  BAD_REQUEST: ['400', 'No JSON, no document, a batch, or an unusable `Authorization` header; the message says which.'],
  REQUEST_ENTITY_TOO_LARGE: ['413', 'The body is too large; send less at a time.'],
  UNAUTHENTICATED: ['401', 'No token where one is needed, or one that is unknown, expired or revoked; refresh it.'],
  FOREIGN_REQUEST: ['403', 'A session’s cookie on a request of another site; send an access token instead.'],
  RATE_LIMITED: ['429', 'Too many requests; wait `Retry-After` seconds.'],
  GRAPHQL_PARSE_FAILED: [
    '200, or 400 with `Accept: application/graphql-response+json`',
    'The document cannot be read; `locations` say where.',
  ],
  GRAPHQL_VALIDATION_FAILED: [
    '200, or 400 with `Accept: application/graphql-response+json`',
    'The document does not fit the schema; `locations` say where, and the message often what was meant.',
  ],
  OPERATION_RESOLUTION_FAILURE: ['400', 'No operation of that name, or several and no name; give `operationName`.'],
  BAD_USER_INPUT: [
    '200, or 400 with `Accept: application/graphql-response+json`',
    'A variable is missing, or does not fit its type; the message names it, its value and what is taken.',
  ],
  PERSISTED_QUERY_NOT_SUPPORTED: [
    '200, or 400 with `Accept: application/graphql-response+json`',
    'A hash in the place of a document; send the document.',
  ],
  PERSISTED_QUERY_NOT_FOUND: [
    '200 or 400 as above, 404 for a `documentId`',
    'A document that is not among the trusted ones; register it.',
  ],
  DOCUMENT_NOT_TRUSTED: ['403', 'Only trusted documents are taken; register it.'],
  INSUFFICIENT_SCOPE: [
    '403',
    'Scopes are missing: `missingScopes` and `fields` name them; send the user through authorization again, or select less.',
  ],
  EXECUTION_TIMEOUT: ['504', 'Stopped after 10 seconds; ask for less.'],
  SERVICE_UNAVAILABLE: [
    '503',
    'The database is away, or others were changing the same (a deadlock); try again after `Retry-After` seconds. Where an operation has several mutations, those before may have been carried out: look first.',
  ],
  INTERNAL_SERVER_ERROR: ['500', 'Our fault; quote the id in the message when you report it.'],
};
