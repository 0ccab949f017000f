/**
 * Statements that go to the server together, on a connection that leaves rows in their bytes, for those who write answers
 * from them (wire-row.ts).
 */
import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import pg, { type Client, Query } from 'pg';
import type { Parts } from '../../database/wire/part-rows.ts';
import { type WireColumn, WireShape } from '../../database/wire/wire-row.ts';
import { type DataRow, WireMessages } from '../wire-messages.ts';

/** `pg` has these, though its types do not say so. */
interface WireConnection {
  readonly stream: Duplex;
  /** The statements by the names that the server knows: those that it has taken, and those on their way. */
  readonly parsedStatements: Record<string, string>;
  readonly submittedNamedStatements: Record<string, string>;
  attachListeners(stream: Pick<Duplex, 'on'>): void;
  emit(event: 'dataRow', message: DataRow): boolean;
  parse(statement: { readonly name: string; readonly text: string }): void;
  bind(portal: { readonly statement: string; readonly values: readonly unknown[]; readonly binary: boolean }): void;
  describe(what: { readonly type: 'P'; readonly name: '' }): void;
  execute(portal: { readonly portal: '' }): void;
  sync(): void;
}

interface RowDescription {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

/** The class whose subclasses alone `pg` sends on a pipelined connection, with the methods that it calls. */
const PgQuery = Query as unknown as new (statement: {
  readonly name: string | undefined;
  readonly text: string | undefined;
}) => {
  /** The name of the statement that the server is at. */
  name: string | undefined;
  text: string | undefined;
  submit(connection: WireConnection): null;
  handleRowDescription(description: RowDescription): void;
  handleDataRow(row: DataRow): void;
  handleCommandComplete(): void;
  handleEmptyQuery(): void;
  handleError(error: Error, connection: WireConnection): void;
  handleReadyForQuery(): void;
};

/** Likewise: the text that a value is sent as. */
const { prepareValue } = (pg as unknown as { readonly utils: { readonly prepareValue: (value: unknown) => unknown } })
  .utils;

type DecoderOf = (oid: number) => (text: string) => unknown;

/** `pg` reads all messages but rows; these reach their statement as they are. For a client that is not connected yet. */
export function leaveRowsAlone(client: Client): void {
  const connection = connectionOf(client);
  const attachListeners = connection.attachListeners.bind(connection);
  connection.attachListeners = (stream) => {
    const others = new EventEmitter();
    attachListeners(others as unknown as Duplex);
    const messages = new WireMessages(
      (row) => connection.emit('dataRow', row),
      (bytes) => others.emit('data', bytes),
    );
    stream.on('data', (chunk: Buffer) => messages.read(chunk));
    stream.on('end', () => others.emit('end'));
  };
}

export function connectionOf(client: Client): WireConnection {
  return (client as unknown as { readonly connection: WireConnection }).connection;
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

  /**
   * `shape`: what the statement answered before, here or elsewhere. `isForBytes`: its rows are left as they come, so in the
   * format that takes the server less, once it is known what they are. @throws what a value throws that has no text
   */
  constructor(
    {
      name,
      text,
      values,
      parts,
    }: {
      readonly name: string | undefined;
      readonly text: string;
      readonly values: readonly unknown[];
      readonly parts: Parts | undefined;
    },
    {
      shape,
      isPrepared,
      isForBytes,
    }: { readonly shape: WireShape | undefined; readonly isPrepared: boolean; readonly isForBytes: boolean },
  ) {
    this.name = name;
    this.text = text;
    this.values = values.map(prepareValue);
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

  describe({ fields }: RowDescription, decoderOf: DecoderOf): void {
    const columns: WireColumn[] = fields.map(({ name, dataTypeID: oid }) => ({ name, oid }));
    if (!this.#shape?.isOf(columns)) this.#shape = new WireShape(columns, decoderOf, this.#parts);
  }

  add(row: DataRow): void {
    this.#found.push(row);
  }
}

const NO_COLUMNS = new WireShape([], () => (text) => text);

/** The result of a group: how many of its statements were answered, and the error of the one after them. */
export interface GroupAnswer {
  readonly answered: number;
  readonly error: Error | undefined;
}

/**
 * Statements with one Sync behind them (PostgreSQL §55.2.4): one transaction, unless they begin one, and one piece of
 * answer. Statements behind one that fails are not carried out.
 */
export class StatementGroup extends PgQuery {
  readonly #statements: readonly GroupedStatement[];
  readonly #decoderOf: DecoderOf;
  readonly #done: (answer: GroupAnswer) => void;
  #answered = 0;

  constructor(statements: readonly GroupedStatement[], decoderOf: DecoderOf, done: (answer: GroupAnswer) => void) {
    super({ name: statements[0]?.name, text: statements[0]?.text });
    this.#statements = statements;
    this.#decoderOf = decoderOf;
    this.#done = done;
  }

  get #current(): GroupedStatement | undefined {
    return this.#statements[this.#answered];
  }

  override submit(connection: WireConnection): null {
    const { parsedStatements, submittedNamedStatements } = connection;
    connection.stream.cork();
    for (const { name = '', text, values, isDescribed, isBinary } of this.#statements) {
      if (name === '' || (parsedStatements[name] === undefined && submittedNamedStatements[name] === undefined)) {
        connection.parse({ name, text });
        if (name !== '') submittedNamedStatements[name] = text;
      }
      connection.bind({ statement: name, values, binary: isBinary });
      if (!isDescribed) connection.describe({ type: 'P', name: '' });
      connection.execute({ portal: '' });
    }
    connection.sync();
    connection.stream.uncork();
    return null;
  }

  override handleRowDescription(description: RowDescription): void {
    this.#current?.describe(description, this.#decoderOf);
  }

  override handleDataRow(row: DataRow): void {
    this.#current?.add(row);
  }

  override handleCommandComplete(): void {
    this.#answered += 1;
    this.name = this.#current?.name;
    this.text = this.#current?.text;
  }

  override handleEmptyQuery(): void {
    this.handleCommandComplete();
  }

  /** Also when the connection is lost: nothing follows it. */
  override handleError(error: Error, { parsedStatements, submittedNamedStatements }: WireConnection): void {
    for (const { name } of this.#statements.slice(this.#answered)) {
      if (name !== undefined && parsedStatements[name] === undefined) delete submittedNamedStatements[name];
    }
    this.#done({ answered: this.#answered, error });
  }

  override handleReadyForQuery(): void {
    this.#done({ answered: this.#answered, error: undefined });
  }
}
