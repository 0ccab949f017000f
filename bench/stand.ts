/**
 * Starts the service of this checkout for a comparison (against.ts): prints where it listens, and the requests of each
 * case, as a line of JSON. Ends with its input.
 */
import process from 'node:process';
import { Arena } from './contest/arena.ts';
import { CASES, SCHEMAS } from './contest/cases.ts';
import { CONTESTANTS } from './contest/contestants.ts';
import { requestsOf } from './contest/graphql-load.ts';

/** The service as it stands for a comparison. */
export interface Stand {
  readonly pid: number;
  readonly port: number;
  /** A token and a body for each request, by the name of its case. */
  readonly requests: Readonly<Record<string, readonly (readonly [token: string, body: string])[]>>;
}

const { gatehouse } = CONTESTANTS;
if (!gatehouse) throw new Error('There is no contestant of that name.');
const arena = await Arena.open(process.env['DATABASE_URL'] ?? '');
const { child, port } = await arena.start('gatehouse', gatehouse);
const requests = Object.entries(CASES).map(([name, one]) => [
  name,
  requestsOf(one, SCHEMAS.gatehouse, arena.tokens.gatehouse),
]);
const stand: Stand = { pid: child.pid ?? 0, port, requests: Object.fromEntries(requests) };
process.stdout.write(`${JSON.stringify(stand)}\n`);
process.stdin.resume().once('end', () => void arena.close().finally(() => process.exit()));
