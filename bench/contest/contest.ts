/**
 * contest/ measures Gatehouse against peers that do the same work on the same PostgreSQL: verify a bearer token, check a
 * scope on every field, answer a page. Each is a process of its own, whose answers are checked before anything is measured.
 * Rounds are interleaved (A B C, A B C, …), and a ratio is the median of those of each round: a machine that is slow for a
 * while is so for all.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Arena, type Running } from './arena.ts';
import { CASES } from './cases.ts';
import { BASES, CONTESTANTS, type Contestant, ISSUERS, type Issuer, USUAL, USUAL_ISSUERS } from './contestants.ts';
import { answersOfCases, checkGraphQL, loadGraphQL } from './graphql-load.ts';
import type { Sample } from './sample.ts';
import { checkTokens, GRANTS, type Grant, loadTokens } from './token-load.ts';

export interface ContestOptions {
  /** Names of CASES and GRANTS; none: all. */
  readonly cases: readonly string[];
  /** Names of CONTESTANTS and ISSUERS; none: the usual ones. */
  readonly names: readonly string[];
  readonly rounds: number;
  readonly seconds: number;
  /** Options of Node for Gatehouse, such as `--cpu-prof`. */
  readonly flags: readonly string[];
}

/** The measurements, by case and contestant: a sample for each round. */
type Samples = Record<string, Record<string, Sample[]>>;

const WARM_UP_SECONDS = 4;

export async function contest(serverUrl: string, options: ContestOptions): Promise<void> {
  installPeers();
  const arena = await Arena.open(serverUrl);
  process.once('SIGINT', () => void arena.close().finally(() => process.exit(130)));
  try {
    arena.write('answers.json', answersOfCases());
    const samples: Samples = {};
    const isAsked = (name: string): boolean => options.cases.length === 0 || options.cases.includes(name);
    const cases = Object.keys(CASES).filter(isAsked);
    const grants = (Object.keys(GRANTS) as Grant[]).filter(isAsked);
    if (cases.length > 0) await graphql(arena, cases, options, samples);
    if (grants.length > 0) await tokens(arena, grants, options, samples);
    summarize(samples);
  } finally {
    await arena.close();
  }
}

async function graphql(
  arena: Arena,
  cases: readonly string[],
  options: ContestOptions,
  samples: Samples,
): Promise<void> {
  const running = await startAll(arena, chosen(CONTESTANTS, options.names, USUAL), options);
  for (const name of cases) {
    const contestants = [...running.values()].filter(({ contestant }) => takesPart(contestant, name));
    await rounds(name, CASES[name]?.says ?? '', contestants, options, samples, {
      check: (one) => checkGraphQL(arena, one.running, one.contestant, name),
      load: (one, seconds) => loadGraphQL(arena, one.running, one.contestant, name, seconds),
    });
  }
}

function takesPart({ isGatehouse }: Contestant, name: string): boolean {
  return !CASES[name]?.isOurs || isGatehouse === true;
}

async function tokens(
  arena: Arena,
  grants: readonly Grant[],
  options: ContestOptions,
  samples: Samples,
): Promise<void> {
  const running = await startAll(arena, chosen(ISSUERS, options.names, USUAL_ISSUERS), options);
  for (const grant of grants) {
    await rounds(grant, GRANTS[grant], [...running.values()], options, samples, {
      check: (one) => checkTokens(arena, one.running, one.contestant, grant),
      load: (one, seconds) => loadTokens(arena, one.running, one.contestant, grant, seconds),
    });
  }
}

function chosen<Kind>(all: Readonly<Record<string, Kind>>, names: readonly string[], usual: readonly string[]) {
  const given = names.filter((name) => name in all);
  return (given.length > 0 ? given : usual).map((name) => [name, all[name] as Kind] as const);
}

interface Started<Kind> {
  readonly running: Running;
  readonly contestant: Kind;
}

