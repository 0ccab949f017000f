import { type PlainKind, publicId } from '../core/id.ts';
import { sql } from '../database/sql.ts';
import { findAuditEvents, type ListedAuditEvent } from '../events/audit-event.queries.ts';
import { AUDIT_EVENT_TYPES } from '../events/record-audit.ts';
import { builder } from '../graphql/builder.ts';
import { connection, connectionOf, pageArguments } from '../graphql/connection.ts';
import { requireUserId } from '../graphql/context.ts';
import { describedValues } from '../graphql/descriptions.ts';
import { idArgument } from '../graphql/id-arguments.ts';
import { filterArgument, listFilter } from '../graphql/list-filter.ts';
import { FIRST_PARTY } from '../scopes/declare.ts';
import { isPossibleClientId } from './protocol/client.ts';
import { quoted } from './protocol/oauth-error.ts';

const requires = FIRST_PARTY;

const AuditEventType = builder.enumType('AuditEventType', {
  description: 'What has happened.',
  values: describedValues(AUDIT_EVENT_TYPES, {
    USER_SIGNED_UP: 'An account was made.',
    USER_SIGNED_IN: 'A user has signed in, in a new session.',
    USER_SIGN_IN_FAILED: 'A sign-in to an account was refused.',
    USER_SIGNED_OUT: 'A user has ended the session that they used.',
    USER_MADE_ADMINISTRATOR: 'A user may administer the whole service from now on.',
    USER_PASSWORD_CHANGED: 'A user has changed their password, knowing the old one.',
    USER_PASSWORD_RESET_REQUESTED: 'A link to a new password was requested for an account.',
    USER_PASSWORD_RESET: 'A user has set a new password by a link that was mailed to them.',
    USER_EMAIL_VERIFIED: 'A user has shown to read mail at their address.',
    USER_EMAIL_CHANGE_REQUESTED: 'A user has asked for another e-mail address, which is not theirs yet.',
    USER_EMAIL_CHANGED: 'A user has another e-mail address from now on.',
    USER_THINGS_STOPPED:
      'A user has shown that the address of their account is theirs; what others may have left in it has stopped.',
    USER_THING_REVIVED: 'A user has revived something that had stopped in their account.',
    USER_THING_DISCARDED: 'A user has deleted something that had stopped in their account.',
    USER_SUSPENDED: 'An administrator has shut a user out.',
    USER_REINSTATED: 'An administrator has let a user in again.',
    SESSION_REVOKED: 'A user has ended another session, or all others.',
    CLIENT_CREATED: 'A client was registered, and waits for its review.',
    CLIENT_UPDATED: 'A client was changed, with effect at once.',
    CLIENT_REVISION_REQUESTED: 'An approved client has asked for a change that waits for its review.',
    CLIENT_RESUBMITTED: 'A rejected client was changed, and waits for its review again.',
    CLIENT_APPROVED: 'An administrator has approved a client.',
    CLIENT_REJECTED: 'An administrator has rejected a client.',
    CLIENT_REVISION_ACCEPTED: 'An administrator has accepted the change that a client had asked for.',
    CLIENT_REVISION_DECLINED: 'An administrator has declined the change that a client had asked for.',
    CLIENT_SUSPENDED: 'An administrator has stopped a client.',
    CLIENT_REINSTATED: 'An administrator has let a client go on.',
    CLIENT_DELETED: 'A client was deleted, with its grants and tokens.',
    CLIENT_SECRET_CREATED: 'A client was given a secret.',
    CLIENT_SECRET_DELETED: 'A secret of a client was deleted.',
    CONSENT_GIVEN: 'A user has allowed a client what it asked for.',
    CONSENT_REFUSED: 'A user has refused a client what it asked for.',
    GRANT_REVOKED: 'A grant has ended before its time; `detail` says why.',
    ACCESS_TOKEN_REVOKED: 'A client has given back an access token (RFC 7009).',
    CODE_REPLAYED: 'An authorization code was used a second time. Its grant was ended, since it may have been stolen.',
    REFRESH_TOKEN_REUSED:
      'A refresh token was used again after it was replaced. Its grant was ended, since it may have been stolen.',
    SIGNING_KEY_ROTATED: 'Access tokens will be signed with a new key.',
    UID_KEY_ROTATED: 'Uids of bookings will be written by a new key.',
  }),
});

