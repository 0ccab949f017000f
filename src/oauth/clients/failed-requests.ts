import { mapped, type Page, type PageRequest } from '../../core/page.ts';
import { type RowOf, selectColumns } from '../../database/columns.ts';
import { byTime, pageOf } from '../../database/pages.ts';
import { type Em, sql } from '../../database/sql.ts';
import { type WithInstants, withInstants } from '../../database/temporal-types.ts';
import type { FailedEndpoint } from '../../events/failed-request-log.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { OAuthError } from '../protocol/oauth-error.ts';
import { OAuthFailedRequest } from './oauth-client.entity.ts';

const LISTED = ['id', 'endpoint', 'error', 'description', 'occurredAt'] as const;
type ListedRow = Pick<RowOf<typeof OAuthFailedRequest>, (typeof LISTED)[number]>;

/** Why a request of a client was refused. */
export interface ListedFailedRequest extends WithInstants<ListedRow, 'occurredAt'> {
  /** The row's key in its list, for its cursor. */
  readonly key: readonly [occurredAt: string, id: string];
}

/**
 * Notes for the developer of a client why a request of it was refused. The answer does not wait for it: else the time
 * would tell whether the client exists.
 */
export function noteFailedRequest(
  { failedRequests }: Pick<AuthorizationServer, 'failedRequests'>,
  failed: { readonly clientId: string; readonly endpoint: FailedEndpoint; readonly error: OAuthError },
): void {
  const { clientId, endpoint, error } = failed;
  failedRequests.note({ clientId, endpoint, error: error.error, description: error.description });
}

/** A client's failed requests, newest first; the request's key has two columns. The client is the viewer's. */
export async function findFailedRequests(
  em: Em,
  clientId: string,
  request: PageRequest,
): Promise<Page<ListedFailedRequest>> {
  const page = byTime('NEWEST_FIRST', sql`occurred_at`, sql`id`, request);
  const found = await pageOf(
    em,
    request,
    sql<ListedRow>`select ${selectColumns(OAuthFailedRequest, LISTED, 'f')} from oauth_failed_requests f
        where client_id = ${clientId} and ${page.within} ${page.orderAndLimit}`,
  );
  return mapped(found, (one) => ({
    ...withInstants(one, ['occurredAt']),
    key: [one.occurredAt, one.id] as const,
  }));
}
