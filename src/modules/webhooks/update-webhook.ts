import { checkedFields, type PatchOf } from '../../core/fields.ts';
import type { RowOf } from '../../database/columns.ts';
import type { Selection } from '../../database/selection.ts';
import { type Em, sql } from '../../database/sql.ts';
import { violatedConstraint } from '../../database/violated-constraint.ts';
import { updateOwned } from '../levels/change-owned.ts';
import type { Owner } from '../levels/reach.ts';
import { type Director, urlTaken, WEBHOOK_CODES } from './create-webhook.ts';
import type { Webhook } from './webhook.entity.ts';
import { WEBHOOKS } from './webhook.queries.ts';
import { type WebhookInput, webhookFields } from './webhook-fields.ts';

export const UPDATE_WEBHOOK_CODES = WEBHOOK_CODES;

/**
 * Changes what the patch names. Who changes the url says where messages go from then on: what an app may not read is not sent
 * to an address of its choice. @throws Problem NOT_FOUND, CONFLICT, URL_TAKEN, and every mistake of the patch at once
 */
export async function updateWebhook(
  em: Em,
  owner: Owner,
  id: string,
  patch: PatchOf<WebhookInput>,
  shown: Selection<typeof Webhook>,
  director: Director,
): Promise<RowOf<typeof Webhook>> {
  const rules = webhookFields(director.allowsPrivate);
  const { triggers, ...given } = checkedFields<WebhookInput, PatchOf<WebhookInput>>(patch, rules);
  const { url } = given;
  const values = {
    ...given,
    ...(triggers && { triggers: sql`${triggers}::text[]` }),
    ...(url !== undefined && { clientId: director.clientId, readable: sql`${director.readable}::text[]` }),
  };
  return updateOwned(em, WEBHOOKS, owner, id, values, shown).catch((error: unknown) => {
    if (violatedConstraint(error) === 'webhooks_user_id_url_key') throw urlTaken(url ?? '');
    throw error;
  });
}
