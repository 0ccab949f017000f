/**
 * database/ is how everything above speaks to PostgreSQL: one tagged template, always parametrised, always through the
 * EntityManager that it is given, so that a statement is in that manager's transaction or in none.
 */
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import {
  type AliasedExpression,
  type Compilable,
  CompiledQuery,
  type Expression,
  ExpressionWrapper,
  type OperationNode,
  type QueryResult,
  RawNode,
  ValueNode,
} from 'kysely';
import type { OwnedId } from '../core/id.ts';
import { standingBefore, whileInForce } from './on-behalf.ts';
import { type Parts, readParts } from './wire/part-rows.ts';

export type Em = SqlEntityManager;

/**
 * A piece of SQL, whole or in parts; `Row` is what it answers. It is nothing but texts and the parameters between them,
 * since most statements are put together for each request. The builder takes it as an expression.
 */
export class RawBuilder<Row> implements Expression<Row> {
  /** The texts around the parameters: one more than there are parameters. */
  readonly #texts: readonly string[];
  readonly #parameters: readonly unknown[];
  /** The parts of a `Selection` in it; undefined if there is none. */
  readonly #parts: Parts | undefined;

  constructor(texts: readonly string[], parameters: readonly unknown[], parts?: Parts) {
    this.#texts = texts;
    this.#parameters = parameters;
    this.#parts = parts;
  }

