import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Problem } from '../../core/problem.ts';

const derive = promisify(argon2);

/** OWASP's smallest setting for argon2id: 19 MiB (`memory` is in KiB), about 30 ms of one core. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;
const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{16,86})$/;

/** Verified when there is no account, so that the answer takes as long as for one that exists. */
const NOBODYS_HASH = phcString(COST, Buffer.alloc(SALT_BYTES), Buffer.alloc(TAG_BYTES));

/**
 * Hashing runs on the thread pool, which files and DNS need as well, and each takes 19 MiB. So few run at a time and few
 * wait; a flood of sign-ins is refused at once instead of taking memory and threads. One limit for the process on
 * purpose: its threads are what is limited.
 */
const MAX_RUNNING = 2;
const MAX_WAITING = 64;
let running = 0;
const waiting: (() => void)[] = [];

/** Hashes a password that passed its rules. @returns a PHC string @throws Problem BUSY */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const tag = await inTurn({ ...COST, message: spelled(password), nonce: salt, tagLength: TAG_BYTES });
  return phcString(COST, salt, tag);
}

/** Whether the password is the one of `hash`; undefined is nobody's, and never it. @throws Problem BUSY */
export async function isPasswordOf(hash: string | undefined, password: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] = PHC.exec(hash ?? NOBODYS_HASH) ?? [];
  if (tag === '') throw new Error('A stored password hash is no argon2id PHC string.');
  const expected = Buffer.from(tag, 'base64');
  const actual = await inTurn({
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    message: spelled(password),
    nonce: Buffer.from(salt, 'base64'),
    tagLength: expected.length,
  });
  return timingSafeEqual(actual, expected) && hash !== undefined;
}

/** Before work is done for a hash that could not be made. @throws Problem BUSY */
export function requireHashingCapacity(): void {
  if (running < MAX_RUNNING || waiting.length < MAX_WAITING) return;
  throw new Problem('BUSY', 'Too many people are signing in at this moment; try again in a few seconds.');
}

async function inTurn(parameters: Argon2Parameters): Promise<Buffer> {
  requireHashingCapacity();
  if (running >= MAX_RUNNING) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await derive('argon2id', parameters);
  } finally {
    // The turn goes straight to the next in line: nobody who comes in between can take it.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** One spelling for what different keyboards send (NIST SP 800-63B §3.1.1.2). */
function spelled(password: string): string {
  return password.normalize('NFKC');
}

function phcString(cost: typeof COST, salt: Buffer, tag: Buffer): string {
  const [saltText, tagText] = [salt, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''));
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${saltText}$${tagText}`;
}
