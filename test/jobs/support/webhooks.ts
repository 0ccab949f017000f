import { isTeam, newId, type OwnedId, publicOwnedId } from '../../../src/core/id.ts';
import { type Em, rows, sql } from '../../../src/database/sql.ts';
import type { JobKind } from '../../../src/jobs/job-kind.ts';
import { webhookKinds } from '../../../src/jobs/kinds/webhooks.job.ts';
import { MailLimit } from '../../../src/limits/mail-limit.ts';
import {
  type DeliveryStatus,
  WEBHOOK_TRIGGERS,
  type WebhookTrigger,
} from '../../../src/modules/webhooks/webhook.rules.ts';
import { testPayload } from '../../../src/modules/webhooks/webhook-payload.ts';
import { isLetIn } from '../../../src/oauth/grants/authorized-apps.ts';
import { Outbound } from '../../../src/outbound/outbound.ts';

export const WEBHOOKS_KEY = new Uint8Array(32).fill(7);

/** The door of tests: it may reach the test's own receivers, and waits no longer than this. */
export function testDoor(timeoutInMs = 300): Outbound {
  return new Outbound({ allowsPrivate: true, userAgent: 'Gatehouse', timeoutInMs });
}

export function webhookKindsWith(outbound: Outbound): readonly JobKind[] {
  const mailLimit = new MailLimit(undefined, console);
  return webhookKinds({ outbound, webhooksKey: WEBHOOKS_KEY, isLetIn, publicUrl: 'https://gatehouse.test', mailLimit });
}

export interface StoredWebhook {
  readonly clientId?: string | null;
  readonly readable?: readonly string[];
  readonly triggers?: readonly WebhookTrigger[];
  readonly isActive?: boolean;
  /** Names the owner, where that is no user, and the setter then. */
  readonly of?:
    | { readonly team: string; readonly setBy?: string }
    | { readonly organization: string; readonly setBy?: string };
  readonly eventTypeId?: string | null;
}

/** Rows of webhooks of a user, one for each url; or of whoever `of` says. @returns their ids */
export async function storeWebhooks(
  em: Em,
  userId: string,
  urls: readonly string[],
  {
    clientId = null,
    readable = ['BOOKING', 'SCHEDULE'],
    triggers = WEBHOOK_TRIGGERS,
    isActive = true,
    of,
    eventTypeId = null,
  }: StoredWebhook = {},
): Promise<string[]> {
  const ids = urls.map(() => newId());
  const team = of && 'team' in of ? of.team : null;
  const organization = of && 'organization' in of ? of.organization : null;
  await rows(
    em.fork(),
    sql`insert into webhooks (owner_id, user_id, team_id, organization_id, event_type_id, id, url, triggers, is_active, set_by_id,
          client_id, readable, secret_salt, created_at, updated_at)
        select coalesce(${team}, ${organization}, ${userId})::uuid, ${of ? null : userId}::uuid, ${team}::uuid, ${organization}::uuid,
          ${eventTypeId}::uuid, w.id, w.url, ${triggers}::text[], ${isActive}::boolean, ${of?.setBy ?? userId}::uuid, ${clientId}::text,
          ${readable}::text[], w.id, now(), now()
        from unnest(${ids}::uuid[], ${urls}::text[]) as w(id, url)`,
  );
  return ids;
}

export interface StoredDelivery {
  readonly status: string;
  readonly trigger: string;
  readonly attempts: readonly {
    readonly endedAt: string;
    readonly status?: number;
    readonly error?: string;
    readonly latencyInMs: number;
  }[];
  /** How long it is from now until the next attempt. */
  readonly waitsForSeconds: number | null;
}

export function storedDeliveries(em: Em): Promise<StoredDelivery[]> {
  return rows(
    em.fork(),
    sql<StoredDelivery>`select status, trigger, attempts,
      extract(epoch from next_attempt_at - now())::float8 as "waitsForSeconds" from webhook_deliveries order by id`,
  );
}

/** A message that tells of nothing. */
export function aPayload(delivery: OwnedId): string {
  const envelope = { id: publicOwnedId('webhookDelivery', delivery), subject: 'subject' };
  return testPayload('BOOKING_CREATED', envelope, Date.parse('2026-12-01T09:00:00Z'));
}

/** A message that failed, and waits, or was given up. */
export async function storeDelivery(
  em: Em,
  { ownerId, id }: OwnedId,
  status: DeliveryStatus = 'PENDING',
): Promise<void> {
  const attempts = [
    { endedAt: '2026-12-01T09:00:00Z', status: 500, latencyInMs: 3 },
    { endedAt: '2026-12-01T09:00:10Z', error: 'The connection was broken off.', latencyInMs: 2 },
  ];
  const deliveryId = newId();
  await rows(
    em,
    sql`insert into webhook_deliveries (owner_id, id, webhook_id, event_id, trigger, payload, status, attempts, next_attempt_at, created_at)
        select ${ownerId}::uuid, ${deliveryId}::uuid, ${id}::uuid, ${newId()}::uuid, 'BOOKING_CREATED',
          ${aPayload({ ownerId, id: deliveryId })}::text, ${status}::text,
          ${JSON.stringify(attempts)}::jsonb, ${status === 'PENDING' ? '2026-12-01T09:01:00Z' : null}::timestamptz, '2026-12-01T09:00:00Z'`,
  );
}

/**
 * Stores a booking of an event type, hosted by these: messages look up what they are about as they are written and
 * sent.
 * @returns its id
 */
export async function storeBooking(
  em: Em,
  { ownerId, id: eventTypeId }: OwnedId,
  hostIds: readonly string[],
): Promise<string> {
  const [id, isTeams] = [newId(), isTeam(ownerId)];
  await rows(
    em,
    sql`with booked as (
          insert into bookings (owner_id, id, user_id, team_id, organization_id, event_type_id, title, status, starts_at, ends_at, host_ids, ics_id, created_at, updated_at)
          select ${ownerId}::uuid, ${id}::uuid, ${isTeams ? null : ownerId}::uuid, ${isTeams ? ownerId : null}::uuid,
            coalesce((select organization_id from teams where id = ${ownerId}), (select denormalized_in_id from users where id = ${ownerId})), ${eventTypeId}::uuid,
            'Talk', 'ACCEPTED', t.at, t.at + interval '30 minutes', ${hostIds}::uuid[], ${id}::uuid, now(), now()
          from (select now() + make_interval(mins => (random() * 1000000)::int)) t(at) returning *)
        insert into booking_hosts (user_id, booking_id, owner_id, event_type_id, team_id, starts_at, ends_at, updated_at, absent, status)
        select host, id, owner_id, event_type_id, team_id, starts_at, ends_at, now(), false, status
        from booked, unnest(${hostIds}::uuid[]) host`,
  );
  return id;
}

/** The same for an absence. */
export async function storeAbsence(em: Em, userId: string): Promise<string> {
  const id = newId();
  await rows(
    em,
    sql`insert into out_of_office (user_id, id, starts_at, ends_at, reason, created_at, updated_at)
        values (${userId}, ${id}, '2031-01-06', '2031-01-07', 'VACATION', now(), now())`,
  );
  return id;
}
