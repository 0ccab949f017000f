import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { newId } from '../../core/id.ts';
import { equalsInConstantTime, macOf } from '../../core/secret.ts';
import { selectColumns } from '../../database/columns.ts';
import { ago, changed, type Em, NOW, type RawBuilder, row, rows, sql } from '../../database/sql.ts';
import { selectFrom, updateTable } from '../../database/statements.ts';
import { recordAudit } from '../../events/record-audit.ts';
import { CLIENT_COLUMNS, isInUse } from '../clients/client-columns.ts';
import { OAuthGrant } from '../grants/oauth-grant.entity.ts';
import { lockAccess } from '../grants/revoke-grant.ts';
import { type Access, accessOf } from '../protocol/access.ts';
import type { AcceptedRequest } from '../protocol/authorize-checks.ts';
import type { Client } from '../protocol/client.ts';
import { DUPLICATE_SECONDS } from '../protocol/code-exchange.ts';
import { CHAIN_DAYS } from '../protocol/refresh.ts';
import { type Interaction, mayConsentBeSkipped } from './interaction.rules.ts';
import { OAuthInteraction } from './oauth-interaction.entity.ts';

/** Time enough to sign up and to read; a page left open overnight is started again from the app. */
export const INTERACTION_MINUTES = 60;

export interface StoredInteraction extends Interaction {
  readonly id: string;
  readonly hasSignedInSince: boolean;
}

/** A checked authorization request of somebody who has to sign in first, and of which browser it is. */
export interface RequestOnItsWay {
  readonly request: AcceptedRequest;
  /** SHA-256 of the cookie of the browser that began it. */
  readonly browserHash: string;
  /** Milliseconds since 1970, by the database's clock. */
  readonly askedAt: number;
}

export async function findClient(em: Em, clientId: string): Promise<Client | undefined> {
  return row(em, sql<Client>`select ${CLIENT_COLUMNS} from oauth_clients c where c.client_id = ${clientId}`);
}

/** Keeps a checked request, made just now or before its user signed in, until it is decided. @returns its id; undefined when its client is gone */
export async function insertInteraction(
  em: Em,
  { request, browserHash, askedAt }: Omit<RequestOnItsWay, 'askedAt'> & { readonly askedAt: number | undefined },
): Promise<string | undefined> {
  const id = newId();
  const inserted = await changed(
    em,
    sql`insert into oauth_interactions (id, client_id, browser_hash, request, created_at, expires_at)
        select ${id}::uuid, client_id, ${browserHash}, ${JSON.stringify(request)}::jsonb, asked_at,
          asked_at + make_interval(mins => ${INTERACTION_MINUTES})
        from oauth_clients, coalesce(to_timestamp(${askedAt ?? null}::float8 / 1000), now()) as asked_at
        where client_id = ${request.clientId} for key share of oauth_clients`,
  );
  return inserted === 1 ? id : undefined;
}

