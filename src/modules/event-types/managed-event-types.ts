import type { OwnedId } from '../../core/id.ts';
import type { Page, PageRequest } from '../../core/page.ts';
import { Problem } from '../../core/problem.ts';
import { MAX_SLUG_LENGTH } from '../../core/text.ts';
import { columnOf, type Part, selectColumns } from '../../database/columns.ts';
import { violatedConstraint } from '../../database/failure.ts';
import { byKey, pageOrder, pagesByParent } from '../../database/pages.ts';
import { type Em, type RawBuilder, row, sql, unnested } from '../../database/sql.ts';
import { changes } from '../../database/updates.ts';
import { SHOWN_USER, type ShownUser } from '../accounts/user.queries.ts';
import { manages } from '../organizations/group.ts';
import { Team } from '../teams/team.entity.ts';
import { isOpenTo, TEAM } from '../teams/team-role.ts';
import { EventType } from './event-type.entity.ts';
import type { EventTypeRow, Reach } from './event-type.queries.ts';
import { INHERITED_FIELDS, inheritedChanges, type ManagingTeam } from './managed-event-type.rules.ts';

const INHERITED_COLUMNS = INHERITED_FIELDS.map(columnOf);
const OWN_COLUMNS = ['owner_id', 'id', 'user_id', 'parent_team_id', 'parent_id', 'membership_id', 'slug'];

/** Narrows a team's managed event types `p` and its members `m`; a part that is left out means all. */
interface Which {
  readonly parent?: RawBuilder<boolean>;
  readonly member?: RawBuilder<boolean>;
}

/** A host's own copy, as far as the administrators of the team see it. */
export interface ChildEventTypeRow {
  readonly id: string;
  readonly parentId: string;
  readonly slug: string;
  readonly isHidden: boolean;
  /** The user who owns the child. */
  readonly userId: string;
  readonly user: ShownUser;
}

/** SQL: as JSON, the team that manages the event type under `alias`; null for all that their owners decide themselves. */
const managingTeam = (alias: string) => sql<ManagingTeam | null>`(
  select json_build_object('id', t.id, 'name', case when ${isOpenTo(null)} then t.name end,
    'organizationName', case when ${isOpenTo(null)} then o.name end)
  from teams t left join organizations o on o.id = t.organization_id
  where t.id = ${sql.ref(`${alias}.parent_team_id`)}
)`;

/** The managing team of `event_types e`. */
export const MANAGED_BY = managingTeam('e');

/** The managing team for types over rows, which see of it what their selection asks for. */
export const MANAGING_TEAM: Part<'managedBy', typeof Team, 'ONE'> = {
  name: 'managedBy',
  holds: 'ONE',
  entity: Team,
  from: managingTeam,
};

// Changes of a team's event types take `lockOwnerAlone`: an event type that becomes a managed one and a member who joins at the
// same moment would not see each other, and a child would be missing.
//
// A child is on the page of a host, who may stand above the administrator who changes the parent. So each statement below that makes,
// changes or deletes children also looks whose they were, by roles as they are at this moment: one child out of reach, and
// the whole change is refused.

/** Gives a new managed event type its children. @throws Problem FORBIDDEN for hosts out of reach */
export async function createChildren(em: Em, { ownerId, id }: EventTypeRow, reaches: Reach): Promise<void> {
  await createMissingChildren(em, ownerId, { parent: sql`p.id = ${id}` }, reaches, ['schedulingType']);
}

/**
 * Gives somebody who has joined a team the children of its managed event types, in the same transaction. A member who
 * joins by invitation has accepted that, and one who is added without is in reach of the administrator who adds them.
 */
export async function createChildrenOfMember(em: Em, teamId: string, userId: string): Promise<void> {
  await createMissingChildren(em, teamId, { member: sql`m.user_id = ${userId}` }, () => sql`true`, []);
}

/** Lets the children follow a change of a team's event type or of its hosts. @throws Problem FORBIDDEN for hosts out of reach */
export async function changeChildren(em: Em, before: EventTypeRow, after: EventTypeRow, reaches: Reach): Promise<void> {
  if (after.schedulingType !== 'MANAGED') {
    if (before.schedulingType === 'MANAGED') await deleteChildren(em, after, reaches);
    return;
  }
  await deleteChildrenOfNoHost(em, after, reaches);
  await passOn(em, before, after, reaches);
  await createMissingChildren(em, after.ownerId, { parent: sql`p.id = ${after.id}` }, reaches, ['eventTypeId']);
}

