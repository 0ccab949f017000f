import { changed, type Em, sql } from '../../../database/sql.ts';
import type { Owner } from '../../levels/reach.ts';
import { privateLinkNotFound, requireOwnerOfLink } from './update-private-link.ts';

/** Ends a private link at once. @throws Problem NOT_FOUND, FORBIDDEN */
export async function deletePrivateLink(em: Em, owner: Owner, privateLinkId: string): Promise<void> {
  requireOwnerOfLink(privateLinkId);
  const count = await changed(
    em,
    sql`delete from private_links l
        where l.owner_id = ${owner.ownerId} and l.id = ${privateLinkId} and ${owner.isInCharge}`,
  );
  if (count > 0) return;
  await owner.refuse(em);
  throw privateLinkNotFound(privateLinkId);
}
