import { type Em, rows, sql } from '../../database/sql.ts';

export interface Administrator {
  readonly id: string;
  readonly email: string;
}

/** Everybody who may act as an administrator of the service. */
export async function findAdministrators(em: Em): Promise<Administrator[]> {
  return rows(
    em,
    sql<Administrator>`select id, email from users where is_administrator and suspended_at is null order by email`,
  );
}
