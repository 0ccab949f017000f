/** Statements that go to the server together, and what it answers to them. */
import type { Writable } from 'node:stream';
import { DatabaseError, serialize } from 'pg-protocol';
import type { Parts } from '../../database/wire/part-rows.ts';
import { type WireColumn, WireShape } from '../../database/wire/wire-row.ts';
import type { DataRow, Field, Message } from '../wire-messages.ts';

export type DecoderOf = (oid: number) => (text: string) => unknown;

interface Given {
  /** The name under which the server is to keep it. */
  readonly name: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
  readonly parts: Parts | undefined;
}

interface Known {
  /** The statement's answer before, here or elsewhere. */
  readonly shape: WireShape | undefined;
  /** Whether this connection has answered it before. */
  readonly isPrepared: boolean;
  /** Its rows are left as they come, so in the format that takes the server less, once it is known what they are. */
  readonly isForBytes: boolean;
}

/** A statement, and its rows once the server has answered it. */
export class GroupedStatement {
  readonly name: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
  /** Whether the server need not say what it answers: it has done so before. Were that to change, it would refuse. */
  readonly isDescribed: boolean;
  /** Whether its rows come in the binary format. */
  readonly isBinary: boolean;
  readonly #isForBytes: boolean;
  readonly #parts: Parts | undefined;
  readonly #found: DataRow[] = [];
  #shape: WireShape | undefined;

  constructor({ name, text, values, parts }: Given, { shape, isPrepared, isForBytes }: Known) {
    this.name = name;
    this.text = text;
    this.values = values.map(sentAs);
    this.#parts = parts;
    this.#isForBytes = isForBytes;
    this.isDescribed = isPrepared && shape !== undefined;
    this.#shape = (this.isDescribed && isForBytes ? shape?.inBinary : undefined) ?? shape;
    this.isBinary = this.#shape?.isBinary ?? false;
  }

  /** Known once it is answered. */
  get shape(): WireShape {
    return this.#shape ?? NO_COLUMNS;
  }

  get rows(): object[] {
    const { shape } = this;
    return this.#found.map(({ bytes, at }) => (this.#isForBytes ? shape.row(bytes, at) : shape.objectOf(bytes, at)));
  }

  describe(fields: readonly Field[], decoderOf: DecoderOf): void {
    const columns: WireColumn[] = fields.map(({ name, dataTypeID: oid }) => ({ name, oid }));
    if (!this.#shape?.isOf(columns)) this.#shape = new WireShape(columns, decoderOf, this.#parts);
  }

  add(row: DataRow): void {
    this.#found.push(row);
  }
}

const NO_COLUMNS = new WireShape([], () => (text) => text);

/** The text that a value is sent as; bytes are sent as they are. @throws TypeError for what has no text */
function sentAs(value: unknown): string | Buffer | null {
  if (value == null) return null;
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value;
  if (Array.isArray(value)) return arrayText(value);
  if (ArrayBuffer.isView(value) || value instanceof Date)
    throw new TypeError('A statement takes an instant as a text, and bytes as a Buffer.');
  if (typeof value === 'object') return JSON.stringify(value);
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  throw new TypeError('A value of a statement has no text.');
}

/** An array as PostgreSQL reads it (§8.15.2), its texts in quotes. */
function arrayText(values: readonly unknown[]): string {
  const items = values.map((value) => {
    if (value == null) return 'NULL';
    if (Array.isArray(value)) return arrayText(value);
    if (Buffer.isBuffer(value)) return `"\\\\x${value.toString('hex')}"`;
    return `"${String(sentAs(value)).replace(/["\\]/g, '\\$&')}"`;
  });
  return `{${items.join()}}`;
}

/** The names that one connection gives to statements: a statement is sent with its text until its name is on its way. */
export class SentNames {
  readonly #sent = new Set<string>();
  /** The server has taken these. */
  readonly #taken = new Set<string>();

  /** Whether the text has to go with the name. */
  isNew(name: string): boolean {
    if (this.#sent.has(name)) return false;
    this.#sent.add(name);
    return true;
  }

  taken(name: string): void {
    this.#taken.add(name);
  }

  /** A statement was not carried out, so its name may be unknown to the server. */
  notCarriedOut(name: string): void {
    if (!this.#taken.has(name)) this.#sent.delete(name);
  }
}

/**
 * Statements with one Sync behind them (PostgreSQL §55.2.4): one transaction, unless they begin one, and one piece of
 * answer. Statements behind one that fails are not carried out.
 */
export class StatementGroup {
  readonly statements: readonly GroupedStatement[];
  /** How many of its statements were answered. */
  answered = 0;
  /** The error of the statement after them. */
  error: Error | undefined;
  readonly #done: (group: StatementGroup) => void;
  #isDone = false;

  constructor(statements: readonly GroupedStatement[], done: (group: StatementGroup) => void) {
    this.statements = statements;
    this.#done = done;
  }

  get current(): GroupedStatement | undefined {
    return this.statements[this.answered];
  }

  send(stream: Writable, names: SentNames): void {
    for (const { name = '', text, values, isDescribed, isBinary } of this.statements) {
      if (name === '' || names.isNew(name)) stream.write(serialize.parse({ name, text }));
      stream.write(serialize.bind({ statement: name, values: values as unknown[], binary: isBinary }));
      if (!isDescribed) stream.write(serialize.describe({ type: 'P', name: '' }));
      stream.write(serialize.execute({}));
    }
    stream.write(serialize.sync());
  }

  /** @returns whether nothing more comes for it */
  take(message: Message | DatabaseError, names: SentNames, decoderOf: DecoderOf): boolean {
    if (message instanceof DatabaseError) this.fail(message, names);
    else if (message.name === 'parseComplete') names.taken(this.current?.name ?? '');
    else if (message.name === 'rowDescription') this.current?.describe(message.fields, decoderOf);
    else if (message.name === 'commandComplete' || message.name === 'emptyQuery') this.answered += 1;
    else if (message.name === 'readyForQuery') {
      this.#end();
      return true;
    }
    return false;
  }

  /** Also when the connection is lost: nothing follows it. */
  fail(error: Error, names: SentNames): void {
    if (this.#isDone) return;
    for (const { name } of this.statements.slice(this.answered)) if (name !== undefined) names.notCarriedOut(name);
    this.error = error;
    this.#end();
  }

  #end(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#done(this);
  }
}
