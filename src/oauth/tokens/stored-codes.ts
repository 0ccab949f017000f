import { equalsInConstantTime, sha256Hex } from '../../core/secret.ts';
import { type RowOf, selectColumns } from '../../database/columns.ts';
import { read } from '../../database/read.ts';
import { changed, type Em, sql } from '../../database/sql.ts';
import { updateTable } from '../../database/statements.ts';
import { withInstants } from '../../database/with-instants.ts';
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
const COLUMNS = selectColumns(OAuthCode, READ, 'c');

interface CodeRow extends Pick<RowOf<typeof OAuthCode>, (typeof READ)[number]> {
  readonly now: string;
}

/** The rows of these codes, used or not, in their order; undefined where nobody was given the code. */
export async function findCodes(em: Em, codes: readonly string[]): Promise<readonly (FoundCode | undefined)[]> {
  const ids = codes.map(interactionIdOfCode);
  const possible = [...new Set(ids.filter((id) => id !== undefined))];
  if (possible.length === 0) return codes.map(() => undefined);
  const found = await read(
    em,
    sql<CodeRow>`
      select ${COLUMNS}, now() as now from oauth_codes c where c.interaction_id = any(${possible}::uuid[])`,
  );
  const byId = new Map(found.map((code) => [code.interactionId, code]));
  return codes.map((code, index) => {
    const candidate = byId.get(ids[index] ?? '');
    return candidate && equalsInConstantTime(sha256Hex(code), candidate.codeHash) ? asFoundCode(candidate) : undefined;
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
