/** wire/ keeps rows as a server sends them: a column stays the bytes that it came in until somebody asks for its value. */
import { BINARY, type Decode } from './binary.ts';

/** The server's description of a column. */
export interface WireColumn {
  readonly name: string;
  /** Its type, by PostgreSQL's number (`pg_type.oid`). */
  readonly oid: number;
}

type Decoder = (text: string) => unknown;

/** A column that holds rows of another table as arrays of texts (part-rows.ts). */
export interface PartColumn {
  readonly shape: WireShape;
  objectsOf(value: unknown): unknown;
}

/** The columns and decoders that all rows of a statement share. */
export class WireShape {
  readonly columns: readonly WireColumn[];
  readonly #decoders: readonly Decode[];
  #Row: typeof WireRow | undefined;
  /**
   * The beginning and the end of each column of the row that was looked at last; an end before its beginning means
   * null.
   */
  readonly places: Int32Array;
  readonly isBinary: boolean;
  parts: ReadonlyMap<string, PartColumn> = NO_PARTS;
  #inBinary: WireShape | undefined;

  /** Takes columns that come as texts, unless all of them are in the binary format. */
  constructor(columns: readonly WireColumn[], decoderOf: 'BINARY' | ((oid: number) => Decoder)) {
    this.columns = columns;
    this.isBinary = decoderOf === 'BINARY';
    this.#decoders = columns.map(({ oid }) => (decoderOf === 'BINARY' ? binary(oid) : fromText(decoderOf(oid))));
    this.places = new Int32Array(2 * columns.length);
  }

  /** The same columns in the binary format; undefined if one of them is of a type that is not read so. */
  get inBinary(): WireShape | undefined {
    if (!this.columns.every(({ oid }) => oid in BINARY)) return undefined;
    this.#inBinary ??= new WireShape(this.columns, 'BINARY');
    return this.#inBinary;
  }

  /** Whether the server still says the same. */
  isOf(columns: readonly WireColumn[]): boolean {
    return (
      columns.length === this.columns.length &&
      columns.every(({ name, oid }, index) => name === this.columns[index]?.name && oid === this.columns[index]?.oid)
    );
  }

  /** A row whose message (PostgreSQL §55.7, DataRow) has its columns from here. */
  row(bytes: Buffer, at: number): WireRow {
    this.#Row ??= rowsWith(this.columns);
    return new this.#Row(this, bytes, at);
  }

  /** Reads the row at this place as an object with values, as `pg` would give it. */
  objectOf(bytes: Buffer, at: number): Record<string, unknown> {
    this.locate(bytes, at);
    const object: Record<string, unknown> = {};
    for (let index = 0; index < this.columns.length; index += 1) {
      object[(this.columns[index] as WireColumn).name] = this.valueAt(bytes, index);
    }
    return object;
  }

  /** Reads the value of a column from the row whose `places` these are. */
  valueAt(bytes: Buffer, index: number): unknown {
    const start = this.places[2 * index] as number;
    const end = this.places[2 * index + 1] as number;
    if (end < start) return null;
    const value = (this.#decoders[index] as Decode)(bytes, start, end);
    return this.parts.size === 0 ? value : this.#ofPart(index, value);
  }

  #ofPart(index: number, value: unknown): unknown {
    const part = this.parts.get((this.columns[index] as WireColumn).name);
    return part ? part.objectsOf(value) : value;
  }

  /** Finds the `places` of a row. @returns where it ends */
  locate(bytes: Buffer, from: number): number {
    const { places } = this;
    let at = from;
    for (let index = 0; index < places.length; index += 2) {
      const length =
        ((bytes[at] as number) << 24) |
        ((bytes[at + 1] as number) << 16) |
        ((bytes[at + 2] as number) << 8) |
        (bytes[at + 3] as number);
      at += 4;
      places[index] = at;
      places[index + 1] = at + length;
      if (length > 0) at += length;
    }
    return at;
  }
}

const NO_PARTS: ReadonlyMap<string, PartColumn> = new Map();

function fromText(decode: Decoder): Decode {
  return (bytes, start, end) => decode(bytes.toString('utf8', start, end));
}

function binary(oid: number): Decode {
  const decode = BINARY[oid];
  if (!decode) throw new TypeError(`The type ${oid} is not read in the binary format.`);
  return decode;
}

/**
 * A row whose columns are decoded when they are asked for, by their names. Nothing else is to be seen on it: it is not to be
 * spread, and not to be kept, since it holds on to all that came with it.
 */
export class WireRow {
  readonly #shape: WireShape;
  readonly #bytes: Buffer;
  readonly #at: number;

  constructor(shape: WireShape, bytes: Buffer, at: number) {
    this.#shape = shape;
    this.#bytes = bytes;
    this.#at = at;
  }

  /** Undefined for any other value. */
  static shapeOf(value: unknown): WireShape | undefined {
    return value instanceof WireRow ? value.#shape : undefined;
  }

  /** Finds the `places` of its shape. @returns the bytes that they are in */
  static locate(row: WireRow): Buffer {
    row.#shape.locate(row.#bytes, row.#at);
    return row.#bytes;
  }

  static valueAt(row: WireRow, index: number): unknown {
    return row.#shape.valueAt(WireRow.locate(row), index);
  }

  /** These columns of a row, as an object by itself; any other row is one already. */
  static pick(row: Readonly<Record<string, unknown>>, names: readonly string[]): Readonly<Record<string, unknown>> {
    if (!(row instanceof WireRow)) return row;
    const picked: Record<string, unknown> = {};
    for (const name of names) picked[name] = row[name];
    return picked;
  }
}

/** A row as `readRows` gives it: lint refuses to spread what has a class (no-misused-spread), since nothing would come of it. */
export type SentRow<Row> = Row & WireRow;

function rowsWith(columns: readonly WireColumn[]): typeof WireRow {
  const Row = class extends WireRow {};
  for (const [index, { name }] of columns.entries()) {
    Object.defineProperty(Row.prototype, name, {
      // The last of two columns of one name is shown, as `pg` does it.
      configurable: true,
      get(this: WireRow): unknown {
        return WireRow.valueAt(this, index);
      },
    });
  }
  return Row;
}
