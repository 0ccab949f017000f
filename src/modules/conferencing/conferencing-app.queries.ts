import type { OwnedTable } from '../levels/owned.queries.ts';
import { ConferencingApp } from './conferencing-app.entity.ts';

export const CONFERENCING_APPS: OwnedTable<typeof ConferencingApp> = {
  entity: ConferencingApp,
  kind: 'conferencingApp',
  owner: 'ownerId',
};
