/** reference/ shows the REST paths to people. It may import kit/ and http/. */
import { Hono } from 'hono';
import { lazily } from '../../core/lazily.ts';
import { sendOpenPage } from '../../http/page-response.ts';
import { scopesOf } from '../../http/rest/openapi.ts';
import { restRoutesOf } from '../../http/rest/table.ts';
import type { SchemaRules } from '../../scopes/schema-rules.ts';
import { referencePage } from './reference-page.ts';

/** The table of paths, as the schema for tokens gives it. */
export function referenceRoutes(rules: SchemaRules): Hono {
  const page = lazily(() =>
    referencePage(
      restRoutesOf(rules).map((route) => ({
        method: route.method,
        path: route.path,
        says: route.field.description?.split(/(?<=\.)\s/)[0] ?? '',
        scopes: scopesOf(route, rules),
      })),
    ),
  );
  const routes = new Hono();
  routes.get('/openapi', (c) => sendOpenPage(c, undefined, page()));
  return routes;
}
