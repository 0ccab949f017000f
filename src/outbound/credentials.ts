import { decrypted, encrypted } from '../database/encrypted.ts';

/** The place that holds them: table, owner and id of the row. */
export type CredentialsOf = readonly [table: string, ownerId: string, id: string];

/** The row holds nothing that the key opens: it was written by another key, or for another row. To be connected anew. */
export class UnreadableCredentials extends Error {
  override readonly name = 'UnreadableCredentials';

  constructor([table, , id]: CredentialsOf) {
    super(
      `The credentials of ${table} ${id} cannot be opened: they were encrypted by another key, or for another row.`,
    );
  }
}

/**
 * Passwords and tokens for servers of others, as a row holds them: encrypted by one key, and bound to that row. The key hangs on
 * SECRET_KEY as all derived keys do, so replacing that one leaves them readable.
 */
export class Credentials {
  readonly #key: Uint8Array;

  /** `key`: 32 bytes. */
  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** `value`: anything that JSON holds. */
  seal(value: unknown, of: CredentialsOf): Promise<string> {
    return encrypted(this.#key, of.join(':'), Buffer.from(JSON.stringify(value)));
  }

  /** Opens a text that was sealed for this row. @throws UnreadableCredentials */
  async open(text: string, of: CredentialsOf): Promise<unknown> {
    const opened = await decrypted(this.#key, of.join(':'), text);
    if (!opened) throw new UnreadableCredentials(of);
    return JSON.parse(Buffer.from(opened).toString());
  }
}
