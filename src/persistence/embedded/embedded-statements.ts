import type { PGlite } from '@electric-sql/pglite';
import { createPostgreSqlTypeParsers } from '@mikro-orm/postgresql';
import { types } from 'pg';
import { DatabaseError, serialize } from 'pg-protocol';
import { WireShape } from '../../database/wire/wire-row.ts';
import { StatementNames } from '../prepared-statements.ts';
import { type DataRow, type Field, type Message, MessageReader, WireMessages } from '../wire-messages.ts';

/**
 * Plans are made for tables as large as they are at the time. A server makes new ones when it gathers statistics, which
 * the embedded database never does by itself; after so many statements it does here.
 */
const STATEMENTS_BETWEEN_PLANS = 10_000;

/** A statement, as PostgreSQL described it when it was prepared. */
interface Prepared {
  readonly parameters: readonly number[];
  readonly shape: WireShape | undefined;
}

const STATEMENT = 'S';
/** One statement whose preparation is worth it, for all that its text shows. */
const PREPARABLE = /^\s*(?:select|insert|update|delete|with)\b[^;]*$/i;
const FROM_STDIN = /\bstdin\b/i;

/** The statements of each database; they last as long as it does. */
const STATEMENTS = new WeakMap<PGlite, EmbeddedStatements>();

export function statementsOf(pglite: PGlite): EmbeddedStatements {
  return STATEMENTS.getOrInsertComputed(pglite, (one) => new EmbeddedStatements(one));
}

/**
 * Prepares statements that come again and again once, as on a server: parsing and planning takes nine tenths of the
 * time of most of ours. PGlite's own `query` does it each time, in five turns; and it copies each value of an answer,
 * and for each statement all parsers of types, which takes longer than a `begin`.
 */
class EmbeddedStatements {
  readonly #pglite: PGlite;
  readonly #names = new StatementNames((name) => this.#unused.add(name));
  readonly #prepared = new Map<string, Prepared>();
  /** The names of statements that are used no more; PostgreSQL forgets them when the next statement is prepared. */
  readonly #unused = new Set<string>();
  readonly #reader = new MessageReader();
  #runs = 0;
  /** Is told the channel of each message that this connection listens for; it must not throw. */
  onNotification: (channel: string) => void = () => undefined;

  constructor(pglite: PGlite) {
    this.#pglite = pglite;
  }

  /** The text may hold several statements (a migration): all are run, and the last one's result is it. */
  async runText(text: string): Promise<StatementResult> {
    const messages = [serialize.query(text)];
    // PostgreSQL would wait for data, and end itself where none comes; a statement that takes none passes over this.
    if (FROM_STDIN.test(text)) messages.push(serialize.copyFail('The embedded database is sent no data; use insert.'));
    const { result } = await this.#pglite.runExclusive(() => this.#send(messages));
    return result;
  }

