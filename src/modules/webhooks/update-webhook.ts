import { checkedFields, type PatchOf } from '../../core/fields.ts';
import type { RowOf } from '../../database/columns.ts';
import type { Selection } from '../../database/selection.ts';
import { type Em, sql } from '../../database/sql.ts';
import { violatedConstraint } from '../../database/violated-constraint.ts';
import { updateOwned } from '../levels/change-owned.ts';
import type { Owner } from '../levels/reach.ts';
import { type Director, holderOf, urlTaken, WEBHOOK_CODES } from './create-webhook.ts';
import type { Webhook } from './webhook.entity.ts';
import { EVENT_TYPE_WEBHOOKS, type WebhookTable } from './webhook.queries.ts';
import { type WebhookInput, webhookFields } from './webhook-fields.ts';

export const UPDATE_WEBHOOK_CODES = WEBHOOK_CODES;

/**
 * Changes what the patch names; one that was disabled begins anew by being made active. Who changes the url says where messages go from then on: what an app may not read is not sent
 * to an address of its choice. @throws Problem NOT_FOUND, FORBIDDEN, CONFLICT, URL_TAKEN, and every mistake of the patch at once
 */
export async function updateWebhook(
  em: Em,
  table: WebhookTable,
  owner: Owner,
  id: string,
  patch: PatchOf<WebhookInput>,
  shown: Selection<typeof Webhook>,
  director: Director,
): Promise<RowOf<typeof Webhook>> {
  const rules = webhookFields({ ...director, holder: holderOf(owner, table === EVENT_TYPE_WEBHOOKS) });
  const { triggers, ...given } = checkedFields<WebhookInput, PatchOf<WebhookInput>>(patch, rules);
  const { url, active } = given;
  const isNewStart = url !== undefined || active === true;
  const { userId: setById, clientId, readable } = director;
  const values = {
    ...given,
    ...(isNewStart && { failingSince: null, failedAttempts: 0 }),
    ...(active !== undefined && { disabledAt: null, disabledReason: null }),
    ...(triggers && { triggers: sql`${triggers}::text[]` }),
    ...(url !== undefined && { setById, clientId, readable: sql`${readable}::text[]` }),
  };
  return updateOwned(em, table, owner, id, values, shown).catch((error: unknown) => {
    if (violatedConstraint(error) === 'webhooks_url_key') throw urlTaken(url ?? '');
    throw error;
  });
}
