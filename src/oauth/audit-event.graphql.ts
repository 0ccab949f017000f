import { idOf, type PlainKind, publicId } from '../core/id.ts';
import { pageRequest } from '../core/page.ts';
import { Problem } from '../core/problem.ts';
import { findAuditEvents, type ListedAuditEvent } from '../events/audit-event.queries.ts';
import { AUDIT_EVENT_TYPES } from '../events/record-audit.ts';
import { builder } from '../graphql/builder.ts';
import { connection, connectionOf, pageArguments } from '../graphql/connection.ts';
import { requireUserId } from '../graphql/context.ts';
import { FIRST_PARTY } from '../scopes/declare.ts';
import { isPossibleClientId } from './protocol/client.ts';

const requires = FIRST_PARTY;

const AuditEventType = builder.enumType('AuditEventType', { values: AUDIT_EVENT_TYPES });

const AuditEvent = builder.objectRef<ListedAuditEvent>('AuditEvent').implement({
  description: 'Something that happened. The log is only ever added to.',
  fields: (t) => ({
    id: t.id({ requires, resolve: ({ id }) => publicId('auditEvent', id) }),
    type: t.field({ type: AuditEventType, requires, resolve: ({ type }) => type }),
    userId: t.id({
      nullable: true,
      requires,
      description: 'Whom it concerns.',
      resolve: ({ userId }) => shownId('user', userId),
    }),
    actorId: t.id({
      nullable: true,
      requires,
      description: 'Who did it, if that was an administrator. For administrators alone: null for everybody else.',
      resolve: ({ actorId }) => shownId('user', actorId),
    }),
    clientId: t.exposeString('clientId', { nullable: true, requires }),
    grantId: t.id({ nullable: true, requires, resolve: ({ grantId }) => shownId('grant', grantId) }),
    address: t.exposeString('address', {
      nullable: true,
      requires,
      description:
        'The network address it came from. Null unless you did it: those of others are for administrators alone.',
    }),
    detail: t.string({
      requires,
      description: 'More about it, as JSON.',
      resolve: ({ detail }) => JSON.stringify(detail, shownInDetail),
    }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', requires }),
  }),
});
const AuditEventConnection = connectionOf(AuditEvent);

builder.queryField('auditEvents', (t) =>
  t.field({
    type: AuditEventConnection,
    description: 'The audit log, newest first: what concerns you, or for an administrator all of it.',
    requires,
    args: {
      ...pageArguments(),
      userId: t.arg.id({ description: 'Only what concerns this user.' }),
      clientId: t.arg.string({ description: 'Only what concerns this client.' }),
    },
    resolve: async (_, { userId, clientId, ...args }, context) => {
      const concerned = userId == null ? undefined : idOf('user', userId);
      if (userId != null && concerned === undefined) throw notPossible('userId');
      if (clientId != null && !isPossibleClientId(clientId)) throw notPossible('clientId');
      const filter = { userId: concerned, clientId: clientId ?? undefined };
      const request = pageRequest(args, ['TIME', 'UUID']);
      const page = await findAuditEvents(context.em, requireUserId(context), filter, request);
      return connection(page, ({ key }) => key);
    },
  }),
);

function shownId(kind: PlainKind, id: string | null): string | null {
  return id === null ? null : publicId(kind, id);
}

/** What the details of events name by an id. */
const IDS_IN_DETAIL: ReadonlyMap<string, PlainKind> = new Map([
  ['secretId', 'secret'],
  ['sessionId', 'session'],
  ['keptSessionId', 'session'],
]);

function shownInDetail(name: string, value: unknown): unknown {
  const kind = IDS_IN_DETAIL.get(name);
  return kind && typeof value === 'string' ? publicId(kind, value) : value;
}

function notPossible(argument: string): Problem {
  return new Problem('BAD_INPUT', `${argument} is none that we give out; check it.`, [argument]);
}
