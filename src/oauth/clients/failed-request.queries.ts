import { instantOf } from '../../core/instant.ts';
import { cutPage, type Page, type PageRequest } from '../../core/page.ts';
import { byTime } from '../../database/by-time.ts';
import { type Em, rows, sql } from '../../database/sql.ts';

/** Why a request of a client was refused. */
export interface ListedFailedRequest {
  readonly id: string;
  readonly endpoint: string;
  readonly error: string;
  readonly description: string;
  readonly occurredAt: Temporal.Instant;
  /** The row's key in its list, for its cursor. */
  readonly key: readonly [occurredAt: string, id: string];
}

/** A client's failed requests, newest first; the request's key has two columns. The client is the viewer's. */
export async function findFailedRequests(
  em: Em,
  clientId: string,
  request: PageRequest,
): Promise<Page<ListedFailedRequest>> {
  const page = byTime('NEWEST_FIRST', sql`occurred_at`, sql`id`, request);
  const found = await rows(
    em,
    sql<Omit<ListedFailedRequest, 'occurredAt' | 'key'> & { readonly occurredAt: string }>`
      select id, endpoint, error, description, occurred_at as "occurredAt" from oauth_failed_requests
      where client_id = ${clientId} and ${page.within} ${page.orderAndLimit}`,
  );
  const listed = found.map(({ occurredAt, ...rest }) => ({
    ...rest,
    occurredAt: instantOf(occurredAt),
    key: [occurredAt, rest.id] as const,
  }));
  return cutPage(listed, request);
}
