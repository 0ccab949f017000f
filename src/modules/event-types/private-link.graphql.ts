import type { OwnedId } from '../../core/id.ts';
import { instantOf } from '../../core/instant.ts';
import type { RowOf, Selection } from '../../database/columns.ts';
import { sql } from '../../database/sql.ts';
import type { InputBuilder } from '../../graphql/builder.ts';
import { connectionOf, pageArguments, pagesBelow } from '../../graphql/connection.ts';
import { requireUserId } from '../../graphql/context.ts';
import { URL_TEXT } from '../../graphql/limits/price.ts';
import { filterArgument, type GivenFilter, listFilter } from '../../graphql/list-filter.ts';
import { addRowFields, rowType } from '../../graphql/row.ts';
import { selectionOf } from '../../graphql/selection.ts';
import { reads, writes } from '../../scopes/declare.ts';
import { requireOwnId } from '../levels/change-owned.ts';
import { resource } from '../levels/resource.graphql.ts';
import { privateLinkUrl } from './booking-url.rules.ts';
import { EventType as EventTypeEntity } from './event-type.entity.ts';
import { EventType } from './event-type.graphql.ts';
import { PrivateLink as PrivateLinkEntity } from './private-link.entity.ts';
import { isExpired, MAX_PRIVATE_LINKS, MAX_USAGE_COUNT } from './private-link.rules.ts';
import {
  CREATE_PRIVATE_LINK_CODES,
  createPrivateLink,
  PRIVATE_LINKS,
  privateLinkPages,
  privateLinkToken,
  READ_AT,
  SERVES,
  UPDATE_PRIVATE_LINK_CODES,
  updatePrivateLink,
} from './private-links.ts';

const data = reads('EVENT_TYPE');

const PrivateLink = rowType(PrivateLinkEntity, 'PrivateLink', {
  description: 'A private link, through which a hidden event type can be booked. Without limits it works once.',
  fields: (t) => ({
    id: t.ownedId(['ownerId', 'id'], 'privateLink', { requires: data }),
    url: t.from(['ownerId', 'id', 'secret'], {
      type: 'URL',
      price: URL_TEXT,
      requires: data,
      description: 'The address to pass on. Its last part is the token that leads to the event type.',
      resolve: (link, _args, { publicUrl }) => privateLinkUrl(publicUrl, privateLinkToken(link)),
    }),
    expiresAt: t.column('expiresAt', {
      requires: data,
      description: 'When it stops serving. Null: after `maxUsageCount` bookings.',
    }),
    maxUsageCount: t.column('maxUsageCount', {
      requires: data,
      description:
        'How many bookings it serves for. Null: any number until `expiresAt`, or one where that is null too.',
    }),
    usageCount: t.column('usageCount', { requires: data, description: 'How often somebody has booked with it.' }),
    isExpired: t.fromPart(
      ['expiresAt', 'maxUsageCount', 'usageCount'],
      { part: READ_AT, columns: [] },
      {
        type: 'Boolean',
        requires: data,
        description: 'Whether it no longer works.',
        resolve: ({ expiresAt, readAt, ...link }) =>
          isExpired({ ...link, expiresAt: instantOf(expiresAt) }, instantOf(readAt as unknown as string)),
      },
    ),
    createdAt: t.column('createdAt', { requires: data }),
    updatedAt: t.column('updatedAt', {
      requires: data,
      description: 'When its limits were last changed; at first, when it was made. Bookings do not count as changes.',
    }),
  }),
});

const PrivateLinkFilter = listFilter('PrivateLink', {
  isExpired: {
    type: 'Boolean',
    description: 'Only those that no longer work, or only those that do.',
    condition: (isExpired: boolean) => sql`${SERVES} <> ${isExpired}`,
  },
});

interface WantedLinks {
  readonly given: GivenFilter | null | undefined;
  readonly selection: Selection<typeof PrivateLinkEntity>;
}

type LinkRow = RowOf<typeof PrivateLinkEntity>;

const loadPrivateLinks = pagesBelow(
  { columns: ['UUID'], keyOf: ({ id }: LinkRow) => [id] },
  (context, eventTypes: readonly OwnedId[], request, { given, selection }: WantedLinks) => {
    const by = PrivateLinkFilter.narrowedBy(given, context);
    return privateLinkPages(context.em, requireUserId(context), eventTypes, request, selection, by);
  },
);

addRowFields(EventType, EventTypeEntity, (t) => ({
  privateLinks: t.from(['ownerId', 'id'], {
    type: connectionOf(PrivateLink),
    nullable: true,
    description:
      'Its private links, through which it can be booked even if hidden, oldest first. Empty if the role of its owner in the organization stands above yours.',
    requires: data,
    args: { ...filterArgument(PrivateLinkFilter), ...pageArguments() },
    resolve: (eventType, args, context, info) => {
      const selection = selectionOf(info, PrivateLinkEntity);
      return loadPrivateLinks(context, eventType, args, { given: args.filter, selection });
    },
  }),
}));

resource({
  type: PrivateLink,
  owned: PRIVATE_LINKS,
  belongsTo: 'OWNER',
  reads: data,
  writes: writes('EVENT_TYPE'),
  lookUp: {
    name: 'privateLink',
    describes: {
      user: 'The private link with this id. Null if it is not yours.',
      team: 'The private link with this id. Null if it is not the team’s, and unless you administer it.',
      organization:
        'The private link with this id, of one of the `eventTypes`. Null if the role of its owner stands above yours, and unless you administer the organization.',
    },
  },
  create: {
    input: (t) => ({ eventTypeId: t.id({ required: true }), ...limitFields(t) }),
    errors: CREATE_PRIVATE_LINK_CODES,
    errorsAt: { team: ['NOT_POSSIBLE'] },
    run: (em, owner, { eventTypeId, ...limits }) =>
      createPrivateLink(em, owner, requireOwnId('eventType', eventTypeId, owner.ownerId), limits),
    describes: {
      user: `Makes a private link to an event type of yours. With neither limit it serves once. An event type can have ${MAX_PRIVATE_LINKS}, expired ones included.`,
      team: `Makes a private link to an event type of a team that you administer. With neither limit it serves once. An event type can have ${MAX_PRIVATE_LINKS}, expired ones included.`,
    },
  },
  update: {
    input: limitFields,
    errors: UPDATE_PRIVATE_LINK_CODES,
    run: updatePrivateLink,
    describes: {
      user: 'Changes the limits of a private link of yours. What is left out stays; null lifts a limit.',
      team: 'Changes the limits of a private link of a team. What is left out stays; null lifts a limit.',
    },
  },
  delete: {
    describes: {
      user: 'Ends a private link of yours at once.',
      team: 'Ends a private link of a team at once.',
    },
  },
});

/** The limits that a private link can have. */
function limitFields(t: InputBuilder) {
  return {
    expiresAt: t.field({ type: 'DateTime', description: 'When it stops serving.' }),
    maxUsageCount: t.int({
      description: `How many bookings it serves for: 1 to ${MAX_USAGE_COUNT}. Without it, any number until \`expiresAt\`, or one.`,
    }),
  };
}
