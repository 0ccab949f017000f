/**
 * connections/ is how a user or a team gives this service access to an account of theirs at somebody else's (OAuth 2.0, as a
 * client): it begins and completes a connection, keeps its tokens, and renews them. What is done with them is for others.
 */
import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import { JOBS_CHANNEL } from '../../events/record-event.ts';
import { User } from '../accounts/user.entity.ts';
import { ownerCheck, ownerColumns } from '../teams/team.entity.ts';

/**
 * With a deleted user, team or organization, tokens go by cascade, which no command sees: they are handed over to be revoked as those
 * of an account that is disconnected (end-connection.ts). While the owner is there, who deletes the row decides.
 */
const HAND_OVER = `
  if not exists (select from users where id = old.user_id) and not exists (select from teams where id = old.team_id) then
    insert into domain_events (owner_id, id, type, data, occurred_at)
    values (old.owner_id, old.id, 'CONNECTION_ENDED',
      jsonb_build_object('connectionId', old.id, 'provider', old.provider, 'credentials', old.credentials), clock_timestamp());
    perform pg_notify('${JOBS_CHANNEL}', '');
  end if;
  return null`;

/** The tokens of an account at a provider. Sharded by its owner. Whatever is about it refers to it, and goes with it. */
export const Connection = defineEntity({
  name: 'Connection',
  tableName: 'connections',
  indexes: [
    {
      name: 'connections_user_id_idx',
      expression: 'create index connections_user_id_idx on connections (user_id) where user_id is not null',
    },
    {
      name: 'connections_team_id_idx',
      expression: 'create index connections_team_id_idx on connections (team_id) where team_id is not null',
    },
  ],
  checks: [ownerCheck('connections')],
  triggers: [{ name: 'connections_handed_over', timing: 'after', events: ['delete'], forEach: 'row', body: HAND_OVER }],
  properties: {
    ...ownerColumns(),
    /** The key of a provider (provider.ts). */
    provider: p.text(),
    /** Tokens, encrypted for this row. */
    credentials: p.text(),
    /** The access token is good until then. Null: the provider has not said. */
    accessExpiresAt: p.type(InstantType).nullable(),
    /** A process is renewing the tokens, and nobody else is to until then. */
    renewingUntil: p.type(InstantType).nullable(),
    /** The provider takes these tokens no more since then: they are to be connected anew. */
    brokenAt: p.type(InstantType).nullable(),
    createdAt: p.type(InstantType),
  },
});

/** A connection that somebody has begun: the last one for this owner at this provider. Completing it deletes it. */
export const ConnectionRequest = defineEntity({
  name: 'ConnectionRequest',
  tableName: 'connection_requests',
  indexes: [{ name: 'connection_requests_expires_at_idx', properties: ['expiresAt'] }],
  properties: {
    /** The user who has begun it, and is to complete it. */
    user: () => p.manyToOne(User).primary().deleteRule('cascade').index(false),
    /** The user, or a team that they administer. */
    ownerId: p.uuid().primary(),
    provider: p.text().primary(),
    /** SHA-256 of what stands in the link that they follow. */
    linkHash: p.text().unique(),
    /** From the moment at which a browser has followed it: SHA-256 of the state (RFC 6749 §10.12), and of that browser's id. */
    stateHash: p.text().unique().nullable(),
    browserHash: p.text().nullable(),
    /** The verifier of PKCE (RFC 7636 §4.1). */
    codeVerifier: p.text().nullable(),
    createdAt: p.type(InstantType),
    expiresAt: p.type(InstantType),
  },
});
