/**
 * How rows are written that are still the bytes in which the server sent them (database/wire/wire-row.ts): what a field shows as
 * it is (`SHOWN`) is copied into the answer, where column and field are of types that are written alike. Everything else is
 * resolved as ever, and so is all of a row that is an object.
 */
import { type GraphQLOutputType, getNamedType, isLeafType, isListType, isNonNullType } from 'graphql';
import { elementsOf } from '../../database/wire/binary.ts';
import { type PartColumn, WireRow, type WireShape } from '../../database/wire/wire-row.ts';
import type { Shown } from '../selection.ts';
import { type Copy, columnCopy, copyId, jsonCopy, uuidCopy, writeNull } from './copies.ts';
import { JsonCopier, type JsonField } from './json-copier.ts';
import { CLOSE_LIST, CLOSE_OBJECT, COMMA, OPEN_LIST, OUT } from './out.ts';
import {
  type Field,
  type ItemsWriter,
  type Piece,
  pieceOf,
  type Run,
  resolved,
  type Text,
  Texts,
  writeObject,
} from './write.ts';

/** A field of an object type over rows. */
export interface RowField extends Field {
  readonly shown: Shown | undefined;
  readonly type: GraphQLOutputType;
  /** How the rows of a part are written. */
  readonly below: RowWriter | undefined;
}

/** Copies a field with its key. @returns whether it could; if not, something of it may be written */
type FieldCopy = (bytes: Buffer, places: Int32Array) => boolean;

interface Step {
  readonly field: RowField;
  readonly copy: FieldCopy | undefined;
}

/** How rows of one shape are written. */
type ShapePlan = readonly Step[];

/** `pg_type.oid` */
const [JSON_TYPE, TEXTS, UUID] = [114, 1009, 2950];

export class RowWriter {
  readonly #fields: readonly RowField[];
  readonly #plans = new WeakMap<WireShape, ShapePlan>();
  /** For rows of it that stand in other rows as JSON; undefined if they cannot be copied. */
  readonly #json: JsonCopier | undefined;

  constructor(fields: readonly RowField[]) {
    this.#fields = fields;
    const jsonFields = fields.map(jsonField);
    this.#json = jsonFields.includes(undefined) ? undefined : new JsonCopier(jsonFields as readonly JsonField[]);
  }

