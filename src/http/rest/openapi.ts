import { getNamedType, isObjectType, Kind, type OperationDefinitionNode, parse, type SelectionSetNode } from 'graphql';
import { kindInWords } from '../../core/id.ts';
import { MOST_COUNTED } from '../../core/page.ts';
import { PROBLEM_CODES } from '../../core/problem-code.ts';
import { GRAPHQL_ERRORS } from '../../graphql/errors.ts';
import { describedById, describedByIds } from '../../graphql/id-arguments.ts';
import { codesOf } from '../../graphql/mutation.ts';
import { scopeNamesIn } from '../../scopes/create-catalog.ts';
import type { SchemaRules } from '../../scopes/schema-rules.ts';
import { type JsonSchema, plainTextOf, Schemas } from './openapi-schemas.ts';
import { queryParameters, restStatusOf, USUAL_PAGE } from './rest.routes.ts';
import { BY_HEADER, bodyOf, isRequired, type RestRoute, requiredBy, takes } from './route.ts';

/** The REST paths as OpenAPI 3.1. Shapes and scopes are read from each path's GraphQL document, so they cannot differ. */
export function openApi(table: readonly RestRoute[], rules: SchemaRules, publicUrl: string): object {
  const schemas = new Schemas();
  const paths: Record<string, Record<string, object>> = {};
  const tags = new Map<string, object>();
  for (const route of table) {
    const path = (paths[templateOf(route.path)] ??= {});
    path[route.method.toLowerCase()] = operationOf(route, rules, schemas);
    const name = tagOf(route);
    tags.getOrInsertComputed(name, () => ({ name, description: summaryOf(route) }));
  }
  const { kept } = schemas.components;
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gatehouse REST paths',
      version: 'v2',
      description:
        'Each path is answered by a fixed GraphQL document: data, scopes, limits and errors are those of GraphQL.',
      contact: { name: 'The operator of this service', url: publicUrl },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    tags: [...tags.values()],
    paths,
    components: {
      ...kept,
      schemas: { ...kept['schemas'], Error: ERROR, ErrorCode: ERROR_CODE },
      headers: HEADERS,
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
  return scopeNamesIn(requiredBy(rules, document()), rules.catalog);
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

function summaryOf(route: RestRoute): string {
  return textOf(route).split(/(?<=\.)\s/)[0] ?? '';
}

/**
 * The field's own description; a field that is null is a path that answers 404, and a path names one of those that a field
 * shows by their ids.
 */
function textOf({ field, method }: RestRoute): string {
  const [, list = ''] = /^(.+)ById$/.exec(field.name) ?? [];
  const text = plainTextOf(field).replace(describedByIds(list), describedById(list));
  return method === 'GET' ? text.replaceAll(/(?<=\. )Null(?= (?:if|when|unless|for)\b)/g, '404') : text;
}

/** `/v2/teams/:teamId` as `/v2/teams/{teamId}`. */
function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

function operationOf(route: RestRoute, rules: SchemaRules, schemas: Schemas): object {
  const scopes = scopesOf(route, rules);
  const summary = summaryOf(route);
  const more = textOf(route).slice(summary.length).trim();
  const parameters = parametersOf(route, schemas);
  const body = bodyOf(route);
  return {
    operationId: operationId(route),
    summary,
    description: more === '' ? summary : more,
    tags: [tagOf(route)],
    security: scopes.length === 0 ? [{}, { oauth: [] }] : [{ oauth: scopes }],
    ...(parameters.length > 0 && { parameters }),
    ...(body.length > 0 && { requestBody: requestBodyOf(route, schemas) }),
    responses: responsesOf(route, { schemas, scopes }),
  };
}

function requestBodyOf(route: RestRoute, schemas: Schemas): object {
  const body = bodyOf(route);
  const name = nameOf(route);
  const schema = schemas.components.keep('schemas', `${name}Body`, schemas.object(body));
  const example = schemas.example(schema);
  return schemas.components.keep('requestBodies', name, {
    required: body.some(isRequired),
    content: { 'application/json': { schema, examples: { usual: { value: example } } } },
  });
}

/** The mutation or the look-up behind a path, as part of names: `EventTypeCreate`. */
function nameOf({ field: { name } }: RestRoute): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
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
    description: namedBy(name ?? ''),
    schema: { type: 'string' },
  }));
  const most = route.mostOnPage();
  const inQuery = queryParameters(route).map(({ name, type, isRequired: required, description }) => {
    const isPageSize = name === 'limit' && most !== undefined;
    const schema = schemas.given(type);
    return {
      name,
      in: 'query',
      ...(required && { required }),
      description,
      ...(schema['type'] === 'array' && { style: 'form', explode: false }),
      schema: isPageSize ? { type: 'integer', minimum: 1, maximum: most, default: Math.min(USUAL_PAGE, most) } : schema,
    };
  });
  return [...inPath, ...inQuery, ...headersOf(route)].map((one) =>
    schemas.components.keep('parameters', String(one.name).replaceAll(/[^\w.-]/g, '-'), one),
  );
}

