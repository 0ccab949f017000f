import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { inject } from 'vitest';
import { killedWithFile } from './ends-with-file.ts';
import { SHORT_LIVED } from './short-lived.ts';

/** The service as an operator runs it: a process of its own. */
export interface RunningService {
  readonly url: string;
  readonly child: ChildProcess;
  /** The text that it has printed so far. */
  output(): string;
  /** Resolves with the exit code, or the signal that ended it. */
  readonly exited: Promise<number | string>;
  kill(signal: NodeJS.Signals): Promise<number | string>;
}

const LAUNCHER = 'src/cli/gatehouse.js';
const READY = /Gatehouse is ready|Gatehouse runs/;

/** Starts the service as `npm start` does, and resolves when it is ready. @throws Error with its output when it exits before */
export async function startService(
  env: Record<string, string>,
  within: readonly string[] = [],
  launcher = LAUNCHER,
): Promise<RunningService> {
  const port = await freePort();
  const settings = { PORT: String(port), LOG_LEVEL: 'error', RATE_LIMITS: 'off', ...env };
  const service = spawnService(settings, port, within, launcher);
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  service.child.stdout?.on('data', () => READY.test(service.output()) && resolve());
  const exit = await Promise.race([ready, service.exited]);
  if (exit !== undefined) throw new Error(`The service ended (${exit}) before it was ready: ${service.output()}`);
  return service;
}

/** Starts it and waits for its end: for configurations that it must refuse. */
export async function runToExit(
  env: Record<string, string>,
  within: readonly string[] = [],
): Promise<{ code: number | string; output: string }> {
  const service = spawnService({ PORT: String(await freePort()), ...env }, 0, within, LAUNCHER);
  const code = await service.exited;
  return { code, output: service.output() };
}

/** `within` is a command that runs another one in its own place. */
function spawnService(
  env: Record<string, string>,
  port: number,
  within: readonly string[],
  launcher: string,
): RunningService {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  // Benchmarks start it just as it is.
  const flags = process.env['VITEST'] === undefined ? [] : [SHORT_LIVED];
  const [program, ...options] = [...within, process.execPath, ...flags, launcher, 'start'];
  const child = killedWithFile(
    spawn(program, options, {
      env: { PATH, HOME, NODE_COMPILE_CACHE, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const exited = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  return {
    url: `http://localhost:${port}`,
    child,
    output: () => printed,
    exited,
    kill: (signal) => {
      child.kill(signal);
      return exited;
    },
  };
}

/**
 * A port on which nothing listens. Port 0 would give one of the range from which the system takes a port for each
 * connection that somebody opens, who may have it before the service that it is meant for; those begin at 32768 (Linux)
 * or above.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(15_000, 32_000);
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return freePort();
  }
  server.close();
  await once(server, 'close');
  return port;
}

export function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'gatehouse-test-'));
}

/**
 * A DATA_DIR for a service with the demo data. Where the tests run on the embedded database, that is in it already: making
 * one takes four seconds of work, which is of interest only where a new one is what is tested.
 */
export async function usedDataFolder(): Promise<string> {
  const [folder, template] = [await temporaryFolder(), inject('databaseFolder')];
  if (template !== undefined) await cp(template, join(folder, 'database'), { recursive: true });
  return folder;
}
