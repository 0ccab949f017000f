import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { hashesAreHeld } from './held-hashes.ts';

/**
 * A password's hash is made to be expensive, and the tests compute thousands of them. Here those at our own setting are
 * computed at argon2's smallest one. Everything around them is as it is: what is stored, how many are computed, on which
 * threads and in which line; hashes at any other setting, and services that tests start, pay the full price.
 */
const OURS = { memory: 19_456, passes: 2 };
const CHEAPEST = { memory: 8, passes: 1 };

const { argon2 } = crypto;
crypto.argon2 = (algorithm, parameters, callback) => {
  const isOurs = parameters.memory === OURS.memory && parameters.passes === OURS.passes;
  const compute = () => argon2(algorithm, isOurs ? { ...parameters, ...CHEAPEST } : parameters, callback);
  const held = hashesAreHeld();
  if (held) void held.then(compute);
  else compute();
};
syncBuiltinESMExports();