/** `eventTypeId` names an event type by its id, `team` one by its slug. */
function namedBy(parameter: string): string {
  const named = parameter === 'orgId' ? 'organizationId' : parameter;
  const kind = named.replace(/Id$/, '');
  if (/uid$/i.test(parameter)) return 'The uid of the booking, which its attendee has.';
  return kind === named ? `The slug of the ${named}.` : `The id of the ${kindInWords(kind)}.`;
}

interface Parameter {
  readonly name: string;
}

function header(name: string, description: string): Parameter {
  return { name, in: 'header', description, schema: { type: 'string' } } as Parameter;
}

function headersOf(route: RestRoute): Parameter[] {
  const headers: Parameter[] = [];
  if (takes(route, 'idempotencyKey')) {
    headers.push(header(BY_HEADER.idempotencyKey, 'At least 16 characters: once for all requests with it.'));
  }
  if (takes(route, 'ifUpdatedAt')) {
    headers.push(header(BY_HEADER.ifUpdatedAt, 'The ETag you have read: 412 if the object has changed.'));
  }
  if (hasTag(route)) headers.push(header('If-None-Match', 'Your ETag: 304 if unchanged.'));
  if (route.documents().length > 1) {
    headers.push(header('Prefer', '`return=minimal`: ids alone.'));
  }
  return headers;
}

/** Whether the answer of a path has an ETag. */
function hasTag({ shape }: RestRoute): boolean {
  return shape === 'ONE' || shape === 'FIRST';
}

interface Described {
  readonly schemas: Schemas;
  readonly scopes: readonly string[];
}

/** Its answers by their status: what it gives, and each way in which it may be refused. */
function responsesOf(route: RestRoute, { schemas, scopes }: Described): object {
  const { components } = schemas;
  const schema = answerSchema(route, schemas);
  const done = schema && {
    description: doneBy(route),
    ...((hasTag(route) || route.location) && {
      headers: { ...(hasTag(route) && { ETag: TAG }), ...(route.location && { Location: LOCATION }) },
    }),
    content: {
      'application/json': { schema, examples: { usual: { value: schemas.example(schema, { isWhole: true }) } } },
    },
  };
  const errors = Object.entries(refusalsOf(route, scopes)).map(([status, description]) => [
    status,
    components.keep('responses', ERROR_NAMES[status] ?? `Error${status}`, { description, content: ERROR_CONTENT }),
  ]);
  return {
    ...(done && { [route.status]: components.keep('responses', nameOf(route), done) }),
    ...(isEmpty(route) && { 204: components.keep('responses', 'Done', { description: 'Done' }) }),
    ...(hasTag(route) && { 304: components.keep('responses', 'NotModified', NOT_MODIFIED) }),
    ...Object.fromEntries(errors),
  };
}

function doneBy({ status, documents }: RestRoute): string {
  const done = status === 201 ? 'Created' : 'Done';
  return documents().length > 1 ? `${done}. What the token may not read is left out.` : done;
}

const HEADERS = {
  ETag: { description: 'Names this version of the object.', schema: { type: 'string' } },
  Location: { description: 'Where the object can be read.', schema: { type: 'string', format: 'uri-reference' } },
};
const TAG = { $ref: '#/components/headers/ETag' };
const LOCATION = { $ref: '#/components/headers/Location' };
const NOT_MODIFIED = { description: 'The object is the one that you have.', headers: { ETag: TAG } };

const ERROR_NAMES: Readonly<Record<string, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  412: 'Changed',
  413: 'TooLarge',
  415: 'NotJson',
  422: 'Invalid',
  429: 'TooMany',
  503: 'Unavailable',
  504: 'TimedOut',
};

