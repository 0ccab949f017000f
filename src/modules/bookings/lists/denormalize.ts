import { selectColumns } from '../../../database/columns.ts';
import { changed, type Em, type RawBuilder, rows, sql } from '../../../database/sql.ts';
import { OrganizationMembership } from '../../organizations/organization.entity.ts';

/** A table of members' own things that organizations list (`denormalizedColumn`), and the column that names the owner. */
interface Denormalized {
  readonly table: string;
  readonly owner: 'owner_id' | 'user_id';
}

function denormalizedTables(em: Em): Denormalized[] {
  const tables = [...em.getMetadata().getAll().values()].filter(({ properties }) => 'organizationId' in properties);
  return tables.map(({ tableName: table, properties }) => ({
    table,
    owner: 'ownerId' in properties ? 'owner_id' : 'user_id',
  }));
}

/** Their bookings wait for this transaction. */
const MEMBERS_AT_ONCE = 50;

/**
 * Gives what members own the id of their organization, so that its lists find a page of it along one index, however many members
 * have nothing. Until then, and in every further organization that somebody is a member of, lists look member by member.
 *
 * A user who is not being booked at this moment is locked: whatever they make afterwards carries the id, and whatever was made
 * before is found here. A user's organization changes only when they are no member of it any more. Nothing that somebody else
 * is at work on is waited for: it is left for the next time.
 * @returns `limit` when there may be more to do
 */
export async function denormalizeBelongings(em: Em, limit: number): Promise<number> {
  const found = await rows(
    em,
    sql<{ userId: string; organizationId: string }>`
      select ${selectColumns(OrganizationMembership, ['userId', 'organizationId'], 'm')}
      from organization_memberships m join users u on u.id = m.user_id
      where m.accepted and not m.denormalized
        and (u.denormalized_in_id is null or u.denormalized_in_id = m.organization_id or not exists (
          select from organization_memberships home
          where home.organization_id = u.denormalized_in_id and home.user_id = u.id and home.accepted))
      order by m.organization_id, m.user_id limit ${MEMBERS_AT_ONCE}::int
      for update of u, m skip locked`,
  );
  const members = [...new Map(found.map((one) => [one.userId, one])).values()];
  if (members.length === 0) return 0;
  const given = sql`with given(user_id, organization_id) as (
    select * from unnest(${members.map(({ userId }) => userId)}::uuid[],
      ${members.map(({ organizationId }) => organizationId)}::uuid[]))`;
  await changed(
    em,
    sql`${given} update users u set denormalized_in_id = given.organization_id from given
        where u.id = given.user_id and u.denormalized_in_id is distinct from given.organization_id`,
  );
  const tables = denormalizedTables(em);
  for (const { table, owner } of tables) {
    const ownerId = sql.ref(`item.${owner}`);
    const count = await changed(
      em,
      sql`${given}, found as (
            select given.*, one.id from given
            cross join lateral (
              select item.id from ${sql.table(table)} item
              where ${ownerId} = given.user_id and item.organization_id is distinct from given.organization_id
              limit ${limit}::int for no key update skip locked
            ) one
            limit ${limit}::int
          )
          update ${sql.table(table)} item set organization_id = found.organization_id from found
          where ${ownerId} = found.user_id and item.id = found.id`,
    );
    if (count >= limit) return limit;
  }
  await changed(
    em,
    sql`${given} update organization_memberships m set denormalized = true from given
        where m.organization_id = given.organization_id and m.user_id = given.user_id and m.accepted
          and not (${sql.join(tables.map(isLeft), sql` or `)})`,
  );
  return found.length < MEMBERS_AT_ONCE ? members.length : limit;
}

/** SQL: whether a user has anything that does not carry the id yet, since it was locked. */
function isLeft({ table, owner }: Denormalized): RawBuilder<unknown> {
  return sql`exists (select from ${sql.table(table)} item
    where ${sql.ref(`item.${owner}`)} = given.user_id and item.organization_id is distinct from given.organization_id)`;
}
