import type { OwnedId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { randomBase62, sha256Hex } from '../../core/secret.ts';
import { selectColumns } from '../../database/columns.ts';
import { violatedConstraint } from '../../database/failure.ts';
import { ago, changed, type Em, type RawBuilder, row, rows, sql } from '../../database/sql.ts';
import { deleteFrom, selectFrom } from '../../database/statements.ts';
import { recordAudit } from '../../events/record-audit.ts';
import { recordEvent } from '../../events/record-event.ts';
import { forgetKeys } from '../../limits/at-most-once.ts';
import { readAnew } from '../../modules/calendars/connections/calendar-connection.commands.ts';
import { newPrivateLinkSecret } from '../../modules/event-types/private-links.ts';
import { type Owner, own, ownOfGroup } from '../../modules/levels/reach.ts';
import { ORGANIZATION } from '../../modules/organizations/group.ts';
import { forgetResponseKeys } from '../../modules/routing-forms/routing-form.commands.ts';
import { RoutingForm } from '../../modules/routing-forms/routing-form.entity.ts';
import { areColleagues } from '../../modules/schedules/out-of-office.queries.ts';
import { TEAM } from '../../modules/teams/team-role.ts';
import { holderOf, TAKE_OVER_WEBHOOK_CODES, takeOverWebhook } from '../../modules/webhooks/webhook.commands.ts';
import { Webhook } from '../../modules/webhooks/webhook.entity.ts';
import { EVENT_TYPE_WEBHOOKS, WEBHOOKS } from '../../modules/webhooks/webhook.queries.ts';
import { NOTIFIED_ABOUT, webhookSecret } from '../../modules/webhooks/webhook.rules.ts';
import type { Aftermath } from '../authorization-server.ts';
import { insertSecret } from '../clients/client-secret.commands.ts';
import { isLetIn } from '../grants/authorized-apps.ts';
import { recordRevocations } from '../revocations/revocations.ts';
import { StoppedThing } from './stopped-thing.entity.ts';
import { STOPPED_DAYS, type StoppedContent, type StoppedKind, type StoredRow } from './stopped-thing.rules.ts';

export const DISCARD_STOPPED_CODES = ['NOT_FOUND'] as const;
export const REVIVE_STOPPED_CODES = [...TAKE_OVER_WEBHOOK_CODES, 'NOT_POSSIBLE', 'TOO_MANY_SECRETS'] as const;

export interface RevivalSettings extends WebhookRevival {
  readonly authorizationServer: Aftermath;
}

interface NamedThing {
  readonly userId: string;
  readonly id: string;
  /** The network address of the request. */
  readonly address: string;
}

export interface Revived {
  readonly kind: StoppedKind;
  readonly title: string;
  /** The new secret of a client or a webhook: shown this once. */
  readonly secret?: string;
}

interface WebhookRevival {
  /** The key that secrets of webhooks are derived from. */
  readonly webhooksKey: Uint8Array;
  /** Whether messages may go to private addresses: in development. */
  readonly allowPrivateNetwork: boolean;
}

/** SQL: compared by its hash, since what is sent may be no text that PostgreSQL takes (U+0000). */
const ADDRESS_HASH = sql`encode(sha256(convert_to(address, 'UTF8')), 'hex')`;

/**
 * Puts one thing back as it was. `shown` is the address that its owner was shown: the statement that takes it from the list
 * compares it, so that nobody revives what they have not seen. What has a secret gets a new one, and the old one
 * opens nothing any more.
 * @throws Problem NOT_FOUND; CONFLICT for another address; NOT_POSSIBLE where something else has taken its place, or what it
 * belongs to is gone or still stopped
 */
export async function reviveThing(
  em: Em,
  settings: RevivalSettings,
  { userId, id, address, shown }: NamedThing & { readonly shown: string | null },
): Promise<Revived> {
  const revived = await em.transactional(async (inner) => {
    const taken = await row(
      inner,
      deleteFrom(StoppedThing, { userId, id })
        .where(sql<boolean>`${ADDRESS_HASH} is not distinct from ${shown === null ? null : sha256Hex(shown)}::text`)
        .returning(['kind', 'title', 'content']),
    );
    if (!taken) throw await whyNot(inner, userId, id);
    const { kind, title, content } = taken;
    const secret = await putBack(inner, { userId, kind, content, shown }, settings).catch((error: unknown) => {
      if (violatedConstraint(error) === undefined) throw error;
      throw notPossible('Something else has taken its place, or what it belonged to is gone');
    });
    await recordAudit(inner, { type: 'USER_THING_REVIVED', userId, address, detail: { kind, title } });
    return { kind, title, ...(secret !== undefined && { secret }) };
  });
  if (revived.kind === 'OAUTH_CLIENT') await settings.authorizationServer.revocations.catchUp();
  return revived;
}

/** Deletes one thing for good. @throws Problem NOT_FOUND */
export async function discardThing(em: Em, { userId, id, address }: NamedThing): Promise<void> {
  await em.transactional(async (inner) => {
    const taken = await row(inner, deleteFrom(StoppedThing, { userId, id }).returning(['kind', 'title', 'content']));
    if (!taken) throw notFound();
    const { kind, title, content } = taken;
    await discard(inner, kind, content);
    await recordAudit(inner, { type: 'USER_THING_DISCARDED', userId, address, detail: { kind, title } });
  });
}

/** More would be long: each takes a few statements. */
const MOST_DISCARDED = 50;

/** Deletes what nobody has revived in time. */
export async function removeOldStoppedThings(em: Em, limit: number): Promise<number> {
  const most = Math.min(limit, MOST_DISCARDED);
  const old = await rows(
    em,
    sql<{ kind: StoppedKind; content: StoppedContent }>`
      delete from stopped_things where (user_id, id) in (
        select user_id, id from stopped_things where stopped_at < ${ago(STOPPED_DAYS, 'days')}
        order by stopped_at limit ${most} for update skip locked)
      returning kind, content`,
  );
  for (const { kind, content } of old) await discard(em, kind, content);
  return old.length === most ? limit : old.length;
}

async function whyNot(em: Em, userId: string, id: string): Promise<Problem> {
  if (!(await row(em, selectFrom(StoppedThing, { userId, id }).select('id')))) return notFound();
  const message = 'That is not the address that it leads to; look at the list, and send the address that it shows.';
  return new Problem('CONFLICT', message, ['address']);
}

function notFound(): Problem {
  const message = `There is no such thing among what has stopped; it was revived, deleted, or is older than ${STOPPED_DAYS} days.`;
  return new Problem('NOT_FOUND', message, ['stoppedThingId']);
}

/** A thing that was taken from the list, to be put back. */
interface Taken {
  readonly userId: string;
  readonly kind: StoppedKind;
  readonly content: StoppedContent;
  readonly shown: string | null;
}

/** @returns the new secret, of what has one that is shown */
async function putBack(
  em: Em,
  { userId, kind, content, shown }: Taken,
  settings: RevivalSettings,
): Promise<string | undefined> {
  const { rows: parts, emptied, location } = content;
  if (kind === 'WEBHOOK') {
    const { owner_id: ownerId, id } = emptied?.key ?? {};
    return reviveWebhook(em, userId, { ownerId: String(ownerId), id: String(id) }, shown ?? '', settings);
  }
  for (const { table, rows: stored } of parts ?? []) {
    for (const one of stored) await insertRow(em, table, { ...one, ...(await renewed(em, table, one)) });
  }
  if (location) await putLocationBack(em, location);
  if (emptied) await fillAgain(em, userId, kind, emptied);
  await goOn(em, userId, kind, content);
  return kind === 'OAUTH_CLIENT' ? letClientInAgain(em, parts?.[0]?.rows[0] ?? {}) : undefined;
}

/**
 * Has a user answer again for a webhook for which nobody does, as whoever takes one over. @returns its new secret
 * @throws Problem as takeOverWebhook does
 */
async function reviveWebhook(
  em: Em,
  userId: string,
  webhook: OwnedId,
  url: string,
  { webhooksKey, allowPrivateNetwork }: WebhookRevival,
): Promise<string> {
  const { id, ownerId } = webhook;
  const columns = ['teamId', 'organizationId', 'eventTypeId'] as const;
  const found = await row(em, selectFrom(Webhook, { ownerId, id }).select(columns));
  if (!found) throw new Problem('NOT_FOUND', 'The webhook was deleted meanwhile.', ['stoppedThingId']);
  const isOfEventType = found.eventTypeId !== null;
  const owner = ownerOf(userId, ownerId, found);
  const readable = NOTIFIED_ABOUT[holderOf(owner, isOfEventType)];
  const director = { allowsPrivate: allowPrivateNetwork, userId, clientId: null, readable };
  const table = isOfEventType ? EVENT_TYPE_WEBHOOKS : WEBHOOKS;
  const salt = await takeOverWebhook(em, table, owner, { id, url }, director, isLetIn);
  return webhookSecret(webhooksKey, webhook, salt);
}

/** A group's as its administrator, who they have to be at this moment. */
function ownerOf(
  userId: string,
  ownerId: string,
  { teamId, organizationId }: { readonly teamId: string | null; readonly organizationId: string | null },
): Owner {
  if (teamId === null && organizationId === null) return own(userId);
  return ownOfGroup({ group: teamId === null ? ORGANIZATION : TEAM, groupId: ownerId, actorId: userId });
}

async function insertRow(em: Em, name: string, stored: StoredRow): Promise<void> {
  const table = sql.table(name);
  await changed(
    em,
    sql`insert into ${table} select (jsonb_populate_record(null::${table}, ${JSON.stringify(stored)}::jsonb)).*`,
  );
}

/**
 * Renews the columns that must not come back as they were: secrets are new, a feed or calendar is read at once, and a
 * thing of which there can be only one does not push another out.
 */
async function renewed(em: Em, table: string, one: StoredRow): Promise<StoredRow> {
  switch (table) {
    case 'private_links':
      return { secret: newPrivateLinkSecret() };
    case 'invitations':
      return { token_hash: sha256Hex(randomBase62(43)) };
    case 'oauth_clients':
      return { reinstated_at: 'now' };
    case 'ics_feeds':
      return { next_read_at: 'now' };
    case 'connected_calendars': {
      const others = sql`select 1 from connected_calendars c where c.user_id = ${one['user_id']} and c.is_destination`;
      return { next_read_at: 'now', ...((await row(em, others)) !== undefined && { is_destination: false }) };
    }
    case 'conferencing_apps': {
      const others = sql`select 1 from conferencing_apps a where a.owner_id = ${one['owner_id']} and a.is_default`;
      return (await row(em, others)) ? { is_default: false } : {};
    }
    default:
      return {};
  }
}

async function putLocationBack(
  em: Em,
  { ownerId, eventTypeId, at, value }: NonNullable<StoppedContent['location']>,
): Promise<void> {
  const filled = await changed(
    em,
    sql`update event_types t set updated_at = greatest(now(), t.updated_at + interval '1 millisecond'),
          locations = jsonb_insert(t.locations, array[least(${at}::int, jsonb_array_length(t.locations))::text],
            ${JSON.stringify(value)}::jsonb)
        where t.owner_id = ${ownerId}::uuid and t.id = ${eventTypeId}::uuid`,
  );
  if (filled === 0) throw notPossible('The event type is gone');
}

function notPossible(why: string): Problem {
  return new Problem('NOT_POSSIBLE', `${why}; it stays stopped.`, ['stoppedThingId']);
}

async function fillAgain(
  em: Em,
  userId: string,
  kind: StoppedKind,
  { table: name, key, was }: NonNullable<StoppedContent['emptied']>,
): Promise<void> {
  const table = sql.table(name);
  const saved = sql`jsonb_populate_record(null::${table}, ${JSON.stringify(was)}::jsonb)`;
  const assignments = Object.keys(was).map((column) => sql`${sql.ref(column)} = saved.${sql.ref(column)}`);
  const filled = await changed(
    em,
    sql`update ${table} t set ${sql.join(assignments)}, updated_at = greatest(now(), t.updated_at + interval '1 millisecond')
        from (select (${saved}).*) saved where ${isRow(key)} and ${isStillEmpty(was)} and ${mayReturn(userId, kind, name)}`,
  );
  if (filled > 0) return;
  if (kind === 'ABSENCE_REDIRECT')
    throw notPossible('They are no colleague at the moment; revive the membership first');
  if (kind === 'MEMBERSHIP' || kind === 'GROUP' || kind === 'GROUP_MEMBER')
    throw notPossible(
      'It is there again already, is gone, or hangs on a membership of the organization that has stopped',
    );
  throw notPossible('It was set to something else since, or what it belonged to is gone');
}

function isRow(key: StoredRow): RawBuilder<unknown> {
  return sql.join(
    Object.entries(key).map(([column, value]) => sql`t.${sql.ref(column)} = ${value}::uuid`),
    sql` and `,
  );
}

/** SQL over a row `t`: whether nobody has filled it with something else since. */
function isStillEmpty(was: StoredRow): RawBuilder<unknown> {
  return sql.join(
    Object.keys(was).map((column) => sql`coalesce(to_jsonb(t.${sql.ref(column)}), 'null') in ('null', 'false', '[]')`),
    sql` and `,
  );
}

/** SQL over a row `t` and what it was, `saved`: whether what it rests on is there. */
function mayReturn(userId: string, kind: StoppedKind, table: string): RawBuilder<unknown> {
  if (kind === 'ABSENCE_REDIRECT') return areColleagues(sql`${userId}::uuid`, sql`saved.redirect_to_id`);
  if (table !== 'team_memberships') return sql`true`;
  return sql`(t.organization_membership_id is null or not saved.accepted or exists (
    select from organization_memberships o where o.id = t.organization_membership_id and o.accepted))`;
}

/** Begins anew what goes on in the background, and has ended meanwhile. */
async function goOn(
  em: Em,
  userId: string,
  kind: StoppedKind,
  { rows: parts = [], emptied }: StoppedContent,
): Promise<void> {
  const idsIn = (name: string): readonly string[] =>
    parts.flatMap(({ table, rows: stored }) => (table === name ? stored.map(({ id }) => String(id)) : []));
  for (const feedId of idsIn('ics_feeds')) await recordEvent(em, userId, { type: 'ICS_FEED_ADDED', feedId });
  for (const calendarAccountId of idsIn('calendar_connections')) {
    await readAnew(em, userId, calendarAccountId);
    await recordEvent(em, userId, { type: 'CALENDAR_ACCOUNT_CONNECTED', calendarAccountId });
  }
  if (kind !== 'WORKFLOW' || !emptied) return;
  const { team_id: teamId, id: workflowId } = emptied.key;
  await recordEvent(em, String(teamId), { type: 'WORKFLOW_CHANGED', workflowId: String(workflowId) });
}

async function letClientInAgain(em: Em, { client_id: clientId, type }: StoredRow): Promise<string | undefined> {
  await recordRevocations(em, 'CLIENT', [String(clientId)], false);
  if (type !== 'CONFIDENTIAL') return undefined;
  return (await insertSecret(em, String(clientId), 'New secret')).secret;
}

/** Things of these kinds cannot be revived once their columns are emptied, as they would have no meaning without them. */
const LEFT_EMPTY: Partial<Record<StoppedKind, true>> = {
  GROUP: true,
  GROUP_MEMBER: true,
  MEMBERSHIP: true,
  WORKFLOW: true,
  ROUTING_FORM: true,
  WEBHOOK: true,
};

/** By the ordinary rules: accounts elsewhere are told, and what hangs on a membership goes with it. */
async function discard(em: Em, kind: StoppedKind, { rows: parts, emptied }: StoppedContent): Promise<void> {
  for (const { table, rows: stored } of parts ?? []) {
    for (const one of table === 'connections' ? stored : []) {
      const { owner_id: ownerId, id: connectionId, provider, credentials } = one as Readonly<Record<string, string>>;
      await recordEvent(em, String(ownerId), {
        type: 'CONNECTION_ENDED',
        connectionId: String(connectionId),
        provider: String(provider),
        credentials: String(credentials),
      });
    }
  }
  if (!emptied || !(kind in LEFT_EMPTY)) return;
  const table = sql.table(emptied.table);
  if (kind === 'ROUTING_FORM') await forgetResponsesOf(em, emptied);
  const deleted = await rows(
    em,
    sql<{ groupId: string | null }>`delete from ${table} t where ${isRow(emptied.key)} and ${isStillEmpty(emptied.was)}
        returning ${emptied.table === 'team_memberships' ? sql`t.team_id` : emptied.table === 'organization_memberships' ? sql`t.organization_id` : sql`null::uuid`} as "groupId"`,
  );
  if (kind === 'GROUP') for (const { groupId } of deleted) await deleteDeserted(em, emptied.table, String(groupId));
}

/** A form goes with its responses, and these with the keys by which they were sent. */
async function forgetResponsesOf(em: Em, { key, was }: NonNullable<StoppedContent['emptied']>): Promise<void> {
  const columns = selectColumns(RoutingForm, ['ownerId', 'id'], 't');
  const form = sql<OwnedId>`select ${columns} from routing_forms t where ${isRow(key)} and ${isStillEmpty(was)} for update`;
  for (const one of await rows(em, form)) await forgetResponseKeys(em, one);
}

/** Deletes a group that nobody is left in; one with bookings stays, though nobody can be booked there any more. */
async function deleteDeserted(em: Em, memberships: string, groupId: string): Promise<void> {
  if ((await deleteGroup(em, memberships, groupId)) > 0) await forgetKeys(em, groupId, sql`true`);
}

async function deleteGroup(em: Em, memberships: string, groupId: string): Promise<number> {
  if (memberships === 'team_memberships') {
    return changed(
      em,
      sql`delete from teams t where t.id = ${groupId}::uuid
          and not exists (select from team_memberships m where m.team_id = t.id and m.accepted)
          and not exists (select from bookings b where b.owner_id = t.id)`,
    );
  }
  return changed(
    em,
    sql`delete from organizations o where o.id = ${groupId}::uuid
        and not exists (select from organization_memberships m where m.organization_id = o.id and m.accepted)
        and not exists (select from teams t where t.organization_id = o.id)`,
  );
}
