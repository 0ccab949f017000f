import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Problem } from '../../core/problem.ts';
import { FairQueue } from '../../limits/fair-queue.ts';
import { networkOf } from '../../limits/network.ts';

const derive = promisify(argon2);

/** OWASP's smallest setting for argon2id: 19 MiB (`memory` is in KiB), about 30 ms of one core. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;
const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{16,86})$/;

/** The hash that is verified when there is no account, so that the answer takes as long as for one that exists. */
const NOBODYS_HASH = phcString(COST, Buffer.alloc(SALT_BYTES), Buffer.alloc(TAG_BYTES));

/**
 * Hashing runs on the thread pool, which files and DNS need as well, and each takes 19 MiB. So few run at a time and few
 * wait; a flood of sign-ins is refused at once instead of taking memory and threads, and holds up its own network alone.
 * One queue for the process on purpose: its threads are what is limited.
 */
const QUEUE = new FairQueue(
  { running: 2, waitingInLine: 64, waitingInAll: 256 },
  () => new Problem('BUSY', 'Too many people are signing in at this moment; try again in a few seconds.'),
);

/** Hashes a password that passed its rules, in the line of the network it came from. @returns a PHC string @throws Problem BUSY */
export async function hashPassword(password: string, address = ''): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const message = spelled(password);
  const tag = await QUEUE.run(networkOf(address), () =>
    derive('argon2id', { ...COST, message, nonce: salt, tagLength: TAG_BYTES }),
  );
  return phcString(COST, salt, tag);
}

/** Whether the password is the one of `hash`; undefined stands for an unknown account, and never matches. @throws Problem BUSY */
export async function isPasswordOf(hash: string | undefined, password: string, address = ''): Promise<boolean> {
  return (await whosePassword([hash], password, address)) === 0;
}

/**
 * Which of the hashes the password belongs to: the place of the first one, or -1. Each is computed until one fits,
 * undefined (an unknown account) too, so that a wrong password takes as long for an unknown account. @throws Problem BUSY
 */
export function whosePassword(
  hashes: readonly (string | undefined)[],
  password: string,
  address: string,
): Promise<number> {
  const message = spelled(password);
  return QUEUE.run(networkOf(address), async () => {
    for (const [place, hash] of hashes.entries()) if (await fits(hash, message)) return place;
    return -1;
  });
}

/** Before work is done for a hash that could not be made. @throws Problem BUSY */
export function requireHashingCapacity(address = ''): void {
  QUEUE.requireRoom(networkOf(address));
}

async function fits(hash: string | undefined, message: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] = PHC.exec(hash ?? NOBODYS_HASH) ?? [];
  if (tag === '') throw new Error('A stored password hash is no argon2id PHC string.');
  const expected = Buffer.from(tag, 'base64');
  const actual = await derive('argon2id', {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    message,
    nonce: Buffer.from(salt, 'base64'),
    tagLength: expected.length,
  });
  return timingSafeEqual(actual, expected) && hash !== undefined;
}

/** One spelling for what different keyboards send (NIST SP 800-63B §3.1.1.2). */
function spelled(password: string): string {
  return password.normalize('NFKC');
}

function phcString(cost: typeof COST, salt: Buffer, tag: Buffer): string {
  const [saltText, tagText] = [salt, tag].map((bytes) => bytes.toString('base64').replaceAll('=', ''));
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${saltText}$${tagText}`;
}
