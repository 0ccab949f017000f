import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  parse,
  type SelectionSetNode,
} from 'graphql';
import { isText } from '../graphql/scalars/text-scalars.ts';
import { compileOperation } from '../scopes/compile.ts';
import { scopeNamesIn } from '../scopes/create-catalog.ts';
import type { SchemaRules } from '../scopes/schema-rules.ts';

/** A path that a fixed GraphQL document answers. */
export interface RestRoute {
  readonly path: string;
  readonly summary: string;
  readonly document: string;
  /** The field of the answer's data that becomes the body. */
  readonly field: string;
}

const TYPES: Readonly<Record<string, object>> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
  Date: { type: 'string', format: 'date' },
  URL: { type: 'string', format: 'uri' },
  EmailAddress: { type: 'string', format: 'email' },
  Metadata: { type: 'object', additionalProperties: { type: 'string' } },
};

/** The REST paths as OpenAPI 3.1. Shapes and scopes are read from each path's GraphQL document, so they cannot differ. */
export function openApi(routes: readonly RestRoute[], rules: SchemaRules, publicUrl: string): object {
  return {
    openapi: '3.1.0',
    info: { title: 'Gatehouse REST paths', version: 'v2', description: 'Everything else is served by GraphQL.' },
    servers: [{ url: publicUrl }],
    paths: Object.fromEntries(routes.map((route) => [route.path, { get: operationOf(route, rules) }])),
    components: {
      securitySchemes: {
        oauth: {
          type: 'oauth2',
          flows: {
            authorizationCode: {
              authorizationUrl: `${publicUrl}/auth/oauth2/authorize`,
              tokenUrl: `${publicUrl}/v2/auth/oauth2/token`,
              refreshUrl: `${publicUrl}/v2/auth/oauth2/token`,
              scopes: Object.fromEntries(rules.catalog.definitions.map(({ name, words }) => [name, words])),
            },
          },
        },
      },
    },
  };
}

function operationOf({ document, field, summary }: RestRoute, rules: SchemaRules): object {
  const parsed = parse(document);
  const compiled = compileOperation(rules, parsed);
  if (!compiled) throw new Error(`The document of a REST path is not one operation: ${document}`);
  const query = rules.schema.getQueryType();
  const selected = compiled.operation.selectionSet.selections.find((selection) => selection.kind === Kind.FIELD);
  const type = query?.getFields()[field]?.type;
  if (!type || !selected?.selectionSet)
    throw new Error(`The document of a REST path selects no "${field}": ${document}`);
  return {
    summary,
    security: [{ oauth: scopeNamesIn(compiled.required, rules.catalog) }],
    responses: {
      200: { description: 'OK', content: { 'application/json': { schema: schemaOf(type, selected.selectionSet) } } },
      401: { description: 'No access token, or one that is unknown, expired or revoked' },
      403: { description: 'The access token lacks a scope; WWW-Authenticate names what is needed' },
    },
  };
}

function schemaOf(type: GraphQLOutputType, selection: SelectionSetNode | undefined): object {
  if (!isNonNullType(type)) return { anyOf: [namedSchema(type, selection), { type: 'null' }] };
  return namedSchema(type.ofType, selection);
}

function namedSchema(type: GraphQLOutputType, selection: SelectionSetNode | undefined): object {
  if (isListType(type)) return { type: 'array', items: schemaOf(type.ofType, selection) };
  const named = getNamedType(type);
  if (isEnumType(named)) return { type: 'string', enum: named.getValues().map(({ name }) => name) };
  if (isObjectType(named)) return objectSchema(named, selection);
  return TYPES[named.name] ?? (isText(named.name) ? { type: 'string' } : {});
}

function objectSchema(type: GraphQLObjectType, selection: SelectionSetNode | undefined): object {
  const fields = type.getFields();
  const properties = (selection?.selections ?? []).flatMap((node) => {
    const field = node.kind === Kind.FIELD ? fields[node.name.value] : undefined;
    return field && node.kind === Kind.FIELD ? [[field.name, schemaOf(field.type, node.selectionSet)] as const] : [];
  });
  return { type: 'object', required: properties.map(([name]) => name), properties: Object.fromEntries(properties) };
}
