import { getNamedType, isObjectType, Kind, type OperationDefinitionNode, parse, type SelectionSetNode } from 'graphql';
import type { JsonSchema, Schemas } from './openapi-schemas.ts';
import { type RestRoute, takes } from './route.ts';

/** Whether the answer of a path has an ETag. */
export function hasTag({ shape }: RestRoute): boolean {
  return shape === 'ONE' || shape === 'FIRST';
}

/** Its answers by their status: what it gives, and each way in which it may be refused. */
export function responsesOf(route: RestRoute, schemas: Schemas, scopes: readonly string[]): object {
  const isChange = route.shape === 'CHANGE';
  const tagged = { ETag: { schema: { type: 'string' } } };
  const located = { Location: { schema: { type: 'string', format: 'uri-reference' } } };
  const schema = answerSchema(route, schemas);
  const nothing = isEmpty(route) ? { 204: { description: 'Done' } } : {};
  const done = schema && {
    [route.status]: {
      description: `${route.status === 201 ? 'Made' : 'Done'}${isEmpty(route) ? ', by `Prefer: return=representation`' : ''}`,
      ...(hasTag(route) && { headers: tagged }),
      ...(route.location && { headers: located }),
      content: { 'application/json': { schema, example: schemas.example(schema) } },
    },
  };
  const refused: Record<string, string> = {
    400: 'The request cannot be read; `message` says what is wrong with it',
    401:
      scopes.length > 0
        ? 'No access token, or one that is unknown, expired or revoked'
        : 'An access token that is unknown, expired or revoked',
    403: 'The access token lacks a scope, which `requiredScopes` names, or your role does not suffice',
    404: 'There is no such thing, or not for you',
    ...(isChange && {
      409: 'Not as things stand, such as a slug or a slot that is taken',
      ...(takes(route, 'ifUpdatedAt') && { 412: 'It was changed since: read it again' }),
      413: 'The body is too large',
      415: 'The body is not JSON',
      422: 'What was sent is not possible; `code`, `message` and `path` say what',
    }),
    429: 'Too many requests: wait for `Retry-After` seconds',
    503: 'The database is away: try again after `Retry-After` seconds',
    ...(isChange && { 504: 'It may have been carried out: look before you send it again' }),
  };
  const errors = Object.entries(refused).map(([status, description]) => [
    status,
    { description, content: ERROR_CONTENT },
  ]);
  const unchanged = hasTag(route) ? { 304: { description: 'The same as what you have', headers: tagged } } : {};
  return { ...done, ...nothing, ...unchanged, ...Object.fromEntries(errors) };
}

/** Whether it answers nothing, unless the thing is asked for. */
function isEmpty(route: RestRoute): boolean {
  return route.status === 204 || (route.shape === 'CHANGE' && hasNothing(answeredBy(route.document(), route)));
}

/** Whether a payload tells nothing but what was wrong. */
function hasNothing(payload: SelectionSetNode | undefined): boolean {
  return payload?.selections.every((one) => one.kind === Kind.FIELD && one.name.value === 'userErrors') ?? true;
}

/** Undefined for an answer without content. */
function answerSchema(route: RestRoute, schemas: Schemas): JsonSchema | undefined {
  if (route.status === 204) return undefined;
  const selection = answeredBy(route.document(), route);
  const { type } = route.field;
  if (route.shape === 'CHANGE') {
    const shown = route.showing ? answeredBy(route.showing(), route) : selection;
    if (hasNothing(shown)) return undefined;
    return envelope(schemas.payload(type, selection, shown));
  }
  if (route.shape === 'LIST') {
    const connection = getNamedType(type);
    const nodes = isObjectType(connection) ? connection.getFields()['nodes']?.type : undefined;
    if (!nodes) throw new Error(`${route.coordinate} is no connection.`);
    const items = schemas.thing(nodes, below(selection, 'nodes'));
    return envelope({ type: 'array', items }, { pagination: PAGINATION });
  }
  const one = schemas.thing(type, selection);
  if (route.shape === 'ITEMS') return envelope({ type: 'array', items: one });
  return route.isBare ? one : envelope(one);
}

/** The part of a document's selection that the path answers. */
function answeredBy(text: string, { answeredAt }: RestRoute): SelectionSetNode | undefined {
  const [{ selectionSet }] = parse(text).definitions as [OperationDefinitionNode];
  return answeredAt.reduce<SelectionSetNode | undefined>(below, selectionSet);
}

function below(selection: SelectionSetNode | undefined, name: string): SelectionSetNode | undefined {
  for (const node of selection?.selections ?? []) {
    if (node.kind === Kind.FIELD && node.name.value === name) return node.selectionSet;
  }
  return undefined;
}

function envelope(data: JsonSchema, more: Readonly<Record<string, JsonSchema>> = {}): JsonSchema {
  return { type: 'object', required: ['data', ...Object.keys(more)], properties: { data, ...more } };
}

const PAGINATION: JsonSchema = {
  type: 'object',
  required: ['cursor', 'hasMore'],
  properties: {
    cursor: { description: 'What `cursor` takes for the next page. Null for an empty page.', type: ['string', 'null'] },
    hasMore: { description: 'Whether more follow.', type: 'boolean' },
  },
};

export const ERROR: JsonSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { description: 'What is wrong, for programs.', type: 'string' },
        message: { description: 'The same for people, and what to do.', type: 'string' },
        requiredScopes: { description: 'All scopes that the path takes.', type: 'array', items: { type: 'string' } },
        path: { description: 'Where in the request it is.', type: 'array', items: { type: 'string' } },
        details: {
          description: 'All that is wrong, where it is more than one.',
          type: 'array',
          items: { type: 'object' },
        },
      },
    },
  },
};

const ERROR_CONTENT = {
  'application/json': {
    schema: { $ref: '#/components/schemas/Error' },
    example: { error: { code: 'NOT_FOUND', message: 'There is nothing at this address, or not for you.' } },
  },
};
