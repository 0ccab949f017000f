/**
 * How rows get into an answer (core/json-text.ts) without being looked at: what a field shows as it is (`Shown`) is copied from the bytes
 * in which the server sent it, where column and field are of types that are written alike. Whoever writes the answer says what
 * each field shows, is told which fields are still to be written, and sees nothing but a row.
 */
import type { IdKind } from '../core/id.ts';
import { CLOSE_LIST, CLOSE_OBJECT, COMMA, OPEN_LIST, OUT } from '../core/json-text.ts';
import { elementsOf } from './wire/binary.ts';
import { type Copy, columnCopy, copyId, jsonCopy, uuidCopy, type WrittenAs, writeNull } from './wire/copies.ts';
import { JsonCopier, type JsonField } from './wire/json-copier.ts';
import { type PartColumn, WireRow, type WireShape } from './wire/wire-row.ts';

export type { WrittenAs } from './wire/copies.ts';

/** A column, as it is or, a UUID, with a text behind it; the id that is in the last of some columns; or a part. */
export type Shown =
  | { readonly column: string }
  | { readonly uuid: string; readonly suffix: string }
  | { readonly id: IdKind; readonly columns: readonly string[] }
  | { readonly part: string };

export interface CopiedField {
  /** The text before the value: a brace or a comma, and the key. */
  readonly before: string;
  /** The value that it has in every answer. */
  readonly constant?: string | undefined;
  readonly shown: Shown | undefined;
  /** Undefined where it is no single value, or one that is written in another way. */
  readonly as: WrittenAs | undefined;
  readonly isNullable: boolean;
  readonly isList: boolean;
  /** How the rows of a part are copied. */
  readonly below: RowCopier | undefined;
}

/** Copies a field with its key. @returns whether it could; if not, something of it may be written */
type FieldCopy = (bytes: Buffer, places: Int32Array) => boolean;

/** `pg_type.oid` */
const [JSON_TYPE, TEXTS, UUID] = [114, 1009, 2950];

export class RowCopier {
  readonly #fields: readonly CopiedField[];
  /** By the shape of rows: how each field is copied; undefined for one that cannot be. */
  readonly #plans = new WeakMap<WireShape, readonly (FieldCopy | undefined)[]>();
  /** For rows of it that stand in other rows as JSON; undefined if they cannot be copied. */
  readonly #json: JsonCopier | undefined;

  constructor(fields: readonly CopiedField[]) {
    this.#fields = fields;
    const jsonFields = fields.map(jsonField);
    this.#json = jsonFields.includes(undefined) ? undefined : new JsonCopier(jsonFields as readonly JsonField[]);
  }

  /** Whether it is a row of which it can copy fields. */
  copies(row: unknown): boolean {
    return this.#fields.length > 0 && WireRow.behind(row) !== undefined;
  }

  /**
   * Copies the fields of a row from the one at this index on, with the brace behind the last. @returns the index of the first that
   * it cannot copy, or how many there are; -1 if it `copies` nothing of it
   */
  copy(row: unknown, from: number): number {
    const behind = WireRow.behind(row);
    const count = this.#fields.length;
    if (!behind || count === 0) return -1;
    const { shape, bytes } = behind;
    const plan = this.#planFor(shape);
    behind.locate();
    for (let index = from; index < count; index += 1) {
      const { length } = OUT;
      if (plan[index]?.(bytes, shape.places)) continue;
      OUT.length = length;
      return index;
    }
    OUT.byte(CLOSE_OBJECT);
    return count;
  }

  #planFor(shape: WireShape): readonly (FieldCopy | undefined)[] {
    const known = this.#plans.get(shape) ?? this.#fields.map((field) => fieldCopy(field, shape));
    this.#plans.set(shape, known);
    return known;
  }

  /** How a part that holds rows of it is copied. */
  jsonCopy(isList: boolean): Copy | undefined {
    return isList ? this.#json?.copyMany : this.#json?.copyOne;
  }

  /** The same of rows that are arrays of texts in the binary format. */
  arrayCopy(isList: boolean, shape: WireShape): Copy | undefined {
    const copies = this.#fields.map((field) => fieldCopy(field, shape));
    if (copies.includes(undefined)) return undefined;
    return isList
      ? (from, start, end) => copyRows(copies as readonly FieldCopy[], shape, from, elementsOf(from, start), end)
      : (from, start, end) => copyRow(copies as readonly FieldCopy[], shape, from, elementsOf(from, start)) === end;
  }
}

