/** The description of the paths: whether it is one, and says what is so. */
import { readFile } from 'node:fs/promises';
import { Validator } from '@seriousme/openapi-schema-validator';
import { type GraphQLObjectType, getNamedType, isObjectType, Kind, parse, type SelectionSetNode } from 'graphql';
import createClient from 'openapi-fetch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodyOf } from '../../../src/http/rest/route.ts';
import { buildSchemas } from '../../../src/schema.ts';
import type { Manifest } from '../../../src/scopes/manifest.ts';
import { named, RestWorld, ROUTES } from './rest-world.ts';

interface Reference {
  readonly $ref: string;
}

interface Operation {
  readonly description: string;
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security: readonly { readonly oauth?: readonly string[] }[];
  readonly parameters?: readonly Reference[];
  readonly requestBody?: Reference;
  readonly responses: Readonly<Record<string, Reference>>;
}

interface Described {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

let world: RestWorld;
let document: Described;
let manifest: Manifest;
beforeAll(async () => {
  world = await RestWorld.open();
  document = (await world.get('/openapi.json')).body;
  manifest = JSON.parse(await readFile('schema/scopes.json', 'utf8'));
});
afterAll(() => world.close());

const { schema } = buildSchemas().forTokens;

test('it is OpenAPI 3.1, by the schema of that', async () => {
  const { valid, errors } = await new Validator().validate({ ...document });
  expect([valid, errors]).toEqual([true, undefined]);
});

test('it has every path and no other, each under a name of its own', () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const served = ROUTES.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
  expect(described.toSorted()).toEqual(served.toSorted());
  const ids = Object.values(document.paths).flatMap((methods) => Object.values(methods).map((one) => one.operationId));
  expect(new Set(ids).size).toBe(ids.length);
});

/** The scopes that the manifest says a selection requires, field by field. */
function scopesBelow(type: GraphQLObjectType, selection: SelectionSetNode, from: string | undefined): string[] {
  return selection.selections.flatMap((node) => {
    if (node.kind !== Kind.FIELD) throw new Error('A path’s document has fields alone.');
    const declared = manifest.fields[`${type.name}.${node.name.value}`];
    if (!declared) throw new Error(`The manifest has no ${type.name}.${node.name.value}.`);
    const level = declared.enters ?? from;
    const own = declared.access === 'SCOPED' ? declared.scopes?.[level as 'USER'] : [];
    if (!own) throw new Error(`${type.name}.${node.name.value} is not reached at ${level}.`);
    const returned = getNamedType(type.getFields()[node.name.value]?.type);
    const inner = node.selectionSet && isObjectType(returned) ? scopesBelow(returned, node.selectionSet, level) : [];
    return [...own, ...inner];
  });
}

