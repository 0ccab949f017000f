import type { OwnedTable } from '../levels/owned.queries.ts';
import { OutOfOffice } from './out-of-office.entity.ts';

export const OUT_OF_OFFICE: OwnedTable<typeof OutOfOffice> = {
  entity: OutOfOffice,
  kind: 'outOfOffice',
  owner: 'userId',
  isGathered: true,
  guarded: ['reason', 'notes', 'redirectTo'],
};
