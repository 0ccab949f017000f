import { readFile } from 'node:fs/promises';
import { Hono } from 'hono';
import { lazily } from '../core/lazily.ts';
import type { SchemaRules } from '../scopes/schema-rules.ts';
import { type KeptAnswer, keptAnswer, sendKept } from '../screens/kit/page-response.ts';
import { openToScripts } from './open-to-scripts.ts';
import { openApi } from './rest/openapi.ts';
import { restRoutesOf } from './rest/table.ts';

/** No type is registered for GraphQL's own syntax; this is the one in use. */
const SDL = 'application/graphql; charset=utf-8';

/** Short: after a change of version, generators of code soon have the new one. */
const CACHE_CONTROL = 'public, max-age=300';

/** Serves the schemas that generators of code download: the API as access tokens see it, without first-party parts. */
export function schemaRoutes(rules: SchemaRules, publicUrl: string): Hono {
  const openApiDocument = lazily(() =>
    keptAnswer(JSON.stringify(openApi(restRoutesOf(rules), rules, publicUrl)), 'application/json'),
  );
  let sdl: KeptAnswer | undefined;
  const documents: Readonly<Record<string, () => KeptAnswer | Promise<KeptAnswer>>> = {
    '/schema.graphql': async () => (sdl ??= await readSdl()),
    '/openapi.json': openApiDocument,
    '/v2/openapi.json': openApiDocument,
  };
  const routes = new Hono();
  for (const [path, read] of Object.entries(documents)) {
    routes.use(path, openToScripts(['GET', 'HEAD'], ['ETag']));
    routes.get(path, async ({ req }) => sendKept(req.raw, await read(), CACHE_CONTROL));
  }
  return routes;
}

/** As `npm run schema` has written it: to print it takes a tenth of a second, in which nobody else would be served. */
async function readSdl(): Promise<KeptAnswer> {
  return keptAnswer(await readFile(new URL('../../schema/schema.graphql', import.meta.url)), SDL);
}
