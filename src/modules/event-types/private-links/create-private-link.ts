import { newId } from '../../../core/id.ts';
import { instantAt } from '../../../core/instant.ts';
import { Problem } from '../../../core/problem.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import { type Em, row, sql } from '../../../database/sql.ts';
import { selectFrom } from '../../../database/statements.ts';
import { violatedConstraint } from '../../../database/violated-constraint.ts';
import { hasVerifiedEmail, requireVerifiedEmail } from '../../accounts/require-verified-email.ts';
import { actorOf, type Owner } from '../../levels/reach.ts';
import { EventType } from '../event-type.entity.ts';
import { eventTypeNotFound } from '../event-type-owner.ts';
import { PRIVATE_LINK_CODES, privateLinkMistakes } from './private-link.rules.ts';
import { newPrivateLinkSecret } from './private-link-token.ts';

export const CREATE_PRIVATE_LINK_CODES = [...PRIVATE_LINK_CODES, 'EMAIL_NOT_VERIFIED'] as const;

/** With neither limit it serves once. */
export interface PrivateLinkLimits {
  readonly expiresAt?: Temporal.Instant | null | undefined;
  readonly maxUsageCount?: number | null | undefined;
}

/** Makes an address by which an event type is booked, hidden or not, and returns its id. @throws Problem NOT_FOUND, FORBIDDEN, NOT_POSSIBLE, EMAIL_NOT_VERIFIED, and every mistake of the limits */
export async function createPrivateLink(
  em: Em,
  owner: Owner,
  eventTypeId: string,
  limits: PrivateLinkLimits,
): Promise<string> {
  await requirePossible(em, limits);
  const { ownerId } = owner;
  const { expiresAt = null, maxUsageCount = null } = limits;
  const insertion = sql<{ id: string }>`
    insert into private_links as l
      (owner_id, id, event_type_id, secret, expires_at, max_usage_count, usage_count, created_at, updated_at)
    select e.owner_id, ${newId()}, e.id, ${newPrivateLinkSecret()},
      ${expiresAt?.toString() ?? null}, ${maxUsageCount}, 0, now(), now()
    from event_types e
    where e.owner_id = ${ownerId} and e.id = ${eventTypeId} and ${owner.isInCharge}
      and e.scheduling_type is distinct from 'MANAGED' and ${hasVerifiedEmail(sql`${actorOf(owner)}`)}
    returning l.id`;
  // In a transaction of its own, since a violation would end that of the caller.
  const created = await em
    .transactional((inner) => row(inner, insertion))
    .catch((error: unknown) => {
      // The event type went away at this very moment.
      if (violatedConstraint(error) !== undefined) return undefined;
      throw error;
    });
  if (created) return created.id;
  await owner.refuse(em);
  if (await isManaged(em, ownerId, eventTypeId)) throw notBookedItself();
  await requireVerifiedLinker(em, owner);
  throw eventTypeNotFound({ ownerId, id: eventTypeId });
}

/** A private link lets in who is not to be found otherwise. @throws Problem EMAIL_NOT_VERIFIED */
export async function requireVerifiedLinker(em: Em, owner: Owner): Promise<void> {
  await requireVerifiedEmail(em, actorOf(owner), 'A private link lets people in');
}

async function isManaged(em: Em, ownerId: string, eventTypeId: string): Promise<boolean> {
  const found = await row(
    em,
    selectFrom(EventType, { ownerId, id: eventTypeId, schedulingType: 'MANAGED' }).select('id'),
  );
  return found !== undefined;
}

function notBookedItself(): Problem {
  const message =
    'A managed event type is not booked itself, so a link to it would lead nowhere; its hosts make links to their own.';
  return new Problem('NOT_POSSIBLE', message, ['eventTypeId']);
}

/** Checks the given limits by the database's clock. @throws Problem with every mistake of theirs at once */
export async function requirePossible(
  em: Em,
  { expiresAt = null, maxUsageCount = null }: PrivateLinkLimits,
): Promise<void> {
  if (expiresAt === null && maxUsageCount === null) return;
  const now = instantAt(await databaseNow(em));
  Problem.throwIfAny(privateLinkMistakes({ expiresAt, maxUsageCount }, now));
}
