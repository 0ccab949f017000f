import { checkedFields, type FieldRules, type PatchOf } from '../../core/fields.ts';
import { newId, publicOwnedId } from '../../core/id.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import { nameOf, type Path } from '../../core/text.ts';
import { type RowOf, Selection } from '../../database/columns.ts';
import { violatedConstraint } from '../../database/failure.ts';
import { type Em, fromNow, type RawBuilder, row, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { recordEvent } from '../../events/record-event.ts';
import { hasRoom, type KeptRows, tooManyKept } from '../../limits/kept-rows.ts';
import { OUTBOUND_ADDRESS_CODES, outboundAddressMistake } from '../../outbound/guarded-addresses.ts';
import { requireVerifiedEmail } from '../accounts/require-verified-email.ts';
import { lockEventTypeAlone } from '../event-types/event-type.queries.ts';
import { refuseUpdate, updateOwned, updateOwnedIf } from '../levels/change-owned.ts';
import { isOne } from '../levels/owned.queries.ts';
import type { Owner } from '../levels/reach.ts';
import { lockOwnerAlone } from '../teams/lock-owner.ts';
import { Webhook } from './webhook.entity.ts';
import { EVENT_TYPE_WEBHOOKS, type IsLetIn, pausedReason, type WebhookTable } from './webhook.queries.ts';
import {
  firstSaltOf,
  MAX_WEBHOOKS,
  NOTIFIED_ABOUT,
  OVERLAP_HOURS,
  type ReadableData,
  TRIGGERS,
  type WebhookHolder,
  type WebhookTrigger,
} from './webhook.rules.ts';

const WEBHOOK_FIELD_CODES = [...OUTBOUND_ADDRESS_CODES, 'DUPLICATE', 'NOT_POSSIBLE'] as const;

const WEBHOOK_CODES = [...WEBHOOK_FIELD_CODES, 'URL_TAKEN', 'EMAIL_NOT_VERIFIED'] as const;
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

export const UPDATE_WEBHOOK_CODES = WEBHOOK_CODES;

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

export const ROTATE_WEBHOOK_SECRET_CODES = ['NOT_FOUND', 'FORBIDDEN'] as const;

interface WebhookInput {
  readonly url: string;
  readonly triggers: readonly WebhookTrigger[];
  readonly isActive: boolean;
}

const KEPT: KeptRows = { what: 'webhooks', most: MAX_WEBHOOKS };

interface NewWebhook {
  readonly url: string;
  readonly triggers: readonly WebhookTrigger[];
  readonly isActive?: boolean | null | undefined;
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
  const { url, triggers, isActive = true } = checkedFields<WebhookInput, NewWebhook>(input, rules);
  const { ownerId } = owner;
  const id = newId();
  const kind = owner.administrator?.group.kind ?? 'user';
  return em.transactional(async (inner) => {
    // One at a time for each that holds webhooks, so that the count below is true.
    if (eventTypeId === null) await lockOwnerAlone(inner, owner);
    else await lockEventTypeAlone(inner, owner, eventTypeId);
    await requireVerifiedDirector(inner, director);
    const about = sql<boolean>`owner_id = ${ownerId} and coalesce(event_type_id, owner_id) = ${eventTypeId ?? ownerId}`;
    const created = await row(
      inner,
      sql<{ id: string }>`
        insert into webhooks (owner_id, id, ${sql.ref(`${kind}_id`)}, event_type_id, url, triggers, is_active, set_by_id, client_id,
          readable, secret_salt, created_at, updated_at)
        select ${ownerId}::uuid, ${id}::uuid, ${ownerId}::uuid, ${eventTypeId}::uuid, ${url}::text, ${triggers}::text[],
          ${isActive}::boolean, ${director.userId}::uuid, ${director.clientId}::text, ${director.readable}::text[],
          ${firstSaltOf(id)}::uuid, now(), now()
        where ${owner.isInCharge} and ${hasRoom(KEPT, sql`webhooks where ${about}`)}
        on conflict (owner_id, coalesce(event_type_id, owner_id), url) do nothing
        returning id`,
    );
    if (created) return created.id;
    await owner.refuse(inner);
    const isThere = await row(inner, selectFrom(Webhook, { ownerId, url }).where(about).select('id'));
    throw isThere ? urlTaken(url) : tooManyKept(KEPT);
  });
}

/** Says what holds a webhook. */
export function holderOf({ administrator }: Owner, isOfEventType: boolean): WebhookHolder {
  if (isOfEventType) return 'EVENT_TYPE';
  return administrator?.group.kind === 'organization' ? 'ORGANIZATION' : 'USER';
}

/** A webhook as it is after a change, as far as it is shown; with the salt of its secret where it was given a new one. */
interface UpdatedWebhook extends RowOf<typeof Webhook> {
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
  const { url, isActive } = given;
  const isNewStart = url !== undefined || isActive === true;
  const isStopOnly = isActive === false && url === undefined && !triggers;
  if (!isStopOnly) await requireVerifiedDirector(em, director);
  const newSalt = newId();
  const values = {
    ...given,
    ...(isNewStart && { failingSince: null, failedAttempts: 0 }),
    ...(isActive !== undefined && { disabledAt: null, disabledReason: null }),
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

interface WebhookFieldOptions {
  /** Whether addresses may be private ones (outbound/). */
  readonly allowsPrivate: boolean;
  readonly holder: WebhookHolder;
}

export function webhookFields({ allowsPrivate, holder }: WebhookFieldOptions): FieldRules<WebhookInput> {
  return {
    ...urlField(allowsPrivate),
    triggers: { check: (path, triggers) => triggerMistake(path, triggers) ?? strangeMistake(path, triggers, holder) },
    isActive: {},
  };
}

/** The rule of the address alone, whoever says where messages go. */
function urlField(allowsPrivate: boolean): FieldRules<Pick<WebhookInput, 'url'>> {
  return { url: { tidy: (url) => url.trim(), check: (path, url) => outboundAddressMistake(path, url, allowsPrivate) } };
}

function triggerMistake(path: Path, triggers: readonly WebhookTrigger[]): Mistake | undefined {
  if (triggers.length === 0) {
    return { code: 'REQUIRED', message: `The ${nameOf(path)} are empty; name at least one.`, path };
  }
  const twice = triggers.find((trigger, index) => triggers.indexOf(trigger) !== index);
  return twice && { code: 'DUPLICATE', message: `The trigger ${twice} is there twice; name it once.`, path };
}

const NOTIFIED_OF: Readonly<Record<WebhookHolder, string>> = {
  USER: 'A user’s webhook is told of their bookings and absences',
  ORGANIZATION: 'An organization’s webhook is told of bookings, absences and responses to forms',
  EVENT_TYPE: "An event type's webhook is told of its bookings",
};

function strangeMistake(path: Path, triggers: readonly WebhookTrigger[], holder: WebhookHolder): Mistake | undefined {
  const strange = triggers.find((trigger) => !NOTIFIED_ABOUT[holder].includes(TRIGGERS[trigger]));
  if (strange === undefined) return undefined;
  const message = `${NOTIFIED_OF[holder]}, and ${strange} is about none; leave it out.`;
  return { code: 'NOT_POSSIBLE', message, path };
}

/** A webhook shows everything that it is notified of to anybody who has the address. @throws Problem EMAIL_NOT_VERIFIED */
async function requireVerifiedDirector(em: Em, { userId }: Pick<Director, 'userId'>): Promise<void> {
  await requireVerifiedEmail(em, userId, 'A webhook tells others of your bookings');
}

function urlTaken(url: string): Problem {
  const message = `Another webhook here has the URL ${JSON.stringify(url)}; change that one.`;
  return new Problem('URL_TAKEN', message, ['url']);
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

function setByAnother({ kind }: WebhookTable): Problem {
  const message =
    'Another app, or a user, has set the address of this webhook, so its secret is not for this app: set the address, or make a webhook of its own.';
  return new Problem('FORBIDDEN', message, [`${kind}Id`]);
}
