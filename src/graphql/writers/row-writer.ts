/**
 * How rows are written: what a field shows as it is (`SHOWN`) is copied into the answer by the database's own copier, if it can.
 * Everything else is resolved as ever.
 */
import {
  type GraphQLNamedType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql';
import { COMMA, OPEN_LIST, OUT } from '../../core/json-text.ts';
import { RowCopier, type Shown, type WrittenAs } from '../../database/row-copier.ts';
import { isText } from '../scalars/text-scalars.ts';
import { leafWriter } from './leaves.ts';
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
