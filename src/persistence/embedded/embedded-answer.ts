import { createPostgreSqlTypeParsers } from '@mikro-orm/postgresql';
import { types } from 'pg';
import { DatabaseError } from 'pg-protocol';
import { WireShape } from '../../database/wire/wire-row.ts';
import { type DataRow, type Field, type Message, type MessageReader, WireMessages } from '../wire-messages.ts';

/** The result of the last statement that PostgreSQL was sent. */
export interface StatementResult {
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
export class EmbeddedAnswer {
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
