export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

/** A string, which may be a name, and the braces of objects. The end of a string is never looked for twice: valid JSON has it. */
const STRING_OR_BRACE = /"[^"\\]*(?:\\.[^"\\]*)*"?(\s*:)?|[{}]/gs;

/** A name in an object of a JSON text. */
export interface JsonName {
  readonly name: string;
  /** Which object has it, counted by where they begin: the outermost is 1. */
  readonly object: number;
}

/** The names in valid JSON text, repetitions among them, which `JSON.parse` loses. A brace in a string is none. */
export function* namesIn(json: string): Generator<JsonName> {
  const open: number[] = [];
  let objects = 0;
  for (const [token, colon] of json.matchAll(STRING_OR_BRACE)) {
    if (token === '{') open.push((objects += 1));
    else if (token === '}') open.pop();
    else if (colon !== undefined) {
      yield { name: String(JSON.parse(token.slice(0, -colon.length))), object: open.at(-1) ?? 0 };
    }
  }
}

/**
 * Whether a JSON text holds more than so many values, or lists and objects: told before it is parsed, since an object of 60,000
 * names takes a hundred times as long as a text of its length.
 */
export function holdsMore(json: string, most: number): boolean {
  if (json.length <= most) return false;
  let [commas, beginnings, isInText] = [0, 0, false];
  for (let index = 0; index < json.length; index += 1) {
    const sign = json.charCodeAt(index);
    if (isInText) {
      if (sign === BACKSLASH) index += 1;
      else if (sign === QUOTE) isInText = false;
    } else if (sign === QUOTE) isInText = true;
    else if (sign === COMMA) commas += 1;
    else if (sign === OPEN_LIST || sign === OPEN_OBJECT) beginnings += 1;
    if (commas > most || beginnings > most) return true;
  }
  return false;
}

const USUAL_BYTES = 64 * 1024;
/** The buffer gives back what a long answer took beyond this. */
const MOST_KEPT_BYTES = 1024 * 1024;

/** The bytes of an answer as they are written, for all answers: nobody waits between the first byte of a text and its last. */
class Out {
  #bytes = Buffer.allocUnsafeSlow(USUAL_BYTES);
  length = 0;

  /** Room for so many bytes more, which are then written by those who reserved them. */
  reserve(count: number): Uint8Array {
    if (this.length + count > this.#bytes.length) this.#resize(2 * (this.length + count));
    return this.#bytes;
  }

  bytes(from: Uint8Array, start: number, end: number): void {
    const to = this.reserve(end - start);
    let { length } = this;
    for (let at = start; at < end; at += 1) to[length++] = from[at] as number;
    this.length = length;
  }

  byte(byte: number): void {
    this.reserve(1)[this.length++] = byte;
  }

  text(text: string): void {
    this.reserve(3 * text.length);
    this.length += this.#bytes.write(text, this.length);
  }

  /** Takes the text that was written from there on. */
  take(from: number): string {
    const text = this.#bytes.toString('utf8', from, this.length);
    this.length = from;
    if (from === 0 && this.#bytes.length > MOST_KEPT_BYTES) this.#resize(USUAL_BYTES);
    return text;
  }

  #resize(size: number): void {
    const bytes = Buffer.allocUnsafeSlow(size);
    this.#bytes.copy(bytes, 0, 0, this.length);
    this.#bytes = bytes;
  }
}

export const OUT = new Out();
