/**
 * Rows of another table within a row (selection.ts) as arrays of texts, one for each: to write JSON takes PostgreSQL longer,
 * and so does to read it. In the binary format the texts of an array stand one behind the other as columns do, so that writers
 * read them alike (wire-row.ts).
 */
import { WireShape } from './wire-row.ts';

/** By the type of a column, `pg_type.oid` of what its text is the text of. */
const OIDS: Readonly<Record<string, number>> = {
  SmallIntType: 21,
  IntegerType: 23,
  TextType: 25,
  InstantType: 1184,
  UuidType: 2950,
};
const NUMBERS = new Set([21, 23]);

/** The parts of a statement's rows that come as arrays, by their names. */
export type Parts = ReadonlyMap<string, PartRows>;

/** Puts objects in the place of arrays, in rows that are objects already. */
export function readParts(rows: readonly Record<string, unknown>[], parts: Parts): void {
  if (parts.size === 0) return;
  for (const row of rows) for (const [name, part] of parts) row[name] = part.objectsOf(row[name]);
}

/** Whether a column of this type can be a text among others. */
export function isInArrays(type: string): boolean {
  return type in OIDS;
}

export class PartRows {
  /** The shape of one row. */
  readonly shape: WireShape;
  readonly #isList: boolean;

  constructor(columns: readonly (readonly [name: string, type: string])[], isList: boolean) {
    this.#isList = isList;
    this.shape = new WireShape(
      columns.map(([name, type]) => ({ name, oid: OIDS[type] ?? 0 })),
      decoderOf,
    );
  }

  isLike(other: PartRows): boolean {
    return other.#isList === this.#isList && this.shape.isOf(other.shape.columns);
  }

  /** Makes objects of what an array was read as. */
  objectsOf(value: unknown): unknown {
    if (!Array.isArray(value)) return value;
    return this.#isList ? value.map((row) => this.#objectOf(row as Texts)) : this.#objectOf(value as Texts);
  }

  #objectOf(texts: Texts): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    for (const [index, { name, oid }] of this.shape.columns.entries()) {
      const text = texts[index] ?? null;
      object[name] = text === null ? null : decoderOf(oid)(text);
    }
    return object;
  }
}

type Texts = readonly (string | null)[];

function decoderOf(oid: number): (text: string) => unknown {
  return NUMBERS.has(oid) ? Number : (text) => text;
}
