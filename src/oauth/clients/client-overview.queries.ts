import { type Em, row, rows, sql } from '../../database/sql.ts';
import type { ClientStatus, ClientType } from '../protocol/client.ts';
import type { ReviewedContent } from '../protocol/clients/client-update.ts';
import { REGISTERED_CLIENT_COLUMNS, type RegisteredClient } from './registered-client.ts';

/** A client in one line, for the operator of the service. */
export interface ClientOverview {
  readonly clientId: string;
  readonly name: string;
  readonly type: ClientType;
  readonly status: ClientStatus;
  readonly legacy: boolean;
  /** An approved client waits for a change of it to be reviewed. */
  readonly hasPendingRevision: boolean;
  readonly ownerEmail: string;
  readonly submittedAt: string;
  /** What a decision about it names. */
  readonly version: number;
}

/** All clients, or those of one status, longest submitted first. For the operator only, not for requests: no permission is checked. */
export async function findClientOverviews(em: Em, status: ClientStatus | undefined): Promise<ClientOverview[]> {
  return rows(
    em,
    sql<ClientOverview>`
      select c.client_id as "clientId", c.name, c.type, c.status, c.legacy,
        c.pending_revision is not null as "hasPendingRevision", u.email as "ownerEmail", c.submitted_at as "submittedAt",
        c.version
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
      select ${REGISTERED_CLIENT_COLUMNS}, c.pending_revision is not null as "hasPendingRevision",
        u.email as "ownerEmail", c.submitted_at as "submittedAt"
      from oauth_clients c join users u on u.id = c.owner_id where c.client_id = ${clientId}`,
  );
}
