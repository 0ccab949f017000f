import { Hono } from 'hono';
import { equalsInConstantTime, sha256Hex } from '../core/secret.ts';

export interface MetricsSettings {
  /** The token that the operator's Prometheus shows. */
  readonly token: string;
  /** In the text format of Prometheus, version 0.0.4 */
  readonly read: () => Promise<string>;
}

/** Shows the operator what this process has counted: it names clients, so it is nobody else's business. */
export function metricsRoutes({ token, read }: MetricsSettings): Hono {
  const expected = sha256Hex(token);
  const routes = new Hono();
  routes.get('/metrics', async (c) => {
    const [, shown = ''] = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
    c.header('Cache-Control', 'no-store');
    if (equalsInConstantTime(sha256Hex(shown), expected)) {
      return c.body(await read(), 200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' });
    }
    const message = 'Show the METRICS_TOKEN of this service: Authorization: Bearer <token>.';
    return c.json({ error: { code: 'UNAUTHENTICATED', message } }, 401, {
      'WWW-Authenticate': 'Bearer realm="Gatehouse metrics"',
    });
  });
  return routes;
}
