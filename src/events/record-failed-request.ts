import { newId } from '../core/id.ts';
import { changed, type Em, sql } from '../database/sql.ts';

export type FailedEndpoint = 'AUTHORIZE' | 'TOKEN' | 'REVOKE' | 'INTROSPECT' | 'GRAPHQL';

/** Why a request of a client was refused, for its developer. `description` never holds a secret, a code or a token. */
export interface FailedRequest {
  readonly clientId: string;
  readonly endpoint: FailedEndpoint;
  readonly error: string;
  readonly description: string;
}

/** Anybody can fail in the name of a client: at most this many of one kind are kept an hour, and no kind displaces another. */
const KEPT_PER_HOUR_AND_ERROR = 50;

/**
 * Notes a failed request, unless the client does not exist or has had its share. Not in the transaction that failed,
 * which was rolled back.
 */
export async function recordFailedRequest(em: Em, failed: FailedRequest): Promise<void> {
  const { clientId, endpoint, error, description } = failed;
  await changed(
    em,
    sql`insert into oauth_failed_requests (occurred_at, id, client_id, endpoint, error, description)
        select clock_timestamp(), ${newId()}, client_id, ${endpoint}, ${error}, ${description}
        from oauth_clients
        where client_id = ${clientId} and (
          select count(*) from (
            select from oauth_failed_requests f
            where f.client_id = ${clientId} and f.occurred_at > now() - interval '1 hour'
              and f.endpoint = ${endpoint} and f.error = ${error}
            limit ${KEPT_PER_HOUR_AND_ERROR}
          ) as recent
        ) < ${KEPT_PER_HOUR_AND_ERROR}`,
  );
}
