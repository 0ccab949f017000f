import { type Context, Hono } from 'hono';

/** Undefined is yes; otherwise the reason, in a few words. */
export interface Health {
  ready(): Promise<string | undefined>;
  live(): Promise<string | undefined>;
}

/**
 * For load balancers and supervisors: `/health/live` says that the process works, or will again by itself, `/health/ready`
 * that it can serve now.
 */
export function healthRoutes(health: Health): Hono {
  const routes = new Hono();
  routes.get('/health/live', async (c) => answer(c, await health.live()));
  routes.get('/health/ready', async (c) => answer(c, await health.ready()));
  return routes;
}

function answer({ json }: Context, reason: string | undefined): Response {
  if (reason === undefined) return json({ status: 'ok' });
  return json({ status: 'unavailable', reason }, 503, { 'Retry-After': '5' });
}
