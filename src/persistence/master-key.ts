import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MasterKeys } from '../oauth/keys/signing-keys.ts';

export interface MasterKeySettings {
  /** In base64url */
  readonly secretKey: string | undefined;
  readonly secretKeyPrevious: string | undefined;
  readonly dataDir: string;
}

/** The master key and, while it is being replaced, the one before. */
export async function masterKeys({ secretKey, secretKeyPrevious, dataDir }: MasterKeySettings): Promise<MasterKeys> {
  return {
    current: await masterKey(secretKey, dataDir),
    previous: secretKeyPrevious === undefined ? undefined : Buffer.from(secretKeyPrevious, 'base64url'),
  };
}

/**
 * The master key: from the configuration, else (development) generated once into the data folder.
 * 32 bytes. A data folder in memory gets a key for its life.
 */
async function masterKey(configured: string | undefined, dataDir: string): Promise<Buffer> {
  if (configured) return Buffer.from(configured, 'base64url');
  if (dataDir === 'memory:') return randomBytes(32);
  const path = join(dataDir, 'secret-key');
  await mkdir(dataDir, { recursive: true });
  // Written only if it is not there, so that two first starts agree on one key.
  await writeFile(path, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 }).catch(ignoreExisting);
  const key = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64url');
  if (key.length === 32) return key;
  throw new Error(
    `${path} does not hold a key of 32 bytes in base64url. Restore it, or delete it together with the data folder to start anew.`,
  );
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
