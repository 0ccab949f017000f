/**
 * The decision: may this caller run this operation? One comparison of bits before anything executes.
 *
 * Not to be called from a validation rule: servers cache what validation says of a document, so that one token's
 * verdict would be served to the next.
 */
import type { SourceLocation } from 'graphql';
import { bytesOf, hasRoomFor } from '../core/caches.ts';
import { CATALOG } from './catalog.ts';
import type { CompiledOperation } from './compile.ts';
import { type Catalog, scopeNamesIn } from './create-catalog.ts';
import { type FieldNeed, fieldsLacking } from './field-needs.ts';
import { sessionScopes } from './held-scopes.ts';
import { covers, grantable, minus, NO_SCOPES, type ScopeSet } from './scope-set.ts';
import { walk } from './walk.ts';

/** The caller who sends the operation, and the scopes that they hold. */
export interface Caller {
  readonly credentials: 'NONE' | 'TOKEN' | 'SESSION';
  readonly held: ScopeSet;
}

export const ANONYMOUS: Caller = { credentials: 'NONE', held: NO_SCOPES };

/** The bearer of an access token. Whatever set it comes with, a token never opens a first-party field. */
export function tokenCaller(held: ScopeSet): Caller {
  return { credentials: 'TOKEN', held: grantable(held) };
}

/** A person signed in to the service itself. */
export function sessionCaller(catalog: Catalog = CATALOG): Caller {
  return { credentials: 'SESSION', held: sessionScopes(catalog) };
}

/** Why an operation does not run. Nothing of it was executed. */
export interface Refusal {
  readonly status: 401 | 403;
  /** `FORBIDDEN`: no scope would help. Then the lists are empty. */
  readonly code: 'UNAUTHENTICATED' | 'INSUFFICIENT_SCOPE' | 'FORBIDDEN';
  /** A full sentence for the developer of the app */
  readonly message: string;
  /** The operation's whole minimal set, in catalogue order */
  readonly requiredScopes: readonly string[];
  readonly missingScopes: readonly string[];
  /** The outermost fields that lack scopes, at most 20 */
  readonly fields: readonly FieldNeed[];
}

const MAX_FIELDS = 20;

/** `undefined` if the caller holds everything that the operation requires, else why it is refused. */
export function authorize(compiled: CompiledOperation, caller: Caller): Refusal | undefined {
  return covers(caller.held, compiled.required) ? undefined : refuse(compiled, caller);
}

/** A refusal as the one GraphQL error of its response, which has no `data`. */
export interface RefusalError {
  readonly message: string;
  readonly locations?: readonly SourceLocation[];
  readonly extensions: Readonly<Record<string, unknown>>;
}

export function refusalError({ code, message, requiredScopes, missingScopes, fields }: Refusal): RefusalError {
  if (code === 'FORBIDDEN') return { message, extensions: { code } };
  const locations = fields.flatMap(({ location }) => location ?? []);
  return {
    message,
    ...(locations.length > 0 && { locations }),
    extensions: {
      code,
      requiredScopes,
      missingScopes,
      fields: fields.map(({ coordinate, level, path, requires }) => ({ coordinate, level, path, requires })),
    },
  };
}

/** As many as there are kinds of callers who send an operation that is not for them. */
const MOST_REFUSALS = 8;
const REFUSAL_BYTES = 300;
/** A refusal depends on the scopes that are lacking, and on nothing else of the caller. It goes with the operation. */
const REFUSALS = new WeakMap<CompiledOperation, Map<string, Refusal>>();

function refuse(compiled: CompiledOperation, { credentials, held }: Caller): Refusal {
  // First-party fields, and what nobody may select: nothing is named, because the answer must not tell what exists.
  if (!covers(compiled.rules.catalog.all, compiled.required)) return credentials === 'NONE' ? SIGN_IN : FORBIDDEN;
  const lacking = minus(compiled.required, held);
  const known = REFUSALS.getOrInsertComputed(compiled, () => new Map());
  const key = `${credentials} ${lacking.lo} ${lacking.hi}`;
  const refusal = known.get(key) ?? Object.freeze(described(compiled, { credentials, held }));
  const isNew = known.size < MOST_REFUSALS && !known.has(key);
  if (isNew && hasRoomFor(compiled.document, REFUSAL_BYTES + bytesOf(refusal))) known.set(key, refusal);
  return refusal;
}

function described(compiled: CompiledOperation, { credentials, held }: Caller): Refusal {
  const { catalog } = compiled.rules;
  const required = scopeNamesIn(compiled.required, catalog);
  const missing = scopeNamesIn(minus(compiled.required, held), catalog);
  const names = missing.join(', ');
  return {
    ...(credentials === 'NONE'
      ? { status: 401, code: 'UNAUTHENTICATED', message: `This operation needs an access token with: ${names}.` }
      : {
          status: 403,
          code: 'INSUFFICIENT_SCOPE',
          message: `The access token lacks scopes that this operation needs: ${names}.`,
        }),
    requiredScopes: required,
    missingScopes: missing,
    fields: fieldsLacking(walk(compiled.rules, compiled.document, compiled.operation), held, catalog, MAX_FIELDS),
  };
}

const SIGN_IN: Refusal = {
  status: 401,
  code: 'UNAUTHENTICATED',
  message: 'This operation needs credentials.',
  requiredScopes: [],
  missingScopes: [],
  fields: [],
};

const FORBIDDEN: Refusal = {
  ...SIGN_IN,
  status: 403,
  code: 'FORBIDDEN',
  message: 'This operation selects a field that these credentials cannot open, whatever their scopes.',
};
