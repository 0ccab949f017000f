import { ownerOf } from '../../core/id.ts';
import { changed, type Em, sql } from '../../database/sql.ts';
import { outOfOfficeNotFound, type ScheduleOwner } from './schedule-owner.ts';

/** Lets somebody be booked again. @throws Problem NOT_FOUND, FORBIDDEN */
export async function deleteOutOfOffice(em: Em, owner: ScheduleOwner, outOfOfficeId: string): Promise<void> {
  if (ownerOf('outOfOffice', outOfOfficeId) !== owner.userId) throw outOfOfficeNotFound(outOfOfficeId);
  const count = await changed(
    em,
    sql`delete from out_of_office item
        where item.user_id = ${owner.userId} and item.id = ${outOfOfficeId} and ${owner.isInCharge}`,
  );
  if (count > 0) return;
  await owner.refuse(em);
  throw outOfOfficeNotFound(outOfOfficeId);
}
