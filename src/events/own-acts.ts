import type { AuditEventType } from './record-audit.ts';

/**
 * Which events were caused by the user whom they concern, unless `actorId` names somebody else: always, never, or for
 * these reasons in their `detail`. The address in an event is that of the actor, so this decides who sees it. Anybody can
 * fail to sign in, anybody with access to the mailbox can follow the link of a mail, and tokens are revoked and used
 * twice from the servers of apps.
 */
const OWN_ACTS: Readonly<Record<AuditEventType, boolean | readonly string[]>> = {
  USER_SIGNED_UP: true,
  USER_SIGNED_IN: true,
  USER_SIGN_IN_FAILED: false,
  USER_SIGNED_OUT: true,
  USER_MADE_ADMINISTRATOR: false,
  USER_PASSWORD_CHANGED: true,
  USER_PASSWORD_RESET_REQUESTED: false,
  USER_PASSWORD_RESET: true,
  USER_EMAIL_VERIFIED: false,
  USER_EMAIL_CHANGE_REQUESTED: true,
  USER_EMAIL_CHANGED: false,
  USER_THINGS_STOPPED: false,
  USER_THING_REVIVED: true,
  USER_THING_DISCARDED: true,
  USER_SUSPENDED: false,
  USER_REINSTATED: false,
  SESSION_REVOKED: true,
  CLIENT_CREATED: true,
  CLIENT_UPDATED: true,
  CLIENT_REVISION_REQUESTED: true,
  CLIENT_RESUBMITTED: true,
  CLIENT_APPROVED: false,
  CLIENT_REJECTED: false,
  CLIENT_REVISION_ACCEPTED: false,
  CLIENT_REVISION_DECLINED: false,
  CLIENT_SUSPENDED: false,
  CLIENT_REINSTATED: false,
  CLIENT_DELETED: true,
  CLIENT_SECRET_CREATED: true,
  CLIENT_SECRET_DELETED: true,
  CONSENT_GIVEN: true,
  CONSENT_REFUSED: true,
  GRANT_REVOKED: ['REVOKED_BY_USER', 'REAUTHORIZED', 'PASSWORD_CHANGED'],
  ACCESS_TOKEN_REVOKED: false,
  CODE_REPLAYED: false,
  REFRESH_TOKEN_REUSED: false,
  SIGNING_KEY_ROTATED: false,
};

/** The same as texts, for a statement: `TYPE`, or `TYPE REASON`. */
export const OWN_ACT_NAMES: readonly string[] = Object.entries(OWN_ACTS).flatMap(([type, own]) =>
  typeof own === 'boolean' ? (own ? [type] : []) : own.map((reason) => `${type} ${reason}`),
);