function copyRows(copies: readonly FieldCopy[], shape: WireShape, from: Buffer, start: number, end: number): boolean {
  OUT.byte(OPEN_LIST);
  for (let at = start; at < end; ) {
    if (at > start) OUT.byte(COMMA);
    at = copyRow(copies, shape, from, at);
    if (at < 0) return false;
  }
  OUT.byte(CLOSE_LIST);
  return true;
}

/** @returns where it ends; -1 for one that has to be looked at */
function copyRow(copies: readonly FieldCopy[], shape: WireShape, from: Buffer, start: number): number {
  const end = shape.locate(from, start);
  for (const copy of copies) if (!copy(from, shape.places)) return -1;
  OUT.byte(CLOSE_OBJECT);
  return end;
}

function fieldCopy(
  { shown, before, constant, as, isNullable, isList, below }: CopiedField,
  { indexes, columns, isBinary, parts }: WireShape,
): FieldCopy | undefined {
  if (constant !== undefined) return always(Buffer.from(before + constant));
  if (!shown) return undefined;
  const places = columnsOf(shown).map((name) => indexes.get(name) ?? -1);
  const oids = places.map((place) => columns[place]?.oid);
  const [place = -1] = places;
  const [oid] = oids;
  const key = Buffer.from(before);
  if ('id' in shown)
    return oids.every((one) => one === UUID)
      ? copiedId(key, places, (bytes, starts) => copyId(shown.id, bytes, starts, isBinary), isNullable)
      : undefined;
  if ('uuid' in shown)
    return oid === UUID
      ? copied(key, place, uuidCopy(shown.suffix, isBinary ? 'BYTES' : 'TEXT'), isNullable)
      : undefined;
  const ofColumn = as !== undefined && oid !== undefined ? columnCopy(oid, as, isBinary) : undefined;
  const copy = 'part' in shown ? partCopy(below, isList, oid, isBinary ? parts.get(shown.part) : undefined) : ofColumn;
  return copy && copied(key, place, copy, isNullable);
}

function columnsOf(shown: Shown): readonly string[] {
  if ('id' in shown) return shown.columns;
  return ['part' in shown ? shown.part : 'uuid' in shown ? shown.uuid : shown.column];
}

function partCopy(
  below: RowCopier | undefined,
  isList: boolean,
  oid: number | undefined,
  part: PartColumn | undefined,
): Copy | undefined {
  if (oid === JSON_TYPE) return below?.jsonCopy(isList);
  return oid === TEXTS && part ? below?.arrayCopy(isList, part.shape) : undefined;
}

function always(text: Buffer): FieldCopy {
  return () => {
    OUT.bytes(text, 0, text.length);
    return true;
  };
}

function copied(key: Buffer, place: number, copy: Copy, isNullable: boolean): FieldCopy {
  return (bytes, places) => {
    OUT.bytes(key, 0, key.length);
    const start = places[2 * place] as number;
    const end = places[2 * place + 1] as number;
    return end < start ? writeNull(isNullable) : copy(bytes, start, end);
  };
}

function copiedId(
  key: Buffer,
  indexes: readonly number[],
  copy: (bytes: Buffer, starts: readonly number[]) => void,
  isNullable: boolean,
): FieldCopy {
  const last = indexes.at(-1) ?? 0;
  const starts = indexes.map(() => 0);
  return (bytes, places) => {
    OUT.bytes(key, 0, key.length);
    if ((places[2 * last + 1] as number) < (places[2 * last] as number)) return writeNull(isNullable);
    for (let at = 0; at < starts.length; at += 1) {
      const start = places[2 * (indexes[at] as number)] as number;
      if ((places[2 * (indexes[at] as number) + 1] as number) < start) return false;
      starts[at] = start;
    }
    copy(bytes, starts);
    return true;
  };
}

/** The field of a row in JSON; undefined if its selection cannot be copied. */
function jsonField({ shown, before, constant, as, isNullable, isList, below }: CopiedField): JsonField | undefined {
  const key = Buffer.from(before);
  if (constant !== undefined)
    return { before: Buffer.from(before + constant), members: [], isNullable, copy: undefined };
  if (!shown) return undefined;
  const members = columnsOf(shown);
  if ('id' in shown) return { before: key, members, isNullable, copy: shown.id };
  if ('uuid' in shown) return { before: key, members, isNullable, copy: uuidCopy(shown.suffix, 'JSON') };
  const copy = 'part' in shown ? below?.jsonCopy(isList) : as && jsonCopy(as);
  return copy && { before: key, members, isNullable, copy };
}
