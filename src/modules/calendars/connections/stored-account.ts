import { type RawBuilder, sql } from '../../../database/sql.ts';
import type { CalendarProviderName } from './calendar-connection.rules.ts';

/** What opens an account, as its row holds it. */
export interface StoredAccount {
  readonly userId: string;
  readonly id: string;
  readonly provider: CalendarProviderName;
  /** A password, sealed. Null: `accessId` names the tokens. */
  readonly credentials: string | null;
  readonly accessId: string | null;
}

/** The columns of that. */
export const ACCOUNT_COLUMNS = ['userId', 'id', 'provider', 'credentials', 'accessId'] as const;

/** SQL: connected anew meanwhile, an account is another one, of which nothing is known. */
export function isOpenedBy({ credentials, accessId }: StoredAccount): RawBuilder<boolean> {
  return sql<boolean>`(credentials, access_id) is not distinct from (${credentials}::text, ${accessId}::uuid)`;
}
