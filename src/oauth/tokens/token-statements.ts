import type { Em } from '../../database/sql.ts';
import { together } from '../../database/together.ts';
import { findStoredClients, type Shown, type StoredClient } from '../clients/stored-clients.ts';
import {
  type FoundByCode,
  type FoundCode,
  findCodes,
  type NewGrant,
  redeemCodes,
  type ShownCode,
} from './stored-codes.ts';
import { type FoundGrant, findGrants, type GrantGeneration, rotateGrants } from './stored-grants.ts';

/** The statements of the token endpoint, each shared by all requests that wait for it at a moment. */
export interface TokenStatements {
  readonly findClient: (clientId: string) => Promise<StoredClient | undefined>;
  readonly findCode: (shown: ShownCode) => Promise<FoundByCode>;
  readonly findGrant: (shown: Shown) => Promise<FoundGrant>;
  /** Undefined when the code is not to be had any more. */
  readonly redeemCode: (code: FoundCode) => Promise<NewGrant | undefined>;
  /** Undefined when the generation was rotated already. */
  readonly rotateGrant: (seen: GrantGeneration) => Promise<GrantGeneration | undefined>;
}

/**
 * One for all requests of a turn, and then for all that came while it was on its way: what a statement costs, its commit
 * above all, is shared by them. Longer than that nobody waits behind one that a lock holds up.
 */
const SHARED = { atOnce: 2, timeoutInMs: 20, when: setImmediate } as const;

/** `em` is bound to no transaction, and lives as long as the server. */
export function tokenStatements(em: Em): TokenStatements {
  return {
    findClient: together((ids: readonly string[]) => findStoredClients(em, ids), SHARED),
    findCode: together((shown: readonly ShownCode[]) => findCodes(em, shown), SHARED),
    findGrant: together((shown: readonly Shown[]) => findGrants(em, shown), SHARED),
    redeemCode: together((codes: readonly FoundCode[]) => redeemCodes(em, codes), SHARED),
    rotateGrant: together((seen: readonly GrantGeneration[]) => rotateGrants(em, seen), SHARED),
  };
}
