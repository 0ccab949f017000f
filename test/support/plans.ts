import { type Em, rows, sql } from '../../src/database/sql.ts';
import { noted, withoutLane } from './noted-statements.ts';

/** A node of a plan that was carried out, as `explain (analyze, buffers, format json)` writes it. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Actual Total Time': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

/** Made for the values at hand, or for any: PostgreSQL goes over to the second for statements that it knows by name. */
export const PLAN_MODES = ['force_custom_plan', 'force_generic_plan'] as const;

/** The cost of all statements of a question together. */
export interface Cost {
  /** Pages of 8 kB that were looked at. */
  readonly buffers: number;
  /** Rows that were read and not wanted. */
  readonly removed: number;
  /** The most rows that were sorted at once. */
  readonly sorted: number;
  readonly milliseconds: number;
  readonly indexes: readonly string[];
  /** The tables that were read whole. */
  readonly whole: readonly string[];
}

/** So many rows are a page or two, which no index makes less. */
const SMALL = 100;

/** Asks, and then has each statement of it explained, all but the database's clock. */
export async function costOf(
  em: Em,
  mode: (typeof PLAN_MODES)[number],
  ask: (em: Em) => Promise<unknown>,
): Promise<Cost> {
  const sent = await statementsOf(em, ask);
  return em.fork().transactional(async (inner) => {
    await rows(inner, sql`set local plan_cache_mode = ${sql.raw(mode)}`);
    const plans: PlanNode[] = [];
    for (const statement of sent) plans.push(await planOf(inner, statement));
    return sumOf(plans);
  });
}

interface Statement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/** The statements that it sends, but for readings of the clock. */
export async function statementsOf(em: Em, ask: (em: Em) => Promise<unknown>): Promise<Statement[]> {
  const fork = withoutLane(em.fork());
  const sent: Statement[] = [];
  const noting = noted(fork.getKysely(), ({ sql: text, parameters }) => {
    if (!text.endsWith(' as now')) sent.push({ text, parameters });
  });
  fork.getKysely = (() => noting) as unknown as typeof fork.getKysely;
  await ask(fork);
  return sent;
}

let explained = 0;

async function planOf(em: Em, { text, parameters }: Statement): Promise<PlanNode> {
  const values = parameters.length === 0 ? sql`` : sql`(${sql.join(parameters.map(literal))})`;
  explained += 1;
  const name = sql.raw(`explained_${explained}`);
  await rows(em, sql`prepare ${name} as ${sql.raw(text)}`);
  const found = await rows(
    em,
    sql<{ 'QUERY PLAN': readonly [{ Plan: PlanNode }] }>`
      explain (analyze, buffers, format json) execute ${name}${values}`,
  );
  await rows(em, sql`deallocate ${name}`);
  const plan = found[0]?.['QUERY PLAN'][0].Plan;
  if (!plan) throw new Error('PostgreSQL explained nothing.');
  return plan;
}

/** `execute` takes no parameters of its own. */
function literal(value: unknown) {
  if (Array.isArray(value)) return sql.lit(`{${value.map((item) => JSON.stringify(item)).join(',')}}`);
  return value === null ? sql`null` : sql.lit(`${value as string | number | boolean}`);
}

function sumOf(plans: readonly PlanNode[]): Cost {
  const nodes = nodesOf(plans);
  const rowsOf = (node: PlanNode) => node['Actual Rows'] * node['Actual Loops'];
  const unwanted = (node: PlanNode) =>
    ((node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) * node['Actual Loops'];
  const sorts = nodes.filter((node) => node['Node Type'] === 'Sort');
  return {
    buffers: sum(plans.map((plan) => plan['Shared Hit Blocks'] + plan['Shared Read Blocks'])),
    removed: sum(nodes.map(unwanted)),
    sorted: Math.max(0, ...sorts.flatMap((node) => (node.Plans ?? []).map(rowsOf))),
    milliseconds: sum(plans.map((plan) => plan['Actual Total Time'])),
    indexes: [...new Set(nodes.flatMap((node) => node['Index Name'] ?? []))],
    whole: nodes
      .filter((node) => node['Node Type'].includes('Seq Scan') && rowsOf(node) + unwanted(node) > SMALL)
      .map((node) => node['Relation Name'] ?? ''),
  };
}

function nodesOf(plans: readonly PlanNode[]): PlanNode[] {
  return plans.flatMap((plan) => [plan, ...nodesOf(plan.Plans ?? [])]);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
