import { EventEmitter } from 'node:events';
import { type DatabaseError, parse } from 'pg-protocol';

/** Each message (PostgreSQL §55.7) begins with its type, and the length of what follows, itself included. */
const HEADER_BYTES = 5;
const DATA_ROW = 'D'.charCodeAt(0);
/** A row begins with the number of its columns, in this many bytes. */
const COUNT_BYTES = 2;

/** A row within what it came with. */
export interface DataRow {
  readonly bytes: Buffer;
  /** The offset at which the row's columns begin. */
  readonly at: number;
}

/**
 * Cuts what a server sends into messages: rows are passed on as they are, for those who read them from their bytes
 * (wire-row.ts); all others, as many as stand together, are for a library's parser.
 */
export class WireMessages {
  readonly #onRow: (row: DataRow) => void;
  readonly #onOthers: (bytes: Buffer) => void;
  /** The beginning of a message whose end is still to come. */
  #rest: Buffer[] = [];
  #restLength = 0;
  #missing = 0;

  constructor(onRow: (row: DataRow) => void, onOthers: (bytes: Buffer) => void) {
    this.#onRow = onRow;
    this.#onOthers = onOthers;
  }

  /** Keeps hold of the chunk where it ends in the middle of a message, as its rows do for as long as they are kept. */
  read(chunk: Buffer): void {
    const bytes = this.#withRest(chunk);
    if (!bytes) return;
    let at = 0;
    let othersFrom = 0;
    while (at + HEADER_BYTES <= bytes.length) {
      const end = at + 1 + bytes.readUInt32BE(at + 1);
      if (end > bytes.length) break;
      if (bytes[at] === DATA_ROW) {
        if (othersFrom < at) this.#onOthers(bytes.subarray(othersFrom, at));
        this.#onRow({ bytes, at: at + HEADER_BYTES + COUNT_BYTES });
        othersFrom = end;
      }
      at = end;
    }
    if (othersFrom < at) this.#onOthers(bytes.subarray(othersFrom, at));
    if (at < bytes.length) this.#keep(bytes.subarray(at));
  }

  #keep(rest: Buffer): void {
    this.#rest = [rest];
    this.#restLength = rest.length;
    this.#missing = rest.length < HEADER_BYTES ? 1 : 1 + rest.readUInt32BE(1) - rest.length;
  }

  /** Undefined as long as the end of a message is still to come: a long one is put together once. */
  #withRest(chunk: Buffer): Buffer | undefined {
    if (this.#restLength === 0) return chunk;
    this.#rest.push(chunk);
    this.#restLength += chunk.length;
    this.#missing -= chunk.length;
    if (this.#missing > 0) return undefined;
    const bytes = Buffer.concat(this.#rest, this.#restLength);
    this.#rest = [];
    this.#restLength = 0;
    return bytes;
  }
}

/** The messages that matter here, by their names. */
export type Message =
  | { readonly name: 'parseComplete' | 'emptyQuery' | 'readyForQuery' }
  | { readonly name: 'commandComplete'; readonly text: string }
  | { readonly name: 'rowDescription'; readonly fields: readonly Field[] }
  | { readonly name: 'parameterDescription'; readonly dataTypeIDs: readonly number[] }
  | { readonly name: 'parameterStatus'; readonly parameterName: string; readonly parameterValue: string }
  | { readonly name: 'notification'; readonly channel: string };

export interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

type OnMessage = (message: Message | DatabaseError) => void;

/** Reads messages by pg-protocol, which takes a stream: it parses the bytes of each event at once. */
export class MessageReader {
  readonly #stream = new EventEmitter();
  #onMessage: OnMessage = () => undefined;

  constructor() {
    void parse(this.#stream as NodeJS.ReadableStream, (message) => this.#onMessage(message as Message | DatabaseError));
  }

  read(bytes: Buffer, onMessage: OnMessage): void {
    this.#onMessage = onMessage;
    this.#stream.emit('data', bytes);
    this.#onMessage = () => undefined;
  }
}
