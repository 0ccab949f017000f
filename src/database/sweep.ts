import { NO_ID } from '../core/id.ts';
import { type ColumnOf, columnOf, type Entity, keyColumns, keyOf, tableOf } from './columns.ts';
import { changed, type Em, NOW, type RawBuilder, row, sql } from './sql.ts';

/** Deletes at most so many rows that are over, and returns how many. */
export type Sweep = (em: Em, limit: number) => Promise<number>;

/**
 * Sweeps rows away whose time in `column`, which has an index, is past, the oldest first. Those that somebody is at work
 * on are left for the next time, and so are those that are not as `condition` says.
 */
export function sweepOf<E extends Entity>(
  entity: E,
  column: ColumnOf<E>,
  before: RawBuilder<unknown> = NOW,
  condition: RawBuilder<boolean> = sql`true`,
): Sweep {
  const time = sql.ref(columnOf(column));
  return (em, limit) => {
    const [table, key] = [tableOf(entity), keyColumns(entity)];
    return changed(
      em,
      sql`delete from ${table} where (${key}) in (
            select ${key} from ${table} where ${time} < ${before} and ${condition} order by ${time} limit ${limit}::int
            for update skip locked)`,
    );
  };
}

const ROWS_PER_STEP = 20_000;

/**
 * Deletes rows that are over, walking through a table by its key, step by step: for a table where an index that found them
 * sooner would be one more that every write has to keep.
 */
export class TableSweep {
  readonly #table: RawBuilder<unknown>;
  readonly #key: RawBuilder<unknown>;
  readonly #isOver: RawBuilder<boolean>;
  readonly #rowsPerStep: number;
  readonly #start: readonly string[];
  #reached: readonly string[];

  /** Sweeps a table whose key is UUIDs. `isOver`: SQL, about a row. */
  constructor(entity: Entity, isOver: RawBuilder<boolean>, rowsPerStep = ROWS_PER_STEP) {
    const key = keyOf(entity);
    this.#table = tableOf(entity);
    this.#key = keyColumns(entity);
    this.#isOver = isOver;
    this.#rowsPerStep = rowsPerStep;
    this.#start = key.map(() => NO_ID);
    this.#reached = this.#start;
  }

  /** Rows that somebody is at work on are left for the next time. @returns how many rows the step deleted */
  async step(em: Em): Promise<number> {
    const [table, key] = [this.#table, this.#key];
    const step = await row(
      em,
      sql<{ removed: number; seen: number; last: string[] | null }>`
        with seen as materialized (
          select ${key}, ${this.#isOver} as is_over from ${table}
          where (${key}) > (${sql.join(this.#reached)}) order by ${key} limit ${this.#rowsPerStep}::int
        ), removed as (
          delete from ${table} where (${key}) in (
            select ${key} from ${table} where (${key}) in (select ${key} from seen where is_over) and ${this.#isOver}
            for update skip locked)
          returning true
        )
        select (select count(*)::int from removed) as removed, (select count(*)::int from seen) as seen,
          (select array[${key}] from seen order by (${key}) desc limit 1)::text[] as last`,
    );
    this.#reached = step?.seen === this.#rowsPerStep ? (step.last ?? this.#start) : this.#start;
    return step?.removed ?? 0;
  }
}
