import { instantOf } from '../../core/instant.ts';
import { equalsInConstantTime, sha256Hex } from '../../core/secret.ts';
import { changed, type Em, rows, sql } from '../../database/sql.ts';
import { interactionIdOfCode } from '../protocol/credentials.ts';
import { MAX_CODE_FAILURES, type StoredCode } from '../protocol/tokens/code-exchange.ts';

export interface FoundCode extends StoredCode {
  readonly interactionId: string;
  readonly userId: string;
  readonly kind: string;
  readonly scopes: readonly string[];
  /** The database's clock when it was read. */
  readonly now: Temporal.Instant;
}

type CodeRow = Pick<FoundCode, 'interactionId' | 'clientId' | 'userId' | 'redirectUri' | 'kind' | 'scopes'> &
  Pick<FoundCode, 'codeChallenge' | 'failures'> & {
    readonly codeHash: string;
    readonly expiresAt: string;
    readonly redeemedAt: string | null;
    readonly now: string;
  };

/** The rows of these codes, used or not, in their order; undefined where nobody was given the code. */
export async function findCodes(em: Em, codes: readonly string[]): Promise<readonly (FoundCode | undefined)[]> {
  const ids = codes.map(interactionIdOfCode);
  const possible = [...new Set(ids.filter((id) => id !== undefined))];
  if (possible.length === 0) return codes.map(() => undefined);
  const found = await rows(
    em,
    sql<CodeRow>`
      select interaction_id as "interactionId", code_hash as "codeHash", client_id as "clientId", user_id as "userId",
        redirect_uri as "redirectUri", kind, scopes, code_challenge as "codeChallenge", failures,
        expires_at as "expiresAt", redeemed_at as "redeemedAt", now() as now
      from oauth_codes where interaction_id = any(${possible}::uuid[])`,
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
    sql`update oauth_codes set failures = failures + 1
        where interaction_id = ${interactionId} and redeemed_at is null and failures < ${MAX_CODE_FAILURES}`,
  );
}

function asFoundCode(found: CodeRow): FoundCode {
  const { interactionId, clientId, userId, redirectUri, kind, scopes, codeChallenge, failures } = found;
  return {
    interactionId,
    clientId,
    userId,
    redirectUri,
    kind,
    scopes,
    codeChallenge,
    failures,
    expiresAt: instantOf(found.expiresAt),
    redeemedAt: instantOf(found.redeemedAt),
    now: instantOf(found.now),
  };
}
