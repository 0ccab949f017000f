/** Statements on a connection that leaves rows in their bytes, for those who write answers from them (wire-row.ts). */
import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import { type Client, Query } from 'pg';
import { type WireColumn, type WireRow, WireShape } from '../../database/wire-row.ts';
import { type DataRow, WireMessages } from '../wire-messages.ts';

/** What `pg` has, and its types do not tell. */
interface WireConnection {
  attachListeners(stream: Pick<Duplex, 'on'>): void;
  emit(event: 'dataRow', message: DataRow): boolean;
  describe(portal: object): void;
  /** Ours: whether the server is asked what columns a statement answers. */
  asksForColumns: boolean;
}

interface WireQuery {
  /** Sends it. */
  prepare(connection: WireConnection): void;
}

interface RowDescription {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

/** What is known of a statement's answer before it comes. */
interface KnownAnswer {
  readonly shape: WireShape | undefined;
  /** Whether this connection has given it before, by the statement's name. */
  readonly isPrepared: boolean;
}

type DecoderOf = (oid: number) => (text: string) => unknown;

/** `pg` reads all messages but rows; these reach their statement as they are. For a client that is not connected yet. */
export function leaveRowsAlone(client: Client): void {
  const connection = connectionOf(client);
  const attachListeners = connection.attachListeners.bind(connection);
  const describe = connection.describe.bind(connection);
  connection.asksForColumns = true;
  connection.describe = (portal) => {
    if (connection.asksForColumns) describe(portal);
  };
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

function connectionOf(client: Client): WireConnection {
  return (client as unknown as { readonly connection: WireConnection }).connection;
}

const PgQuery = Query as unknown as new (config: object, done: (error?: Error | null) => void) => WireQuery;

/** A statement that gives its rows in their bytes. */
export class RowQuery extends PgQuery {
  readonly #decoderOf: DecoderOf;
  readonly #isPrepared: boolean;
  #shape: WireShape | undefined;
  readonly #found: DataRow[] = [];

  constructor(
    config: { readonly name?: string; readonly text: string; readonly values: unknown[] },
    { shape, isPrepared }: KnownAnswer,
    decoderOf: DecoderOf,
    done: (error: Error | null, query: RowQuery) => void,
  ) {
    super(config, (error) => done(error ?? null, this));
    this.#decoderOf = decoderOf;
    this.#shape = shape;
    this.#isPrepared = isPrepared;
  }

  /** Known once it has given its answer. */
  get shape(): WireShape {
    return this.#shape ?? NO_COLUMNS;
  }

  get wireRows(): WireRow[] {
    const { shape } = this;
    return this.#found.map(({ bytes, at }) => shape.row(bytes, at));
  }

  get objects(): Record<string, unknown>[] {
    const { shape } = this;
    return this.#found.map(({ bytes, at }) => shape.objectOf(bytes, at));
  }

  /** Of what was prepared before, the server need not say again what it answers: were that to change, it would refuse. */
  override prepare(connection: WireConnection): void {
    connection.asksForColumns = !this.#isPrepared;
    super.prepare(connection);
  }

  handleRowDescription({ fields }: RowDescription): void {
    const columns: WireColumn[] = fields.map(({ name, dataTypeID: oid }) => ({ name, oid }));
    if (!this.#shape?.isOf(columns)) this.#shape = new WireShape(columns, this.#decoderOf);
  }

  handleDataRow(row: DataRow): void {
    this.#found.push(row);
  }
}

const NO_COLUMNS = new WireShape([], () => (text) => text);
