import { type PageArguments, pageRequest } from '../../../core/page.ts';
import { batched } from '../../../graphql/batch.ts';
import { builder, type Types } from '../../../graphql/builder.ts';
import { connection, connectionOf, pageArguments } from '../../../graphql/connection.ts';
import { requireUserId } from '../../../graphql/context.ts';
import { URL_TEXT } from '../../../graphql/limits/price.ts';
import { mutation } from '../../../graphql/mutation.ts';
import { addRowFields } from '../../../graphql/row.ts';
import { entering, INHERIT, reads, writes } from '../../../scopes/declare.ts';
import { own } from '../../levels/reach.ts';
import { privateLinkUrl } from '../booking-url.rules.ts';
import { EventType } from '../change/event-type.graphql.ts';
import { EventType as EventTypeEntity } from '../event-type.entity.ts';
import { createPrivateLink } from './create-private-link.ts';
import { deletePrivateLink } from './delete-private-link.ts';
import { type PrivateLinkRow, privateLinkPages } from './private-link.queries.ts';
import { isExpired, PRIVATE_LINK_MISTAKES } from './private-link.rules.ts';
import { privateLinkToken } from './private-link-token.ts';
import { updatePrivateLink } from './update-private-link.ts';

const data = reads('EVENT_TYPE');
const read = reads('EVENT_TYPE', ['USER']);
const write = entering('USER', writes('EVENT_TYPE', ['USER']));

const loadPrivateLinks = batched((context, eventTypeIds, args: PageArguments) =>
  privateLinkPages(context.em, requireUserId(context), eventTypeIds, pageRequest(args)),
);

export const PrivateLink = builder.objectRef<PrivateLinkRow>('PrivateLink').implement({
  description: 'An address by which a hidden event type is booked. With neither limit it serves once.',
  fields: (t) => ({
    id: t.exposeID('id', { requires: data }),
    url: t.string({
      price: URL_TEXT,
      requires: data,
      description: 'The address to pass on. Its last part is the token that leads to the event type.',
      resolve: (link, _args, { publicUrl }) => privateLinkUrl(publicUrl, privateLinkToken(link)),
    }),
    expiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      requires: data,
      resolve: ({ expiresAt }) => instantOf(expiresAt),
    }),
    maxUsageCount: t.exposeInt('maxUsageCount', { nullable: true, requires: data }),
    usageCount: t.exposeInt('usageCount', { requires: data, description: 'How often somebody has booked with it.' }),
    isExpired: t.boolean({
      requires: data,
      description: 'Whether it serves no longer.',
      resolve: ({ expiresAt, readAt, ...link }) =>
        isExpired({ ...link, expiresAt: instantOf(expiresAt) }, Temporal.Instant.from(readAt)),
    }),
    createdAt: t.field({
      type: 'DateTime',
      requires: data,
      resolve: ({ createdAt }) => Temporal.Instant.from(createdAt),
    }),
  }),
});

addRowFields(EventType, EventTypeEntity, (t) => ({
  privateLinks: t.from(['id'], {
    type: connectionOf(PrivateLink),
    nullable: true,
    description:
      'The addresses by which it is booked though it is hidden, oldest first; none of somebody whose role in the organization stands above yours.',
    requires: data,
    args: pageArguments(),
    resolve: async ({ id }, args, context) => {
      const page = await loadPrivateLinks(context, id, args);
      return page && connection(page, (link) => [link.id]);
    },
  }),
}));

mutation('privateLinkCreate', {
  description: 'Makes a private link to an event type of yours. With neither limit it serves once.',
  requires: write,
  errors: [...PRIVATE_LINK_MISTAKES, 'NOT_FOUND'],
  onceByKey: true,
  input: (t) => ({ eventTypeId: t.id({ required: true }), ...limitFields(t) }),
  resolve: async ({ eventTypeId, ...limits }, context) =>
    changedLink(await createPrivateLink(context.em, own(requireUserId(context)), eventTypeId, limits)),
  payload: (t) => ({
    privateLinkId: t.exposeID('privateLinkId', { nullable: true, requires: INHERIT }),
    privateLink: t.expose('privateLink', { type: PrivateLink, nullable: true, requires: read }),
  }),
});

mutation('privateLinkUpdate', {
  description: 'Changes the limits of a private link of yours. What is left out stays; null lifts a limit.',
  requires: write,
  errors: [...PRIVATE_LINK_MISTAKES, 'NOT_FOUND'],
  input: (t) => ({ privateLinkId: t.id({ required: true }), ...limitFields(t) }),
  resolve: async ({ privateLinkId, ...limits }, context) =>
    changedLink(await updatePrivateLink(context.em, own(requireUserId(context)), privateLinkId, limits)),
  payload: (t) => ({
    privateLinkId: t.exposeID('privateLinkId', { nullable: true, requires: INHERIT }),
    privateLink: t.expose('privateLink', { type: PrivateLink, nullable: true, requires: read }),
  }),
});

mutation('privateLinkDelete', {
  description: 'Ends a private link of yours at once.',
  requires: write,
  errors: ['NOT_FOUND'],
  input: (t) => ({ privateLinkId: t.id({ required: true }) }),
  resolve: async ({ privateLinkId }, context) => {
    await deletePrivateLink(context.em, own(requireUserId(context)), privateLinkId);
    return { privateLinkId };
  },
  payload: (t) => ({ privateLinkId: t.exposeID('privateLinkId', { nullable: true, requires: INHERIT }) }),
});

/** The limits that a private link can have. */
export function limitFields(t: PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>) {
  return {
    expiresAt: t.field({ type: 'DateTime', description: 'When it stops serving.' }),
    maxUsageCount: t.int({ description: 'How often it serves: 1 to 100000.' }),
  };
}

/** The payload of a mutation that has made or changed a link. */
export function changedLink(privateLink: PrivateLinkRow): { privateLinkId: string; privateLink: PrivateLinkRow } {
  return { privateLinkId: privateLink.id, privateLink };
}

function instantOf(text: string | null): Temporal.Instant | null {
  return text === null ? null : Temporal.Instant.from(text);
}
