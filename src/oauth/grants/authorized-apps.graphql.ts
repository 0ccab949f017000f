import { publicId } from '../../core/id.ts';
import { builder } from '../../graphql/builder.ts';
import { connectionOf } from '../../graphql/connection.ts';
import { requireUserId } from '../../graphql/context.ts';
import { describedId } from '../../graphql/descriptions.ts';
import { URL_TEXT } from '../../graphql/limits/price.ts';
import { mutation } from '../../graphql/mutation.ts';
import { Scope } from '../../graphql/scalars.ts';
import { viewerList } from '../../modules/accounts/accounts.graphql.ts';
import { SCOPES } from '../../scopes/catalog.ts';
import { FIRST_PARTY, INHERIT } from '../../scopes/declare.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import {
  type AuthorizedApp,
  type AuthorizedGrant,
  findAuthorizedApps,
  MOST_GRANTS_SHOWN,
  namedGrant,
  REVOKE_APP_CODES,
  revokeApp,
} from './authorized-apps.ts';

declare module '../../graphql/context.ts' {
  interface ModuleContext {
    /** For first-party fields that change clients and grants: their tokens must be refused at once. */
    readonly oauth: AuthorizationServer;
  }
}

const requires = FIRST_PARTY;

const AuthorizedClient = builder.objectRef<AuthorizedApp>('AuthorizedClient').implement({
  description: 'An app, as its users see it.',
  fields: (t) => ({
    clientId: t.exposeString('clientId', { requires, description: 'Its `client_id` in OAuth.' }),
    name: t.exposeString('name', { requires, description: 'The name that users see.' }),
    websiteUrl: t.expose('websiteUrl', {
      type: 'URL',
      price: URL_TEXT,
      nullable: true,
      requires,
      description: 'The https address of its website. Null: none.',
    }),
    isSuspended: t.exposeBoolean('isSuspended', {
      requires,
      description:
        'Whether it is stopped at the moment, by itself or with its developer, and can use nothing of yours.',
    }),
  }),
});

const Grant = builder.objectRef<AuthorizedGrant>('AuthorizedGrant').implement({
  description: 'What you allowed an app, one time: each device that signs in with it has its own.',
  fields: (t) => ({
    id: t.id({ requires, description: describedId('grant'), resolve: ({ id }) => publicId('grant', id) }),
    scopes: t.field({
      type: [Scope],
      price: { max: SCOPES.length },
      requires,
      description: 'What you have allowed it.',
      resolve: ({ scopes }) => [...scopes],
    }),
    isUnrestricted: t.boolean({
      requires,
      description: 'The app is from before scopes existed, and may do everything.',
      resolve: ({ kind }) => kind === 'UNRESTRICTED',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', requires }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      requires,
      description: 'When it was last used, accurate to half an hour.',
    }),
  }),
});

const App = builder.objectRef<AuthorizedApp>('AuthorizedApp').implement({
  description: 'An app that you have let in.',
  fields: (t) => ({
    client: t.field({ type: AuthorizedClient, requires, description: 'Which app it is.', resolve: (app) => app }),
    grants: t.field({
      type: [Grant],
      price: { max: MOST_GRANTS_SHOWN },
      requires,
      description: `The newest first, at most ${MOST_GRANTS_SHOWN}.`,
      resolve: ({ grants }) => [...grants],
    }),
  }),
});

viewerList('authorizedApps', {
  type: connectionOf(App),
  description: 'The apps that have access to your account.',
  requires,
  order: { columns: ['TEXT'], keyOf: ({ clientId }) => [clientId] },
  find: ({ em }, userId, request) => findAuthorizedApps(em, userId, request),
});

mutation('authorizedAppRevoke', {
  description: 'Ends an app’s access: one grant, or all of them. Its tokens are refused at once.',
  requires,
  errors: REVOKE_APP_CODES,
  input: (t) => ({
    clientId: t.string({ required: true, description: 'The app, by the `clientId` of `authorizedApps`.' }),
    grantId: t.id({ description: 'One of its grants, by its id (`grt_…`). Left out or null: all grants of the app.' }),
  }),
  resolve: async ({ clientId, grantId: named }, context) => {
    const [userId, { address }] = [requireUserId(context), context];
    const grantId = named == null ? undefined : namedGrant(named);
    await revokeApp(context.em, context.oauth, { userId, clientId, grantId, address });
    return { clientId };
  },
  payload: (t) => ({ clientId: t.exposeString('clientId', { nullable: true, requires: INHERIT }) }),
});
