import { idOf, publicId } from '../../../core/id.ts';
import { Problem } from '../../../core/problem.ts';
import { builder } from '../../../graphql/builder.ts';
import { connectionOf } from '../../../graphql/connection.ts';
import { requireSession } from '../../../graphql/context.ts';
import { REASON } from '../../../graphql/limits/price.ts';
import { mutation } from '../../../graphql/mutation.ts';
import { FIRST_PARTY } from '../../../scopes/declare.ts';
import { viewerList } from '../accounts.graphql.ts';
import { findSessions, type ListedSession, REVOKE_SESSION_CODES, revokeSession } from './sessions.ts';

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

viewerList('sessions', {
  type: connectionOf(Session),
  description: 'Where you are signed in, newest first.',
  requires,
  order: { columns: ['TIME', 'UUID'], keyOf: ({ key }) => key },
  find: ({ em }, userId, request) => findSessions(em, userId, request),
});

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
