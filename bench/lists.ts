/**
 * Every list of the schema among a thousand rows and among a million, of the one who has them all: by which indexes a page
 * of 25 is read, how many pages of the database that takes, and how much longer it takes among a million. And every list with
 * each of its filters and orders: how many pages of the database, for the value of a filter that takes most.
 */
import { pageRequest } from '../src/core/page.ts';
import { withoutStatementLimit } from '../src/database/deadline.ts';
import { type Em, rows, sql } from '../src/database/sql.ts';
import { type Cost, costOf, PLAN_MODES } from '../test/support/plans.ts';
import { fillLists, LISTS } from '../test/world/every-fixture.ts';
import type { ManyRows } from '../test/world/fixture.ts';
import { type NarrowedList, narrowedLists } from '../test/world/narrowed-lists.ts';
import { type Filled, openFilled } from './filled.ts';
import { interleaved, wallMicroseconds } from './measure.ts';

const FEW = 1_000;
const MANY = 1_000_000;
const MOST_RATIO = 1.2;
/** A page of 25, one more to know whether there are others, and a page of each parent of a group's list. */
const MOST_SORTED = 1_000;
const ROUNDS = 151;
/** Where members without anything are passed over, a page among a million takes a second. */
const FEW_ROUNDS = 3;
const SLOW_MICROSECONDS = 50_000;
const PAGES = { first: { first: 25 }, last: { last: 25 } };

const COLUMNS = [
  'list',
  'page',
  'µs of few',
  'of many',
  'ratio',
  'both planned anew',
  'pages of few',
  'of many',
  'by a plan for any',
  'passed over',
  'sorted',
  'by',
];

type Ask = (em: Em, many: ManyRows) => Promise<unknown>;

export async function benchLists(serverUrl: string): Promise<void> {
  const few = await openFilled(serverUrl, `lists_${FEW}`, (em) => fillLists(em, FEW));
  const many = await openFilled(serverUrl, `lists_${MANY}`, (em) => fillLists(em, MANY));
  try {
    console.log(`\nA page of 25 of every list, of ${FEW} and of ${MANY} rows (ratio at most ${MOST_RATIO})\n`);
    printHead(COLUMNS);
    for (const [name, { lists }] of Object.entries(LISTS)) {
      for (const [index, list] of lists.entries()) {
        for (const [page, request] of Object.entries(PAGES)) {
          const label = `${name}${lists.length > 1 ? ` (${index + 1})` : ''} | ${page}`;
          const ask: Ask = (em, what) => list(em, what, pageRequest(request));
          await compare(label, ask, few, many);
        }
      }
    }
    await compareNarrowed(few, many);
  } finally {
    await few.close();
    await many.close();
  }
}

async function compare(label: string, ask: Ask, few: Filled<ManyRows>, many: Filled<ManyRows>): Promise<void> {
  await ask(many.em, many.what);
  const rounds = (await wallMicroseconds(1, asking(many, ask))) > SLOW_MICROSECONDS ? FEW_ROUNDS : ROUNDS;
  const { first, second, ratio } = await interleaved(
    rounds,
    1,
    [asking(many, ask), asking(few, ask)],
    wallMicroseconds,
  );
  const planned = await plannedAnew(few, many, ask, rounds);
  const [small, large] = [await costs(few, ask), await costs(many, ask)];
  const [custom, generic] = large;
  const faults = [
    ...large.flatMap(({ whole }) => whole.map((table) => `READS ALL OF ${table}`)),
    ...(custom.sorted > MOST_SORTED ? ['SORTS'] : []),
    ...(planned > MOST_RATIO ? ['SLOWER'] : []),
  ];
  const by = custom.indexes.map((index) => `\`${index}\``);
  const times = [second.toFixed(0), first.toFixed(0), ratio.toFixed(2), planned.toFixed(2)];
  const pages = [small[0].buffers, custom.buffers, generic.buffers, custom.removed, custom.sorted];
  console.log(`| ${label} | ${[...times, ...pages].join(' | ')} | ${[...faults, ...by].join(', ')} |`);
}

const COLUMNS_OF_NARROWED = ['list and filter', 'pages of few', 'of many', 'ratio', 'passed over', 'sorted', 'by'];

/** Each filter and order by the value and the end of the list that read most among many. */
async function compareNarrowed(few: Filled<ManyRows>, many: Filled<ManyRows>): Promise<void> {
  console.log(`\nPages of the database that a page of 25 reads, narrowed or sorted, of ${FEW} and of ${MANY} rows\n`);
  printHead(COLUMNS_OF_NARROWED);
  const [ofFew, ofMany] = [narrowedLists(few.what), narrowedLists(many.what)];
  const found = new Map<string, { readonly small: Cost; readonly large: Cost }>();
  for (const [index, { by, ask }] of ofMany.entries()) {
    for (const page of Object.values(PAGES)) {
      const large = await costNarrowed(many, ask, page);
      if (large.buffers < (found.get(by)?.large.buffers ?? 0)) continue;
      found.set(by, { large, small: await costNarrowed(few, ofFew[index]?.ask ?? ask, page) });
    }
  }
  for (const [by, { small, large }] of found) {
    const ratio = (large.buffers / small.buffers).toFixed(2);
    const indexes = [
      ...large.whole.map((table) => `READS ALL OF ${table}`),
      ...large.indexes.map((one) => `\`${one}\``),
    ];
    const counts = [small.buffers, large.buffers, ratio, large.removed, large.sorted];
    console.log(`| \`${by}\` | ${counts.join(' | ')} | ${indexes.join(', ')} |`);
  }
}

function costNarrowed({ em, what }: Filled<ManyRows>, ask: NarrowedList['ask'], page: object): Promise<Cost> {
  return withoutStatementLimit(() => costOf(em, 'force_custom_plan', (inner) => ask(inner, what, page)));
}

function printHead(columns: readonly string[]): void {
  console.log(`| ${columns.join(' | ')} |\n|${'---|'.repeat(columns.length)}`);
}

const asking =
  ({ em, what }: Filled<ManyRows>, ask: Ask) =>
  () =>
    ask(em, what);

/**
 * PostgreSQL keeps the plan of a statement when one for any values looks as good as one for those at hand. Of a table in which
 * one owner has everything it does not, and plans each time. So this is the ratio where it has to do so for both.
 */
async function plannedAnew(few: Filled<ManyRows>, many: Filled<ManyRows>, ask: Ask, rounds: number): Promise<number> {
  return custom(few, (a) =>
    custom(many, async (b) => {
      const loads = [() => ask(b, many.what), () => ask(a, few.what)] as const;
      return (await interleaved(rounds, 1, loads, wallMicroseconds)).ratio;
    }),
  );
}

function custom<Result>({ em }: Filled<ManyRows>, run: (em: Em) => Promise<Result>): Promise<Result> {
  return em.transactional(async (inner) => {
    await rows(inner, sql`set local plan_cache_mode = force_custom_plan`);
    return run(inner);
  });
}

/** With a plan for the values at hand, and with one for any. */
async function costs({ em, what }: Filled<ManyRows>, ask: Ask): Promise<[Cost, Cost]> {
  const [custom, generic] = PLAN_MODES;
  const of = (mode: (typeof PLAN_MODES)[number]) => costOf(em, mode, (inner) => ask(inner, what));
  return [await of(custom), await of(generic)];
}
