import { equalsInConstantTime, sha256Hex } from '../../core/secret.ts';
import type { RowOf } from '../../database/columns.ts';
import { changed, type Em } from '../../database/sql.ts';
import { updateTable } from '../../database/statements.ts';
import { withInstants } from '../../database/with-instants.ts';
import { findBesideClients, namedRows, type StoredClient } from '../clients/stored-clients.ts';
import { interactionIdOfCode } from '../protocol/credentials.ts';
import { MAX_CODE_FAILURES, type StoredCode } from '../protocol/tokens/code-exchange.ts';
import { OAuthCode } from './oauth-code.entity.ts';

export interface FoundCode extends StoredCode {
  readonly interactionId: string;
  readonly userId: string;
  readonly kind: string;
  readonly scopes: readonly string[];
  /** The database's clock when it was read. */
  readonly now: Temporal.Instant;
}

const READ = [
  'interactionId',
  'clientId',
  'userId',
  'redirectUri',
  'kind',
  'scopes',
  'codeChallenge',
  'failures',
  'codeHash',
  'expiresAt',
  'redeemedAt',
] as const;
const CODES = namedRows(OAuthCode, 'interactionId', READ);

interface CodeRow extends Pick<RowOf<typeof OAuthCode>, (typeof READ)[number]> {
  readonly now: string;
}

/** A code, and the client that shows it. */
export interface ShownCode {
  /** Left out where the client is known already. */
  readonly clientId?: string;
  readonly code: string;
}

/** The rows of the code and the client; undefined where nobody was given the code, or has the client id. */
export interface FoundByCode {
  readonly code: FoundCode | undefined;
  readonly client: StoredClient | undefined;
}

/** The rows of these codes, used or not, in their order, and the clients that show them. */
export async function findCodes(em: Em, shown: readonly ShownCode[]): Promise<readonly FoundByCode[]> {
  const named = shown.map((one) => ({ ...one, id: interactionIdOfCode(one.code) }));
  const { clients, rows } = await findBesideClients(em, named, CODES);
  const byId = new Map(rows.map((code) => [code.interactionId, code]));
  return named.map(({ clientId, id, code }) => {
    const row = byId.get(id ?? '');
    const isGenuine = row !== undefined && equalsInConstantTime(sha256Hex(code), row.codeHash);
    return { code: isGenuine ? asFoundCode(row) : undefined, client: clients.get(clientId ?? '') };
  });
}

/** A wrong attempt by somebody who has the code; enough of them burn it. */
export async function countCodeFailure(em: Em, interactionId: string): Promise<void> {
  await changed(
    em,
    updateTable(OAuthCode, { interactionId, redeemedAt: null })
      .set((eb) => ({ failures: eb('failures', '+', 1) }))
      .where('failures', '<', MAX_CODE_FAILURES),
  );
}

function asFoundCode(found: CodeRow): FoundCode {
  return withInstants(found, ['expiresAt', 'redeemedAt', 'now']);
}
