import { messages, type PGlite, protocol } from '@electric-sql/pglite';
import { StatementNames } from '../prepared-statements.ts';

/**
 * Plans are made for tables as large as they are at the time. A server makes new ones when it gathers statistics, which
 * the embedded database never does by itself; after so many statements it does here.
 */
const STATEMENTS_BETWEEN_PLANS = 10_000;

export interface StatementResult {
  readonly rows: Record<string, unknown>[];
  readonly affectedRows: number;
}

type Message = messages.BackendMessage;
type Parsers = readonly (PGlite['parsers'][number] | undefined)[];
type Field = Pick<messages.Field, 'name' | 'dataTypeID'>;

/** What PostgreSQL said of a statement when it was prepared. */
interface Prepared {
  readonly parameters: readonly number[];
  readonly fields: readonly Field[];
}

const { serialize } = protocol;
const STATEMENT = 'S';

/** Of each database; they last as long as it does. */
const STATEMENTS = new WeakMap<PGlite, EmbeddedStatements>();

export function statementsOf(pglite: PGlite): EmbeddedStatements {
  return STATEMENTS.getOrInsertComputed(pglite, (one) => new EmbeddedStatements(one));
}

/**
 * What comes again and again with parameters is parsed and planned once, as on a server: for most of ours that is nine
 * tenths of their time. PGlite's own `query` does it each time, in five turns; it and `exec` copy all parsers for each
 * statement, which takes longer than a `begin`.
 */
class EmbeddedStatements {
  readonly #pglite: PGlite;
  readonly #names = new StatementNames((name) => this.#unused.add(name));
  readonly #prepared = new Map<string, Prepared>();
  /** Names that were given up; PostgreSQL forgets them with the next statement that is prepared. */
  readonly #unused = new Set<string>();
  #runs = 0;

  constructor(pglite: PGlite) {
    this.#pglite = pglite;
  }

  /** Without parameters a text may hold several statements (a migration): all are run, and the last one's result is it. */
  async runText(text: string): Promise<StatementResult> {
    const answer = await this.#pglite.runExclusive(() => this.#send(serialize.query(text)));
    return this.#resultOf(answer);
  }

  async run(text: string, values: readonly unknown[]): Promise<StatementResult> {
    const name = this.#names.nameOf(text);
    if (name === undefined) return this.#pglite.runExclusive(() => this.#runOnce(text, values));
    try {
      return await this.#pglite.runExclusive(() => this.#runNamed(name, text, values));
    } catch (error) {
      this.#names.failed(text, error);
      throw error;
    }
  }

  async #runOnce(text: string, values: readonly unknown[]): Promise<StatementResult> {
    return this.#runPrepared('', await this.#describe('', text), values);
  }

  async #runNamed(name: string, text: string, values: readonly unknown[]): Promise<StatementResult> {
    this.#runs += 1;
    if (this.#runs % STATEMENTS_BETWEEN_PLANS === 0) await this.#send(serialize.query('discard plans'));
    const prepared = this.#prepared.get(name) ?? (await this.#prepare(name, text));
    return this.#runPrepared(name, prepared, values);
  }

  async #runPrepared(
    name: string,
    { parameters, fields }: Prepared,
    values: readonly unknown[],
  ): Promise<StatementResult> {
    const texts = values.map((value, index) => this.#textOf(value, parameters[index] ?? 0));
    return this.#resultOf(
      await this.#send(serialize.bind({ statement: name, values: texts }), serialize.execute({}), serialize.sync()),
      fields,
    );
  }

  async #prepare(name: string, text: string): Promise<Prepared> {
    const unused = [...this.#unused];
    this.#unused.clear();
    for (const one of unused) this.#prepared.delete(one);
    const prepared = await this.#describe(
      name,
      text,
      unused.map((one) => serialize.close({ type: STATEMENT, name: one })),
    );
    this.#prepared.set(name, prepared);
    return prepared;
  }

  async #describe(name: string, text: string, before: readonly Uint8Array[] = []): Promise<Prepared> {
    const described = await this.#send(
      ...before,
      serialize.parse({ name, text }),
      serialize.describe({ type: STATEMENT, name }),
      serialize.sync(),
    );
    return {
      parameters: described.find((one) => one instanceof messages.ParameterDescriptionMessage)?.dataTypeIDs ?? [],
      fields: described.find((one) => one instanceof messages.RowDescriptionMessage)?.fields ?? [],
    };
  }

  /** @throws the first error of PostgreSQL, after all was read */
  #send(...parts: readonly Uint8Array[]): Promise<Message[]> {
    return this.#pglite.execProtocolStream(Buffer.concat(parts), { syncToFs: false });
  }

  #textOf(value: unknown, type: number): string | null {
    if (value === null || value === undefined) return null;
    const write = this.#pglite.serializers[type] ?? String;
    return write(value);
  }

  /** `prepared` are the fields of the rows where the answer does not describe them. */
  #resultOf(answer: readonly Message[], prepared: readonly Field[] = []): StatementResult {
    let [fields, parsers] = [prepared, this.#parsersOf(prepared)];
    let rows: Record<string, unknown>[] = [];
    let result: StatementResult = { rows, affectedRows: 0 };
    for (const message of answer) {
      if (message instanceof messages.RowDescriptionMessage) {
        [fields, parsers] = [message.fields, this.#parsersOf(message.fields)];
      } else if (message instanceof messages.DataRowMessage) {
        rows.push(rowOf(message.fields, fields, parsers));
      } else if (message instanceof messages.CommandCompleteMessage) {
        result = { rows, affectedRows: changedRows(message.text) };
        rows = [];
      }
    }
    return result;
  }

  #parsersOf(fields: readonly Field[]): Parsers {
    return fields.map(({ dataTypeID }) => this.#pglite.parsers[dataTypeID]);
  }
}

function rowOf(
  values: readonly (string | null)[],
  fields: readonly Field[],
  parsers: Parsers,
): Record<string, unknown> {
  return Object.fromEntries(
    fields.map(({ name, dataTypeID }, index) => {
      const text = values[index] ?? null;
      const parse = parsers[index];
      return [name, text === null || parse === undefined ? text : parse(text, dataTypeID)];
    }),
  );
}

/** `UPDATE 3`, `INSERT 0 3` */
function changedRows(completed: string): number {
  const [, count = '0'] = /^(?:INSERT \d+|UPDATE|DELETE|MERGE) (\d+)$/.exec(completed) ?? [];
  return Number(count);
}
