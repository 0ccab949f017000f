/** A user's own teams and organizations are found by their memberships alone, however many there are of others, and invitations of theirs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, newTeamId } from '../../src/core/id.ts';
import { encodeCursor, pageRequest } from '../../src/core/page.ts';
import { Selection } from '../../src/database/columns.ts';
import { type Em, rows, sql } from '../../src/database/sql.ts';
import { Organization } from '../../src/modules/organizations/organization.entity.ts';
import { listOrganizations } from '../../src/modules/organizations/organization.queries.ts';
import { Team } from '../../src/modules/teams/team.entity.ts';
import { listTeams } from '../../src/modules/teams/team.queries.ts';
import { anAccount } from '../modules/accounts/an-account.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';
import { paced } from '../support/pace.ts';
import { costOf, PLAN_MODES } from '../support/plans.ts';

const GROUPS = 20_000;
/** A page of 25 takes ten of 8 kB for each of its rows, and a few to get there. */
const MOST_BUFFERS = 300;

describe.runIf(isOnPostgres)('a page of the own groups, by a plan for these values and by one for any, of', () => {
  let database: TestDatabase;
  const users = { organization: [] as string[], team: [] as string[] };

  beforeAll(async () => {
    database = await openTestDatabase();
    const em = database.em.fork();
    for (const some of Object.values(users)) for (let n = 0; n < 3; n += 1) some.push((await anAccount(em)).id);
    await em.transactional(fillGroups);
    await rows(em, sql`vacuum analyze`);
  }, paced(120_000));
  afterAll(() => database?.close());

  async function fillGroups(em: Em): Promise<void> {
    for (const [kind, make] of [
      ['organization', newId],
      ['team', newTeamId],
    ] as const) {
      const [invited = '', member = '', ofFew = ''] = users[kind];
      const groups = sql.table(`${kind}s`);
      const memberships = sql.table(`${kind}_memberships`);
      await rows(
        em,
        sql`insert into ${groups} (id, slug, name, time_zone, week_start, is_private, metadata, created_at, updated_at)
            select id, id::text, 'Group', 'UTC', 'MONDAY', false, '{}', now(), now()
            from unnest(${Array.from({ length: GROUPS }, make)}::uuid[]) id`,
      );
      await rows(
        em,
        sql`insert into ${memberships} (id, ${sql.ref(`${kind}_id`)}, user_id, role, accepted, created_at)
            select gen_random_uuid(), one.id, u.id, 'MEMBER', u.id <> ${invited}::uuid or one.n % 7000 = 7, now()
            from (select id, row_number() over (order by id) as n from ${groups}) one
            join users u on u.id = ${invited}::uuid or u.id = ${member}::uuid or u.id = ${ofFew}::uuid and one.n <= 50`,
      );
    }
  }

  const LISTS = {
    team: (em: Em, userId: string, page: object) => listTeams(em, userId, pageRequest(page), Selection.whole(Team)),
    organization: (em: Em, userId: string, page: object) =>
      listOrganizations(em, userId, pageRequest(page), Selection.whole(Organization)),
  };

  test.each([
    ['somebody who is invited to all, and a member of three', 0, 3],
    ['a member of all', 1, GROUPS],
    ['a member of fifty', 2, 50],
  ])('%s', async (_, index, count) => {
    for (const [kind, list] of Object.entries(LISTS)) {
      const userId = users[kind as keyof typeof users][index] ?? '';
      const em = database.em.fork();
      const all = (await list(em, userId, { first: 100 })).rows.map(({ id }) => id);
      expect(all).toHaveLength(Math.min(count, 100));
      expect(all).toEqual(all.toSorted());
      const cursor = encodeCursor([all[1] ?? '']);
      const [last] = await rows(
        em,
        sql<{ id: string }>`select max(${sql.ref(`${kind}_id`)}::text) as id from ${sql.table(`${kind}_memberships`)}
            where user_id = ${userId} and accepted`,
      );
      for (const [page, expected] of [
        [{ first: 25 }, all.slice(0, 25)],
        [{ first: 25, after: cursor }, all.slice(2, 27)],
        [{ last: 25, before: cursor }, all.slice(0, 1)],
        [{ last: 1 }, [last?.id]],
      ] as const) {
        const shown = (await list(em, userId, page)).rows.map(({ id }) => id);
        expect(shown).toEqual(expected);
        for (const mode of PLAN_MODES) {
          const { buffers, removed, indexes, whole, sorted } = await costOf(em, mode, (inner) =>
            list(inner, userId, page),
          );
          expect({
            page,
            mode,
            buffers,
            removed,
            indexes: indexes.join(),
            whole: whole.join(),
            sorted,
            isLittle: buffers < MOST_BUFFERS && removed < 30,
          }).toMatchObject({
            isLittle: true,
          });
        }
      }
    }
  });
});