async function startAll<Kind extends Contestant | Issuer>(
  arena: Arena,
  contestants: readonly (readonly [string, Kind])[],
  { flags }: ContestOptions,
): Promise<Map<string, Started<Kind>>> {
  const started = new Map<string, Started<Kind>>();
  for (const [name, contestant] of contestants) {
    const running = await arena.start(name, contestant, contestant.isGatehouse ? flags : []);
    started.set(name, { running, contestant });
  }
  return started;
}

interface Ways<Kind> {
  readonly check: (one: Started<Kind>) => Promise<void>;
  readonly load: (one: Started<Kind>, seconds: number) => Promise<Sample>;
}

async function rounds<Kind>(
  name: string,
  says: string,
  contestants: readonly Started<Kind>[],
  options: ContestOptions,
  samples: Samples,
  { check, load }: Ways<Kind>,
): Promise<void> {
  for (const one of contestants) await check(one);
  for (const one of contestants) await load(one, Math.min(WARM_UP_SECONDS, options.seconds));
  const measured: Record<string, Sample[]> = {};
  for (let round = 0; round < options.rounds; round += 1) {
    for (const one of contestants) (measured[one.running.name] ??= []).push(await load(one, options.seconds));
  }
  samples[name] = measured;
  report(name, says, measured);
}

/** All cases in one table: how many times the requests of the base, and µs of the server's CPU for each. */
function summarize(samples: Samples): void {
  const contestants = [...new Set(Object.values(samples).flatMap((measured) => Object.keys(measured)))];
  console.log(
    `\n| ratio (server CPU µs) | ${contestants.join(' | ')} |\n|---|${contestants.map(() => '---|').join('')}`,
  );
  for (const [name, measured] of Object.entries(samples)) {
    const cells = contestants.map((contestant) => {
      const taken = measured[contestant];
      if (!taken) return '';
      return `${ratioOf('perSecond', taken, baseOf(measured)).toFixed(2)} (${median(taken.map(({ cpu }) => cpu)).toFixed(0)})`;
    });
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
}

function baseOf(measured: Readonly<Record<string, Sample[]>>): readonly Sample[] {
  return BASES.map((one) => measured[one]).find((one) => one !== undefined) ?? Object.values(measured)[0] ?? [];
}

/** The median of the ratios of each round. */
function ratioOf(key: 'perSecond' | 'cpu', taken: readonly Sample[], base: readonly Sample[]): number {
  return median(taken.map((one, round) => one[key] / (base[round]?.[key] ?? Number.NaN)));
}

function report(name: string, says: string, measured: Readonly<Record<string, Sample[]>>): void {
  const base = baseOf(measured);
  console.log(`\n${name}: ${says}\n`);
  console.log('| | requests/s | ratio | server CPU µs | ratio | PostgreSQL CPU µs | p50 ms | p99 ms | MB | bad |');
  console.log('|---|---|---|---|---|---|---|---|---|---|');
  for (const [contestant, taken] of Object.entries(measured)) {
    const middle = (key: keyof Sample, digits = 0): string => median(taken.map((one) => one[key])).toFixed(digits);
    const cells = [
      contestant,
      middle('perSecond'),
      ratioOf('perSecond', taken, base).toFixed(2),
      middle('cpu'),
      (1 / ratioOf('cpu', taken, base)).toFixed(2),
      middle('postgres'),
      middle('p50', 1),
      middle('p99', 1),
      middle('megabytes'),
      taken.reduce((sum, one) => sum + one.bad, 0),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
}

/** Installs the peers' packages, as their lock file says; and wrk, which sends the load. */
function installPeers(): void {
  const folder = join(import.meta.dirname, '../peers');
  const [lock, installed] = [join(folder, 'package-lock.json'), join(folder, 'node_modules/.installed-lock.json')];
  const isCurrent = existsSync(installed) && readFileSync(installed).equals(readFileSync(lock));
  if (!isCurrent) {
    execFileSync('npm', ['ci', '--prefix', folder], { stdio: 'inherit' });
    writeFileSync(installed, readFileSync(lock));
  }
  try {
    execFileSync('wrk', ['-v'], { stdio: 'ignore' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Error('The load is sent by wrk, which is not here: install it (Debian: apt-get install wrk).', {
        cause: error,
      });
  }
}
