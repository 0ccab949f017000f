import type { RowOf } from '../../database/columns.ts';
import type { Em } from '../../database/sql.ts';
import type { OwnedTable } from '../levels/owned.queries.ts';
import type { AccountState, ConferencingAccounts } from './conferencing-accounts.ts';
import { ConferencingApp } from './conferencing-app.entity.ts';
import { isOAuthApp } from './conferencing-app.rules.ts';

export const CONFERENCING_APPS: OwnedTable<typeof ConferencingApp> = {
  entity: ConferencingApp,
  kind: 'conferencingApp',
  owner: 'ownerId',
};

/** The columns that identify the account of an app. */
export const ACCOUNT = ['ownerId', 'app', 'connectionId'] as const;

export interface AppSettings {
  /** Whether the service has rooms of its own. */
  readonly hasRooms: boolean;
  readonly conferencingAccounts: ConferencingAccounts;
}

type Account = Pick<RowOf<typeof ConferencingApp>, (typeof ACCOUNT)[number]>;

const NOT_OFFERED = { status: 'UNREACHABLE', reason: 'The app is not configured here any more.' } as const;

/** Whether a connected app can be used: its provider is asked at this moment, or was a few seconds ago. */
export async function stateOfApp(
  em: Em,
  { ownerId, app, connectionId }: Account,
  { conferencingAccounts, hasRooms }: AppSettings,
): Promise<AccountState> {
  if (isOAuthApp(app) && connectionId !== null)
    return conferencingAccounts.stateOf(em, { app, connection: { ownerId, id: connectionId } });
  return app === 'video' && hasRooms ? { status: 'CONNECTED', reason: null } : NOT_OFFERED;
}
