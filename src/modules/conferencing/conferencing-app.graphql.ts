import { type GraphQLContext, requireUserId } from '../../graphql/context.ts';
import { mutation, type PayloadFields } from '../../graphql/mutation.ts';
import { rowType } from '../../graphql/row.ts';
import { INHERIT, reads, writes } from '../../scopes/declare.ts';
import { ConnectedAccountStatus } from '../calendars/connections/calendar-connection.graphql.ts';
import { enteringAt } from '../levels/level.graphql.ts';
import {
  type Input,
  idField,
  type Named,
  namedOwner,
  newOwner,
  pathFields,
  withinOrganization,
} from '../levels/owned-store.graphql.ts';
import type { Owner } from '../levels/reach.ts';
import { resource } from '../levels/resource.graphql.ts';
import { actionPayload, doneTo } from '../levels/resource-mutations.graphql.ts';
import { CONNECT_APP_CODES, connectApp, disconnectApp, setDefaultApp } from './conferencing-app.commands.ts';
import { ConferencingApp as ConferencingAppEntity } from './conferencing-app.entity.ts';
import { ACCOUNT, type AppSettings, CONFERENCING_APPS, stateOfApp } from './conferencing-app.queries.ts';
import { APPS, isApp } from './conferencing-app.rules.ts';

declare module '../../graphql/context.ts' {
  interface ModuleContext extends AppSettings {}
}

const data = reads('APPS');
const write = writes('APPS');
const KIND = { kind: 'conferencingApp', belongsTo: 'OWNER' } as const;

const ConferencingApp = rowType(ConferencingAppEntity, 'ConferencingApp', {
  description: 'A conferencing app that a user or a team has connected for their meetings.',
  fields: (t) => ({
    id: t.ownedId(['ownerId', 'id'], 'conferencingApp', { requires: data }),
    app: t.column('app', {
      requires: data,
      description: 'Its slug, which a location of type `CONFERENCING` names as its value: `video` or `zoom`.',
    }),
    name: t.from(['app'], {
      type: 'String',
      requires: data,
      description: 'What people call it, such as `Video link` or `Zoom`.',
      resolve: ({ app }) => (isApp(app) ? APPS[app] : app),
    }),
    isDefault: t.column('isDefault', {
      requires: data,
      description:
        'Whether it is used for bookings whose location names an app that is not connected. Exactly one app is the default.',
    }),
    status: t.from(ACCOUNT, {
      type: ConnectedAccountStatus,
      price: { weight: 100 },
      requires: data,
      description: 'Whether it works. Its provider is asked now, or was asked a few seconds ago.',
      resolve: async (app, _args, context) => (await stateOfApp(context.em, app, context)).status,
    }),
    statusReason: t.from(ACCOUNT, {
      type: 'String',
      nullable: true,
      price: { weight: 100 },
      requires: data,
      description: 'Why it cannot be used, in words. Null: it can.',
      resolve: async (app, _args, context) => (await stateOfApp(context.em, app, context)).reason,
    }),
    createdAt: t.column('createdAt', { requires: data }),
  }),
});

resource({
  type: ConferencingApp,
  owned: CONFERENCING_APPS,
  belongsTo: 'OWNER',
  reads: data,
  writes: write,
  list: {
    name: 'conferencingApps',
    describes: {
      user: 'The conferencing apps that you have connected, oldest first.',
      team: 'The conferencing apps that are connected for the team, oldest first. Null unless you administer it.',
    },
  },
});

const SHOWN = { type: ConferencingApp, owned: CONFERENCING_APPS, belongsTo: 'OWNER', reads: data } as const;

const connectPayload: PayloadFields<Begun> = (t) => ({
  authorizationUrl: t.field({
    type: 'URL',
    nullable: true,
    requires: INHERIT,
    description:
      'For an app with an account, which is connected once you have followed it: the address to open in a browser in which you are signed in here, within ten minutes. It works once, only for you, and leads to the provider and back.',
    resolve: ({ authorizationUrl }) => authorizationUrl,
  }),
});

/**
 * Each level has mutations with this beginning, about the apps of this owner, and refuses callers without a right by
 * these codes.
 */
const LEVELS_OF_APPS = [
  { level: 'user', start: 'conferencing', whose: 'you', ofWhom: 'yours', errors: ['NOT_FOUND'] },
  {
    level: 'team',
    start: 'teamConferencing',
    whose: 'a team that you administer',
    ofWhom: 'a team that you administer',
    errors: ['NOT_FOUND', 'FORBIDDEN'],
  },
] as const;

for (const { level, start, whose, ofWhom, errors } of LEVELS_OF_APPS) {
  const requires = enteringAt(level, write);

  mutation(`${start}AppConnect`, {
    description: `Connects a conferencing app for ${whose}: bookings whose location is in one then get their link. The first one is the default. One with an account, such as Zoom, is connected at its provider, by \`authorizationUrl\`; connected again, it gets new access.`,
    requires,
    errors: [...errors, ...CONNECT_APP_CODES],
    input: (t) => ({
      ...pathFields(t, level),
      app: t.string({
        required: true,
        description:
          'Its slug: `video`, a room of its own for each booking, or `zoom`, meetings in an account at Zoom.',
      }),
    }),
    resolve: async (input, context) => {
      const { owner, rest } = newOwner(level, KIND.belongsTo, await withinOrganization(level, input, context), context);
      const asked = { app: String(rest['app']), userId: requireUserId(context) };
      const connected = await connectApp(context.em, owner, asked, context);
      if ('id' in connected) return { ...doneTo(KIND.kind, owner, connected.id), authorizationUrl: null };
      return { authorizationUrl: connected.authorizationUrl };
    },
    payload: (t) => ({ ...actionPayload(level, SHOWN)(t), ...connectPayload(t) }),
  });

  mutation(`${start}AppDisconnect`, {
    description: `Forgets a conferencing app of ${ofWhom}, and ends our access to its account. Bookings keep the links that they have.`,
    requires,
    errors: [...errors],
    input: (t) => ({ ...pathFields(t, level), ...idField(t, KIND.kind) }),
    resolve: async (input, context) => {
      const { owner, id } = namedApp(level, await withinOrganization(level, input, context), context);
      await disconnectApp(context.em, owner, id);
      return doneTo(KIND.kind, owner, id);
    },
    payload: actionPayload(level, SHOWN, false),
  });

  mutation(`${start}AppDefaultSet`, {
    description: `Makes a conferencing app of ${ofWhom} the default.`,
    requires,
    errors: [...errors],
    input: (t) => ({ ...pathFields(t, level), ...idField(t, KIND.kind) }),
    resolve: async (input, context) => {
      const { owner, id } = namedApp(level, await withinOrganization(level, input, context), context);
      await setDefaultApp(context.em, owner, id);
      return doneTo(KIND.kind, owner, id);
    },
    payload: actionPayload(level, SHOWN),
  });
}

function namedApp(level: 'user' | 'team', input: Input, context: GraphQLContext): Named<Owner> {
  return namedOwner(level, KIND, input, context);
}

interface Begun {
  readonly authorizationUrl: string | null;
}