/** How a path may be refused, by status; for what its mutation refuses, with the codes. */
function refusalsOf(route: RestRoute, scopes: readonly string[]): Record<string, string> {
  const isChange = route.shape === 'CHANGE';
  const codes = Map.groupBy(codesOf(route.field), (code) => restStatusOf(code));
  const withCodes = (status: number, says: string) => {
    const given = codes.get(status) ?? [];
    return given.length === 0 ? undefined : `${says} Codes: ${given.toSorted().join(', ')}.`;
  };
  const refusals: Record<string, string | undefined> = {
    400: 'The request cannot be read; `message` says why.',
    401:
      scopes.length > 0
        ? 'There is no access token, or it is unknown, expired or revoked.'
        : 'The access token is unknown, expired or revoked.',
    403: 'The token lacks a scope, which `requiredScopes` names, or your role does not allow it.',
    404: 'It does not exist, or you have no access.',
    ...(isChange && {
      409: withCodes(409, 'It conflicts with the present state.'),
      ...(takes(route, 'ifUpdatedAt') && { 412: 'The object has changed since: read it again.' }),
      413: 'The body is too large.',
      415: 'The body is not JSON.',
      422: withCodes(422, 'The input is not possible; `path` says where.'),
    }),
    429: 'Too many requests: wait for `Retry-After` seconds.',
    503: 'The service is not available at the moment: try again after `Retry-After` seconds.',
    ...(isChange && { 504: 'It may have been carried out: check before you send it again.' }),
  };
  return Object.fromEntries(Object.entries(refusals).filter((one): one is [string, string] => one[1] !== undefined));
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
    const shown = answeredBy(route.documents().at(-1) ?? '', route);
    if (hasNothing(shown)) return undefined;
    return envelope(schemas.payload(type, selection, shown));
  }
  if (route.shape === 'LIST') {
    const connection = getNamedType(type);
    const nodes = isObjectType(connection) ? connection.getFields()['nodes']?.type : undefined;
    if (!nodes) throw new Error(`${route.coordinate} is no connection.`);
    const items = schemas.thing(nodes, below(selection, 'nodes'));
    return envelope(
      { type: 'array', items },
      { pagination: schemas.components.keep('schemas', 'Pagination', PAGINATION) },
    );
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
    cursor: {
      description: 'Send it as `cursor` to get the next page. Null if the page is empty.',
      type: ['string', 'null'],
    },
    hasMore: { description: 'Whether there is a next page.', type: 'boolean' },
    totalCount: {
      description: `With \`count=true\`: how many there are on all pages. Null above ${MOST_COUNTED}.`,
      type: ['integer', 'null'],
    },
    isMoreThan: {
      description: `With \`count=true\`: ${MOST_COUNTED} where \`totalCount\` is null. Otherwise null.`,
      type: ['integer', 'null'],
    },
  },
};

const TEXTS = { type: 'array', items: { type: 'string' } };

const ERROR: JsonSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { $ref: '#/components/schemas/ErrorCode' },
        message: { description: 'What is wrong and what to do, for people.', type: 'string' },
        path: { description: 'Where in the request the mistake is.', ...TEXTS },
        requiredScopes: { description: 'All scopes that the path takes.', ...TEXTS },
        missingScopes: { description: 'Those of them that the token lacks.', ...TEXTS },
        id: { description: 'Under which an error of ours was logged.', type: 'string' },
        limit: { description: 'The limit that was exceeded.', type: 'integer' },
        details: {
          description: 'All mistakes, if there are several.',
          type: 'array',
          items: {
            type: 'object',
            required: ['code', 'message'],
            properties: {
              code: { $ref: '#/components/schemas/ErrorCode' },
              message: { type: 'string' },
              path: TEXTS,
            },
          },
        },
      },
    },
  },
};

const ERROR_CODE: JsonSchema = {
  description: 'What is wrong, for programs. New codes may be added.',
  oneOf: Object.entries({
    ...Object.fromEntries(Object.entries(GRAPHQL_ERRORS).map(([code, [, says]]) => [code, says])),
    ...PROBLEM_CODES,
  }).map(([code, description]) => ({ const: code, description })),
};

const ERROR_CONTENT = {
  'application/json': {
    schema: { $ref: '#/components/schemas/Error' },
  },
};
