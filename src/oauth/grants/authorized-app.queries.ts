import { instantOf } from '../../core/instant.ts';
import { cutPage, type Page, type PageRequest } from '../../core/page.ts';
import { byKey, pageOrder } from '../../database/keyset.ts';
import { type Em, row, rows, sql } from '../../database/sql.ts';
import { isPossibleClientId } from '../protocol/client.ts';
import { CHAIN_DAYS } from '../protocol/tokens/refresh.ts';

/** An app that a user has let in, with what it may do. */
export interface AuthorizedApp {
  readonly clientId: string;
  readonly name: string;
  readonly websiteUrl: string | null;
  /** Newest first, at most 100. */
  readonly grants: readonly AuthorizedGrant[];
}

export interface AuthorizedGrant {
  readonly id: string;
  readonly kind: 'SCOPED' | 'UNRESTRICTED';
  readonly scopes: readonly string[];
  readonly createdAt: Temporal.Instant;
  readonly lastUsedAt: Temporal.Instant;
}

type GrantRow = Omit<AuthorizedGrant, 'createdAt' | 'lastUsedAt'> &
  Readonly<Record<'createdAt' | 'lastUsedAt', string>>;
type AppRow = Omit<AuthorizedApp, 'grants'> & { readonly grants: readonly GrantRow[] };

/** A client can ask for a new grant each day; nobody reads more than this. */
export const MOST_GRANTS_SHOWN = 100;

const isAlive = sql`revoked_at is null and expires_at > now()
  and rotated_at > now() - make_interval(days => ${CHAIN_DAYS.idle})`;

/** The apps with a live grant of the user, by client id, which is the request's one key column. */
export async function findAuthorizedApps(em: Em, userId: string, request: PageRequest): Promise<Page<AuthorizedApp>> {
  const { within, orderAndLimit } = byKey(sql`client_id`, request);
  const found = await rows(
    em,
    sql<AppRow>`
      with apps as (
        select distinct client_id from oauth_grants
        where user_id = ${userId} and ${isAlive} and ${within}
        ${orderAndLimit}
      )
      select c.client_id as "clientId", c.name, c.website_url as "websiteUrl", g.grants
      from apps
      cross join lateral (select * from oauth_clients c where c.client_id = apps.client_id limit 1) c
      cross join lateral (
        select json_agg(json_build_object('id', id, 'kind', kind, 'scopes', scopes, 'createdAt', created_at,
          'lastUsedAt', last_used_at) order by created_at desc, id desc) as grants
        from (
          select * from oauth_grants
          where user_id = ${userId} and client_id = apps.client_id and ${isAlive}
          order by created_at desc, id desc limit ${MOST_GRANTS_SHOWN}
        ) as shown
      ) g
      order by c.client_id ${pageOrder(request)}`,
  );
  return cutPage(
    found.map(({ grants, ...app }) => ({ ...app, grants: grants.map(asGrant) })),
    request,
  );
}

/** What is shown of an app before a user ends its access; undefined when it has none. */
export async function findAuthorizedApp(
  em: Em,
  userId: string,
  clientId: string,
): Promise<{ readonly name: string } | undefined> {
  if (!isPossibleClientId(clientId)) return undefined;
  return row(
    em,
    sql<{ name: string }>`
      select name from oauth_clients
      where client_id = ${clientId}
        and exists (select from oauth_grants where user_id = ${userId} and client_id = ${clientId} and ${isAlive})`,
  );
}

function asGrant({ createdAt, lastUsedAt, ...grant }: GrantRow): AuthorizedGrant {
  return { ...grant, createdAt: instantOf(createdAt), lastUsedAt: instantOf(lastUsedAt) };
}