/** Deletes the children of what is deleted, or managed no longer. @throws Problem FORBIDDEN for hosts out of reach */
export async function deleteChildren(
  em: Em,
  parent: Pick<EventTypeRow, 'ownerId' | 'id'>,
  reaches: Reach,
): Promise<void> {
  await withinReach(em, reaches, sql`delete from event_types c where ${isChildOf(parent)}`);
}

const CHILD = selectColumns(EventType, ['id', 'parentId', 'slug', 'isHidden', 'userId'], 'c');

/** A page of the children of each event type, by their owners; of those that are hidden, the ones whose owner the viewer manages. */
export async function childEventTypePages(
  em: Em,
  viewerId: string,
  eventTypes: readonly OwnedId[],
  request: PageRequest,
): Promise<Map<string, Page<ChildEventTypeRow>>> {
  const { within, orderAndLimit } = byKey(sql`c.owner_id`, request);
  const ids = eventTypes.map(({ id }) => id);
  const isManaged = manages({ group: TEAM, groupId: sql`parent.team_id`, actorId: viewerId }, sql`c.owner_id`);
  return pagesByParent(
    em,
    request,
    sql<ChildEventTypeRow>`select page.*
        from ${unnested(eventTypes)} as parent(team_id, id)
        cross join lateral (
          select ${CHILD}, ${SHOWN_USER}
          from event_types c join users u on u.id = c.owner_id
          where c.parent_team_id = parent.team_id and c.parent_id = parent.id and ${within} and (not c.is_hidden or ${isManaged})
          ${orderAndLimit}
        ) page
        order by page."userId" ${pageOrder(request)}`,
    'parentId',
    ids,
  );
}

const COLUMNS = listOf([...OWN_COLUMNS, ...INHERITED_COLUMNS, 'created_at', 'updated_at']);

/**
 * One statement makes all children that are missing in a team. It is repeated for those whose slug was taken while it ran:
 * by their owner, or by another child that it made itself.
 */
async function createMissingChildren(
  em: Em,
  teamId: string,
  which: Which,
  reaches: Reach,
  path: readonly string[],
): Promise<void> {
  for (let left = 1; left > 0; ) {
    const counted = await row(
      em,
      sql<{ left: string; isBeyond: boolean }>`${missingChildren(teamId, which)},
        made as (
          insert into event_types (${COLUMNS}) select ${COLUMNS} from missing order by owner_id, slug
          on conflict do nothing returning user_id
        )
        select (select count(*) from missing) - (select count(*) from made) as left,
          exists (select 1 from made where not ${reaches(sql`made.user_id`)}) as "isBeyond"`,
    );
    if (counted?.isBeyond) throw outOfReach(path);
    left = Number(counted?.left);
  }
}

function listOf(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)));
}

/** SQL: whether the member `m` is a host of the event type `p`. */
const IS_HOST = sql`(p.assigns_all_members or exists (
  select 1 from event_type_hosts h where h.owner_id = p.owner_id and h.event_type_id = p.id and h.user_id = m.user_id))`;

/**
 * SQL: the id of the child that the member `m` has of the event type `p`, made of both: who becomes a host once more gets the
 * same child as before, and their bookings belong to it again. A UUID of version 7 with the time of the parent and the
 * member's cell.
 */
const CHILD_ID = sql`(select (left(p.id::text, 15) || left(hash, 3) || substr(m.user_id::text, 20, 3) || substr(hash, 4, 13))::uuid
  from encode(sha256(uuid_send(p.id) || uuid_send(m.user_id)), 'hex') hash)`;

/**
 * SQL: the children that are missing, as rows. Memberships are locked, so that nobody is given a child who is leaving.
 *
 * The parents are found first, whatever the planner believes of the tables: a plan that was made while they were small, and
 * is kept, would look for them once for each member.
 */
