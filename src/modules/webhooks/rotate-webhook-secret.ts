import { newId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { fromNow } from '../../database/expressions.ts';
import { Selection } from '../../database/selection.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { refuseUpdate, updateOwnedIf } from '../levels/change-owned.ts';
import { isOne } from '../levels/owned.queries.ts';
import type { Owner } from '../levels/reach.ts';
import { Webhook } from './webhook.entity.ts';
import type { WebhookTable } from './webhook.queries.ts';
import { OVERLAP_HOURS } from './webhook.rules.ts';

export const ROTATE_WEBHOOK_SECRET_CODES = ['NOT_FOUND', 'FORBIDDEN'] as const;

/**
 * Gives a webhook a new secret. Messages are signed by the one before as well, for a day; of three, the first ends at once. An
 * app is given the secret of a webhook alone that it has set itself; `clientId` null: a user in their own browser.
 * @returns the new salt. @throws Problem NOT_FOUND, FORBIDDEN
 */
export async function rotateWebhookSecret(
  em: Em,
  table: WebhookTable,
  owner: Owner,
  id: string,
  clientId: string | null,
): Promise<string> {
  const secretSalt = newId();
  const values = { previousSalt: sql`secret_salt`, previousUntil: fromNow(OVERLAP_HOURS, 'hours'), secretSalt };
  const mayHaveSecret = clientId === null ? sql<boolean>`true` : sql<boolean>`item.client_id = ${clientId}`;
  const rotated = await updateOwnedIf(em, table, owner, id, values, new Selection(Webhook, []), mayHaveSecret);
  if (rotated) return secretSalt;
  await owner.refuse(em);
  const others = selectFrom(Webhook, { ownerId: owner.ownerId, id }).where(isOne(table));
  if (await row(em, others.select('id'))) throw setByAnother(table);
  return refuseUpdate(em, table, owner, id);
}

function setByAnother({ kind }: WebhookTable): Problem {
  const message =
    'Another app, or a user, has set the address of this webhook, so its secret is not for this app: set the address, or make a webhook of its own.';
  return new Problem('FORBIDDEN', message, [`${kind}Id`]);
}