  readonly write = (row: unknown, run: Run): Text => {
    const plan = this.#planFor(row);
    if (!plan) return writeObject(this.#fields, row, run);
    return intoTexts((add) => writeRow(plan, row as WireRow, run, add));
  };

  /** For a list: rows follow each other in one text, up to what comes later; what is no row is written by itself. */
  items(one: (row: unknown, run: Run) => Text): ItemsWriter {
    return (list, start, end, run) =>
      intoTexts((add) => {
        for (let index = start; index < end; index += 1) {
          OUT.byte(index === 0 ? OPEN_LIST : COMMA);
          const item = list[index];
          const plan = this.#planFor(item);
          if (plan) {
            writeRow(plan, item as WireRow, run, add);
          } else {
            add(pieceOf(item, one, run));
          }
        }
      });
  }

  /** How a part that holds rows of it is copied. */
  jsonCopy(type: GraphQLOutputType): Copy | undefined {
    return hasList(type) ? this.#json?.copyMany : this.#json?.copyOne;
  }

  /** The same of rows that are arrays of texts in the binary format. */
  arrayCopy(type: GraphQLOutputType, shape: WireShape): Copy | undefined {
    const copies = this.#fields.map((field) => fieldCopy(field, shape));
    if (copies.includes(undefined)) return undefined;
    return hasList(type)
      ? (from, start, end) => copyRows(copies as readonly FieldCopy[], shape, from, elementsOf(from, start), end)
      : (from, start, end) => copyRow(copies as readonly FieldCopy[], shape, from, elementsOf(from, start)) === end;
  }

  #planFor(row: unknown): ShapePlan | undefined {
    const shape = WireRow.shapeOf(row);
    if (!shape || this.#fields.length === 0) return undefined;
    const known = this.#plans.get(shape) ?? this.#fields.map((field) => ({ field, copy: fieldCopy(field, shape) }));
    this.#plans.set(shape, known);
    return known;
  }
}

/** Collects the text that `write` writes to `OUT`, and the pieces that it adds: texts of their own, and values that come later. */
function intoTexts(write: (add: (piece: Piece) => void) => void): Text {
  const from = OUT.length;
  const texts = new Texts();
  try {
    write((text) => {
      texts.add(OUT.take(from));
      texts.add(text);
    });
    texts.add(OUT.take(from));
  } catch (error) {
    OUT.length = from;
    texts.abandon();
    throw error;
  }
  return texts.joined();
}

function writeRow(plan: ShapePlan, row: WireRow, run: Run, add: (piece: Piece) => void): void {
  run.ending?.throwIfOver();
  const bytes = WireRow.locate(row);
  const { places } = WireRow.shapeOf(row) as WireShape;
  for (const { field, copy } of plan) {
    const from = OUT.length;
    if (copy?.(bytes, places)) continue;
    OUT.length = from;
    OUT.text(field.before);
    const text = resolved(field, row, run);
    if (typeof text === 'string') OUT.text(text);
    else add(text);
    // The same shape may have been used for another row.
    WireRow.locate(row);
  }
  OUT.byte(CLOSE_OBJECT);
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
  { shown, before, constant, type, below }: RowField,
  { columns, isBinary, parts }: WireShape,
): FieldCopy | undefined {
  if (constant !== undefined) return always(Buffer.from(before + constant));
  if (!shown) return undefined;
  const names = columnsOf(shown);
  const indexes = names.map((name) => columns.findLastIndex((column) => column.name === name));
  const oids = indexes.map((index) => columns[index]?.oid);
  const [index = -1] = indexes;
  const [oid] = oids;
  const [key, isNullable] = [Buffer.from(before), !isNonNullType(type)];
  if ('id' in shown)
    return oids.every((one) => one === UUID)
      ? copiedId(key, indexes, (bytes, starts) => copyId(shown.id, bytes, starts, isBinary), isNullable)
      : undefined;
  if ('uuid' in shown)
    return oid === UUID
      ? copied(key, index, uuidCopy(shown.suffix, isBinary ? 'BYTES' : 'TEXT'), isNullable)
      : undefined;
  const leaf = getNamedType(type);
  const ofColumn =
    isLeafType(leaf) && !hasList(type) && oid !== undefined ? columnCopy(oid, leaf, isBinary) : undefined;
  const copy = 'part' in shown ? partCopy(below, type, oid, isBinary ? parts.get(shown.part) : undefined) : ofColumn;
  return copy && copied(key, index, copy, isNullable);
}

function columnsOf(shown: Shown): readonly string[] {
  if ('id' in shown) return shown.columns;
  return ['part' in shown ? shown.part : 'uuid' in shown ? shown.uuid : shown.column];
}

function partCopy(
  below: RowWriter | undefined,
  type: GraphQLOutputType,
  oid: number | undefined,
  part: PartColumn | undefined,
): Copy | undefined {
  if (oid === JSON_TYPE) return below?.jsonCopy(type);
  return oid === TEXTS && part ? below?.arrayCopy(type, part.shape) : undefined;
}

function always(text: Buffer): FieldCopy {
  return () => {
    OUT.bytes(text, 0, text.length);
    return true;
  };
}

function copied(key: Buffer, index: number, copy: Copy, isNullable: boolean): FieldCopy {
  return (bytes, places) => {
    OUT.bytes(key, 0, key.length);
    const start = places[2 * index] as number;
    const end = places[2 * index + 1] as number;
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
function jsonField({ shown, before, constant, type, below }: RowField): JsonField | undefined {
  const [key, isNullable] = [Buffer.from(before), !isNonNullType(type)];
  if (constant !== undefined)
    return { before: Buffer.from(before + constant), members: [], isNullable, copy: undefined };
  if (!shown) return undefined;
  const members = columnsOf(shown);
  if ('id' in shown) return { before: key, members, isNullable, copy: shown.id };
  if ('uuid' in shown) return { before: key, members, isNullable, copy: uuidCopy(shown.suffix, 'JSON') };
  const leaf = getNamedType(type);
  const ofMember = isLeafType(leaf) && !hasList(type) ? jsonCopy(leaf) : undefined;
  const copy = 'part' in shown ? below?.jsonCopy(type) : ofMember;
  return copy && { before: key, members, isNullable, copy };
}

function hasList(type: GraphQLOutputType): boolean {
  return isListType(isNonNullType(type) ? type.ofType : type);
}
