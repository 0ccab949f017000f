import type { Em } from '../../database/sql.ts';
import { deleteOwned } from '../levels/change-owned.ts';
import type { Owner } from '../levels/reach.ts';
import { OUT_OF_OFFICE } from './out-of-office.queries.ts';

/** Lets somebody be booked again. @throws Problem NOT_FOUND, FORBIDDEN */
export async function deleteOutOfOffice(em: Em, owner: Owner, outOfOfficeId: string): Promise<void> {
  await deleteOwned(em, OUT_OF_OFFICE, owner, outOfOfficeId);
}
