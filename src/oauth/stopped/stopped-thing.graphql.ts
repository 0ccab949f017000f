import { idOf, NO_ID, publicId } from '../../core/id.ts';
import { builder } from '../../graphql/builder.ts';
import { connectionOf } from '../../graphql/connection.ts';
import { requireSession } from '../../graphql/context.ts';
import { describedValues } from '../../graphql/descriptions.ts';
import { TEXT, URL_TEXT } from '../../graphql/limits/price.ts';
import { mutation } from '../../graphql/mutation.ts';
import { viewerList } from '../../modules/accounts/accounts.graphql.ts';
import { FIRST_PARTY } from '../../scopes/declare.ts';
import { DISCARD_STOPPED_CODES, discardThing, REVIVE_STOPPED_CODES, reviveThing } from './revive-thing.ts';
import { findStoppedThings, type ShownThing } from './stopped-thing.queries.ts';
import { STOPPED_DAYS, STOPPED_KIND_NAMES, STOPPED_KINDS } from './stopped-thing.rules.ts';

const requires = FIRST_PARTY;

const StoppedThingType = builder.enumType('StoppedThingType', {
  description: 'What it is that has stopped.',
  values: describedValues(STOPPED_KIND_NAMES, STOPPED_KINDS),
});

const StoppedThing = builder.objectRef<ShownThing>('StoppedThing').implement({
  description:
    'Something that led out of your account, or let somebody in, and has stopped: it was set before your e-mail address was shown to be yours, so that another may have set it.',
  fields: (t) => ({
    id: t.id({ requires, resolve: ({ id }) => publicId('stoppedThing', id) }),
    type: t.field({
      type: StoppedThingType,
      requires,
      description: 'What it is, which says what reviving it does.',
      resolve: ({ kind }) => kind,
    }),
    title: t.exposeString('title', { price: TEXT, requires, description: 'What you know it by: a name, or a server.' }),
    address: t.exposeString('address', {
      nullable: true,
      price: URL_TEXT,
      requires,
      description:
        'Where it leads, or whom it lets in: look at it before you revive it. Several are separated by spaces. Null for what has none.',
    }),
    stoppedAt: t.expose('stoppedAt', { type: 'DateTime', requires, description: 'When it did.' }),
    deletedAt: t.field({
      type: 'DateTime',
      requires,
      description: 'When it is deleted, unless you revive it.',
      resolve: ({ stoppedAt }) => stoppedAt.add({ hours: STOPPED_DAYS * 24 }),
    }),
  }),
});

viewerList('stoppedThings', {
  type: connectionOf(StoppedThing),
  description: `What has stopped since your e-mail address was shown to be yours, otherwise than by the mail of your sign-up. It is deleted after ${STOPPED_DAYS} days.`,
  requires,
  order: { columns: ['UUID'], keyOf: ({ id }) => [id] },
  find: ({ em }, userId, request) => findStoppedThings(em, userId, request),
});

const NAMED = { required: true, description: 'Which one, from `me { stoppedThings }` (`stp_…`).' } as const;

mutation('stoppedThingRevive', {
  description:
    'Revives one thing that has stopped, as it was. What has a secret gets a new one: a client or a webhook, whose secret the answer shows; a private link, which has another address from then on; an invitation, which you send again.',
  requires,
  errors: REVIVE_STOPPED_CODES,
  input: (t) => ({
    stoppedThingId: t.id(NAMED),
    address: t.string({ description: 'The `address` that you were shown; left out where it is null.' }),
  }),
  resolve: async ({ stoppedThingId: named, address: shown }, context) => {
    const { userId } = requireSession(context);
    const { em, oauth: authorizationServer, webhooksKey, allowPrivateNetwork, address } = context;
    const thing = { userId, id: idOf('stoppedThing', named) ?? NO_ID, address };
    const { secret } = await reviveThing(
      em,
      { authorizationServer, webhooksKey, allowPrivateNetwork },
      { ...thing, shown: shown ?? null },
    );
    return { stoppedThingId: named, secret };
  },
  payload: (t) => ({
    stoppedThingId: t.exposeID('stoppedThingId', { nullable: true, requires }),
    secret: t.exposeString('secret', {
      nullable: true,
      requires,
      description:
        'The new secret of a confidential client or of a webhook, shown by this answer alone. Null for anything else.',
    }),
  }),
});

mutation('stoppedThingDelete', {
  description: 'Deletes one thing that has stopped, for good.',
  requires,
  errors: DISCARD_STOPPED_CODES,
  input: (t) => ({ stoppedThingId: t.id(NAMED) }),
  resolve: async ({ stoppedThingId: named }, context) => {
    const { userId } = requireSession(context);
    await discardThing(context.em, { userId, id: idOf('stoppedThing', named) ?? NO_ID, address: context.address });
    return { stoppedThingId: named };
  },
  payload: (t) => ({ stoppedThingId: t.exposeID('stoppedThingId', { nullable: true, requires }) }),
});
