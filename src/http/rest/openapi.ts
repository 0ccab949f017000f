import { getNamedType, isObjectType, Kind, type OperationDefinitionNode, parse, type SelectionSetNode } from 'graphql';
import { compileOperation } from '../../scopes/compile.ts';
import { scopeNamesIn } from '../../scopes/create-catalog.ts';
import type { SchemaRules } from '../../scopes/schema-rules.ts';
import { type JsonSchema, Schemas } from './openapi-schemas.ts';
import { queryParameters, USUAL_PAGE } from './request.ts';
import { BY_HEADER, bodyOf, isRequired, type RestRoute, takes } from './route.ts';

/** The REST paths as OpenAPI 3.1. Shapes and scopes are read from each path's GraphQL document, so they cannot differ. */
export function openApi(table: readonly RestRoute[], rules: SchemaRules, publicUrl: string): object {
  const schemas = new Schemas();
  const paths: Record<string, Record<string, object>> = {};
  for (const route of table) {
    const path = (paths[templateOf(route.path)] ??= {});
    path[route.method.toLowerCase()] = operationOf(route, rules, schemas);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gatehouse REST paths',
      version: 'v2',
      description:
        'Each path is answered by a fixed GraphQL document: data, scopes, limits and errors are those of GraphQL.',
    },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      schemas: { ...schemas.components, Error: ERROR },
      securitySchemes: { oauth: securityScheme(rules, publicUrl) },
    },
  };
}

function securityScheme({ catalog }: SchemaRules, publicUrl: string): object {
  return {
    type: 'oauth2',
    flows: {
      authorizationCode: {
        authorizationUrl: `${publicUrl}/auth/oauth2/authorize`,
        tokenUrl: `${publicUrl}/v2/auth/oauth2/token`,
        refreshUrl: `${publicUrl}/v2/auth/oauth2/token`,
        scopes: Object.fromEntries(catalog.definitions.map(({ name, words }) => [name, words])),
      },
    },
  };
}

/** The scopes that a path's document requires; none for what is public. */
export function scopesOf({ document }: Pick<RestRoute, 'document'>, rules: SchemaRules): readonly string[] {
  const compiled = compileOperation(rules, parse(document()));
  if (!compiled) throw new Error(`The document of a REST path is not one operation: ${document()}`);
  return scopeNamesIn(compiled.required, rules.catalog);
}

/** Lists the paths for people: each with the first sentence of what it does. */
export function listedPaths(table: readonly RestRoute[], rules: SchemaRules) {
  return table.map((route) => ({
    method: route.method,
    path: route.path,
    says: summaryOf(route),
    scopes: scopesOf(route, rules),
  }));
}

function summaryOf({ field }: RestRoute): string {
  return field.description?.split(/(?<=\.)\s/)[0] ?? '';
}

/** `/v2/teams/:teamId` as `/v2/teams/{teamId}`. */
function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

function operationOf(route: RestRoute, rules: SchemaRules, schemas: Schemas): object {
  const scopes = scopesOf(route, rules);
  const description = route.field.description ?? '';
  const body = bodyOf(route);
  const schema = schemas.object(body);
  return {
    operationId: operationId(route),
    summary: summaryOf(route).slice(0, 200),
    description,
    tags: [tagOf(route)],
    security: scopes.length === 0 ? [{}, { oauth: [] }] : [{ oauth: scopes }],
    parameters: parametersOf(route, schemas),
    ...(body.length > 0 && {
      requestBody: {
        required: body.some(isRequired),
        content: { 'application/json': { schema, example: schemas.example(schema) } },
      },
    }),
    responses: responsesOf(route, schemas, scopes),
  };
}

function operationId({ method, path }: RestRoute): string {
  const words = path.replace('/v2', '').split(/[^A-Za-z]+/);
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** The last part of the path that names a kind of thing, so that paths of one kind stand together. */
function tagOf({ path }: RestRoute): string {
  const [first = '', ...rest] = path.split('/').slice(2);
  const named = rest.filter((part) => !part.startsWith(':'));
  return first === 'teams' || first === 'organizations' ? (named.find((part) => part !== 'teams') ?? first) : first;
}

function parametersOf(route: RestRoute, schemas: Schemas): object[] {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const most = route.mostOnPage();
  const inQuery = queryParameters(route).map(({ name, type, isRequired: required, description }) => {
    const paged = name === 'limit' && most !== undefined;
    const schema = schemas.input(type);
    const plain = (schema['anyOf'] as JsonSchema[] | undefined)?.[0] ?? schema;
    return {
      name,
      in: 'query',
      required,
      description,
      ...(plain['type'] === 'array' && { style: 'form', explode: false }),
      schema: paged ? { type: 'integer', minimum: 1, maximum: most, default: Math.min(USUAL_PAGE, most) } : plain,
    };
  });
  return [...inPath, ...inQuery, ...headersOf(route)];
}

function header(name: string, description: string): object {
  return { name, in: 'header', description, schema: { type: 'string' } };
}

function headersOf(route: RestRoute): object[] {
  const headers: object[] = [];
  if (takes(route, 'idempotencyKey')) {
    headers.push(
      header(BY_HEADER.idempotencyKey, 'At least 16 characters. The same request with the same key is done once.'),
    );
  }
  if (takes(route, 'ifUpdatedAt')) {
    headers.push(
      header(BY_HEADER.ifUpdatedAt, 'The ETag that you have read. If it was changed since: 412, and nothing is done.'),
    );
  }
  if (hasTag(route)) headers.push(header('If-None-Match', 'The ETag that you have: 304, if it is the same still.'));
  if (route.showing && route.showing() !== route.document()) {
    headers.push(
      header(
        'Prefer',
        '`return=representation` shows what was made or changed, which takes the scope to read it as well.',
      ),
    );
  }
  return headers;
}

/** Whether the answer of a path has an ETag. */
function hasTag({ shape }: RestRoute): boolean {
  return shape === 'ONE' || shape === 'FIRST';
}

/** Its answers by their status: what it gives, and each way in which it may be refused. */
function responsesOf(route: RestRoute, schemas: Schemas, scopes: readonly string[]): object {
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

const ERROR: JsonSchema = {
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