/** SQL: whether the client has not been suspended and reinstated since this time. */
export function isNotFromBefore(madeAt: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(c.reinstated_at is null or ${madeAt} > c.reinstated_at)`;
}

type InteractionRow = Client & Omit<StoredInteraction, 'client'>;

/**
 * An answer is given again while that does no harm: a refusal always, a code until it is redeemed, and with PKCE for the
 * moment after that in which a second click is excused (protocol/code-exchange.ts). Later, an app that gets the spent
 * code once more would take it for a replay, and without PKCE the tokens of the first answer would die of it.
 */
const mayAnswerAgain = sql<boolean>`
  case i.decision
    when 'DENY' then i.expires_at > now()
    when 'ALLOW' then code.expires_at > now() and ${isNotFromBefore(sql`code.created_at`)} and (code.redeemed_at is null or (code.code_challenge is not null
      and code.redeemed_at > now() - make_interval(secs => ${DUPLICATE_SECONDS})))
  end`;

/** `sessionId` is that of the visitor who opens the page. */
export async function findInteraction(
  em: Em,
  id: string,
  sessionId: string | undefined,
): Promise<StoredInteraction | undefined> {
  const found = await row(
    em,
    sql<InteractionRow>`
      select ${selectColumns(OAuthInteraction, ['id', 'browserHash', 'userId', 'request', 'decision'], 'i')},
        i.expires_at <= now() or not ${isNotFromBefore(sql`i.created_at`)} as "isOver", coalesce(${mayAnswerAgain}, false) as "mayAnswerAgain",
        coalesce(s.created_at > i.created_at, false) as "hasSignedInSince", ${CLIENT_COLUMNS}
      from oauth_interactions i
      join oauth_clients c on c.client_id = i.client_id
      left join oauth_codes code on code.interaction_id = i.id
      left join sessions s on s.id = ${sessionId ?? null}
      where i.id = ${id}`,
  );
  if (!found) return undefined;
  const { browserHash, userId, request, decision, isOver, mayAnswerAgain: again, hasSignedInSince, ...client } = found;
  return { id, browserHash, userId, request, decision, isOver, mayAnswerAgain: again, hasSignedInSince, client };
}

/** From now on this user decides, and nobody else. @returns false when another user does already */
export async function bindUser(em: Em, interactionId: string, userId: string): Promise<boolean> {
  const count = await changed(
    em,
    updateTable(OAuthInteraction, { id: interactionId })
      .set({ userId })
      .where((eb) => eb.or([eb('userId', 'is', null), eb('userId', '=', userId)])),
  );
  return count > 0;
}

/** Finds the access that the user has granted to the client and not taken back. */
export async function liveAccesses(em: Em, userId: string, clientId: string): Promise<readonly Access[]> {
  const found = await rows(
    em,
    selectFrom(OAuthGrant, { userId, clientId })
      .where('revokedAt', 'is', null)
      .where('expiresAt', '>', NOW)
      .where('rotatedAt', '>', ago(CHAIN_DAYS.idle, 'days'))
      .select(['kind', 'scopes'])
      .distinct(),
  );
  return found.map(({ kind, scopes }) => accessOf(kind, scopes)).filter((access) => access !== undefined);
}

/** A user's decision, about to be stored. */
interface Decision {
  readonly interaction: StoredInteraction;
  readonly userId: string;
  readonly decision: 'ALLOW' | 'DENY';
  /** The SHA-256 of the code that an ALLOW gives out, and the lifetime of that code. */
  readonly codeHash: string;
  readonly codeLifetimeInSeconds: number;
  readonly address: string;
  /** Whether consent was skipped, because everything had been granted before. */
  readonly isRemembered: boolean;
}

/**
 * Stores the first decision about an interaction, with its code; of any number at once the database takes one, and none
 * when the client is not any more what the request was checked against. @returns whether it was this one
 */
export async function storeDecision(em: Em, made: Decision): Promise<boolean> {
  const { interaction, userId, decision, codeHash, codeLifetimeInSeconds, address, isRemembered } = made;
  const { clientId, redirectUri, access, codeChallenge } = interaction.request;
  const scopes = access.kind === 'SCOPED' ? access.scopes : [];
  const { client } = interaction;
  return em.transactional(async (inner) => {
    if (isRemembered && !(await isStillRemembered(inner, interaction.request, userId))) return false;
    const decided = await row(
      inner,
      sql`
        with decided as (
          update oauth_interactions i set decision = ${decision}, decided_at = now()
          from oauth_clients c, users u
          where i.id = ${interaction.id} and i.user_id = ${userId} and i.decision is null and i.expires_at > now()
            and c.client_id = i.client_id and ${isInUse} and ${isNotFromBefore(sql`i.created_at`)}
            and c.redirect_uris = ${client.redirectUris}::text[] and c.scopes = ${client.scopes}::text[]
            and c.legacy = ${client.legacy} and c.requires_pkce = ${client.requiresPkce} and u.id = i.user_id and u.suspended_at is null
          returning i.id
        ), coded as (
          insert into oauth_codes (interaction_id, code_hash, client_id, user_id, redirect_uri, kind, scopes,
            code_challenge, failures, created_at, expires_at)
          select id, ${codeHash}, ${clientId}, ${userId}::uuid, ${redirectUri}, ${access.kind}, ${scopes}::text[],
            ${codeChallenge}, 0, now(), now() + make_interval(secs => ${codeLifetimeInSeconds})
          from decided where ${decision} = 'ALLOW'
          on conflict (interaction_id) do nothing
        )
        select id from decided`,
    );
    if (!decided) return false;
    const type = decision === 'ALLOW' ? 'CONSENT_GIVEN' : 'CONSENT_REFUSED';
    const detail = { kind: access.kind, scopes, isRemembered };
    await recordAudit(inner, { type, userId, clientId, address, detail });
    return true;
  });
}

/**
 * The request as a text of our own, which travels through the sign-in in the address of the page after it. So nothing
 * is stored before sign-in: anybody may begin authorizations, as many as they like, and few go on.
 */
export function sealRequest(key: Uint8Array, onItsWay: RequestOnItsWay): string {
  const body = deflateRawSync(JSON.stringify(onItsWay)).toString('base64url');
  return `${body}.${macOfBody(key, body)}`;
}

/** As much as a page to go on to after signing in may have (screens/kit/paths.ts), less its path. */
const MAX_LENGTH = 8_000;
/** Much longer than what was checked can be. */
const MAX_BYTES = 65_536;

/** Undefined for whatever we did not seal. */
export function openSealedRequest(key: Uint8Array, text: string): RequestOnItsWay | undefined {
  const [, body, mac] = /^([\w-]+)\.([\w-]{43})$/.exec(text.slice(0, MAX_LENGTH + 1)) ?? [];
  if (body === undefined || mac === undefined || !equalsInConstantTime(mac, macOfBody(key, body))) return undefined;
  const json = inflateRawSync(Buffer.from(body, 'base64url'), { maxOutputLength: MAX_BYTES });
  return JSON.parse(json.toString()) as RequestOnItsWay;
}

/** Nobody has clicked: what the user has granted before is all that a code can rest on, and it may have ended by now. */
async function isStillRemembered(em: Em, request: AcceptedRequest, userId: string): Promise<boolean> {
  await lockAccess(em, userId, 'TO_REST_ON');
  return mayConsentBeSkipped(request, await liveAccesses(em, userId, request.clientId));
}

function macOfBody(key: Uint8Array, body: string): string {
  return macOf(key, 'authorization request', body).toString('base64url');
}
