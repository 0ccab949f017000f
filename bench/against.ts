/**
 * Compares the service of this checkout with that of another one, such as a `git worktree` of an earlier commit: both run
 * on one PostgreSQL, and are asked in turns of a quarter of a second. The CPU of a request drifts by half within seconds
 * on a shared machine, so only the two turns of a pair are compared with each other; and both are started again and again.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { lazily } from '../src/core/lazily.ts';
import { CASES } from './contest/cases.ts';
import { bodyOf, GRANTS, type Grant } from './contest/token-load.ts';
import { FURTHER_CASES } from './further-cases.ts';
import { interleaved, median, percentile } from './measure.ts';
import type { Stand } from './stand.ts';

const HERE = join(import.meta.dirname, '..');
const CONNECTIONS = 16;
const TURN_MS = 250;
/** The first case of a start warms up what all have in common. */
const FIRST_WARM_UP_MS = 5_000;
const WARM_UP_MS = 1_000;
const PAIRS = 10;
const SAMPLES = 2_000;
const REFRESH_TOKEN = /"refresh_token":"([^"]+)"/;
const ANSWER = /^HTTP\/1\.1 (?:200|403) [^]*?\r\ncontent-length: (\d+)\r\n/i;

/** All that can be compared. */
export const COMPARED = { ...CASES, ...GRANTS, ...FURTHER_CASES };

export interface AgainstOptions {
  /** The other checkout. */
  readonly folder: string;
  readonly cases: readonly string[];
  /** An even number: of the same code, whichever was started first takes more, by half and above for small requests. */
  readonly starts: number;
}

/** The medians of a case, of one start: first is there, second is here. */
type Medians = Awaited<ReturnType<typeof interleaved>>;

/** Prints, for each case, the server's CPU of a request in both checkouts, and the ratio with its 95 % interval. */
export async function against(serverUrl: string, { folder, cases, starts }: AgainstOptions): Promise<void> {
  const names = cases.length > 0 ? cases : Object.keys(COMPARED);
  const found: Record<string, Medians[]> = {};
  for (let start = 0; start < starts; start += 1) {
    for (const [name, of] of await oneStart(serverUrl, folder, names, start % 2 === 1)) (found[name] ??= []).push(of);
  }
  console.log(`\nServer CPU µs of a request, in ${starts} starts; the ratio is that of ${folder} to here\n`);
  console.log('| case | there | here | ratio | 95 % |\n|---|---|---|---|---|');
  for (const [name, ofStarts] of Object.entries(found)) {
    // Whichever was started first takes more, so two starts in either order make one ratio.
    const ratios = ofStarts.flatMap(({ ratio }, n) =>
      n % 2 === 1 ? Math.sqrt(ratio * (ofStarts[n - 1]?.ratio ?? ratio)) : [],
    );
    const there = median(ofStarts.map(({ first }) => first)).toFixed(0);
    const here = median(ofStarts.map(({ second }) => second)).toFixed(0);
    const interval = intervalOf(ratios).map((bound) => bound.toFixed(2));
    console.log(`| ${name} | ${there} | ${here} | ${median(ratios).toFixed(2)} | ${interval.join(' to ')} |`);
  }
}

/** Starts both services, and asks them in turns. */
async function oneStart(
  serverUrl: string,
  folder: string,
  names: readonly string[],
  isHereFirst: boolean,
): Promise<readonly (readonly [name: string, medians: Medians])[]> {
  const folders = isHereFirst ? [HERE, folder] : [folder, HERE];
  const sides: Side[] = [];
  try {
    for (const one of folders) sides.push(await Side.open(serverUrl, one));
    const [here, there] = isHereFirst ? sides : sides.toReversed();
    if (!here || !there) return [];
    const found: (readonly [name: string, medians: Medians])[] = [];
    for (const [index, name] of names.entries()) {
      for (const side of sides) await side.turn(name, index === 0 ? FIRST_WARM_UP_MS : WARM_UP_MS, true);
      const loads = [there, here].map((side) => () => side.turn(name, TURN_MS)) as [() => unknown, () => unknown];
      found.push([name, await interleaved(PAIRS, 1, loads, async (_, turn) => Number(await turn()))]);
    }
    return found;
  } finally {
    await Promise.all(sides.map((side) => side.close()));
  }
}

/** The 95 % interval of the median, by drawing from the values again and again. */
function intervalOf(values: readonly number[]): readonly number[] {
  const drawn = () => values.map(() => values[Math.floor(Math.random() * values.length)] ?? 0);
  const medians = Array.from({ length: SAMPLES }, () => median(drawn()));
  return [percentile(medians, 0.025), percentile(medians, 0.975)];
}

/** The requests of a case. */
interface Requests {
  readonly next: () => string;
  /** Takes what an answer gives for later requests. */
  readonly learn?: (answer: string) => void;
}

