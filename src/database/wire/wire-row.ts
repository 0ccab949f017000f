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
  #indexes: ReadonlyMap<unknown, number> | undefined;
  /**
   * The beginning and the end of each column of the row that was looked at last; an end before its beginning means
   * null.
   */
  readonly places: Int32Array;
  readonly isBinary: boolean;
  readonly parts: ReadonlyMap<string, PartColumn>;
  #inBinary: WireShape | undefined;

  /** Takes columns that come as texts, unless all of them are in the binary format. */
  constructor(
    columns: readonly WireColumn[],
    decoderOf: 'BINARY' | ((oid: number) => Decoder),
    parts: ReadonlyMap<string, PartColumn> = NO_PARTS,
  ) {
    this.columns = columns;
    this.parts = parts;
    this.isBinary = decoderOf === 'BINARY';
    this.#decoders = columns.map(({ oid }) => (decoderOf === 'BINARY' ? binary(oid) : fromText(decoderOf(oid))));
    this.places = new Int32Array(2 * columns.length);
  }

  /** The same columns in the binary format; undefined if one of them is of a type that is not read so. */
  get inBinary(): WireShape | undefined {
    if (!this.columns.every(({ oid }) => oid in BINARY)) return undefined;
    this.#inBinary ??= new WireShape(this.columns, 'BINARY', this.parts);
    return this.#inBinary;
  }

  /** Whether the server still says the same. */
  isOf(columns: readonly WireColumn[]): boolean {
    return (
      columns.length === this.columns.length &&
      columns.every(({ name, oid }, index) => name === this.columns[index]?.name && oid === this.columns[index]?.oid)
    );
  }

  /** A row whose message (PostgreSQL §55.7, DataRow) has its columns from here, to whoever looks at it an object like any other. */
  row(bytes: Buffer, at: number): object {
    return new Proxy(new WireRow(this, bytes, at), AS_OBJECT);
  }

  /** The place of each column by its name: of two of one name the last, as `pg` does it. */
  get indexes(): ReadonlyMap<unknown, number> {
    this.#indexes ??= new Map(this.columns.map(({ name }, index) => [name, index]));
    return this.#indexes;
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

/** A row answers this key, which nobody else has, with its `WireRow`. */
const BEHIND = Symbol('wire row');

/** This is behind a row that looks like an object. It holds on to all that came with it. */
export class WireRow {
  readonly shape: WireShape;
  readonly bytes: Buffer;
  readonly #at: number;
  /** The objects that were made of JSON and arrays: whoever asks again is given the same. */
  #objects: unknown[] | undefined;

  constructor(shape: WireShape, bytes: Buffer, at: number) {
    this.shape = shape;
    this.bytes = bytes;
    this.#at = at;
  }

  /** Undefined for any other value. */
  static behind(value: unknown): WireRow | undefined {
    return (value as { readonly [BEHIND]?: WireRow } | null | undefined)?.[BEHIND];
  }

  /** Finds the `places` of its shape. */
  locate(): void {
    this.shape.locate(this.bytes, this.#at);
  }

  valueAt(index: number): unknown {
    const known = this.#objects?.[index];
    if (known !== undefined) return known;
    this.locate();
    const value = this.shape.valueAt(this.bytes, index);
    if (typeof value === 'object' && value !== null) {
      this.#objects ??= [];
      this.#objects[index] = value;
    }
    return value;
  }
}

/** A row as an object with its columns, which are decoded when they are asked for, and cannot be changed. */
const AS_OBJECT: ProxyHandler<WireRow> = {
  get(row, key) {
    if (key === BEHIND) return row;
    const index = row.shape.indexes.get(key);
    return index === undefined ? (PLAIN as Record<PropertyKey, unknown>)[key] : row.valueAt(index);
  },
  has: (row, key) => row.shape.indexes.has(key) || key in PLAIN,
  ownKeys: (row) => [...row.shape.indexes.keys()] as string[],
  getOwnPropertyDescriptor(row, key) {
    const index = row.shape.indexes.get(key);
    if (index === undefined) return undefined;
    return { value: row.valueAt(index), writable: true, enumerable: true, configurable: true };
  },
  getPrototypeOf: () => Object.prototype,
  set: () => false,
  defineProperty: () => false,
  deleteProperty: () => false,
};

/** Every object has what this one has. */
const PLAIN = {};
