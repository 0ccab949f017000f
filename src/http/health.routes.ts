import { Hono } from 'hono';
import { statementsUntil } from '../database/deadline.ts';
import { type Em, rows, sql } from '../database/sql.ts';

/** Probes give up after a few seconds; a database behind a broken network would not answer at all. */
const PROBE_MILLISECONDS = 2_000;

/** For load balancers and supervisors: `/health/live` says that the process runs, `/health/ready` that it can serve. */
export function healthRoutes(em: Em): Hono {
  const routes = new Hono();
  routes.get('/health/live', ({ json }) => json({ status: 'ok' }));
  routes.get('/health/ready', async ({ json }) => {
    try {
      await statementsUntil(AbortSignal.timeout(PROBE_MILLISECONDS), () => rows(em.fork(), sql`select 1`));
      return json({ status: 'ok' });
    } catch {
      return json({ status: 'unavailable', reason: 'the database does not answer' }, 503, { 'Retry-After': '5' });
    }
  });
  return routes;
}
