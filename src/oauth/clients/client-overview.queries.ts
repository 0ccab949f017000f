import { type RowOf, type Selected, selectColumns, selectColumnsAs } from '../../database/columns.ts';
import { type Em, row, rows, sql } from '../../database/sql.ts';
import { User } from '../../modules/accounts/user.entity.ts';
import type { ClientStatus } from '../protocol/client.ts';
import type { ReviewedContent } from '../protocol/clients/client-update.ts';
import { isDeveloperSuspended, REGISTERED_CLIENT_COLUMNS, type RegisteredClient } from './client-columns.ts';
import { OAuthClient } from './oauth-client.entity.ts';

/** A client in one line, for the operator of the service. */
export interface ClientOverview
  extends Pick<RowOf<typeof OAuthClient>, (typeof OVERVIEW)[number]>,
    Selected<typeof OWNER> {
  /** An approved client waits for a change of it to be reviewed. */
  readonly hasPendingRevision: boolean;
  /** Then it is not in use, whatever its status is. */
  readonly isDeveloperSuspended: boolean;
}

/** `version`: what a decision about it names. */
const OVERVIEW = ['clientId', 'name', 'type', 'status', 'legacy', 'submittedAt', 'version'] as const;
const OWNER = selectColumnsAs(User, { ownerEmail: 'email' }, 'u');
const BESIDE = sql`c.pending_revision is not null as "hasPendingRevision", ${isDeveloperSuspended} as "isDeveloperSuspended", ${OWNER}`;

/** All clients, or those of one status, longest submitted first. For the operator only, not for requests: no permission is checked. */
export async function findClientOverviews(em: Em, status: ClientStatus | undefined): Promise<ClientOverview[]> {
  return rows(
    em,
    sql<ClientOverview>`
      select ${selectColumns(OAuthClient, OVERVIEW, 'c')}, ${BESIDE}
      from oauth_clients c join users u on u.id = c.owner_id
      where ${status ?? null}::text is null or c.status = ${status ?? null}
      order by c.submitted_at, c.client_id`,
  );
}

/** A client as a reviewer has to see it, for the operator of the service. */
export type ClientForReview = ClientOverview & ReviewedContent & Pick<RegisteredClient, 'pendingRevision'>;

/** One client, whole; undefined when there is none. Not for requests either. */
export async function findClientForReview(em: Em, clientId: string): Promise<ClientForReview | undefined> {
  return row(
    em,
    sql<ClientForReview>`
      select ${REGISTERED_CLIENT_COLUMNS}, ${selectColumns(OAuthClient, ['submittedAt'], 'c')}, ${BESIDE}
      from oauth_clients c join users u on u.id = c.owner_id where c.client_id = ${clientId}`,
  );
}
