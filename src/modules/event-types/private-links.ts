import { newId, type OwnedId, ownedIdOf, publicOwnedId } from '../../core/id.ts';
import { instantAt } from '../../core/instant.ts';
import type { Page, PageRequest } from '../../core/page.ts';
import { Problem } from '../../core/problem.ts';
import { randomBase62 } from '../../core/secret.ts';
import type { Part, RowOf, Selection } from '../../database/columns.ts';
import { databaseNow } from '../../database/database-clock.ts';
import { type Apart, type Narrowed, NOT_NARROWED } from '../../database/pages.ts';
import { type Em, type RawBuilder, row, sql } from '../../database/sql.ts';
import { selectFrom, updateTable } from '../../database/statements.ts';
import { hasRoom, type KeptRows, tooManyKept } from '../../limits/kept-rows.ts';
import { hasVerifiedEmail, requireVerifiedEmail } from '../accounts/require-verified-email.ts';
import { refuseUpdate, updateOwnedIf } from '../levels/change-owned.ts';
import { type OwnedTable, pagesHangingOn } from '../levels/owned.queries.ts';
import { actorOf, type Owner } from '../levels/reach.ts';
import { manages, ORGANIZATION } from '../organizations/group.ts';
import { lockEventTypeAlone } from './event-type.queries.ts';
import { PrivateLink } from './private-link.entity.ts';
import { MAX_PRIVATE_LINKS, PRIVATE_LINK_CODES, privateLinkMistakes } from './private-link.rules.ts';

export const CREATE_PRIVATE_LINK_CODES = [...PRIVATE_LINK_CODES, 'EMAIL_NOT_VERIFIED', 'TOO_MANY'] as const;

const KEPT: KeptRows = { what: 'private links to this event type', most: MAX_PRIVATE_LINKS };

/** With neither limit it serves once. */
export interface PrivateLinkLimits {
  readonly expiresAt?: Temporal.Instant | null | undefined;
  readonly maxUsageCount?: number | null | undefined;
}

export const UPDATE_PRIVATE_LINK_CODES = [...PRIVATE_LINK_CODES, 'EMAIL_NOT_VERIFIED'] as const;

const EVENT_TYPE = ['ownerId', 'eventTypeId as id'] as const;

export const PRIVATE_LINKS: OwnedTable<typeof PrivateLink> = {
  entity: PrivateLink,
  kind: 'privateLink',
  owner: 'ownerId',
  // Each is a key to its event type.
  secret: sql<boolean>`true`,
};

/** When the link was read, by the database's clock. */
export const READ_AT: Part<'readAt', typeof PrivateLink, 'ONE'> = {
  name: 'readAt',
  holds: 'ONE',
  entity: PrivateLink,
  from: () => sql`now()`,
};

/** SQL: whether the link `item` serves once more; `isExpired` is the same in code. */
export const SERVES = sql<boolean>`(
  (item.expires_at is null or item.expires_at > now())
  and (item.max_usage_count is null and item.expires_at is not null or item.usage_count < coalesce(item.max_usage_count, 1))
)`;

interface PrivateLinkToken extends OwnedId {
  readonly secret: string;
}

/** Makes an address by which an event type is booked, hidden or not, and returns its id. @throws Problem NOT_FOUND, FORBIDDEN, NOT_POSSIBLE, EMAIL_NOT_VERIFIED, TOO_MANY, and every mistake of the limits */
export async function createPrivateLink(
  em: Em,
  owner: Owner,
  eventTypeId: string,
  limits: PrivateLinkLimits,
): Promise<string> {
  await requirePossible(em, limits);
  const { ownerId } = owner;
  const { expiresAt = null, maxUsageCount = null } = limits;
  const isRoom = hasRoom(KEPT, sql`private_links where owner_id = ${ownerId} and event_type_id = ${eventTypeId}`);
  const insertion = sql<{ id: string }>`
    insert into private_links as l
      (owner_id, id, event_type_id, secret, expires_at, max_usage_count, usage_count, created_at, updated_at)
    select e.owner_id, ${newId()}, e.id, ${newPrivateLinkSecret()},
      ${expiresAt?.toString() ?? null}, ${maxUsageCount}, 0, now(), now()
    from event_types e
    where e.owner_id = ${ownerId} and e.id = ${eventTypeId} and ${owner.isInCharge}
      and e.scheduling_type is distinct from 'MANAGED' and ${hasVerifiedEmail(sql`${actorOf(owner)}`)} and ${isRoom}
    returning l.id`;
  return em.transactional(async (inner) => {
    // One at a time for each event type, so that they are counted right.
    const { schedulingType } = await lockEventTypeAlone(inner, owner, eventTypeId);
    const created = await row(inner, insertion);
    if (created) return created.id;
    await owner.refuse(inner);
    if (schedulingType === 'MANAGED') throw notBookedItself();
    await requireVerifiedLinker(inner, owner);
    throw tooManyKept(KEPT);
  });
}

