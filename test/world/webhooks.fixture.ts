import { Selection } from '../../src/database/columns.ts';
import { changed, sql } from '../../src/database/sql.ts';
import { Webhook, WebhookDelivery } from '../../src/modules/webhooks/webhook.entity.ts';
import { deliveryPages, eventTypeWebhookPages } from '../../src/modules/webhooks/webhook.queries.ts';
import { storeDelivery } from '../jobs/support/webhooks.ts';
import type { TestCaller } from '../support/api.ts';
import { ownedUuidOf, uuidNumbered } from '../support/ids.ts';
import { ownEventType, teamEventType } from './event-types.fixture.ts';
import {
  ago,
  and,
  by,
  did,
  type Filling,
  type Fixture,
  groupOf,
  type List,
  type Make,
  type Maker,
  numbered,
} from './fixture.ts';

const newWebhook = (maker: Maker) => ({ url: `https://hooks.example/${maker.slug()}`, triggers: ['BOOKING_CREATED'] });

/** The kinds of webhooks by how their mutations are called: whose they are, what they are about, the argument that names one. */
const WEBHOOKS = {
  webhook: { group: 'own', about: async () => ({}), id: 'webhookId' },
  organizationWebhook: { group: 'organization', about: async () => ({}), id: 'webhookId' },
  eventTypeWebhook: { group: 'own', about: ownEventType, id: 'eventTypeWebhookId' },
  teamEventTypeWebhook: { group: 'team', about: teamEventType, id: 'eventTypeWebhookId' },
} as const;

type WebhookKind = keyof typeof WEBHOOKS;

const newWebhookOf = (kind: WebhookKind) => async (maker: Maker) => ({
  ...(await WEBHOOKS[kind].about(maker)),
  ...newWebhook(maker),
});

const aWebhook = (kind: WebhookKind) => async (maker: Maker) => {
  const { group, id } = WEBHOOKS[kind];
  const input = { ...(await groupOf(maker, group)), ...(await newWebhookOf(kind)(maker)) };
  return { [id]: await maker.made(`${kind}Create`, input, id) };
};

/** The same one each time: there are only so many of a user or an organization. */
const keptWebhook = (kind: WebhookKind) => async (maker: Maker) => {
  const { id } = WEBHOOKS[kind];
  return { [id]: await maker.once(kind, async () => (await aWebhook(kind)(maker))[id] ?? '') };
};

/** The same, set by an app, or by Ada herself. */
const webhookSetBy = (kind: WebhookKind, app: (maker: Maker) => string | null) => async (maker: Maker) => {
  const named = await keptWebhook(kind)(maker);
  const { id } = ownedUuidOf(named[WEBHOOKS[kind].id] ?? '');
  await maker.rows(sql`update webhooks set client_id = ${app(maker)}::text where id = ${id} returning id`);
  return named;
};

/** One whose secret the app that asks may have. Where nobody lets the app in, it pauses. */
const setWebhook = (kind: WebhookKind) => webhookSetBy(kind, ({ clientId }) => clientId);

/** One that Ada answers for, so that it sends. */
const sendingWebhook = (kind: WebhookKind) => webhookSetBy(kind, () => null);

/** One that nobody answers for, by the address that it has. */
const pausedWebhook = (kind: WebhookKind) => async (maker: Maker) => {
  const named = await aWebhook(kind)(maker);
  const { id } = ownedUuidOf(named[WEBHOOKS[kind].id] ?? '');
  const [paused] = await maker.rows(sql`update webhooks set set_by_id = null where id = ${id} returning url as id`);
  return { ...named, url: paused?.id ?? '' };
};

const aDelivery = (kind: WebhookKind) => async (maker: Maker) => {
  const { group } = WEBHOOKS[kind];
  const input = {
    ...(await groupOf(maker, group)),
    ...(await sendingWebhook(kind)(maker)),
    trigger: 'BOOKING_CREATED',
  };
  const webhookDeliveryId = await maker.made(`${kind}Test`, input, 'webhookDeliveryId');
  await maker.rows(
    sql`update webhook_deliveries set status = 'FAILED' where id = ${ownedUuidOf(webhookDeliveryId).id} returning id`,
  );
  return { webhookDeliveryId };
};

function ofWebhooks(kind: WebhookKind): Record<string, Make> {
  const { group } = WEBHOOKS[kind];
  return {
    [`${kind}Create`]: by(group, newWebhookOf(kind)),
    [`${kind}Update`]: by(group, and(aWebhook(kind), { isActive: false })),
    [`${kind}Delete`]: by(group, aWebhook(kind)),
    [`${kind}SecretRotate`]: by(group, setWebhook(kind)),
    [`${kind}TakeOver`]: by(group, pausedWebhook(kind)),
    [`${kind}Test`]: by(group, and(sendingWebhook(kind), { trigger: 'BOOKING_CREATED' })),
    [`${kind}DeliveryRetry`]: by(group, aDelivery(kind)),
  };
}

