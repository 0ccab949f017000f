import { randomBytes } from 'node:crypto';
import { instantOf } from '../../core/instant.ts';
import { equalsInConstantTime, sha256Hex } from '../../core/secret.ts';
import { type ColumnOf, columnOf, type Entity, type RowOf, selectColumns, tableOf } from '../../database/columns.ts';
import { read } from '../../database/lanes.ts';
import { ago, changed, type Em, listOf, NOW, type RawBuilder, rows, sql } from '../../database/sql.ts';
import { updateTable } from '../../database/statements.ts';
import { withInstants } from '../../database/temporal-types.ts';
import { together } from '../../database/together.ts';
import { isNotFromBefore } from '../authorize/interactions.ts';
import { CLIENT_COLUMNS, isInUse } from '../clients/client-columns.ts';
import { OAuthClientSecret } from '../clients/oauth-client.entity.ts';
import { OAuthGrant } from '../grants/oauth-grant.entity.ts';
import { type Access, accessOf } from '../protocol/access.ts';
import type { Client } from '../protocol/client.ts';
import type { StoredSecret } from '../protocol/client-authentication.ts';
import { MAX_CODE_FAILURES, type StoredCode } from '../protocol/code-exchange.ts';
import { interactionIdOfCode } from '../protocol/credentials.ts';
import { CHAIN_DAYS, FIRST_GENERATION, type RefreshChain } from '../protocol/refresh.ts';
import { REVOCATIONS_CHANNEL } from '../revocations/revocations.ts';
import { OAuthCode } from './oauth-code.entity.ts';
import { MANY_GRANTS } from './surplus-grants.ts';

/** The statements of the token endpoint, each shared by all requests that wait for it at a moment. */
export interface TokenStatements {
  readonly findClient: (clientId: string) => Promise<StoredClient | undefined>;
  readonly findCode: (shown: ShownCode) => Promise<FoundByCode>;
  readonly findGrant: (shown: Shown) => Promise<FoundGrant>;
  /** Undefined when the code is not to be had any more. */
  readonly redeemCode: (code: FoundCode) => Promise<NewGrant | undefined>;
  /** Undefined when the generation was rotated already. */
  readonly rotateGrant: (seen: GrantGeneration) => Promise<GrantGeneration | undefined>;
}

/** A client with what proves it. */
export interface StoredClient extends Client {
  readonly secrets: readonly (StoredSecret & { readonly isDueToBeNoted: boolean })[];
}

