/** Statements on a connection that leaves rows in their bytes, for those who write answers from them (wire-row.ts). */
import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import { type Client, Query } from 'pg';
import { type WireColumn, type WireRow, WireShape } from '../../database/wire-row.ts';

/** Of each message (PostgreSQL §55.7) the type, and the length of what follows, itself included. */
const HEADER_BYTES = 5;
const DATA_ROW = 'D'.charCodeAt(0);
/** Before its columns, a row says how many there are. */
const COUNT_BYTES = 2;

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

interface DataRow {
  readonly bytes: Buffer;
  /** Where its columns begin. */
  readonly at: number;
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
    const messages = new Messages(
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

/** Cuts a stream into messages. */
class Messages {
  readonly #onRow: (row: DataRow) => void;
  readonly #onOthers: (bytes: Buffer) => void;
  /** The beginning of a message whose end is still to come. */
  #rest: Buffer[] = [];
  #restLength = 0;
  #missing = 0;

  constructor(onRow: (row: DataRow) => void, onOthers: (bytes: Buffer) => void) {
    this.#onRow = onRow;
    this.#onOthers = onOthers;
  }

  read(chunk: Buffer): void {
    const bytes = this.#withRest(chunk);
    if (!bytes) return;
    let at = 0;
    let othersFrom = 0;
    while (at + HEADER_BYTES <= bytes.length) {
      const end = at + 1 + bytes.readUInt32BE(at + 1);
      if (end > bytes.length) break;
      if (bytes[at] === DATA_ROW) {
        if (othersFrom < at) this.#onOthers(bytes.subarray(othersFrom, at));
        this.#onRow({ bytes, at: at + HEADER_BYTES + COUNT_BYTES });
        othersFrom = end;
      }
      at = end;
    }
    if (othersFrom < at) this.#onOthers(bytes.subarray(othersFrom, at));
    if (at < bytes.length) this.#keep(bytes.subarray(at));
  }

  #keep(rest: Buffer): void {
    this.#rest = [rest];
    this.#restLength = rest.length;
    this.#missing = rest.length < HEADER_BYTES ? 1 : 1 + rest.readUInt32BE(1) - rest.length;
  }

  /** Undefined as long as the end of a message is still to come: a long one is put together once. */
  #withRest(chunk: Buffer): Buffer | undefined {
    if (this.#restLength === 0) return chunk;
    this.#rest.push(chunk);
    this.#restLength += chunk.length;
    this.#missing -= chunk.length;
    if (this.#missing > 0) return undefined;
    const bytes = Buffer.concat(this.#rest, this.#restLength);
    this.#rest = [];
    this.#restLength = 0;
    return bytes;
  }
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