/** A running service, with the connections that ask it. */
class Side {
  readonly #stand: Stand;
  /** They connect when they are used: a server closes connections that say nothing, and the other one may take long to start. */
  readonly #sockets: () => readonly Socket[];
  readonly #end: () => Promise<unknown>;
  readonly #credentials: Partial<Record<Grant, string[]>> = {};
  #sent = 0;

  private constructor(stand: Stand, end: () => Promise<unknown>) {
    this.#stand = stand;
    this.#end = end;
    this.#sockets = lazily(() =>
      Array.from({ length: CONNECTIONS }, () => connect(stand.port, '127.0.0.1').setNoDelay(true)),
    );
  }

  static async open(serverUrl: string, folder: string): Promise<Side> {
    const child = spawn(join(folder, 'node_modules/.bin/node'), ['bench/stand.ts'], {
      cwd: folder,
      env: { ...process.env, DATABASE_URL: serverUrl },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    for await (const line of createInterface({ input: child.stdout })) {
      if (!line.startsWith('{')) continue;
      return new Side(JSON.parse(line) as Stand, () => {
        child.stdin.end();
        return ended;
      });
    }
    throw new Error(`${folder} has no service to compare with.`);
  }

  /** Asks for so long. @returns the server's CPU of a request, in µs @throws Error for an answer with an error where none is due */
  async turn(name: string, milliseconds: number, isChecked = false): Promise<number> {
    const until = performance.now() + milliseconds;
    const before = cpuOf(this.#stand.pid);
    const requests = name in GRANTS ? this.#granting(name as Grant) : this.#inTurn(name);
    const counts = await Promise.all(this.#sockets().map((socket) => this.#ask(socket, requests, until, isChecked)));
    return (cpuOf(this.#stand.pid) - before) / counts.reduce((sum, count) => sum + count, 0);
  }

  async #ask(socket: Socket, requests: Requests, until: number, isChecked: boolean): Promise<number> {
    let count = 0;
    for (; performance.now() < until; count += 1) {
      socket.write(requests.next());
      const answer = await wholeAnswer(socket);
      requests.learn?.(answer);
      if (isChecked && answer.startsWith('HTTP/1.1 200') && answer.includes('"errors":'))
        throw new Error(`An answer that nobody expected: ${answer.slice(-300)}`);
    }
    return count;
  }

  /** The requests of a case, in turn. */
  #inTurn(name: string): Requests {
    const requests = (this.#stand.requests[name] ?? []).map(([token, body]) =>
      this.#bytesOf('/graphql', body, {
        'Content-Type': 'application/json',
        Accept: 'application/json',
        Authorization: `Bearer ${token}`,
      }),
    );
    const next = (): string => {
      this.#sent += 1;
      return requests[this.#sent % requests.length] ?? '';
    };
    return { next };
  }

  /** The requests of a grant, each of which spends a code or a refresh token; a refresh token leaves a new one. */
  #granting(grant: Grant): Requests {
    const left = (this.#credentials[grant] ??= [...this.#stand.credentials[grant]]);
    const next = (): string => {
      const credential = left.pop();
      if (credential === undefined) throw new Error('There are no codes left to exchange.');
      return this.#bytesOf('/v2/auth/oauth2/token', bodyOf(grant, credential), {
        'Content-Type': 'application/x-www-form-urlencoded',
      });
    };
    const learn = (answer: string): void => void left.push(...(REFRESH_TOKEN.exec(answer)?.slice(1) ?? []));
    return grant === 'refresh' ? { next, learn } : { next };
  }

  #bytesOf(path: string, body: string, headers: Readonly<Record<string, string>>): string {
    const all = { Host: `127.0.0.1:${this.#stand.port}`, ...headers, 'Content-Length': Buffer.byteLength(body) };
    const lines = Object.entries(all).map(([key, value]) => `${key}: ${value}`);
    return `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets()) socket.destroy();
    await this.#end();
  }
}

/** Waits for an answer to its last byte. @throws Error unless it is 200 or a refusal */
function wholeAnswer(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  let missing = Number.POSITIVE_INFINITY;
  return new Promise((resolve, reject) => {
    socket.on('data', function read(part: Buffer) {
      parts.push(part);
      missing -= part.length;
      if (missing === Number.POSITIVE_INFINITY) {
        const all = Buffer.concat(parts);
        const end = all.indexOf('\r\n\r\n');
        if (end < 0) return;
        const length = ANSWER.exec(all.toString('latin1', 0, end + 2))?.[1];
        if (length === undefined) {
          reject(new Error(`An answer that nobody expected: ${all.toString('latin1', 0, 300)}`));
          return;
        }
        missing = end + 4 + Number(length) - all.length;
      }
      if (missing > 0) return;
      socket.off('data', read);
      resolve(Buffer.concat(parts).toString());
    });
  });
}

/** The CPU of a process with all its threads and children, in µs. */
function cpuOf(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const nanoseconds = Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]);
    const children = readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean);
    return sum + nanoseconds / 1_000 + children.reduce((all, child) => all + cpuOf(Number(child)), 0);
  }, 0);
}