  /**
   * Joins the texts with the values between them: a value that is a piece of SQL is taken in as it is, any other
   * becomes a parameter.
   */
  static of<Row>(texts: readonly string[], values: readonly unknown[]): RawBuilder<Row> {
    if (values.length === 0) return new RawBuilder(texts, values);
    const joined: string[] = [];
    const parameters: unknown[] = [];
    let last = texts[0] ?? '';
    let parts: Parts | undefined;
    for (let index = 0; index < values.length; index += 1) {
      const value = values[index];
      if (value instanceof RawBuilder) {
        const inner = value.#texts;
        if (value.#parts) parts = value.#parts.size === 0 ? (parts ?? value.#parts) : together(parts, value.#parts);
        last += inner[0];
        for (let at = 1; at < inner.length; at += 1) {
          joined.push(last);
          parameters.push(value.#parameters[at - 1]);
          last = inner[at] ?? '';
        }
      } else {
        // The builder's own expressions would be sent as values.
        if (typeof value === 'object' && value !== null && 'toOperationNode' in value) {
          throw new TypeError('An expression of the builder stands in a template; write it with sql``.');
        }
        joined.push(last);
        parameters.push(value);
        last = '';
      }
      last += texts[index + 1] ?? '';
    }
    joined.push(last);
    return new RawBuilder(joined, parameters, parts);
  }

  get expressionType(): Row | undefined {
    return undefined;
  }

  /** The statement as it is sent: the text with `$1` in it, and the parameters. */
  compile(): Compiled<Row> {
    let text = this.#texts[0] ?? '';
    for (let index = 1; index < this.#texts.length; index += 1) text += `$${index}${this.#texts[index]}`;
    const query = CompiledQuery.raw(text, [...this.#parameters]);
    return this.#parts ? { ...query, parts: this.#parts } : query;
  }

  /** The same, of which the rows have these parts. */
  withParts(parts: Parts): RawBuilder<Row> {
    return new RawBuilder(this.#texts, this.#parameters, parts);
  }

  /** For a `select` of the builder. */
  as<Alias extends string>(alias: Alias): AliasedExpression<Row, Alias> {
    return new ExpressionWrapper<never, never, Row>(this.toOperationNode()).as(alias);
  }

  toOperationNode(): OperationNode {
    if (this.#parts) throw new TypeError('A Selection stands in a statement of the builder; write it with sql``.');
    return RawNode.create(
      this.#texts,
      this.#parameters.map((value) => ValueNode.create(value)),
    );
  }
}

/** Writes SQL: each value between the texts is a parameter, or another piece of SQL. */
export function sql<Row = unknown>(texts: readonly string[], ...values: unknown[]): RawBuilder<Row> {
  return RawBuilder.of(texts, values);
}

const REFERENCES = new Map<string, RawBuilder<unknown>>();

/** A column, with or without its table: `b.owner_id`. Names are those of our tables and statements, never a caller's. */
sql.ref = (name: string): RawBuilder<unknown> => {
  const known = REFERENCES.get(name) ?? sql([`"${name.replaceAll('"', '""').replaceAll('.', '"."')}"`]);
  REFERENCES.set(name, known);
  return known;
};
sql.table = sql.ref;
/** A text within the statement, in place of a parameter. */
sql.lit = (text: string): RawBuilder<unknown> => sql([`'${text.replaceAll("'", "''")}'`]);
/** SQL as it is. Never from a caller. */
sql.raw = (text: string): RawBuilder<unknown> => sql([text]);
sql.join = <Row = unknown>(parts: readonly unknown[], between: RawBuilder<unknown> = COMMA): RawBuilder<Row> => {
  const values: unknown[] = [];
  for (const part of parts) {
    if (values.length > 0) values.push(between);
    values.push(part);
  }
  return RawBuilder.of(NO_TEXT, values);
};

const NO_TEXT = [''];

const COMMA = sql`, `;

/** A statement as it is sent; `parts` are those of the `Selection` that its rows are of. */
export type Compiled<Row> = CompiledQuery<Row> & { readonly parts?: Parts };

/** @throws Error if one name stands for different parts, since one answer cannot have both */
function together(some: Parts | undefined, others: Parts): Parts {
  if (some === undefined || some === others || some.size === 0) return others;
  for (const [name, part] of others) {
    if (!(some.get(name) ?? part).isLike(part)) throw new Error(`Two parts of a statement are called ${name}.`);
  }
  return new Map([...some, ...others]);
}

/** A statement of the template, or of the builder (`statements.ts`). */
export type Statement<Row> = RawBuilder<Row> | Compilable<Row>;

/** All rows of a statement, with instants as text. */
export async function rows<Row>(em: Em, statement: Statement<Row>): Promise<Row[]> {
  const result = await send(em, statement);
  return result.rows;
}

/** The first row, or undefined. */
export async function row<Row>(em: Em, statement: Statement<Row>): Promise<Row | undefined> {
  const [first] = await rows(em, statement);
  return first;
}

/** How many rows the statement changed. */
export async function changed(em: Em, statement: Statement<unknown>): Promise<number> {
  const result = await send(em, statement);
  return Number(result.numAffectedRows ?? 0n);
}

async function send<Row>(em: Em, statement: Statement<Row>): Promise<QueryResult<Row>> {
  const query: Compiled<Row> = statement.compile();
  const standing = standingBefore(query.sql);
  const result: QueryResult<Row> = standing
    ? await whileInForce(em, standing, (inner) => inner.getKysely().executeQuery(query))
    : await em.getKysely().executeQuery(query);
  if (query.parts) readParts(result.rows as Record<string, unknown>[], query.parts);
  return result;
}

/** The beginning of the transaction, by the clock of the database. */
export const NOW = sql<string>`now()`;
/**
 * The new `updated_at` of a changed row: later than the one before by a millisecond at least, since callers see
 * milliseconds. So two changes in one millisecond differ, and so does one by a transaction that began earlier and had
 * to wait.
 */
export const LATER = sql<string>`greatest(now(), updated_at + interval '1 millisecond')`;
export const COUNT = sql<number>`count(*)::int`;

type Unit = 'days' | 'hours' | 'mins' | 'secs';

export function fromNow(count: number, unit: Unit): RawBuilder<string> {
  return sql`now() + ${interval(count, unit)}`;
}

export function ago(count: number, unit: Unit): RawBuilder<string> {
  return sql`now() - ${interval(count, unit)}`;
}

/** One of these, as one parameter: the statement is the same however many there are. */
export function anyOf<Value>(values: readonly Value[]): RawBuilder<Value> {
  return sql`any(${values})`;
}

/**
 * A list for `unnest`, of which PostgreSQL does not know the length when it plans: it keeps one plan for all. With the list
 * itself it would make a new one for each, which takes longer than such a statement does.
 */
export function listOf(values: readonly unknown[], type: 'uuid' | 'text' | 'int'): RawBuilder<unknown> {
  return sql`(select ${values}::${sql.raw(type)}[])`;
}

/** For `from`: these, as rows of two columns, the owner's id and the thing's own. */
export function unnested(ids: readonly OwnedId[]): RawBuilder<unknown> {
  return sql`unnest(${ids.map(({ ownerId }) => ownerId)}::uuid[], ${ids.map(({ id }) => id)}::uuid[])`;
}

/** A value for a column of type jsonb: a list would else be taken for an array of the database. */
export function json<Value>(value: Value): RawBuilder<Value> {
  return sql`${JSON.stringify(value)}::jsonb`;
}

function interval(count: number, unit: Unit): RawBuilder<unknown> {
  return sql`make_interval(${sql.raw(unit)} => ${count}::int)`;
}