function missingChildren(teamId: string, { parent = sql`true`, member = sql`true` }: Which): RawBuilder<unknown> {
  return sql`with parents as materialized (
    select p.* from event_types p where p.owner_id = ${teamId} and p.scheduling_type = 'MANAGED' and ${parent}
  ), missing as (
    select m.user_id as owner_id, ${CHILD_ID} as id, m.user_id, p.owner_id as parent_team_id, p.id as parent_id,
      m.id as membership_id, ${freeSlug(sql`m.user_id`, sql`p.slug`, CHILD_ID)} as slug, now() as created_at, now() as updated_at,
      ${listOf(INHERITED_COLUMNS.map((column) => `p.${column}`))}
    from parents p
    join team_memberships m on m.team_id = ${teamId} and m.accepted
    where ${member} and ${IS_HOST}
      and not exists (select 1 from event_types c where c.owner_id = m.user_id and c.parent_id = p.id)
    for key share of m
  )`;
}

/** SQL: the slug, or where another event type of the owner has it, the same with the lowest number behind it that is free. */
function freeSlug(
  ownerId: RawBuilder<string>,
  slug: RawBuilder<string>,
  ownId: RawBuilder<unknown>,
): RawBuilder<string> {
  const isTaken = (wanted: RawBuilder<string>) => sql<boolean>`exists (
    select 1 from event_types o where o.owner_id = ${ownerId} and o.slug = ${wanted} and o.id <> ${ownId})`;
  // Among one more number than the owner has event types, at least one is free.
  return sql<string>`case when ${isTaken(slug)} then (
      select numbered.slug
      from generate_series(2, 2 + (select count(*) from event_types o where o.owner_id = ${ownerId})) n
      cross join lateral (
        select rtrim(left(${slug}, ${MAX_SLUG_LENGTH - 1} - length(n::text)), '-') || '-' || n
      ) numbered(slug)
      where not ${isTaken(sql`numbered.slug`)}
      order by n limit 1
    ) else ${slug} end`;
}

function outOfReach(path: readonly string[]): Problem {
  const advice = 'name hosts without them, or ask them, or somebody whose role is as high';
  const message = `Of a managed event type each host has their own, and the role of one of them stands above yours; ${advice}.`;
  return new Problem('FORBIDDEN', message, path);
}

/** Runs a statement that changes or deletes children `c`. @throws Problem FORBIDDEN for hosts out of reach */
async function withinReach(em: Em, reaches: Reach, statement: RawBuilder<unknown>): Promise<void> {
  const beyond = await row(
    em,
    sql`with done as (${statement} returning c.user_id)
        select 1 from done where not ${reaches(sql`done.user_id`)} limit 1`,
  );
  if (beyond) throw outOfReach(['eventTypeId']);
}

function isChildOf({ ownerId, id }: Pick<EventTypeRow, 'ownerId' | 'id'>): RawBuilder<boolean> {
  return sql<boolean>`c.parent_team_id = ${ownerId} and c.parent_id = ${id}`;
}

async function deleteChildrenOfNoHost(em: Em, parent: EventTypeRow, reaches: Reach): Promise<void> {
  const { ownerId, id, assignsAllMembers } = parent;
  if (assignsAllMembers) return;
  await withinReach(
    em,
    reaches,
    sql`delete from event_types c
        where ${isChildOf(parent)} and not exists (
          select 1 from event_type_hosts h where h.owner_id = ${ownerId} and h.event_type_id = ${id} and h.user_id = c.user_id)`,
  );
}

async function passOn(em: Em, before: EventTypeRow, after: EventTypeRow, reaches: Reach): Promise<void> {
  const values = inheritedChanges(before, after);
  const isRenamed = before.slug !== after.slug;
  if (!isRenamed && Object.keys(values).length === 0) return;
  const slug = isRenamed ? sql`, slug = ${freeSlug(sql`c.owner_id`, sql`${after.slug}::text`, sql`c.id`)}` : sql``;
  await untilSlugIsFree(em, (inner) =>
    withinReach(inner, reaches, sql`update event_types c set ${changes(values)}${slug} where ${isChildOf(after)}`),
  );
}

/** Somebody takes the slug that was free a moment ago: then another one is. */
async function untilSlugIsFree(em: Em, update: (inner: Em) => Promise<unknown>): Promise<void> {
  for (let isDone = false; !isDone; ) {
    isDone = await em.transactional(update).then(
      () => true,
      (error: unknown) => {
        if (violatedConstraint(error) === 'event_types_owner_id_slug_key') return false;
        throw error;
      },
    );
  }
}
