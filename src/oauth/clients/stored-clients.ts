import { columnOf } from '../../database/changes.ts';
import { type ColumnOf, type Entity, type RowOf, selectColumns, tableOf } from '../../database/columns.ts';
import { ago, NOW } from '../../database/expressions.ts';
import { read } from '../../database/read.ts';
import { changed, type Em, type RawBuilder, sql } from '../../database/sql.ts';
import { updateTable } from '../../database/statements.ts';
import type { Client } from '../protocol/client.ts';
import type { StoredSecret } from '../protocol/clients/client-auth.ts';
import { CLIENT_COLUMNS } from './client-columns.ts';
import { OAuthClientSecret } from './oauth-client-secret.entity.ts';

/** A client with what proves it. */
export interface StoredClient extends Client {
  readonly secrets: readonly (StoredSecret & { readonly isDueToBeNoted: boolean })[];
}

/** The clients with these ids, in their order; undefined where nobody has the id. */
export async function findStoredClients(
  em: Em,
  ids: readonly string[],
): Promise<readonly (StoredClient | undefined)[]> {
  const byId = byClientId(await read(em, storedClients([...new Set(ids)])));
  return ids.map((id) => byId.get(id));
}

/** The ids that a request shows: that of the client that it claims to be, and that of the row that it names. */
export interface Shown {
  /** Left out where the client is known already. */
  readonly clientId?: string;
  /** Undefined for what cannot be the id of a row. */
  readonly id: string | undefined;
}

/** Rows of another table that are named by a column of it. */
interface NamedRows<Row> {
  readonly select: (ids: readonly string[]) => RawBuilder<Row>;
  /** Nulls in place of the named row's columns, for the result rows that hold a client. */
  readonly nothing: RawBuilder<unknown>;
}

export function namedRows<E extends Entity, Name extends ColumnOf<E>>(
  entity: E,
  by: Name,
  columns: readonly Name[],
): NamedRows<Pick<RowOf<E>, Name>> {
  const [selected, key] = [selectColumns(entity, columns, 'named'), sql.ref(columnOf(by))];
  return {
    select: (ids) => sql`select ${selected}, now() as now, null::json as client
      from ${tableOf(entity)} named where named.${key} = any(${ids}::uuid[])`,
    nothing: sql.raw(columns.map(() => 'null').join(', ')),
  };
}

interface BesideClients<Row> {
  readonly clients: ReadonlyMap<string, StoredClient>;
  /** `now` is the database's clock. */
  readonly rows: readonly (Row & { readonly now: string })[];
}

/**
 * Rows that are named, and the clients that name them: for the price of one statement, and both as they were at one
 * moment.
 */
export async function findBesideClients<Row extends object>(
  em: Em,
  shown: readonly Shown[],
  { select, nothing }: NamedRows<Row>,
): Promise<BesideClients<Row>> {
  const found = await read(
    em,
    sql<Row & { readonly now: string; readonly client: StoredClient | null }>`
      ${select(known(shown, 'id'))}
      union all
      select ${nothing}, now(), row_to_json(stored.*)
      from (${storedClients(known(shown, 'clientId'))}) stored`,
  );
  return {
    clients: byClientId(found.flatMap(({ client }) => client ?? [])),
    rows: found.filter(({ client }) => client === null),
  };
}

function known(shown: readonly Shown[], name: keyof Shown): readonly string[] {
  return [...new Set(shown.map((one) => one[name]))].filter((id) => id !== undefined);
}

function byClientId(clients: readonly StoredClient[]): ReadonlyMap<string, StoredClient> {
  return new Map(clients.map((client) => [client.clientId, client]));
}

function storedClients(ids: readonly string[]): RawBuilder<StoredClient> {
  return sql<StoredClient>`
    select ${CLIENT_COLUMNS}, coalesce(s.secrets, '[]'::json) as secrets
    from oauth_clients c
    left join lateral (
      select json_agg(json_build_object('id', id, 'secretHash', secret_hash, 'isDueToBeNoted',
        last_used_at is null or last_used_at < now() - interval '1 minute')) as secrets
      from oauth_client_secrets where client_id = c.client_id
    ) s on true
    where c.client_id = any(${ids}::text[])`;
}

/** The condition stands in the statement too: of many requests at once, one writes. */
export async function noteSecretUse(em: Em, clientId: string, secretId: string): Promise<void> {
  await changed(
    em,
    updateTable(OAuthClientSecret, { clientId, id: secretId })
      .set({ lastUsedAt: NOW })
      .where((eb) => eb.or([eb('lastUsedAt', 'is', null), eb('lastUsedAt', '<', ago(1, 'mins'))])),
  );
}
