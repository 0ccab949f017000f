import { Hono } from 'hono';
import { type Em, rows, sql } from '../database/sql.ts';

/** For load balancers and supervisors: `/health/live` says that the process runs, `/health/ready` that it can serve. */
export function healthRoutes(em: Em): Hono {
  const routes = new Hono();
  routes.get('/health/live', ({ json }) => json({ status: 'ok' }));
  routes.get('/health/ready', async ({ json }) => {
    try {
      await rows(em.fork(), sql`select 1`);
      return json({ status: 'ok' });
    } catch {
      return json({ status: 'unavailable', reason: 'the database does not answer' }, 503, { 'Retry-After': '5' });
    }
  });
  return routes;
}
