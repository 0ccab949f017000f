import { newId } from '../../core/id.ts';
import { fromNow } from '../../database/expressions.ts';
import { Selection } from '../../database/selection.ts';
import { type Em, sql } from '../../database/sql.ts';
import { updateOwned } from '../levels/change-owned.ts';
import type { Owner } from '../levels/reach.ts';
import { Webhook } from './webhook.entity.ts';
import { WEBHOOKS } from './webhook.queries.ts';
import { OVERLAP_HOURS } from './webhook.rules.ts';

export const ROTATE_WEBHOOK_SECRET_CODES = ['NOT_FOUND'] as const;

/**
 * Gives a webhook a new secret. Messages are signed by the one before as well, for a day; of three, the first ends at once.
 * @returns the new salt. @throws Problem NOT_FOUND
 */
export async function rotateWebhookSecret(em: Em, owner: Owner, id: string): Promise<string> {
  const secretSalt = newId();
  const values = { previousSalt: sql`secret_salt`, previousUntil: fromNow(OVERLAP_HOURS, 'hours'), secretSalt };
  await updateOwned(em, WEBHOOKS, owner, id, values, new Selection(Webhook, []));
  return secretSalt;
}