const DELIVERIES: readonly List[] = [
  (em, { userId, webhookId }, page) =>
    deliveryPages(em, [{ ownerId: userId, id: webhookId }], page, Selection.whole(WebhookDelivery)),
];

async function fillInWebhook(
  { world }: Filling,
  who: TestCaller,
  noun: string,
  of: object = {},
  name = noun,
): Promise<void> {
  const input = { url: 'https://hooks.example/', triggers: ['BOOKING_CREATED'], ...of };
  const webhook = ownedUuidOf(await did(who, `${name}Create`, input, `${noun}Id`));
  const em = world.api.database.em.fork();
  await changed(
    em,
    sql`update webhooks set disabled_at = now(), disabled_reason = 'It failed.' where id = ${webhook.id}`,
  );
  await storeDelivery(em, webhook);
}

export const fixture: Fixture = {
  after: ['event-types'],
  things: {
    webhook: {
      full: null,
      many: ({ userId, organizationId, eventTypeId, webhookId }, count) => [
        sql`insert into webhooks (owner_id, user_id, organization_id, event_type_id, id, url, triggers, is_active, set_by_id, readable, secret_salt,
          created_at, updated_at)
        select coalesce(organization_id, ${userId}), case when organization_id is null then ${userId}::uuid end, organization_id,
          event_type_id, id, id::text, '{}', true, ${userId}, '{}', id, now(), now()
        from (select ${webhookId}::uuid as id, null::uuid as organization_id, null::uuid as event_type_id
          union all select ${uuidNumbered('0')}, null, null from ${numbered(count)}
          union all select ${uuidNumbered('b')}, null, ${eventTypeId} from ${numbered(count)}
          union all select ${uuidNumbered('0')}, ${organizationId}::uuid, null from ${numbered(count)}) w`,
        sql`insert into webhook_deliveries (owner_id, id, webhook_id, event_id, trigger, payload, status, attempts, created_at)
        select ${userId}::uuid, ${uuidNumbered('0')}, ${webhookId}::uuid, ${uuidNumbered('0')}, (array['BOOKING_CREATED', 'BOOKING_CANCELLED'])[n % 2 + 1], '', 'DELIVERED', '[]', ${ago} from ${numbered(count)}`,
        sql`insert into webhook_deliveries (owner_id, id, webhook_id, event_id, trigger, payload, status, attempts, created_at)
        select ${userId}::uuid, ${uuidNumbered('c')}, ${uuidNumbered('b')}, ${uuidNumbered('0')}, 'BOOKING_CREATED', '', 'FAILED', '[]', ${ago} from ${numbered(count)}`,
      ],
    },
    // They are rows of the same table.
    eventTypeWebhook: { full: null, many: () => [] },
    webhookDelivery: { full: null, many: () => [] },
  },
  inputs: {
    ...ofWebhooks('webhook'),
    ...ofWebhooks('organizationWebhook'),
    ...ofWebhooks('eventTypeWebhook'),
    ...ofWebhooks('teamEventTypeWebhook'),
  },
  fields: {
    Webhook: { AS_ABOVE: 'deliveries' },
    EventTypeWebhook: { AS_ABOVE: 'deliveries' },
    WebhookDelivery: { AS_ABOVE: 'attempts' },
  },
  lists: {
    'EventType.webhooks': {
      lists: [
        (em, { userId, eventTypeId }, page) =>
          eventTypeWebhookPages(em, userId, [{ ownerId: userId, id: eventTypeId }], page, Selection.whole(Webhook)),
      ],
    },
    'Webhook.deliveries': { lists: DELIVERIES },
    'EventTypeWebhook.deliveries': { lists: DELIVERIES },
  },
  fillPerson: async (filling, who) => {
    await fillInWebhook(filling, who, 'webhook');
    // Each event type has one: a hidden event type is shown to fewer people anyway, so it cannot tell who sees its webhooks.
    const { data } = await who.ask('{ me { eventTypes { nodes { id } } } }');
    for (const { id } of data.me.eventTypes.nodes)
      await fillInWebhook(filling, who, 'eventTypeWebhook', { eventTypeId: id });
  },
  fillGroups: async (filling) => {
    const { world, owner, teamId } = filling;
    await fillInWebhook(filling, owner, 'webhook', { organizationId: world.organizationId }, 'organizationWebhook');
    const input = { teamId, slug: 'told', title: 'Talk', durationInMinutes: 30, hosts: [{ userId: owner.userId }] };
    const eventTypeId = await did(owner, 'teamEventTypeCreate', input, 'eventTypeId');
    await fillInWebhook(filling, owner, 'eventTypeWebhook', { teamId, eventTypeId }, 'teamEventTypeWebhook');
  },
};
