import { idOf } from '../../core/id.ts';
import { mapped, type Page, type PageRequest } from '../../core/page.ts';
import { Problem } from '../../core/problem.ts';
import { type RowOf, Selection, selectColumns } from '../../database/columns.ts';
import { byKey, pageOf, pageOrder } from '../../database/pages.ts';
import { type Em, type RawBuilder, row, sql } from '../../database/sql.ts';
import { type WithInstants, withInstants } from '../../database/temporal-types.ts';
import type { Aftermath } from '../authorization-server.ts';
import { isInUse } from '../clients/client-columns.ts';
import { OAuthClient } from '../clients/oauth-client.entity.ts';
import { isAlive } from '../clients/oauth-client.queries.ts';
import { isPossibleClientId } from '../protocol/client.ts';
import { OAuthGrant } from './oauth-grant.entity.ts';
import { endAccess, endGrant } from './revoke-grant.ts';

const SHOWN_OF_GRANT = ['id', 'kind', 'scopes', 'createdAt', 'lastUsedAt'] as const;
const SHOWN_OF_APP = ['clientId', 'name', 'websiteUrl'] as const;

type GrantRow = Pick<RowOf<typeof OAuthGrant>, (typeof SHOWN_OF_GRANT)[number]>;
interface AppRow extends Pick<RowOf<typeof OAuthClient>, (typeof SHOWN_OF_APP)[number]> {
  readonly isSuspended: boolean;
  readonly grants: readonly GrantRow[];
}

export type AuthorizedGrant = WithInstants<GrantRow, 'createdAt' | 'lastUsedAt'>;
/** An app that a user has let in, with what it may do: its grants, the newest first, at most 100. */
export type AuthorizedApp = Omit<AppRow, 'grants'> & { readonly grants: readonly AuthorizedGrant[] };

/** A client can ask for a new grant each day; nobody reads more than this. */
export const MOST_GRANTS_SHOWN = 100;

export const REVOKE_APP_CODES = ['NOT_FOUND'] as const;

const GRANT = new Selection(OAuthGrant, SHOWN_OF_GRANT);
const APP = selectColumns(OAuthClient, SHOWN_OF_APP, 'c');

/** The apps with a live grant of the user, by client id, which is the request's one key column. */
export async function findAuthorizedApps(em: Em, userId: string, request: PageRequest): Promise<Page<AuthorizedApp>> {
  const { within, orderAndLimit } = byKey(sql`client_id`, request);
  const found = await pageOf(
    em,
    request,
    sql<AppRow>`
      with apps as (
        select distinct client_id from oauth_grants
        where user_id = ${userId} and ${isAlive} and ${within}
        ${orderAndLimit}
      )
      select ${APP}, not ${isInUse} as "isSuspended", g.grants
      from apps
      cross join lateral (select * from oauth_clients c where c.client_id = apps.client_id limit 1) c
      cross join lateral (
        select ${GRANT.jsonArray(
          'shown',
          sql`from oauth_grants shown
            where user_id = ${userId} and client_id = apps.client_id and ${isAlive}
            order by shown.created_at desc, shown.id desc limit ${MOST_GRANTS_SHOWN}`,
        )} as grants
      ) g
      order by c.client_id ${pageOrder(request)}`,
  );
  return mapped(found, ({ grants, ...app }) => ({
    ...app,
    grants: grants.map((grant) => withInstants(grant, ['createdAt', 'lastUsedAt'])),
  }));
}

/** Finds what is shown of an app before a user ends its access; undefined when it has none. */
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

interface AppToRevoke {
  readonly userId: string;
  readonly clientId: string;
  /** Undefined ends all access of the app. */
  readonly grantId: string | undefined;
  readonly address: string;
}

/** A user takes back what an app was granted: its tokens are refused from the next request on. @throws Problem NOT_FOUND */
export async function revokeApp(
  em: Em,
  after: Aftermath,
  { userId, clientId, grantId, address }: AppToRevoke,
): Promise<void> {
  const by = { reason: 'REVOKED_BY_USER', address } as const;
  const hasEnded =
    isPossibleClientId(clientId) &&
    (await em.transactional((inner) =>
      grantId === undefined
        ? endAccess(inner, { userId, clientId }, by)
        : endGrant(inner, { id: grantId, userId, clientId }, by),
    ));
  if (!hasEnded) throw nothingGranted();
  await after.revocations.catchUp();
}

/** The id of the grant that a caller names. @throws Problem NOT_FOUND */
export function namedGrant(text: string): string {
  const grantId = idOf('grant', text);
  if (grantId === undefined) throw nothingGranted();
  return grantId;
}

/** SQL: whether a user lets an app in at the moment; with a list of scopes, whether as far as one of them goes. */
export function isLetIn(
  userId: RawBuilder<unknown>,
  clientId: RawBuilder<unknown>,
  scopes?: RawBuilder<readonly string[]>,
): RawBuilder<boolean> {
  const asFar = scopes ? sql`and (g.kind = 'UNRESTRICTED' or g.scopes && ${scopes})` : sql``;
  return sql<boolean>`exists (
    select from oauth_grants g join oauth_clients c on c.client_id = g.client_id
    where g.user_id = ${userId} and g.client_id = ${clientId} and ${isInUse} and ${isAlive} ${asFar})`;
}

function nothingGranted(): Problem {
  return new Problem('NOT_FOUND', 'You have granted nothing like that to such an app; check clientId and grantId.');
}