const AuditEvent = builder.objectRef<ListedAuditEvent>('AuditEvent').implement({
  description: 'Something that happened. The log is only ever added to.',
  fields: (t) => ({
    id: t.id({ requires, resolve: ({ id }) => publicId('auditEvent', id) }),
    type: t.field({ type: AuditEventType, requires, description: 'What has happened.', resolve: ({ type }) => type }),
    userId: t.id({
      nullable: true,
      requires,
      description: 'Whom it concerns. Null: nobody.',
      resolve: ({ userId }) => shownId('user', userId),
    }),
    actorId: t.id({
      nullable: true,
      requires,
      description: 'Who did it, if that was an administrator. For administrators alone: null for everybody else.',
      resolve: ({ actorId }) => shownId('user', actorId),
    }),
    clientId: t.exposeString('clientId', {
      nullable: true,
      requires,
      description: 'The client that it is about. Null: none.',
    }),
    grantId: t.id({
      nullable: true,
      requires,
      description: 'The grant that it is about. Null: none.',
      resolve: ({ grantId }) => shownId('grant', grantId),
    }),
    address: t.exposeString('address', {
      nullable: true,
      requires,
      description:
        'The network address it came from. Null unless you did it: those of others are for administrators alone.',
    }),
    detail: t.string({
      requires,
      description:
        'More about it, as a JSON object, such as `{"reason":"REVOKED_BY_USER"}`. It never has a secret in it.',
      resolve: ({ detail }) => JSON.stringify(detail, shownInDetail),
    }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', requires, description: 'When it has happened.' }),
  }),
});
const AuditEventConnection = connectionOf(AuditEvent);

const namedUser = (id: string) => idArgument('user', id, ['filter', 'userId']);

const AuditEventFilter = listFilter('AuditEvent', {
  userId: {
    type: 'ID',
    description: 'What concerns this user, by their id (`usr_…`).',
    mistake: (id: string) => (namedUser(id) === undefined ? notGivenOut(id) : undefined),
    condition: (id: string) => sql`user_id = ${namedUser(id)}`,
  },
  clientId: {
    type: 'String',
    description: 'What concerns this client.',
    mistake: (id: string) => (isPossibleClientId(id) ? undefined : notGivenOut(id)),
    condition: (id: string) => sql`client_id = ${id}`,
  },
});

builder.queryField('auditEvents', (t) =>
  t.field({
    type: AuditEventConnection,
    nullable: true,
    description: 'The audit log, newest first: what concerns you, or for an administrator all of it.',
    requires,
    args: { ...filterArgument(AuditEventFilter), ...pageArguments() },
    resolve: (_, args, context) => {
      const by = AuditEventFilter.narrowedBy(args.filter, context);
      return connection({ columns: ['TIME', 'UUID'], keyOf: ({ key }) => key }, args, (request) =>
        findAuditEvents(context.em, requireUserId(context), request, by),
      );
    },
  }),
);

function shownId(kind: PlainKind, id: string | null): string | null {
  return id === null ? null : publicId(kind, id);
}

/** The members of details of events that are ids. */
const IDS_IN_DETAIL: ReadonlyMap<string, PlainKind> = new Map([
  ['secretId', 'secret'],
  ['sessionId', 'session'],
  ['keptSessionId', 'session'],
]);

function shownInDetail(name: string, value: unknown): unknown {
  const kind = IDS_IN_DETAIL.get(name);
  return kind && typeof value === 'string' ? publicId(kind, value) : value;
}

function notGivenOut(value: string): string {
  return `is ${quoted(value)}, which is none that we give out; check it.`;
}
