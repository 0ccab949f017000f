/**
 * Clients copy what they are told to send: each document of the docs is one of the schema, and within every limit of an
 * operation, with room for somebody who selects more. That those of the contract run, documents.test.ts shows.
 */
import { readdir, readFile } from 'node:fs/promises';
import { validate as inspect } from '@graphql-inspector/core';
import { type DocumentNode, Kind, parse, Source, validate, visit } from 'graphql';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../../src/graphql/limits/limits.ts';
import { OperationLimits } from '../../../src/graphql/limits/operation-limits.ts';
import { singleMutationsOf } from '../../../src/graphql/mutation.ts';
import { buildSchemas } from '../../../src/schema.ts';
import { operationsOf } from '../../../src/scopes/compile.ts';

const { schema } = buildSchemas().forSessions;
const limits = new OperationLimits(singleMutationsOf(schema));

const CONTRACT: readonly string[] = [
  'query Profile { me { id name username email timeZone } }',
  'query Mine { me { eventTypes(first: 20) { nodes { id slug title durationInMinutes } pageInfo { hasNextPage endCursor } } } }',
  'query Doors { me { teams { nodes { id slug name } } organizations { nodes { id slug name } } } }',
  'query Team($id: ID!) { team(id: $id) { slug eventTypes { nodes { id title } } memberships { nodes { role user { name } } } } }',
  'query Org($id: ID!) { organization(id: $id) { slug teams { nodes { slug } } eventTypes { nodes { title } } team(id: "…") { slug } } }',
  'query Bookings { me { bookings(first: 20, filter: { statuses: [ACCEPTED] }) { nodes { id title status start end location { text } attendees { name email } eventType { id slug title } } } } }',
  'query Slots($e: ID!, $from: DateTime!, $to: DateTime!) { slots(eventType: { id: $e }, start: $from, end: $to, timeZone: "UTC") { start end } }',
  'mutation Book($input: BookingCreateInput!) { bookingCreate(input: $input) { booking { uid status start end } userErrors { code message path } } }',
  'mutation Cancel($uid: String!) { bookingCancel(input: { uid: $uid, reason: "…" }) { booking { uid status } userErrors { code } } }',
  'mutation NewType { eventTypeCreate(input: { title: "Intro", slug: "intro-2", durationInMinutes: 30 }) { eventTypeId userErrors { code message path } } }',
  'mutation NewClient { oauthClientCreate(input: { name: "App", purpose: "…", type: CONFIDENTIAL, redirectUris: ["https://app.example.test/cb"], scopes: [PROFILE_READ] }) { client { clientId status } secret userErrors { code message path } } }',
  'mutation Approve { oauthClientApprove(input: { clientId: "…" }) { client { status } userErrors { code } } }',
  'mutation Reject { oauthClientReject(input: { clientId: "…", reason: "…" }) { client { status rejectionReason } userErrors { code } } }',
  'mutation Secret { oauthClientSecretCreate(input: { clientId: "…", name: "next" }) { secret secretId userErrors { code } } }',
  'mutation DropSecret { oauthClientSecretDelete(input: { clientId: "…", secretId: "…" }) { userErrors { code message } } }',
  'mutation Suspend { oauthClientSuspend(input: { clientId: "…", reason: "…" }) { client { status } userErrors { code } } }',
  'mutation Reinstate { oauthClientReinstate(input: { clientId: "…" }) { client { status } userErrors { code } } }',
  'mutation Update { oauthClientUpdate(input: { clientId: "…", redirectUris: ["…"], scopes: [PROFILE_READ] }) { client { clientId status pendingRevision { scopes redirectUris } } userErrors { code message path } } }',
  'mutation Delete { oauthClientDelete(input: { clientId: "…" }) { clientId userErrors { code } } }',
  'mutation RevokeApp { authorizedAppRevoke(input: { clientId: "…", grantId: null }) { userErrors { code } } }',
  'query MyApps { me { authorizedApps { nodes { client { clientId name } grants { id scopes createdAt lastUsedAt } } } } }',
  'query MyClients { me { oauthClients { nodes { clientId name status type scopes redirectUris secrets { id name hint createdAt lastUsedAt } } } } }',
];

const PAGES = [
  'README.md',
  ...(await readdir('docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
];
const told = [
  ...CONTRACT.map((document) => ['the contract', document] as const),
  ...(await Promise.all(PAGES.map(documentsIn))).flat(),
];

/** Bodies of requests, what programs send, and what can be sent as it stands in the text. */
async function documentsIn(page: string): Promise<(readonly [string, string])[]> {
  const text = await readFile(page, 'utf8');
  const bodies = [...text.matchAll(/"query":\s*("(?:[^"\\]|\\.)*")/g)].map(
    ([, json = '""']) => JSON.parse(json) as string,
  );
  const programs = [...text.matchAll(/^```(?:ts|py).*?\n(.*?)^```$/gms)].flatMap(([, program = '']) =>
    [...program.matchAll(/`([^`$]*(?:\$\w[^`$]*)*)`|"""(.*?)"""/gs)].map((found) => found[1] ?? found[2] ?? ''),
  );
  const words = text.replaceAll(/^```.*?^```$/gms, '');
  const inline = [...words.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code).filter(isWhole);
  return [...[...bodies, ...programs].filter(isDocument), ...inline].map((document) => [page, document] as const);
}

/** Operations alone; those with fragments in other places are run by the tests of their programs. */
function isDocument(text: string): boolean {
  const document = parsed(text);
  let isComplete = document?.definitions.every(({ kind }) => kind === Kind.OPERATION_DEFINITION) ?? false;
  if (document) visit(document, { FragmentSpread: () => void (isComplete = false) });
  return isComplete;
}

/** In a sentence, arguments may be left out: such a one is not for copying. */
function isWhole(text: string): boolean {
  const document = parsed(text);
  return document !== undefined && validate(schema, document).length === 0;
}

function parsed(text: string): DocumentNode | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

test('the pages tell what to send', () => {
  const pages = new Set(told.map(([page]) => page));
  expect([...pages]).toEqual(
    expect.arrayContaining([
      'README.md',
      'docs/client-libraries.md',
      'docs/graphql.md',
      'docs/limits.md',
      'docs/oauth.md',
    ]),
  );
  expect(told.length).toBeGreaterThan(CONTRACT.length + 15);
});

describe('each document that clients are told to send is valid, and takes at most half of what an operation may cost', () => {
  test.each(told)('%s: %s', (_page, text) => {
    const document = limits.parse(text);
    expect(validate(schema, document)).toEqual([]);
    expect(limits.documentError(document)).toBeUndefined();
    const [operation] = operationsOf(document);
    expect(operation && limits.cost(schema, document, operation, {}).requested).toBeLessThan(LIMITS.cost / 2);
  });
});

test('@graphql-inspector finds nothing wrong in them either, and nothing that is deprecated', () => {
  expect(
    inspect(
      schema,
      told.map(([page, text], place) => new Source(text, `${page}: document ${place}`)),
    ),
  ).toEqual([]);
  expect(inspect(schema, [new Source('{ me { nmae } }')])).toMatchObject([
    { errors: [{ message: expect.stringContaining('Cannot query field "nmae"') }] },
  ]);
});