/** The part of the description that a reference names. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into parts of every shape
const partAt = ({ $ref }: Reference): any =>
  $ref
    .split('/')
    .slice(1)
    // oxlint-disable-next-line typescript/no-explicit-any -- as above
    .reduce<any>((inner, name) => inner[name], document);

test('it declares each tag that an operation names, once, and no other', () => {
  const used = Object.values(document.paths).flatMap((methods) => Object.values(methods).flatMap(({ tags }) => tags));
  expect(document.tags.map(({ name }) => name).toSorted()).toEqual([...new Set(used)].toSorted());
});

test('it tells of a path with one id as of one thing, and of its status', () => {
  const ofOne = Object.entries(document.paths).filter(([path, { get }]) => path.endsWith('}') && get);
  expect(ofOne.length).toBeGreaterThan(50);
  expect(ofOne.filter(([, { get }]) => /\b(?:these ids|Null)\b/.test(get?.description ?? ''))).toEqual([]);
});

test('it names the codes that a change can be refused with, by status', () => {
  const { responses } = document.paths['/v2/event-types']?.['post'] ?? {};
  expect(partAt(responses?.[409] ?? { $ref: '' }).description).toContain('SLUG_TAKEN');
  expect(partAt(responses?.[422] ?? { $ref: '' }).description).toContain('TOO_LONG');
  const { oneOf } = partAt({ $ref: '#/components/schemas/ErrorCode' });
  const codes = oneOf.map((one: { const: string }) => one.const);
  expect(codes).toEqual(expect.arrayContaining(['SLUG_TAKEN', 'INSUFFICIENT_SCOPE', 'RATE_LIMITED']));
  expect(new Set(codes).size).toBe(codes.length);
});

describe.each(named(ROUTES))('%s', (_name, route) => {
  const described = () => document.paths[route.path.replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()];

  test('takes the scopes that the manifest says', () => {
    const [definition] = parse(route.document()).definitions;
    if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error('A path’s document is one operation.');
    const root = schema.getRootType(definition.operation);
    const required = root ? new Set(scopesBelow(root, definition.selectionSet, undefined)) : new Set<string>();
    expect((described()?.security.at(-1)?.oauth ?? []).toSorted()).toEqual([...required].toSorted());
  });

  test('names its parameters, the members of its body, and its refusals', () => {
    const operation = described();
    const parameters = (operation?.parameters ?? []).map(partAt);
    const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
    expect(inPath).toEqual([...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name));
    const { schema: body } = operation?.requestBody
      ? partAt(operation.requestBody).content['application/json']
      : { schema: undefined };
    expect(Object.keys(body ? partAt(body).properties : {})).toEqual(bodyOf(route).map(({ name }) => name));
    expect(Object.keys(operation?.responses ?? {})).toEqual(
      expect.arrayContaining(['400', '401', '403', '404', '429', '503']),
    );
  });
});

const renamed = async (scopes: string[]) =>
  world.send('PATCH', '/v2/me', { token: await world.token('ada', scopes), body: { name: 'Ada Lovelace' } });

test('it has the statuses of what answers nothing, and of that to a reader', async () => {
  const [plain, shown] = [await renamed(['PROFILE_WRITE']), await renamed(['PROFILE_READ', 'PROFILE_WRITE'])];
  expect([plain.status, plain.body, shown.status, shown.body.data]).toEqual([204, undefined, 200, expect.any(Object)]);
  const responses = document.paths['/v2/me']?.['patch']?.responses ?? {};
  expect([200, 204].map((status) => partAt(responses[status] ?? { $ref: '' }))).toMatchObject([
    { content: expect.any(Object) },
    { description: 'Done' },
  ]);
  expect(document.paths['/v2/event-types/{eventTypeId}']?.['delete']?.responses).not.toHaveProperty('200');
});

test('a client that follows it reads, makes, changes and deletes', async () => {
  const token = await world.token('ada', ['EVENT_TYPE_READ', 'EVENT_TYPE_WRITE']);
  // oxlint-disable-next-line typescript/no-explicit-any -- its types are generated where the tools are installed
  const client = createClient<any>({ baseUrl: world.app.url, headers: { authorization: `Bearer ${token}` } });
  const body = { title: 'By client', slug: 'by-client', durationInMinutes: 30 };
  const made = await client.POST('/v2/event-types', { body });
  expect([made.response.status, made.error]).toEqual([201, undefined]);
  const params = { path: { eventTypeId: made.data.data.eventTypeId } };
  const read = await client.GET('/v2/event-types/{eventTypeId}', { params });
  expect(read.data.data).toMatchObject(body);
  const header = { 'If-Match': read.response.headers.get('etag') };
  const patch = { params: { ...params, header }, body: { title: 'Changed' } };
  expect((await client.PATCH('/v2/event-types/{eventTypeId}', patch)).response.status).toBe(200);
  const late = await client.PATCH('/v2/event-types/{eventTypeId}', patch);
  expect([late.response.status, late.error.error.code]).toEqual([412, 'CONFLICT']);
  expect((await client.DELETE('/v2/event-types/{eventTypeId}', { params })).response.status).toBe(204);
  const gone = await client.GET('/v2/event-types/{eventTypeId}', { params });
  expect([gone.response.status, gone.error.error.code]).toEqual([404, 'NOT_FOUND']);
  const few = await client.GET('/v2/event-types', { params: { query: { limit: 1 } } });
  expect([few.data.data.length, few.data.pagination.hasMore]).toEqual([1, true]);
});
