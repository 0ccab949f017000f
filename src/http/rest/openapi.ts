import { parse } from 'graphql';
import { compileOperation } from '../../scopes/compile.ts';
import { scopeNamesIn } from '../../scopes/create-catalog.ts';
import type { SchemaRules } from '../../scopes/schema-rules.ts';
import { ERROR, hasTag, responsesOf } from './openapi-responses.ts';
import { type JsonSchema, Schemas } from './openapi-schemas.ts';
import { queryParameters, USUAL_PAGE } from './query-parameters.ts';
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