  async run(text: string, values: readonly unknown[]): Promise<StatementResult> {
    if (values.length === 0 && !PREPARABLE.test(text)) return this.runText(text);
    const name = this.#names.nameOf(text);
    if (name === undefined) {
      return values.length === 0 ? this.runText(text) : this.#pglite.runExclusive(() => this.#runOnce(text, values));
    }
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
    if (this.#runs % STATEMENTS_BETWEEN_PLANS === 0) await this.#send([serialize.query('discard plans')]);
    const prepared = this.#prepared.get(name) ?? (await this.#prepare(name, text));
    return this.#runPrepared(name, prepared, values);
  }

  async #runPrepared(
    name: string,
    { parameters, shape }: Prepared,
    values: readonly unknown[],
  ): Promise<StatementResult> {
    const texts = values.map((value, index) => this.#textOf(value, parameters[index] ?? 0));
    const messages = [serialize.bind({ statement: name, values: texts }), serialize.execute({}), serialize.sync()];
    const { result } = await this.#send(messages, shape);
    return result;
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
    const { parameters, shape } = await this.#send([
      ...before,
      serialize.parse({ name, text }),
      serialize.describe({ type: STATEMENT, name }),
      serialize.sync(),
    ]);
    return { parameters, shape };
  }

  /** `shape` is that of the rows, where it is not asked for. @throws the first error of PostgreSQL, after all was read */
  async #send(parts: readonly Uint8Array[], shape?: WireShape): Promise<EmbeddedAnswer> {
    const chunks: Buffer[] = [];
    await this.#pglite.execProtocolRawStream(Buffer.concat(parts), {
      syncToFs: false,
      // They lie in PostgreSQL's own memory.
      onRawData: (bytes) => chunks.push(Buffer.from(bytes)),
    });
    // PGlite keeps the function until the next statement, and what it holds.
    const answer = new EmbeddedAnswer(chunks.splice(0), this.#reader, shape);
    for (const channel of answer.heard) this.onNotification(channel);
    if (answer.error) throw answer.error;
    return answer;
  }

  #textOf(value: unknown, type: number): string | null {
    if (value === null || value === undefined) return null;
    const write = this.#pglite.serializers[type] ?? String;
    return write(value);
  }
}

/** The result of the last statement that PostgreSQL was sent. */
interface StatementResult {
  readonly rows: Record<string, unknown>[];
  readonly affectedRows: number;
}

/** `pg_type.oid` of `text[]`. */
const TEXTS: number = 1009;
/** As on a server: what `pg` makes of a value, but for instants, dates and intervals, which stay text. */
const TEMPORAL = createPostgreSqlTypeParsers(types.getTypeParser(TEXTS));

function decoderOf(oid: number): (text: string) => unknown {
  return TEMPORAL[oid] ?? types.getTypeParser(oid);
}

/** All that PostgreSQL answers to what it was sent at once. */
class EmbeddedAnswer {
  /** The first one; the statements behind it were not run. */
  error: DatabaseError | undefined;
  /** The types of the parameters, where it was asked to describe a statement. */
  parameters: readonly number[] = [];
  /** The shape of the rows that come now, or would. */
  shape: WireShape | undefined;
  /** The channels on which this connection has heard something meanwhile, as often as it has. */
  readonly heard: string[] = [];
  result: StatementResult = { rows: [], affectedRows: 0 };
  #rows: DataRow[] = [];

  /** `shape` is the shape of the rows, for an answer that does not describe them. */
  constructor(chunks: readonly Buffer[], reader: MessageReader, shape: WireShape | undefined) {
    this.shape = shape;
    const all = new WireMessages(
      (row) => this.#rows.push(row),
      (bytes) => reader.read(bytes, (message) => this.#take(message)),
    );
    for (const chunk of chunks) all.read(chunk);
  }

  #take(message: Message | DatabaseError): void {
    if (message instanceof DatabaseError) this.error ??= message;
    else if (message.name === 'commandComplete') this.#complete(message.text);
    else if (message.name === 'rowDescription') this.shape = shapeOf(message.fields);
    else if (message.name === 'parameterDescription') this.parameters = message.dataTypeIDs;
    else if (message.name === 'notification') this.heard.push(message.channel);
  }

  #complete(completed: string): void {
    const rows = this.#rows.map(({ bytes, at }) => this.shape?.objectOf(bytes, at) ?? {});
    this.result = { rows, affectedRows: changedRows(completed) };
    this.#rows = [];
  }
}

function shapeOf(fields: readonly Field[]): WireShape {
  return new WireShape(
    fields.map(({ name, dataTypeID: oid }) => ({ name, oid })),
    decoderOf,
  );
}

/** `UPDATE 3`, `INSERT 0 3` */
function changedRows(completed: string): number {
  const [, count = '0'] = /^(?:INSERT \d+|UPDATE|DELETE|MERGE) (\d+)$/.exec(completed) ?? [];
  return Number(count);
}
