import type { Path } from '../../core/text.ts';
import type { Values } from './form-part.ts';

/** The texts of a row, by the names of its fields within it. */
export type RowTexts = Readonly<Record<string, string>>;

export interface RowWords {
  readonly rows: string;
  readonly row: (number: number) => string;
  readonly newRow: string;
}

/**
 * Rows of a form that have the same fields: `location-0-label`, `location-1-label`. Behind those that are filled in stands an
 * empty one, for one more; a row with its box `remove` ticked is left out.
 */
export class Rows {
  readonly #prefix: string;
  /** The hidden field that a stored row has, and a new one lacks. */
  readonly #key: string;
  /** The fields that the eye sees; a row is empty where they are. */
  readonly #shown: readonly string[];
  readonly #most: number;

  constructor(prefix: string, key: string, shown: readonly string[], most: number) {
    this.#prefix = prefix;
    this.#key = key;
    this.#shown = shown;
    this.#most = most;
  }

  has(name: string): boolean {
    return name.startsWith(`${this.#prefix}-`);
  }

  /** The fields of stored rows, and of an empty one. */
  filled(rows: readonly RowTexts[]): Values {
    const all = rows.length < this.#most ? [...rows, this.#emptyRow()] : rows;
    return Object.fromEntries(
      all.flatMap((texts, index) =>
        Object.entries(texts).map(([field, text]) => [`${this.#prefix}-${index}-${field}`, text]),
      ),
    );
  }

  /** The names of all rows of a form, with an empty one at the end. */
  names(values: Values): readonly string[] {
    const sent = this.#sent(values);
    const last = sent.at(-1);
    const isFull = last !== undefined && !this.#isEmpty(last, values) && sent.length < this.#most;
    return isFull || last === undefined ? [...sent, `${this.#prefix}-${sent.length}`] : sent;
  }

  /** The names of those rows that say something. */
  given(values: Values): readonly string[] {
    return this.#sent(values).filter((row) => !this.#isEmpty(row, values) && values[`${row}-remove`] === undefined);
  }

  /** The names of the rows that are to go. */
  removed(values: Values): readonly string[] {
    return this.#sent(values).filter((row) => values[`${row}-remove`] !== undefined);
  }

  /** The row that a path of the command's list is about: that of its index, or the first for the whole list. */
  rowOf([, index = '0']: Path, values: Values): string {
    return this.given(values)[Number(index)] ?? `${this.#prefix}-0`;
  }

  /** Names the subject of a mistake: all rows together, or a field of one that is called `label`. */
  subjectOf(path: Path, label: string, values: Values, words: RowWords): string {
    return path.length === 1 ? words.rows : `${this.legendOf(this.rowOf(path, values), values, words)}, ${label}`;
  }

  /** The name of a row: by its number, if it is stored. */
  legendOf(row: string, values: Values, words: RowWords): string {
    return values[`${row}-${this.#key}`] === undefined ? words.newRow : words.row(this.names(values).indexOf(row) + 1);
  }

  #emptyRow(): RowTexts {
    return Object.fromEntries(this.#shown.map((field) => [field, '']));
  }

  /** One more than are possible is for the command to refuse. */
  #sent(values: Values): readonly string[] {
    const names = Array.from({ length: this.#most + 1 }, (_, index) => `${this.#prefix}-${index}`);
    return names.filter((row) => this.#shown.some((field) => values[`${row}-${field}`] !== undefined));
  }

  #isEmpty(row: string, values: Values): boolean {
    return this.#shown.every((field) => (values[`${row}-${field}`] ?? '').trim() === '');
  }
}
