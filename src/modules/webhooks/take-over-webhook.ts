import { checkedFields } from '../../core/fields.ts';
import { newId, publicOwnedId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { Selection } from '../../database/selection.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { recordEvent } from '../../events/record-event.ts';
import { OUTBOUND_ADDRESS_CODES } from '../../outbound/guarded-addresses.ts';
import { refuseUpdate, updateOwnedIf } from '../levels/change-owned.ts';
import { isOne } from '../levels/owned.queries.ts';
import type { Owner } from '../levels/reach.ts';
import { type Director, requireVerifiedDirector } from './create-webhook.ts';
import { Webhook } from './webhook.entity.ts';
import type { WebhookTable } from './webhook.queries.ts';
import { urlField } from './webhook-fields.ts';
import { type IsLetIn, pausedReason } from './webhook-setter.queries.ts';

export const TAKE_OVER_WEBHOOK_CODES = [
  'NOT_FOUND',
  'FORBIDDEN',
  ...OUTBOUND_ADDRESS_CODES,
  'CONFLICT',
  'EMAIL_NOT_VERIFIED',
] as const;

/** Which webhook, and the address that it has as far as its caller knows. */
interface Shown {
  readonly id: string;
  readonly url: string;
}

/**
 * Has somebody answer for a webhook that pauses as nobody does: they say again where messages go, by the address that they were
 * shown. It gets a new secret at once, since who has set it before knows the old one. What waits is sent, as far as they may read
 * it then. Of all who do it at the same moment, one does.
 * @returns the new salt. @throws Problem NOT_FOUND, FORBIDDEN, what is wrong with the address; CONFLICT if it has another one, or somebody answers for it; EMAIL_NOT_VERIFIED
 */
export async function takeOverWebhook(
  em: Em,
  table: WebhookTable,
  owner: Owner,
  { id, url: shown }: Shown,
  director: Director,
  isLetIn: IsLetIn,
): Promise<string> {
  const { url } = checkedFields({ url: shown }, urlField(director.allowsPrivate));
  const { userId: setById, clientId, readable } = director;
  const secretSalt = newId();
  const values = {
    setById,
    clientId,
    readable: sql`${readable}::text[]`,
    secretSalt,
    previousSalt: null,
    previousUntil: null,
    failingSince: null,
    failedAttempts: 0,
  };
  const mayBeTaken = sql`item.url = ${url} and ${pausedReason(isLetIn, 'item')} is not null`;
  return em.transactional(async (inner) => {
    await requireVerifiedDirector(inner, director);
    const taken = await updateOwnedIf(inner, table, owner, id, values, new Selection(Webhook, []), mayBeTaken);
    if (!taken) return refuseTakingOver(inner, table, owner, { id, url });
    await recordEvent(inner, owner.ownerId, { type: 'WEBHOOK_RESUMED', webhookId: id });
    return secretSalt;
  });
}

async function refuseTakingOver(em: Em, table: WebhookTable, owner: Owner, { id, url }: Shown): Promise<never> {
  await owner.refuse(em);
  const found = await row(em, selectFrom(Webhook, { ownerId: owner.ownerId, id }).where(isOne(table)).select('url'));
  if (!found) return refuseUpdate(em, table, owner, id);
  if (found.url !== url) {
    const message =
      'The webhook has another address by now than this: read it again, and take it over only if you know where it leads.';
    throw new Problem('CONFLICT', message, ['url']);
  }
  const named = publicOwnedId(table.kind, { ownerId: owner.ownerId, id });
  const message = `Somebody answers for the webhook ${named}, so there is nothing to take over: to make it yours, set its address in an update.`;
  throw new Problem('CONFLICT', message, [`${table.kind}Id`]);
}
