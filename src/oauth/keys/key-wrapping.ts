import { compactDecrypt } from 'jose/jwe/compact/decrypt';
import { CompactEncrypt } from 'jose/jwe/compact/encrypt';

const ENCRYPTION = { alg: 'dir', enc: 'A256GCM' } as const;

/** A key of the server as its row holds it: JWE under the master key. The row's id is bound in, so that nobody can swap two rows. */
export function wrapKey(masterKey: Uint8Array, id: string, key: Uint8Array): Promise<string> {
  return new CompactEncrypt(key).setProtectedHeader({ ...ENCRYPTION, kid: id }).encrypt(masterKey);
}

/** Undefined when it was wrapped under another master key, or for another row. */
export async function unwrapKey(masterKey: Uint8Array, id: string, wrapped: string): Promise<Uint8Array | undefined> {
  const options = { keyManagementAlgorithms: [ENCRYPTION.alg], contentEncryptionAlgorithms: [ENCRYPTION.enc] };
  try {
    const { plaintext, protectedHeader } = await compactDecrypt(wrapped, masterKey, options);
    return protectedHeader.kid === id ? plaintext : undefined;
  } catch {
    return undefined;
  }
}