/** Changes the limits that are given; null lifts one. @throws Problem NOT_FOUND, FORBIDDEN, EMAIL_NOT_VERIFIED, and every mistake of the limits */
export async function updatePrivateLink(
  em: Em,
  owner: Owner,
  id: string,
  { expiresAt, maxUsageCount }: PrivateLinkLimits,
  shown: Selection<typeof PrivateLink>,
): Promise<RowOf<typeof PrivateLink>> {
  await requirePossible(em, { expiresAt, maxUsageCount });
  const values = { expiresAt: expiresAt?.toString() ?? expiresAt, maxUsageCount };
  const isVerified = hasVerifiedEmail(sql`${actorOf(owner)}`);
  const updated = await updateOwnedIf(em, PRIVATE_LINKS, owner, id, values, shown, isVerified);
  if (updated) return updated;
  await owner.refuse(em);
  await requireVerifiedLinker(em, owner);
  return refuseUpdate(em, PRIVATE_LINKS, owner, id);
}

/**
 * Uses a private link once, and answers the event type that it leads to; undefined for a link that is not there
 * or has served its time. Call it in the transaction of the booking: a booking that fails has used nothing, and of those
 * who want the last use at the same moment, the row's lock lets one have it.
 */
export async function usePrivateLink(em: Em, token: string): Promise<OwnedId | undefined> {
  const link = parsePrivateLinkToken(token);
  if (!link) return undefined;
  return row(
    em,
    updateTable(PrivateLink, link)
      .set((eb) => ({ usageCount: eb('usageCount', '+', 1) }))
      .where(SERVES)
      .returning(EVENT_TYPE),
  );
}

/** The event type that a link leads to, if it still serves; nothing is used up. */
export async function findPrivatelyLinked(em: Em, token: string): Promise<OwnedId | undefined> {
  return findLinked(em, token, SERVES);
}

/**
 * The event type that a link leads to, or led to before it had served its time: the booker who took the last use must be
 * able to send the same request again.
 */
export async function findOncePrivatelyLinked(em: Em, token: string): Promise<OwnedId | undefined> {
  return findLinked(em, token, sql<boolean>`true`);
}

/** The same answer for a link that is over, for one that leads elsewhere and for one that never was. */
export function privateLinkNotFound(): Problem {
  const message =
    'The private link does not lead to this event type, or has served its time; ask the host for another one.';
  return new Problem('NOT_FOUND', message, ['privateLinkToken']);
}

/**
 * A page of the private links of each event type, oldest first. Each is a key to it: none for those of a person who stands
 * above the viewer in every organization of both.
 */
export function privateLinkPages(
  em: Em,
  viewerId: string,
  eventTypes: readonly OwnedId[],
  request: PageRequest,
  selection: Selection<typeof PrivateLink>,
  by: Narrowed<Apart> = NOT_NARROWED,
): Promise<Map<string, Page<RowOf<typeof PrivateLink>>>> {
  const table = { entity: PrivateLink, parent: 'eventTypeId' } as const;
  const condition = sql<boolean>`${isKeptFor(viewerId)} and ${by.condition}`;
  return pagesHangingOn(em, table, eventTypes, request, selection, { ...by, condition });
}

/** SQL: whether the viewer, who was shown an event type `parent`, may have its keys and secrets: their own, a team's, a member's. */
export function isKeptFor(viewerId: string): RawBuilder<boolean> {
  const ownerId = sql`parent.owner_id`;
  const group = { group: ORGANIZATION, groupId: sql`m.organization_id`, actorId: viewerId };
  return sql<boolean>`(${ownerId} = ${viewerId} or exists (select from teams t where t.id = ${ownerId}) or exists (
    select from organization_memberships m
    where m.user_id = ${ownerId} and m.accepted and ${manages(group, ownerId)}
  ))`;
}

/** 22 characters of 62 hold 131 bits. */
const SECRET_LENGTH = 22;

export function newPrivateLinkSecret(): string {
  return randomBase62(SECRET_LENGTH);
}

/** The token in the link's address: its id, which leads to its shard, and a secret that nobody can guess. */
export function privateLinkToken({ secret, ...link }: PrivateLinkToken): string {
  return publicOwnedId('privateLink', link) + secret;
}

/** Checks the given limits by the database's clock. @throws Problem with every mistake of theirs at once */
async function requirePossible(em: Em, { expiresAt = null, maxUsageCount = null }: PrivateLinkLimits): Promise<void> {
  if (expiresAt === null && maxUsageCount === null) return;
  const now = instantAt(await databaseNow(em));
  Problem.throwIfAny(privateLinkMistakes({ expiresAt, maxUsageCount }, now));
}

function notBookedItself(): Problem {
  const message =
    'A managed event type is not booked itself, so a link to it would lead nowhere; its hosts make links to their own.';
  return new Problem('NOT_POSSIBLE', message, ['eventTypeId']);
}

/** A private link lets in who is not to be found otherwise. @throws Problem EMAIL_NOT_VERIFIED */
async function requireVerifiedLinker(em: Em, owner: Owner): Promise<void> {
  await requireVerifiedEmail(em, actorOf(owner), 'A private link lets people in');
}

const TOKEN = /^(lnk_[\w-]{43})([0-9A-Za-z]{22})$/;

/** Undefined for what cannot be a token. */
function parsePrivateLinkToken(token: string): PrivateLinkToken | undefined {
  const [, named = '', secret = ''] = (token.length > 100 ? null : TOKEN.exec(token)) ?? [];
  const link = ownedIdOf('privateLink', named);
  return link && { ...link, secret };
}

async function findLinked(em: Em, token: string, condition: RawBuilder<boolean>): Promise<OwnedId | undefined> {
  const link = parsePrivateLinkToken(token);
  if (!link) return undefined;
  return row(em, selectFrom(PrivateLink, link).where(condition).select(EVENT_TYPE));
}
