import { type RawBuilder, sql } from '../../database/sql.ts';
import type { UserList } from './user-list.queries.ts';

export interface OutOfOfficeRow {
  readonly id: string;
  readonly userId: string;
  /** RFC 3339, as the database writes it */
  readonly start: string;
  readonly end: string;
  readonly reason: string;
  readonly notes: string | null;
  readonly redirectTo: RedirectRow | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The colleague to whom guests are sent. */
export interface RedirectRow {
  readonly id: string;
  readonly name: string;
  readonly username: string;
}

/** For `select` and `returning`, over `out_of_office item`. */
export const OUT_OF_OFFICE_COLUMNS = columnsFor(sql<boolean>`true`);

export const OUT_OF_OFFICE: UserList<OutOfOfficeRow> = {
  kind: 'outOfOffice',
  table: sql`out_of_office`,
  columns: OUT_OF_OFFICE_COLUMNS,
  // When somebody is away, whoever plans for a group has to know. Why is between them and those whom they answer to.
  columnsFor,
};

function columnsFor(isTold: RawBuilder<boolean>): RawBuilder<OutOfOfficeRow> {
  return sql<OutOfOfficeRow>`item.id, item.user_id as "userId", item.starts_at as "start", item.ends_at as "end",
    case when ${isTold} then item.reason else '' end as reason, case when ${isTold} then item.notes end as notes, (
      select json_build_object('id', u.id, 'name', u.name, 'username', u.username)
      from users u where u.id = item.redirect_to_id and ${isTold}
    ) as "redirectTo", item.created_at as "createdAt", item.updated_at as "updatedAt"`;
}
