import { idOf, publicId } from '../../../core/id.ts';
import { pageRequest } from '../../../core/page.ts';
import { Problem } from '../../../core/problem.ts';
import { builder } from '../../../graphql/builder.ts';
import { connection, connectionOf, pageArguments } from '../../../graphql/connection.ts';
import { requireSession } from '../../../graphql/context.ts';
import { REASON } from '../../../graphql/limits/price.ts';
import { mutation } from '../../../graphql/mutation.ts';
import { FIRST_PARTY } from '../../../scopes/declare.ts';
import { Viewer } from '../accounts.graphql.ts';
import { REVOKE_SESSION_CODES, revokeSession } from './end-session.ts';
import { findSessions, type ListedSession } from './session.queries.ts';

const requires = FIRST_PARTY;

const Session = builder.objectRef<ListedSession>('Session').implement({
  description: 'A browser in which you are signed in.',
  fields: (t) => ({
    id: t.id({ requires, resolve: ({ id }) => publicId('session', id) }),
    userAgent: t.exposeString('userAgent', { price: REASON, requires, description: 'What the browser calls itself.' }),
    address: t.exposeString('address', { requires, description: 'Where it signed in from.' }),
    isCurrent: t.boolean({
      requires,
      description: 'The one that you ask with.',
      resolve: ({ id }, _, context) => id === requireSession(context).sessionId,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', requires }),
    lastSeenAt: t.expose('lastSeenAt', { type: 'DateTime', requires, description: 'To the minute.' }),
  }),
});
const SessionConnection = connectionOf(Session);

builder.objectField(Viewer, 'sessions', (t) =>
  t.field({
    type: SessionConnection,
    description: 'Where you are signed in, newest first.',
    requires,
    args: pageArguments(),
    resolve: async ({ id }, args, { em }) =>
      connection(await findSessions(em, id, pageRequest(args, ['TIME', 'UUID'])), ({ key }) => key),
  }),
);

mutation('sessionRevoke', {
  description: 'Signs one of your browsers out.',
  requires,
  errors: REVOKE_SESSION_CODES,
  input: (t) => ({ sessionId: t.id({ required: true }) }),
  resolve: async ({ sessionId: named }, context) => {
    const { userId } = requireSession(context);
    const sessionId = idOf('session', named);
    if (sessionId !== undefined && (await revokeSession(context.em, userId, sessionId, context.address))) {
      return { sessionId: named };
    }
    throw new Problem('NOT_FOUND', 'You have no such session; it may have ended.', ['sessionId']);
  },
  payload: (t) => ({ sessionId: t.exposeID('sessionId', { nullable: true, requires }) }),
});
