import {
  type GraphQLFieldResolver,
  type GraphQLLeafType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql';
import { answeredInstant } from '../core/instant.ts';
import { COMMA, OPEN_LIST, OUT } from '../core/json-text.ts';
import { nextTurn, turnIsOver } from '../core/turns.ts';
import type { Ending } from '../database/deadline.ts';
import { RowCopier, type Shown, type WrittenAs } from '../database/row-copier.ts';
import type { GraphQLContext } from './context.ts';
import { OneOfMany } from './one-of-many.ts';
import { isText } from './text-scalars.ts';

/**
 * Writes the JSON text of an answer: object by object, by the schema's own resolvers, in texts of which some
 * come later.
 */

/** One request, as the writers see it. */
export interface Run {
  readonly context: GraphQLContext;
  /** Ends it when nobody waits for the answer any more: then no more of it is resolved. */
  readonly ending?: Ending;
  /** Coerced already. */
  readonly variables: Readonly<Record<string, unknown>>;
}

export type Text = string | Promise<string>;

/** A text, now or later; or what it is made of, once that is there. */
type Piece = Text | ToWrite;

/** Writes a value of the answer. @throws whatever the executor has to look at */
export type Writer = (value: unknown, run: Run) => Text;

export interface Field {
  /** The text before the value: a brace or a comma, and the key. */
  readonly before: string;
  readonly resolve: GraphQLFieldResolver<unknown, GraphQLContext>;
  readonly argsOf: (run: Run) => Record<string, unknown>;
  readonly infoOf: (run: Run) => GraphQLResolveInfo;
  readonly write: Writer;
  /** The value that it has in every answer (`__typename`). */
  readonly constant?: string;
}

export function writeObject(fields: readonly Field[], source: unknown, run: Run): Text {
  if (source instanceof Error) throw source;
  run.ending?.throwIfOver();
  const texts = new Texts();
  try {
    for (const field of fields) {
      texts.add(field.before);
      texts.add(resolved(field, source, run));
    }
  } catch (error) {
    texts.abandon();
    throw error;
  }
  texts.add(fields.length === 0 ? '{}' : '}');
  return texts.joined();
}

function resolved({ resolve, argsOf, infoOf, write }: Field, source: unknown, run: Run): Piece {
  return pieceOf(resolve(source, argsOf(run), run.context, infoOf(run)), write, run);
}

/** Writes a value, or waits for one that is still being loaded. */
function pieceOf(value: unknown, write: Writer, run: Run): Piece {
  if (value instanceof OneOfMany) return new ToWrite(value, write, run);
  return isPromise(value) ? value.then((found) => write(found, run)) : write(value, run);
}

/** One of several values that come together, and the function that writes it. */
class ToWrite {
  readonly #value: OneOfMany<unknown>;
  readonly #write: Writer;
  readonly #run: Run;

  constructor(value: OneOfMany<unknown>, write: Writer, run: Run) {
    this.#value = value;
    this.#write = write;
    this.#run = run;
  }

  get values(): Promise<readonly unknown[]> {
    return this.#value.all;
  }

  written(values: readonly unknown[]): Text {
    return this.#write(values[this.#value.index], this.#run);
  }
}

/** Mutations are carried out one after the other, each with all that is selected below it (GraphQL §6.2.2). */
export async function writeOneAfterAnother(fields: readonly Field[], source: unknown, run: Run): Promise<string> {
  let text = '';
  for (const { before, resolve, argsOf, infoOf, write } of fields) {
    run.ending?.throwIfOver();
    text += before + (await write(await resolve(source, argsOf(run), run.context, infoOf(run)), run));
  }
  return `${text}}`;
}

/** How many items are written between two looks at the clock. */
const AT_ONCE = 16;

/** Some items of a list, each with the bracket or the comma before it. */
export type ItemsWriter = (list: readonly unknown[], from: number, to: number, run: Run) => Text;

export function oneByOne(write: Writer): ItemsWriter {
  return (list, from, to, run) => {
    const texts = new Texts();
    try {
      for (let index = from; index < to; index += 1) {
        texts.add(index === 0 ? '[' : ',');
        texts.add(pieceOf(list[index], write, run));
      }
    } catch (error) {
      texts.abandon();
      throw error;
    }
    return texts.joined();
  };
}

export function writeList(write: ItemsWriter, list: unknown, run: Run): Text {
  if (!Array.isArray(list)) throw new TypeError('A list is no list.');
  return list.length === 0 ? '[]' : writeItems(write, list, 0, new Texts(), run);
}

function writeItems(write: ItemsWriter, list: readonly unknown[], start: number, texts: Texts, run: Run): Text {
  try {
    for (let from = start; from < list.length; from += AT_ONCE) {
      if (from > start && turnIsOver()) {
        // A failure meanwhile is told of at the end; until then nobody waits for it, which would end the process.
        texts.abandon();
        return nextTurn().then(() => writeItems(write, list, from, texts, run));
      }
      texts.add(write(list, from, Math.min(from + AT_ONCE, list.length), run));
    }
  } catch (error) {
    texts.abandon();
    for (const item of list) if (isPromise(item)) item.then(undefined, () => undefined);
    throw error;
  }
  texts.add(']');
  return texts.joined();
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

/** A text made of pieces, of which some come later: what is loaded for all of them is then loaded together. */
class Texts {
  #text = '';
  #parts: Piece[] | undefined;

  add(piece: Piece): void {
    if (typeof piece !== 'string') {
      this.#parts ??= [];
      this.#parts.push(this.#text, piece);
      this.#text = '';
    } else {
      this.#text += piece;
    }
  }

  /** Not `join`, which would copy what has been written so far, at each level of the answer. */
  joined(): Text {
    const [parts, rest] = [this.#parts, this.#text];
    if (!parts) return rest;
    const values = valuesOf(parts);
    if (values) return values.then((found) => joinedFrom(parts, found, rest));
    const texts = parts.map((part) =>
      part instanceof ToWrite ? part.values.then((found) => part.written(found)) : part,
    );
    const [before, only] = texts as [string, Promise<string>];
    if (texts.length === 2) return only.then((text) => before + text + rest);
    return Promise.all(texts as Promise<string>[]).then(
      (all) => all.reduce((joined, text) => joined + text, '') + rest,
    );
  }

  /** Nobody waits for what is under way, or not yet. */
  abandon(): void {
    for (const part of this.#parts ?? []) {
      if (part instanceof ToWrite) part.values.catch(() => undefined);
      else if (typeof part !== 'string') part.catch(() => undefined);
    }
  }
}

/** The promise with which all later pieces come; undefined if they do not come together. */
function valuesOf(parts: readonly Piece[]): Promise<readonly unknown[]> | undefined {
  let values: Promise<readonly unknown[]> | undefined;
  for (const part of parts) {
    if (typeof part === 'string') continue;
    if (!(part instanceof ToWrite) || (values !== undefined && part.values !== values)) return undefined;
    values = part.values;
  }
  return values;
}

function joinedFrom(parts: readonly Piece[], values: readonly unknown[], rest: string): Text {
  const texts = new Texts();
  try {
    for (const part of parts) texts.add(part instanceof ToWrite ? part.written(values) : part);
  } catch (error) {
    texts.abandon();
    throw error;
  }
  texts.add(rest);
  return texts.joined();
}

/**
 * How rows are written: what a field shows as it is (`SHOWN`) is copied into the answer by the database's own copier, if it can.
 * Everything else is resolved as ever.
 */

/** A field of an object type over rows. */
export interface RowField extends Field {
  readonly shown: Shown | undefined;
  readonly type: GraphQLOutputType;
  /** How the rows of a part are written. */
  readonly below: RowWriter | undefined;
}

export class RowWriter {
  readonly #fields: readonly RowField[];
  readonly #copier: RowCopier;

  constructor(fields: readonly RowField[]) {
    this.#fields = fields;
    this.#copier = new RowCopier(
      fields.map(({ before, constant, shown, type, below }) => {
        const isList = isListType(isNonNullType(type) ? type.ofType : type);
        const as = isList ? undefined : writtenAs(getNamedType(type));
        const copier = below === undefined ? undefined : below.#copier;
        return { before, constant, shown, as, isList, isNullable: !isNonNullType(type), below: copier };
      }),
    );
  }

  readonly write = (row: unknown, run: Run): Text => {
    if (!this.#copier.copies(row)) return writeObject(this.#fields, row, run);
    return intoTexts((add) => void this.#writeRow(row, run, add));
  };

  /** For a list: rows follow each other in one text, up to what comes later; what cannot be copied is written by itself. */
  items(one: (row: unknown, run: Run) => Text): ItemsWriter {
    return (list, start, end, run) =>
      intoTexts((add) => {
        for (let index = start; index < end; index += 1) {
          OUT.byte(index === 0 ? OPEN_LIST : COMMA);
          const item = list[index];
          if (!this.#writeRow(item, run, add)) add(pieceOf(item, one, run));
        }
      });
  }

  /** @returns whether it is a row of which fields are copied; if not, nothing is written */
  #writeRow(row: unknown, run: Run, add: (piece: Piece) => void): boolean {
    let index = this.#copier.copy(row, 0);
    if (index < 0) return false;
    run.ending?.throwIfOver();
    for (; index < this.#fields.length; index = this.#copier.copy(row, index + 1)) {
      const field = this.#fields[index] as RowField;
      OUT.text(field.before);
      const text = resolved(field, row, run);
      if (typeof text === 'string') OUT.text(text);
      else add(text);
    }
    return true;
  }
}

/** How values of a type are copied; undefined for one that is written in a way of its own. */
export function writtenAs(type: GraphQLNamedType): WrittenAs | undefined {
  if (isEnumType(type)) {
    const write = leafWriter(type);
    return new Map(type.getValues().map(({ value }) => [value, write(value)]));
  }
  if (!isScalarType(type)) return undefined;
  return isText(type.name) ? 'TEXT' : SCALARS[type.name];
}

const SCALARS: Readonly<Record<string, WrittenAs>> = { Int: 'INTEGER', Boolean: 'BOOLEAN', DateTime: 'TIME' };

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

/** How values of a scalar or an enum are written: as the executor serializes them, then as JSON. */
export function leafWriter(type: GraphQLLeafType): (value: unknown) => string {
  const own = isEnumType(type) ? undefined : isText(type.name) ? ofText : WRITERS[type.name];
  return (value) => own?.(value) ?? serialized(type, value);
}

/** Writes values of the usual type of these scalars; undefined for others. */
const WRITERS: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  ID: ofText,
  DateTime: (value) => (typeof value === 'number' ? `"${answeredInstant(value)}"` : undefined),
  Boolean: (value) => (typeof value === 'boolean' ? String(value) : undefined),
  Int: (value) => (Number.isInteger(value) && value === ((value as number) | 0) ? String(value) : undefined),
};

function ofText(value: unknown): string | undefined {
  return typeof value === 'string' ? JSON.stringify(value) : undefined;
}

function serialized(type: GraphQLLeafType, value: unknown): string {
  if (value instanceof Error) throw value;
  const serialized: unknown = type.serialize(value);
  const text = serialized == null ? undefined : JSON.stringify(serialized);
  if (text === undefined) throw new TypeError(`${type.name} has no such value.`);
  return text;
}
