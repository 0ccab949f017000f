import { createPostgreSqlTypeParsers } from '@mikro-orm/postgresql';
import { types } from 'pg';
import * as messages from 'pg-protocol/dist/messages.js';
import type { Parser } from 'pg-protocol/dist/parser.js';
import { WireShape } from '../../database/wire/wire-row.ts';
import { type DataRow, WireMessages } from '../wire-messages.ts';

/** The result of the last statement that PostgreSQL was sent. */
export interface StatementResult {
  readonly rows: Record<string, unknown>[];
  readonly affectedRows: number;
}

type Message = messages.BackendMessage;

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
  error: messages.DatabaseError | undefined;
  /** The types of the parameters, where it was asked to describe a statement. */
  parameters: readonly number[] = [];
  /** The shape of the rows that come now, or would. */
  shape: WireShape | undefined;
  /** The channels on which this connection has heard something meanwhile, as often as it has. */
  readonly heard: string[] = [];
  result: StatementResult = { rows: [], affectedRows: 0 };
  #rows: DataRow[] = [];

  /** `shape` is that of the rows, where they are not described. */
  constructor(chunks: readonly Buffer[], parser: Parser, shape: WireShape | undefined) {
    this.shape = shape;
    const all = new WireMessages(
      (row) => this.#rows.push(row),
      (bytes) => parser.parse(bytes, (message) => this.#take(message)),
    );
    for (const chunk of chunks) all.read(chunk);
  }

  #take(message: Message): void {
    if (message instanceof messages.CommandCompleteMessage) this.#complete(message.text);
    else if (message instanceof messages.RowDescriptionMessage) this.shape = shapeOf(message);
    else if (message instanceof messages.ParameterDescriptionMessage) this.parameters = message.dataTypeIDs;
    else if (message instanceof messages.NotificationResponseMessage) this.heard.push(message.channel);
    else if (message instanceof messages.DatabaseError) this.error ??= message;
  }

  #complete(completed: string): void {
    const rows = this.#rows.map(({ bytes, at }) => this.shape?.objectOf(bytes, at) ?? {});
    this.result = { rows, affectedRows: changedRows(completed) };
    this.#rows = [];
  }
}

function shapeOf({ fields }: messages.RowDescriptionMessage): WireShape {
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
