import { type RawBuilder, sql } from '../../../database/sql.ts';
import type { CalendarProviderName } from './calendar-connection.rules.ts';

/** The credentials of an account, as its row holds them. */
export interface StoredAccount {
  readonly userId: string;
  readonly id: string;
  readonly provider: CalendarProviderName;
  /** The host that keeps it; null: its provider has one alone. */
  readonly server: string | null;
  /** A password, sealed. Null: `accessId` names the tokens. */
  readonly credentials: string | null;
  readonly accessId: string | null;
  /** When its server refused the password. Null: it has not. */
  readonly refusedAt: string | null;
}

/** The server whose turns it takes: one that is slow holds up the accounts there alone. */
export function serverOf({ provider, server }: Pick<StoredAccount, 'provider' | 'server'>): string {
  return server ?? provider;
}

/** The columns of that. */
export const ACCOUNT_COLUMNS = ['userId', 'id', 'provider', 'server', 'credentials', 'accessId', 'refusedAt'] as const;

/** SQL: connected anew meanwhile, an account is another one, of which nothing is known. */
export function isOpenedBy({ credentials, accessId }: StoredAccount): RawBuilder<boolean> {
  return sql<boolean>`(credentials, access_id) is not distinct from (${credentials}::text, ${accessId}::uuid)`;
}
