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
import { standingBefore, whileInForce } from './on-behalf.ts';

export type Em = SqlEntityManager;

/**
 * A piece of SQL, whole or in parts; `Row` is what it answers. It is nothing but texts and the parameters between them,
 * since most statements are put together for each request. The builder takes it as an expression.
 */
export class RawBuilder<Row> implements Expression<Row> {
  /** The texts around the parameters: one more than there are parameters. */
  readonly #texts: readonly string[];
  readonly #parameters: readonly unknown[];

  constructor(texts: readonly string[], parameters: readonly unknown[]) {
    this.#texts = texts;
    this.#parameters = parameters;
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
    for (let index = 0; index < values.length; index += 1) {
      const value = values[index];
      if (value instanceof RawBuilder) {
        const inner = value.#texts;
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
      last += texts[index + 1];
    }
    joined.push(last);
    return new RawBuilder(joined, parameters);
  }

  get expressionType(): Row | undefined {
    return undefined;
  }

  /** The statement as it is sent: the text with `$1` in it, and the parameters. */
  compile(): CompiledQuery<Row> {
    let text = this.#texts[0] ?? '';
    for (let index = 1; index < this.#texts.length; index += 1) text += `$${index}${this.#texts[index]}`;
    return CompiledQuery.raw(text, [...this.#parameters]);
  }

  /** For a `select` of the builder. */
  as<Alias extends string>(alias: Alias): AliasedExpression<Row, Alias> {
    return new ExpressionWrapper<never, never, Row>(this.toOperationNode()).as(alias);
  }

  toOperationNode(): OperationNode {
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

/** A column, with or without its table: `b.owner_id`. */
sql.ref = (name: string): RawBuilder<unknown> => sql([`"${name.replaceAll('"', '""').replaceAll('.', '"."')}"`]);
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
  return RawBuilder.of(
    Array.from({ length: values.length + 1 }, () => ''),
    values,
  );
};

const COMMA = sql`, `;

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

function send<Row>(em: Em, statement: Statement<Row>): Promise<QueryResult<Row>> {
  const query = statement.compile();
  const standing = standingBefore(query.sql);
  return standing
    ? whileInForce(em, standing, (inner) => inner.getKysely().executeQuery(query))
    : em.getKysely().executeQuery(query);
}