/** The ids that a request shows: that of the client that it claims to be, and that of the row that it names. */
interface Shown {
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

export interface FoundCode extends StoredCode {
  readonly interactionId: string;
  readonly userId: string;
  readonly kind: string;
  readonly scopes: readonly string[];
  /** The database's clock when it was read. */
  readonly now: Temporal.Instant;
}

const CODE_COLUMNS = [
  'interactionId',
  'clientId',
  'userId',
  'redirectUri',
  'kind',
  'scopes',
  'codeChallenge',
  'failures',
  'codeHash',
  'expiresAt',
  'redeemedAt',
] as const;

/** A code, and the client that shows it. */
interface ShownCode {
  /** Left out where the client is known already. */
  readonly clientId?: string;
  readonly code: string;
}

/** The rows of the code and the client; undefined where nobody was given the code, or has the client id. */
interface FoundByCode {
  readonly code: FoundCode | undefined;
  readonly client: StoredClient | undefined;
}

/** A grant that a code was just exchanged for. */
interface NewGrant extends GrantGeneration {
  /** Whether unrestricted grants of the user ended by it. */
  readonly hasEndedOthers: boolean;
  /** Whether the user may have more grants of the client by now than are kept: see surplus-grants.ts. */
  readonly isOneOfMany: boolean;
}

/** One generation of a grant: all that its pair of tokens is made of, besides the keys. */
export interface GrantGeneration {
  readonly id: string;
  readonly clientId: string;
  readonly userId: string;
  readonly seed: string;
  readonly generation: number;
  /** When this generation was given out first. */
  readonly rotatedAt: Temporal.Instant;
}

/** A grant with its chain of refresh tokens. */
export interface StoredGrant extends GrantGeneration, RefreshChain {
  readonly clientId: string;
  readonly generation: number;
  readonly rotatedAt: Temporal.Instant;
  /** Undefined for a kind that we do not know, or when every scope of it was retired: to be refused. */
  readonly access: Access | undefined;
  /** The database's clock when it was read. */
  readonly now: Temporal.Instant;
}

const GRANT_COLUMNS = [
  'id',
  'clientId',
  'userId',
  'kind',
  'scopes',
  'seed',
  'generation',
  'rotatedAt',
  'confirmedAt',
  'expiresAt',
  'revokedAt',
] as const;

interface GrantRow extends Pick<RowOf<typeof OAuthGrant>, (typeof GRANT_COLUMNS)[number]> {
  readonly now: string;
}

/** The rows of the grant and the client; undefined where there is no such grant, or nobody has the client id. */
interface FoundGrant {
  readonly grant: StoredGrant | undefined;
  readonly client: StoredClient | undefined;
}

/**
 * One for all requests of a turn, and then for all that came while it was on its way: what a statement costs, its commit
 * above all, is shared by them. Longer than that nobody waits behind one that a lock holds up.
 */
const SHARED = { atOnce: 2, timeoutInMs: 20, when: setImmediate } as const;

/** `em` is bound to no transaction, and lives as long as the server. */
export function tokenStatements(em: Em): TokenStatements {
  return {
    findClient: together((ids: readonly string[]) => findStoredClients(em, ids), SHARED),
    findCode: together((shown: readonly ShownCode[]) => findCodes(em, shown), SHARED),
    findGrant: together((shown: readonly Shown[]) => findGrants(em, shown), SHARED),
    redeemCode: together((codes: readonly FoundCode[]) => redeemCodes(em, codes), SHARED),
    rotateGrant: together((seen: readonly GrantGeneration[]) => rotateGrants(em, seen), SHARED),
  };
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

const CODES = namedRows(OAuthCode, 'interactionId', CODE_COLUMNS);

/** The rows of these codes, used or not, in their order, and the clients that show them. */
export async function findCodes(em: Em, shown: readonly ShownCode[]): Promise<readonly FoundByCode[]> {
  const named = shown.map((one) => ({ ...one, id: interactionIdOfCode(one.code) }));
  const { clients, rows } = await findBesideClients(em, named, CODES);
  const byId = new Map(rows.map((code) => [code.interactionId, code]));
  return named.map(({ clientId, id, code }) => {
    const row = byId.get(id ?? '');
    const isGenuine = row !== undefined && equalsInConstantTime(sha256Hex(code), row.codeHash);
    return { code: isGenuine ? asFoundCode(row) : undefined, client: clients.get(clientId ?? '') };
  });
}

/** A wrong attempt by somebody who has the code; enough of them burn it. */
export async function countCodeFailure(em: Em, interactionId: string): Promise<void> {
  await changed(
    em,
    updateTable(OAuthCode, { interactionId, redeemedAt: null })
      .set((eb) => ({ failures: eb('failures', '+', 1) }))
      .where('failures', '<', MAX_CODE_FAILURES),
  );
}

/**
 * Spends codes and makes their grants, in one statement: whatever the callers have seen before, here it is decided who
 * was first. Undefined for a code that is not to be had any more; the first of equal codes gets the grant, which has the
 * id of the interaction, so that a code leads to its grant and both live on one shard.
 *
 * The user's unrestricted grants of a client that has left its legacy state end with it (specification §3: they stay
 * valid until the user authorizes again).
 */
export async function redeemCodes(em: Em, codes: readonly FoundCode[]): Promise<readonly (NewGrant | undefined)[]> {
  const seeds = newSeeds(codes.length);
  const wanted = new Map(
    codes.map((code, index) => [code.interactionId, { code, seed: seeds[index] ?? '' }] as const).toReversed(),
  );
  const clientIds = [...wanted.values()].map(({ code }) => code.clientId);
  const found = await rows(
    em,
    sql<Pick<NewGrant, 'id' | 'hasEndedOthers' | 'isOneOfMany'> & { readonly rotatedAt: string }>`
      with wanted as (
        select * from unnest(${listOf([...wanted.keys()], 'uuid')}, ${listOf(clientIds, 'text')}, ${listOf(
          [...wanted.values()].map(({ seed }) => seed),
          'text',
        )})
          as wanted (interaction_id, client_id, seed)
      ), locked as (
        -- In one order, or two statements that meet in two codes would wait for each other. The client with it, as its
        -- foreign key would ask later: one that is being deleted is waited for, and then it is no row.
        select code.interaction_id, w.seed, c.legacy from oauth_codes code
        join wanted w on w.interaction_id = code.interaction_id and w.client_id = code.client_id
        join oauth_clients c on c.client_id = code.client_id and ${isInUse}
          and ${isNotFromBefore(sql`code.created_at`)}
        join users u on u.id = code.user_id and u.suspended_at is null
        where code.redeemed_at is null and code.expires_at > now() and code.failures < ${MAX_CODE_FAILURES}
        order by code.interaction_id for update of code for key share of c
      ), redeemed as (
        update oauth_codes code set redeemed_at = now() from locked l where code.interaction_id = l.interaction_id
        returning code.interaction_id, l.seed, l.legacy, code.client_id, code.user_id, code.kind, code.scopes
      ), granted as (
        insert into oauth_grants (id, client_id, user_id, kind, scopes, seed, generation, rotated_at, created_at,
          last_used_at, expires_at)
        select interaction_id, client_id, user_id, kind, scopes, seed, ${FIRST_GENERATION}::int, now(), now(), now(),
          now() + make_interval(days => ${CHAIN_DAYS.inAll})
        from redeemed
        returning id, rotated_at, user_id, client_id
      ), ended as (
        update oauth_grants g set revoked_at = now(), revocation_reason = 'REAUTHORIZED'
        from redeemed r
        where r.kind = 'SCOPED' and not r.legacy and g.user_id = r.user_id and g.client_id = r.client_id
          and g.kind = 'UNRESTRICTED' and g.revoked_at is null
        returning g.id
      ), recorded as (
        insert into oauth_revocations (kind, subject, revoked, changed_at)
        select 'GRANT', id::text, true, clock_timestamp() from ended
        on conflict (kind, subject) do update set revoked = true, changed_at = excluded.changed_at
        returning pg_notify(${REVOCATIONS_CHANNEL}, '')
      )
      select ${selectColumns(OAuthGrant, ['id', 'rotatedAt'], 'granted')}, exists (select from recorded) as "hasEndedOthers",
        exists (
          select from oauth_grants g
          where g.user_id = granted.user_id and g.client_id = granted.client_id and g.revoked_at is null
          offset ${MANY_GRANTS}
        ) as "isOneOfMany"
      from granted`,
  );
  const made = new Map(found.map((grant) => [grant.id, grant]));
  return codes.map((code) => {
    const { interactionId: id } = code;
    const [grant, first] = [made.get(id), wanted.get(id)];
    if (!grant || first?.code !== code) return undefined;
    const { clientId, userId } = code;
    const rotatedAt = instantOf(grant.rotatedAt);
    return {
      id,
      clientId,
      userId,
      seed: first.seed,
      generation: FIRST_GENERATION,
      rotatedAt,
      hasEndedOthers: grant.hasEndedOthers,
      isOneOfMany: grant.isOneOfMany,
    };
  });
}

/** The clients with these ids, in their order; undefined where nobody has the id. */
async function findStoredClients(em: Em, ids: readonly string[]): Promise<readonly (StoredClient | undefined)[]> {
  const byId = byClientId(await read(em, storedClients([...new Set(ids)])));
  return ids.map((id) => byId.get(id));
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

function namedRows<E extends Entity, Name extends ColumnOf<E>>(
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
async function findBesideClients<Row extends object>(
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

interface CodeRow extends Pick<RowOf<typeof OAuthCode>, (typeof CODE_COLUMNS)[number]> {
  readonly now: string;
}

function asFoundCode(found: CodeRow): FoundCode {
  return withInstants(found, ['expiresAt', 'redeemedAt', 'now']);
}

const GRANTS = namedRows(OAuthGrant, 'id', GRANT_COLUMNS);

/** The grants with these ids, in their order, and the clients that show their tokens. */
async function findGrants(em: Em, shown: readonly Shown[]): Promise<readonly FoundGrant[]> {
  const found = await findBesideClients(em, shown, GRANTS);
  const byId = new Map(found.rows.map((grant) => [grant.id, asStoredGrant(grant)]));
  return shown.map(({ clientId, id }) => ({ grant: byId.get(id ?? ''), client: found.clients.get(clientId ?? '') }));
}

function asStoredGrant({ kind, scopes, ...grant }: GrantRow): StoredGrant {
  const times = ['rotatedAt', 'confirmedAt', 'expiresAt', 'revokedAt', 'now'] as const;
  return { ...withInstants(grant, times), access: accessOf(kind, scopes) };
}

const SEED_BYTES = 32;

/** 256 random bits each: without them the server's key alone derives no refresh token. Drawn in one go, which takes as long as one. */
function newSeeds(count: number): readonly string[] {
  const bytes = randomBytes(count * SEED_BYTES);
  return Array.from({ length: count }, (_, index) =>
    bytes.toString('base64url', index * SEED_BYTES, (index + 1) * SEED_BYTES),
  );
}

const ROTATED = selectColumns(OAuthGrant, ['id', 'generation', 'rotatedAt'], 'g');

const idsOf = (seen: readonly GrantGeneration[]) => seen.map(({ id }) => id);
const generationsOf = (seen: readonly GrantGeneration[]) => seen.map(({ generation }) => generation);

/**
 * Rotates chains from the generations that the callers have seen. Of any number of requests at once, the condition on
 * `generation` lets one statement through; later callers get undefined, and find the next generation when they look
 * again. Callers of the same rotation in the same statement get the same next generation.
 */
async function rotateGrants(
  em: Em,
  seen: readonly GrantGeneration[],
): Promise<readonly (GrantGeneration | undefined)[]> {
  const rotated = await rows(
    em,
    sql<Pick<GrantRow, 'id' | 'generation' | 'rotatedAt'>>`
      with seen as (
        select * from unnest(${listOf(idsOf(seen), 'uuid')}, ${listOf(generationsOf(seen), 'int')}) as seen (id, generation)
      ), locked as (
        -- In one order, or two statements that meet in two grants would wait for each other.
        select g.id from oauth_grants g
        join seen on seen.id = g.id and seen.generation = g.generation
        join oauth_clients c on c.client_id = g.client_id and ${isInUse}
        join users u on u.id = g.user_id and u.suspended_at is null
        where g.revoked_at is null and g.expires_at > now()
          and g.rotated_at > now() - make_interval(days => ${CHAIN_DAYS.idle})
        order by g.id for update of g
      )
      update oauth_grants g
      set generation = g.generation + 1, rotated_at = now(), confirmed_at = null, last_used_at = now()
      from locked where g.id = locked.id
      returning ${ROTATED}`,
  );
  const byId = new Map(rotated.map((one) => [one.id, one]));
  return seen.map((before) => {
    const after = byId.get(before.id);
    if (!after || after.generation !== before.generation + 1) return undefined;
    return { ...before, generation: after.generation, rotatedAt: instantOf(after.rotatedAt) };
  });
}
