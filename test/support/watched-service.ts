import { pathToFileURL } from 'node:url';
import type { Watched } from './probe.ts';
import { freePort, type RunningService, startService } from './process.ts';
import { type RawRequest, send } from './raw-http.ts';

/** No request of anybody may do more than this to the service. */
export const CEILINGS = { blockedInMs: 50, bytes: 2_000_000, grownInBytes: 100_000_000 } as const;

/** The burden of one request on the service. */
export interface Burden extends Watched {
  readonly status: number;
  readonly bytes: number;
  readonly text: string;
}

/** A service whose event loop and memory are watched from inside. */
export interface WatchedService extends RunningService {
  burdenOf(request: RawRequest): Promise<Burden>;
}

export async function startWatchedService(env: Record<string, string>): Promise<WatchedService> {
  const port = await freePort();
  const probe = pathToFileURL('test/support/probe.ts').href;
  const service = await startService({ ...env, PROBE_PORT: String(port), NODE_OPTIONS: `--import ${probe}` });
  const probeUrl = `http://127.0.0.1:${port}`;
  return {
    ...service,
    burdenOf: async (request) => {
      await send(probeUrl, { path: '/begin' });
      const { status, text } = await send(service.url, request);
      const watched = JSON.parse((await send(probeUrl, { path: '/end' })).text) as Watched;
      return { ...watched, status, text, bytes: Buffer.byteLength(text) };
    },
  };
}
