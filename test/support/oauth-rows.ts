import { type Em, rows, sql } from '../../src/database/sql.ts';

/** An answer may change these without having done anything: when a secret was used, and the log of refusals. */
const STATE = sql`
  select 'oauth_clients' as "table", to_jsonb(t) as content from oauth_clients t
  union all select 'oauth_client_secrets', to_jsonb(t) - 'last_used_at' from oauth_client_secrets t
  union all select 'oauth_interactions', to_jsonb(t) from oauth_interactions t
  union all select 'oauth_codes', to_jsonb(t) from oauth_codes t
  union all select 'oauth_grants', to_jsonb(t) from oauth_grants t
  union all select 'oauth_revocations', to_jsonb(t) from oauth_revocations t
  union all select 'oauth_keys', to_jsonb(t) from oauth_keys t
  union all select 'audit_events', to_jsonb(t) from audit_events t`;

/** Every row of the authorization server, by table, as one text each: equal before and after what must change nothing. */
export async function oauthRows(em: Em): Promise<Readonly<Record<string, string>>> {
  const found = await rows(
    em,
    sql<{ table: string; digest: string }>`
      select "table", md5(string_agg(content::text, ',' order by content::text)) as digest
      from (${STATE}) as state group by "table" order by "table"`,
  );
  return Object.fromEntries(found.map(({ table, digest }) => [table, digest]));
}
