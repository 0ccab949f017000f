import { checkedFields } from '../../core/fields.ts';
import { newId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { requireVerifiedEmail } from '../accounts/require-verified-email.ts';
import { User } from '../accounts/user.entity.ts';
import { EventType } from '../event-types/event-type.entity.ts';
import { eventTypeNotFound } from '../event-types/event-type-owner.ts';
import type { Owner } from '../levels/reach.ts';
import { Organization } from '../organizations/organization.entity.ts';
import { lockOwner } from '../teams/lock-owner.ts';
import { Webhook } from './webhook.entity.ts';
import { MAX_WEBHOOKS, type ReadableData, type WebhookHolder, type WebhookTrigger } from './webhook.rules.ts';
import { WEBHOOK_FIELD_CODES, type WebhookInput, webhookFields } from './webhook-fields.ts';
import { firstSaltOf } from './webhook-secret.rules.ts';

export const WEBHOOK_CODES = [...WEBHOOK_FIELD_CODES, 'URL_TAKEN', 'EMAIL_NOT_VERIFIED'] as const;
export const CREATE_WEBHOOK_CODES = [...WEBHOOK_CODES, 'TOO_MANY'] as const;

/** The user or app that says where messages go, and what they may read. */
export interface Director {
  /** Whether webhooks may lead to private addresses, as in development. */
  readonly allowsPrivate: boolean;
  readonly userId: string;
  /** Null: the user themselves. */
  readonly clientId: string | null;
  readonly readable: readonly ReadableData[];
}

export interface NewWebhook {
  readonly url: string;
  readonly triggers: readonly WebhookTrigger[];
  readonly active?: boolean | null | undefined;
}

/**
 * Has an address notified of events: those of one event type, if one is given, else all that concern the owner.
 * @returns its id. @throws Problem NOT_FOUND, FORBIDDEN, EMAIL_NOT_VERIFIED, URL_TAKEN, TOO_MANY, and every mistake of the input at once
 */
export async function createWebhook(
  em: Em,
  owner: Owner,
  input: NewWebhook,
  director: Director,
  eventTypeId: string | null = null,
): Promise<string> {
  const rules = webhookFields({ ...director, holder: holderOf(owner, eventTypeId !== null) });
  const { url, triggers, active = true } = checkedFields<WebhookInput, NewWebhook>(input, rules);
  const { ownerId } = owner;
  const id = newId();
  const kind = owner.administrator?.group.kind ?? 'user';
  return em.transactional(async (inner) => {
    // One at a time for each owner of webhooks, so that the count below is true.
    if (eventTypeId !== null) await lockOwner(inner, ownerId);
    const holder = await row(inner, lockingHolder(kind, owner, eventTypeId));
    if (!holder) {
      await owner.refuse(inner);
      if (eventTypeId !== null) throw eventTypeNotFound({ ownerId, id: eventTypeId });
      throw new Problem('NOT_FOUND', 'This account no longer exists.');
    }
    await requireVerifiedDirector(inner, director);
    const about = sql<boolean>`owner_id = ${ownerId} and coalesce(event_type_id, owner_id) = ${eventTypeId ?? ownerId}`;
    const created = await row(
      inner,
      sql<{ id: string }>`
        insert into webhooks (owner_id, id, ${sql.ref(`${kind}_id`)}, event_type_id, url, triggers, active, set_by_id, client_id,
          readable, secret_salt, created_at, updated_at)
        select ${ownerId}::uuid, ${id}::uuid, ${ownerId}::uuid, ${eventTypeId}::uuid, ${url}::text, ${triggers}::text[],
          ${active}::boolean, ${director.userId}::uuid, ${director.clientId}::text, ${director.readable}::text[],
          ${firstSaltOf(id)}::uuid, now(), now()
        where ${owner.isInCharge} and (select count(*) from webhooks where ${about}) < ${MAX_WEBHOOKS}::int
        on conflict (owner_id, coalesce(event_type_id, owner_id), url) do nothing
        returning id`,
    );
    if (created) return created.id;
    await owner.refuse(inner);
    const isThere = await row(inner, selectFrom(Webhook, { ownerId, url }).where(about).select('id'));
    throw isThere ? urlTaken(url) : tooMany();
  });
}

/** A webhook shows everything that it is notified of to anybody who has the address. @throws Problem EMAIL_NOT_VERIFIED */
export async function requireVerifiedDirector(em: Em, { userId }: Pick<Director, 'userId'>): Promise<void> {
  await requireVerifiedEmail(em, userId, 'A webhook tells others of your bookings');
}

/** Says what holds a webhook. */
export function holderOf({ administrator }: Owner, isOfEventType: boolean): WebhookHolder {
  if (isOfEventType) return 'EVENT_TYPE';
  return administrator?.group.kind === 'organization' ? 'ORGANIZATION' : 'USER';
}

function lockingHolder(kind: 'user' | 'team' | 'organization', { ownerId, isInCharge }: Owner, id: string | null) {
  if (id !== null) return selectFrom(EventType, { ownerId, id }).where(isInCharge).select('id').forNoKeyUpdate();
  const holder =
    kind === 'organization' ? selectFrom(Organization, { id: ownerId }) : selectFrom(User, { id: ownerId });
  return holder.where(isInCharge).select('id').forNoKeyUpdate();
}

export function urlTaken(url: string): Problem {
  const message = `Another webhook here has the URL ${JSON.stringify(url)}; change that one.`;
  return new Problem('URL_TAKEN', message, ['url']);
}

function tooMany(): Problem {
  return new Problem('TOO_MANY', `There are already ${MAX_WEBHOOKS} webhooks, which is the limit; delete one first.`);
}
