import type { Em } from '../../database/sql.ts';
import { together } from '../../database/together.ts';
import { findStoredClients, type StoredClient } from '../clients/stored-clients.ts';
import type { UserAccess } from '../grants/revoke-grant.ts';
import { type NewGrant, redeemCodes } from './redeem-codes.ts';
import { type FoundCode, findCodes } from './stored-codes.ts';
import { findGrants, type GrantGeneration, rotateGrants, type StoredGrant } from './stored-grants.ts';
import { endSurplusGrants } from './surplus-grants.ts';

/** The statements of the token endpoint, each shared by all requests that wait for it at a moment. */
export interface TokenStatements {
  readonly findClient: (clientId: string) => Promise<StoredClient | undefined>;
  readonly findCode: (code: string) => Promise<FoundCode | undefined>;
  readonly findGrant: (grantId: string) => Promise<StoredGrant | undefined>;
  /** Undefined when the code is not to be had any more. */
  readonly redeemCode: (code: FoundCode) => Promise<NewGrant | undefined>;
  readonly endSurplusGrants: (pair: Required<UserAccess>) => Promise<undefined>;
  /** Undefined when the generation was rotated already. */
  readonly rotateGrant: (seen: GrantGeneration) => Promise<GrantGeneration | undefined>;
}

/** `em` is bound to no transaction, and lives as long as the server. */
export function tokenStatements(em: Em): TokenStatements {
  return {
    findClient: together((ids: readonly string[]) => findStoredClients(em, ids)),
    findCode: together((codes: readonly string[]) => findCodes(em, codes)),
    findGrant: together((ids: readonly string[]) => findGrants(em, ids)),
    redeemCode: together((codes: readonly FoundCode[]) => redeemCodes(em, codes)),
    endSurplusGrants: together((pairs: readonly Required<UserAccess>[]) => endSurplusGrants(em.fork(), pairs), 1),
    rotateGrant: together((seen: readonly GrantGeneration[]) => rotateGrants(em, seen)),
  };
}
