/**
 * Gatehouse as a peer: the service as it starts, on the configuration that the runner gives. Not by its command line, since
 * in production it insists on https and on rate limits, both of which the other peers go without.
 */
import process from 'node:process';
import { readConfig } from '../../../src/config.ts';
import { start } from '../../../src/start.ts';

await start(readConfig({ ...process.env, NODE_ENV: 'development', RATE_LIMITS: 'off', SEED_DEMO: 'off' }));
