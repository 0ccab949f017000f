/** Rows of another table, which stand in a row as JSON that PostgreSQL made (selection.ts): copied without being parsed. */
import type { IdKind } from '../../core/id.ts';
import {
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COMMA,
  OPEN_LIST,
  OPEN_OBJECT,
  OUT,
  QUOTE,
} from '../../core/json-text.ts';
import { type Copy, copyId, writeNull } from './copies.ts';

/** A field of such a row: how the members of these names are copied. */
export interface JsonField {
  readonly before: Buffer;
  readonly members: readonly string[];
  /** The last of them may be null. */
  readonly isNullable: boolean;
  /** Copies the one member, or makes the id of the members. Undefined where all is written before it. */
  readonly copy: Copy | IdKind | undefined;
}

export class JsonCopier {
  readonly #fields: readonly JsonField[];
  /** `"name":` of each member, in the order in which the statement has them; learnt from the first row. */
  #keys: readonly Buffer[] = [];
  #placesOf: readonly (readonly number[])[] = [];
  /** Where the value of each member begins and ends. */
  #spans = new Int32Array();

  constructor(fields: readonly JsonField[]) {
    this.#fields = fields;
  }

  /** An object, or null. @returns whether it could be copied; if not, something of it may be written */
  copyOne: Copy = (from, start, end) => this.#copyObject(from, start) === end;

  /** An array of objects. */
  copyMany: Copy = (from, start, end) => {
    let at = start + 1;
    OUT.byte(OPEN_LIST);
    while (at < end && from[at] !== CLOSE_LIST) {
      // PostgreSQL puts a comma and a space, and sometimes a new line, between them.
      const byte = from[at] as number;
      if (byte === COMMA) OUT.byte(COMMA);
      if (byte === COMMA || byte <= SPACE) {
        at += 1;
        continue;
      }
      if (byte !== OPEN_OBJECT) return false;
      at = this.#copyObject(from, at);
      if (at < 0) return false;
    }
    OUT.byte(CLOSE_LIST);
    return at === end - 1;
  };

  /** @returns where it ends; -1 for one that has to be looked at */
  #copyObject(from: Buffer, start: number): number {
    let end = this.#locate(from, start);
    if (end < 0) {
      this.#learn(from, start);
      end = this.#locate(from, start);
    }
    if (end < 0) return -1;
    for (const [index, field] of this.#fields.entries()) {
      OUT.bytes(field.before, 0, field.before.length);
      if (!this.#copyField(field, this.#placesOf[index] as readonly number[], from)) return -1;
    }
    OUT.byte(CLOSE_OBJECT);
    return end;
  }

  #copyField({ isNullable, copy }: JsonField, places: readonly number[], from: Buffer): boolean {
    if (copy === undefined) return true;
    const last = places.at(-1);
    if (last === undefined) return false;
    const start = this.#spans[2 * last] as number;
    if (from[start] === LETTER_N) return writeNull(isNullable);
    if (typeof copy === 'function') return copy(from, start, this.#spans[2 * last + 1] as number);
    copyId(
      copy,
      from,
      places.map((place) => (this.#spans[2 * place] as number) + 1),
    );
    return true;
  }

  #learn(from: Buffer, start: number): void {
    const members = Object.keys(JSON.parse(from.toString('utf8', start, endOfValue(from, start))) as object);
    this.#keys = members.map((name) => Buffer.from(`${JSON.stringify(name)}:`));
    this.#spans = new Int32Array(2 * members.length);
    this.#placesOf = this.#fields.map(({ members: names }) => {
      const places = names.map((name) => members.indexOf(name));
      return places.includes(-1) ? [] : places;
    });
  }

  /** @returns where the object ends; -1 if it has other members than the one before */
  #locate(from: Buffer, start: number): number {
    let at = start;
    for (let index = 0; index < this.#keys.length; index += 1) {
      const key = this.#keys[index] as Buffer;
      // A brace or a comma is before it.
      at += 1;
      for (let letter = 0; letter < key.length; letter += 1) if (from[at + letter] !== key[letter]) return -1;
      at += key.length;
      this.#spans[2 * index] = at;
      at = endOfValue(from, at);
      this.#spans[2 * index + 1] = at;
    }
    return from[at] === CLOSE_OBJECT && this.#keys.length > 0 ? at + 1 : -1;
  }
}

const SPACE = ' '.charCodeAt(0);
/** The first letter of `null`. */
const LETTER_N = 'n'.charCodeAt(0);

/** Finds the end of a value in well-formed JSON. */
function endOfValue(from: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < from.length; at += 1) {
    const byte = from[at] as number;
    if (byte === QUOTE) {
      at = endOfString(from, at) - 1;
      if (depth === 0) return at + 1;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      depth += 1;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      // A bracket ends the number or the word in front of it.
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (byte === COMMA && depth === 0) {
      return at;
    }
  }
  return from.length;
}

function endOfString(from: Buffer, start: number): number {
  for (let at = start + 1; at < from.length; at += 1) {
    if (from[at] === BACKSLASH) at += 1;
    else if (from[at] === QUOTE) return at + 1;
  }
  return from.length;
}
