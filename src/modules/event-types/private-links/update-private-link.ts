import { ownerOf } from '../../../core/id.ts';
import { Problem } from '../../../core/problem.ts';
import { shown } from '../../../core/text.ts';
import { changes } from '../../../database/changes.ts';
import { type Em, row, sql } from '../../../database/sql.ts';
import type { Owner } from '../../levels/reach.ts';
import { type PrivateLinkLimits, requirePossible } from './create-private-link.ts';
import { PRIVATE_LINK_COLUMNS, type PrivateLinkRow } from './private-link.queries.ts';

/** Changes the limits that are given; null lifts one. @throws Problem NOT_FOUND, FORBIDDEN, and every mistake of the limits */
export async function updatePrivateLink(
  em: Em,
  owner: Owner,
  privateLinkId: string,
  { expiresAt, maxUsageCount }: PrivateLinkLimits,
): Promise<PrivateLinkRow> {
  requireOwnerOfLink(privateLinkId);
  await requirePossible(em, { expiresAt, maxUsageCount });
  const updated = await row(
    em,
    sql<PrivateLinkRow>`
      update private_links l set ${changes({ expiresAt: expiresAt?.toString() ?? expiresAt, maxUsageCount })}
      where l.owner_id = ${owner.ownerId} and l.id = ${privateLinkId} and ${owner.isInCharge}
      returning ${PRIVATE_LINK_COLUMNS}`,
  );
  if (updated) return updated;
  await owner.refuse(em);
  throw privateLinkNotFound(privateLinkId);
}

/** @throws Problem NOT_FOUND for what cannot be an id */
export function requireOwnerOfLink(privateLinkId: string): void {
  if (ownerOf('privateLink', privateLinkId) === undefined) throw privateLinkNotFound(privateLinkId);
}

/** The same answer for a link that is not there and for somebody else's. */
export function privateLinkNotFound(privateLinkId: string): Problem {
  return new Problem('NOT_FOUND', `There is no private link ${shown(privateLinkId)} here.`, ['privateLinkId']);
}
