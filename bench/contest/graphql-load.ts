import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { isDeepStrictEqual } from 'node:util';
import type { Arena, Running } from './arena.ts';
import { CASES, type Case, comparable, type GraphQLRequest, SCHEMAS } from './cases.ts';
import type { Contestant } from './contestants.ts';
import { USERS } from './rows.ts';
import type { Sample } from './sample.ts';

const CONNECTIONS = 32;
/** Each user sends some, in turn; also a multiple of what cases rotate through. */
const REQUESTS = 1_000;
const CHECKED = [1, 7, 10];

/** The right answers, for the contestant that only sends bytes: those to the seventh user. */
export function answersOfCases(): string {
  const answers = Object.entries(CASES).map(([name, one]) => [
    name,
    one.refused ?? { status: 200, text: JSON.stringify({ data: one.expected(7, 6) }) },
  ]);
  return JSON.stringify(Object.fromEntries(answers));
}

function pathOf(name: string, { isUnchecked }: Contestant): string {
  return isUnchecked ? `/${name}` : '/graphql';
}

function schemaOf({ isGatehouse }: Contestant): keyof typeof SCHEMAS {
  return isGatehouse ? 'gatehouse' : 'shared';
}

/** Right answers for several users, and none with a token that lacks the scope or without any. @throws Error */
export async function checkGraphQL(
  arena: Arena,
  running: Running,
  contestant: Contestant,
  caseName: string,
): Promise<void> {
  const one = CASES[caseName];
  if (!one || contestant.isUnchecked) return;
  const schema = schemaOf(contestant);
  const { tokens, weak } = arena.tokens[schema];
  const ask = async (request: GraphQLRequest, token: string | undefined) => {
    const response = await fetch(`http://127.0.0.1:${running.port}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      body: JSON.stringify(request),
    });
    return { status: response.status, text: await response.text() };
  };
  const wrong = (what: string, text: string) =>
    new Error(`${running.name}, ${caseName}: ${what}: ${text.slice(0, 600)}`);
  for (const user of CHECKED) {
    const expected = one.expected(user, user - 1);
    if (expected === undefined) continue;
    const { text } = await ask(one.request(SCHEMAS[schema], user, user - 1), tokens[user - 1]);
    const { data, errors } = JSON.parse(text) as { data: unknown; errors?: unknown };
    if (errors || !isDeepStrictEqual(comparable(data), expected)) {
      throw wrong('a wrong answer', `${text.slice(0, 300)}\n  expected ${JSON.stringify(expected).slice(0, 300)}`);
    }
  }
  if (one.isOurs) return;
  for (const token of one.isForWeak ? [undefined] : [undefined, weak]) {
    const { status, text } = await ask(one.request(SCHEMAS[schema], 1, 0), token);
    if ((status < 400 && !/"errors"/.test(text)) || /"name":"User|"title":|"uid":/.test(text))
      throw wrong(`answered ${status} without the right to it`, text);
  }
}

/** A token and a body for each request of a case: of each user some, in turn. */
export function requestsOf(
  one: Case,
  schema: (typeof SCHEMAS)[keyof typeof SCHEMAS],
  { tokens, weak }: Arena['tokens'][keyof typeof SCHEMAS],
): (readonly [token: string, body: string])[] {
  const isRefusal = one.expected(1, 0) === undefined;
  return Array.from({ length: REQUESTS }, (_, n) => {
    const user = 1 + (n % USERS);
    const token = isRefusal ? weak : (tokens[user - 1] ?? '');
    return [token, JSON.stringify(one.request(schema, user, n))];
  });
}

/** Sends the requests of a case in turn, for so many seconds. */
export async function loadGraphQL(
  arena: Arena,
  running: Running,
  contestant: Contestant,
  caseName: string,
  seconds: number,
): Promise<Sample> {
  const one = CASES[caseName] as Case;
  const schema = schemaOf(contestant);
  const isRefusal = one.expected(1, 0) === undefined;
  const sent = requestsOf(one, SCHEMAS[schema], arena.tokens[schema]);
  const file = arena.write('requests', sent.map((request) => request.join('\t')).join('\n'));
  const measured = await arena.cpuOf(running, () => wrk(running.port, pathOf(caseName, contestant), file, seconds));
  const { requests, us, p50, p99, failed, statuses } = measured.result;
  return {
    perSecond: requests / (us / 1e6),
    p50: p50 / 1_000,
    p99: p99 / 1_000,
    bad: failed + (isRefusal ? 0 : statuses),
    cpu: measured.server / requests,
    postgres: measured.postgres / requests,
    megabytes: arena.residentMegabytes(running),
  };
}

interface WrkResult {
  readonly requests: number;
  readonly us: number;
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
  readonly statuses: number;
}

async function wrk(port: number, path: string, file: string, seconds: number): Promise<WrkResult> {
  const script = join(import.meta.dirname, 'load.lua');
  const child = spawn('wrk', ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '-s', script, `http://127.0.0.1:${port}`], {
    env: { ...process.env, LOAD_REQUESTS: file, LOAD_PATH: path },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await once(child, 'close');
  const [, result] = /RESULT (.*)/.exec(printed) ?? [];
  if (result === undefined) throw new Error(`wrk has said: ${printed}`);
  return JSON.parse(result) as WrkResult;
}
