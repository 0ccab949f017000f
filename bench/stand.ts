/**
 * Starts the service of this checkout for a comparison (against.ts): prints where it listens, and the requests of each
 * case, as a line of JSON. Ends with its input.
 */
import process from 'node:process';
import { Arena } from './contest/arena.ts';
import { CASES, SCHEMAS } from './contest/cases.ts';
import { CONTESTANTS } from './contest/contestants.ts';
import { requestsOf } from './contest/graphql-load.ts';
import { USERS } from './contest/rows.ts';
import type { Grant } from './contest/token-load.ts';
import { FURTHER_CASES } from './further-cases.ts';

/** More than are exchanged in a comparison, which makes one as slow as many are. */
const CODES = 40_000;
const CHAINS = 64;

/** The service as it stands for a comparison. */
export interface Stand {
  readonly pid: number;
  readonly port: number;
  /** A token and a body for each request, by the name of its case. */
  readonly requests: Readonly<Record<string, readonly (readonly [token: string, body: string])[]>>;
  /** Codes, each of which is exchanged once; refresh tokens, each of which begins a chain. */
  readonly credentials: Readonly<Record<Grant, readonly string[]>>;
}

const { gatehouse } = CONTESTANTS;
if (!gatehouse) throw new Error('There is no contestant of that name.');
const arena = await Arena.open(process.env['DATABASE_URL'] ?? '');
const { child, port } = await arena.start('gatehouse', gatehouse);
const { tokens, weak } = arena.tokens.gatehouse;
const requests = Object.entries(CASES).map(([name, one]) => [
  name,
  requestsOf(one, SCHEMAS.gatehouse, arena.tokens.gatehouse),
]);
const further = Object.entries(FURTHER_CASES).map(([name, { request, isRefused }]) => [
  name,
  Array.from({ length: USERS }, (_, n) => [isRefused ? weak : tokens[n], JSON.stringify(request(n + 1, n))]),
]);
const stand: Stand = {
  pid: child.pid ?? 0,
  port,
  requests: Object.fromEntries([...requests, ...further]),
  credentials: { code: await arena.gatehouse.codes(CODES), refresh: await arena.gatehouse.refreshTokens(CHAINS) },
};
process.stdout.write(`${JSON.stringify(stand)}\n`);
process.stdin.resume().once('end', () => void arena.close().finally(() => process.exit()));
