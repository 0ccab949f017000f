import { checkedFields, type PatchOf } from '../../core/fields.ts';
import { newId } from '../../core/id.ts';
import type { RowOf } from '../../database/columns.ts';
import { fromNow } from '../../database/expressions.ts';
import type { Selection } from '../../database/selection.ts';
import { type Em, type RawBuilder, sql } from '../../database/sql.ts';
import { violatedConstraint } from '../../database/violated-constraint.ts';
import { recordEvent } from '../../events/record-event.ts';
import { updateOwned } from '../levels/change-owned.ts';
import type { Owner } from '../levels/reach.ts';
import { type Director, holderOf, requireVerifiedDirector, urlTaken, WEBHOOK_CODES } from './create-webhook.ts';
import type { Webhook } from './webhook.entity.ts';
import { EVENT_TYPE_WEBHOOKS, type WebhookTable } from './webhook.queries.ts';
import { OVERLAP_HOURS } from './webhook.rules.ts';
import { type WebhookInput, webhookFields } from './webhook-fields.ts';

export const UPDATE_WEBHOOK_CODES = WEBHOOK_CODES;

/** A webhook as it is after a change, as far as it is shown; with the salt of its secret where it was given a new one. */
export interface UpdatedWebhook extends RowOf<typeof Webhook> {
  readonly newSalt: string | undefined;
}

/**
 * Changes what the patch names; one that was disabled begins anew by being made active. Who sets the url says where messages go from then on: what an app may not read is not sent
 * to an address of its choice. If another has set it before, the webhook gets a new secret, since that one knows the old one.
 * @throws Problem NOT_FOUND, FORBIDDEN, CONFLICT, EMAIL_NOT_VERIFIED, URL_TAKEN, and every mistake of the patch at once
 */
export async function updateWebhook(
  em: Em,
  table: WebhookTable,
  owner: Owner,
  id: string,
  patch: PatchOf<WebhookInput>,
  shown: Selection<typeof Webhook>,
  director: Director,
): Promise<UpdatedWebhook> {
  const rules = webhookFields({ ...director, holder: holderOf(owner, table === EVENT_TYPE_WEBHOOKS) });
  const { triggers, ...given } = checkedFields<WebhookInput, PatchOf<WebhookInput>>(patch, rules);
  const { url, active } = given;
  const isNewStart = url !== undefined || active === true;
  const isStopOnly = active === false && url === undefined && !triggers;
  if (!isStopOnly) await requireVerifiedDirector(em, director);
  const newSalt = newId();
  const values = {
    ...given,
    ...(isNewStart && { failingSince: null, failedAttempts: 0 }),
    ...(active !== undefined && { disabledAt: null, disabledReason: null }),
    ...(triggers && { triggers: sql`${triggers}::text[]` }),
    ...(url !== undefined && directedBy(director, url, newSalt)),
  };
  const update = (inner: Em) => updateOwned(inner, table, owner, id, values, shown.with('secretSalt'));
  const resume = (inner: Em) => recordEvent(inner, owner.ownerId, { type: 'WEBHOOK_RESUMED', webhookId: id });
  const changing = isNewStart
    ? em.transactional(async (inner) => {
        const changed = await update(inner);
        await resume(inner);
        return changed;
      })
    : update(em);
  const updated = await changing.catch((error: unknown) => {
    if (violatedConstraint(error) === 'webhooks_url_key') throw urlTaken(url ?? '');
    throw error;
  });
  return { ...updated, newSalt: updated.secretSalt === newSalt ? newSalt : undefined };
}

/**
 * The columns that change when an address is set. The old secret of another setter ends with the address that it was
 * for; where that stays, its receiver is given the time to change, as when a secret is rotated.
 */
function directedBy({ userId: setById, clientId, readable }: Director, url: string, newSalt: string): object {
  const isByAnother = sql`(item.set_by_id, item.client_id) is distinct from (${setById}::uuid, ${clientId}::text)`;
  const stays = sql`item.url = ${url}`;
  const byAnother = (value: RawBuilder<unknown>, otherwise: RawBuilder<unknown>) =>
    sql`case when ${isByAnother} then ${value} else ${otherwise} end`;
  return {
    setById,
    clientId,
    readable: sql`${readable}::text[]`,
    secretSalt: byAnother(sql`${newSalt}::uuid`, sql`item.secret_salt`),
    previousSalt: byAnother(sql`case when ${stays} then item.secret_salt end`, sql`item.previous_salt`),
    previousUntil: byAnother(
      sql`case when ${stays} then ${fromNow(OVERLAP_HOURS, 'hours')} end`,
      sql`item.previous_until`,
    ),
  };
}
