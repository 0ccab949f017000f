/** deprecations/ tells what of the API will go, and what is promised about it. It may import kit/, http/ and graphql/. */
import type { GraphQLSchema } from 'graphql';
import { Hono } from 'hono';
import { lazily } from '../../core/lazily.ts';
import { deprecationOf } from '../../graphql/deprecation/deprecated.ts';
import { deprecatedParts } from '../../graphql/deprecation/deprecated-parts.ts';
import { sendPage } from '../../http/page-response.ts';
import { deprecationsPage } from './deprecations-page.ts';

/** Where the answers of operations lead that use what is deprecated. */
export const DEPRECATIONS_PATH = '/deprecations';

/** Lists the deprecated parts of the schema that tokens see. */
export function deprecationsRoutes(schema: GraphQLSchema): Hono {
  const routes = new Hono();
  const page = lazily(() =>
    deprecationsPage(
      deprecatedParts(schema).flatMap(({ coordinate, reason }) => {
        const deprecation = deprecationOf(reason);
        return deprecation ? [{ coordinate, ...deprecation }] : [];
      }),
    ),
  );
  routes.get(DEPRECATIONS_PATH, (c) => sendPage(c, page()));
  return routes;
}
