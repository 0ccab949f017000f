/**
 * managed/ keeps the event types that a team gives its members equal to their parent, set by set. It may import no
 * other room.
 */
import { Problem } from '../../../core/problem.ts';
import { changes, columnOf } from '../../../database/changes.ts';
import { type Em, type RawBuilder, row, rows, sql } from '../../../database/sql.ts';
import { selectFrom } from '../../../database/statements.ts';
import { violatedConstraint } from '../../../database/violated-constraint.ts';
import { Team } from '../../teams/team.entity.ts';
import type { EventTypeRow } from '../event-type.queries.ts';
import type { Reach } from '../event-type-owner.ts';
import { freeSlug } from '../free-slug.ts';
import { INHERITED_FIELDS, inheritedChanges } from './child-event-type.rules.ts';

const INHERITED_COLUMNS = INHERITED_FIELDS.map(columnOf);
const OWN_COLUMNS = ['owner_id', 'id', 'user_id', 'parent_team_id', 'parent_id', 'membership_id', 'slug'];
const COLUMNS = listOf([...OWN_COLUMNS, ...INHERITED_COLUMNS, 'created_at', 'updated_at']);

/** SQL: whether the member `m` is a host of the event type `p`. */
const IS_HOST = sql`(p.assign_all_members or exists (
  select 1 from event_type_hosts h where h.owner_id = p.owner_id and h.event_type_id = p.id and h.user_id = m.user_id))`;

/**
 * Makes changes of a team's event types wait for each other and for those of its memberships (`lockGroup` takes the same
 * row) until the transaction ends: an event type that becomes a managed one and a member who joins at the same moment
 * would not see each other, and a child would be missing.
 */
export async function lockTeam(em: Em, teamId: string): Promise<void> {
  await rows(em, selectFrom(Team, { id: teamId }).select('id').forNoKeyUpdate());
}

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

/** Runs a statement that changes or deletes children `c`. @throws Problem FORBIDDEN for hosts out of reach */
async function withinReach(em: Em, reaches: Reach, statement: RawBuilder<unknown>): Promise<void> {
  const beyond = await row(
    em,
    sql`with done as (${statement} returning c.user_id)
        select 1 from done where not ${reaches(sql`done.user_id`)} limit 1`,
  );
  if (beyond) throw outOfReach(['eventTypeId']);
}

function outOfReach(path: readonly string[]): Problem {
  const advice = 'name hosts without them, or ask them, or somebody whose role is as high';
  const message = `Of a managed event type each host has their own, and the role of one of them stands above yours; ${advice}.`;
  return new Problem('FORBIDDEN', message, path);
}

async function deleteChildrenOfNoHost(em: Em, parent: EventTypeRow, reaches: Reach): Promise<void> {
  const { ownerId, id, assignAllMembers } = parent;
  if (assignAllMembers) return;
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

/** Narrows a team's managed event types `p` and its members `m`; a part that is left out means all. */
interface Which {
  readonly parent?: RawBuilder<boolean>;
  readonly member?: RawBuilder<boolean>;
}

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

/**
 * SQL: the id of the child that the member `m` has of the event type `p`, made of both: who becomes a host once more gets the
 * same child as before, and their bookings belong to it again. A UUID of version 7 with the time of the parent.
 */
const CHILD_ID = sql`(select (left(p.id::text, 15) || left(hash, 3) || '8' || substr(hash, 4, 15))::uuid
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

function isChildOf({ ownerId, id }: Pick<EventTypeRow, 'ownerId' | 'id'>): RawBuilder<boolean> {
  return sql<boolean>`c.parent_team_id = ${ownerId} and c.parent_id = ${id}`;
}

function listOf(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)));
}
