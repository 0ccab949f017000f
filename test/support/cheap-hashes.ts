import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { isFullPrice } from './hash-price.ts';

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
  argon2(algorithm, isOurs && !isFullPrice() ? { ...parameters, ...CHEAPEST } : parameters, callback);
};
syncBuiltinESMExports();
