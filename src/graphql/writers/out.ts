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

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
