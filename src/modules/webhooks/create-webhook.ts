import { checkedFields } from '../../core/fields.ts';
import { newId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { User } from '../accounts/user.entity.ts';
import type { Owner } from '../levels/reach.ts';
import { Webhook } from './webhook.entity.ts';
import { MAX_WEBHOOKS, type ReadableData, type WebhookTrigger } from './webhook.rules.ts';
import { WEBHOOK_FIELD_CODES, type WebhookInput, webhookFields } from './webhook-fields.ts';
import { firstSaltOf } from './webhook-secret.rules.ts';

export const WEBHOOK_CODES = [...WEBHOOK_FIELD_CODES, 'URL_TAKEN'] as const;
export const CREATE_WEBHOOK_CODES = [...WEBHOOK_CODES, 'TOO_MANY'] as const;

/** Who says where messages go, and what they may read. */
export interface Director {
  /** Whether they may go to private addresses: in development. */
  readonly allowsPrivate: boolean;
  /** Null: the user themselves. */
  readonly clientId: string | null;
  readonly readable: readonly ReadableData[];
}

export interface NewWebhook {
  readonly url: string;
  readonly triggers: readonly WebhookTrigger[];
  readonly active?: boolean | null | undefined;
}

/** Has an address told of events. @returns its id. @throws Problem NOT_FOUND, URL_TAKEN, TOO_MANY, and every mistake of the input at once */
export async function createWebhook(em: Em, owner: Owner, input: NewWebhook, director: Director): Promise<string> {
  const rules = webhookFields(director.allowsPrivate);
  const { url, triggers, active = true } = checkedFields<WebhookInput, NewWebhook>(input, rules);
  const { ownerId: userId } = owner;
  const id = newId();
  return em.transactional(async (inner) => {
    // One at a time for each user, so that the count below is true.
    const user = await row(inner, selectFrom(User, { id: userId }).select('id').forNoKeyUpdate());
    if (!user) throw new Problem('NOT_FOUND', 'This account does not exist any more.');
    const created = await row(
      inner,
      sql<{ id: string }>`
        insert into webhooks (user_id, id, url, triggers, active, client_id, readable, secret_salt, created_at, updated_at)
        select ${userId}::uuid, ${id}::uuid, ${url}::text, ${triggers}::text[], ${active}::boolean,
          ${director.clientId}::text, ${director.readable}::text[], ${firstSaltOf(id)}::uuid, now(), now()
        where ${owner.isInCharge}
          and (select count(*) from webhooks where user_id = ${userId}) < ${MAX_WEBHOOKS}::int
        on conflict (user_id, url) do nothing
        returning id`,
    );
    if (created) return created.id;
    await owner.refuse(inner);
    throw (await isThere(inner, userId, url)) ? urlTaken(url) : tooMany();
  });
}

async function isThere(em: Em, userId: string, url: string): Promise<boolean> {
  return (await row(em, selectFrom(Webhook, { userId, url }).select('id'))) !== undefined;
}

export function urlTaken(url: string): Problem {
  return new Problem('URL_TAKEN', `Another webhook of yours has the URL ${JSON.stringify(url)}; change that one.`, [
    'url',
  ]);
}

function tooMany(): Problem {
  return new Problem('TOO_MANY', `There are ${MAX_WEBHOOKS} webhooks, which is the most; delete one first.`);
}
