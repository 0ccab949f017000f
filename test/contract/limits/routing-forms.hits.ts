/** Hits the limits of forms. */
import { newId, newTeamId, publicId } from '../../../src/core/id.ts';
import { rows, sql } from '../../../src/database/sql.ts';
import { FORM } from '../../support/routing-forms.ts';
import { bothOf, type Hit, type Hits, oneByOne, type Visit } from './limit-hit.ts';

const x = (count: number): string => 'x'.repeat(count);
const many = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));

/** A new team of ada, which has so many forms already. */
async function teamWith({ app }: Visit, forms: number): Promise<string> {
  const em = app.database.em.fork();
  const teamId = newTeamId();
  for (const statement of [
    sql`insert into teams (id, slug, name, time_zone, week_start, hides_branding, is_private, metadata, created_at, updated_at)
        values (${teamId}, ${teamId}, 'Team', 'UTC', 'MONDAY', false, false, '{}', now(), now())`,
    sql`insert into team_memberships (id, team_id, user_id, role, accepted, created_at)
        select ${newId()}::uuid, ${teamId}::uuid, id, 'OWNER', true, now() from users where username = 'ada'`,
    sql`insert into routing_forms (owner_id, id, team_id, name, is_active, version, fields, routes, fallback, created_at, updated_at)
        select ${teamId}::uuid, id, ${teamId}::uuid, 'Form', true, 1, '[]', '[]', '{"type": "MESSAGE", "message": "Thanks."}', now(), now()
        from unnest(${many(forms, () => newId())}::uuid[]) id`,
  ]) {
    await rows(em, statement);
  }
  return publicId('team', teamId);
}

/** A form of a new team, each time. */
const form =
  (input: (amount: number) => object): Hit =>
  async (visit, limit) => {
    const as = await visit.sessionOf('ada@acme.test');
    return bothOf(limit, async (amount) =>
      visit.mutation('routingFormCreate', { teamId: await teamWith(visit, 0), ...FORM, ...input(amount) }, as),
    );
  };

const CONDITION = { field: 'company', operator: 'EQUALS', values: ['ACME'] };
const target = { message: 'Hello.' };

export const hits: Hits = {
  'routing-forms': async (visit, limit) => {
    const as = await visit.sessionOf('ada@acme.test');
    return bothOf(limit, async (amount) =>
      visit.mutation('routingFormCreate', { teamId: await teamWith(visit, amount - 1), ...FORM }, as),
    );
  },
  'form-submissions-of-user': async (visit, limit) => {
    const as = await visit.sessionOf('ada@acme.test');
    const formIds: (string | undefined)[] = [];
    // With one form alone, the limit of the network would be the same.
    for (let count = 0; count < 2; count += 1) {
      const input = { teamId: await teamWith(visit, 0), ...FORM };
      const { text } = await visit.mutation('routingFormCreate', input, as, 'routingFormId');
      formIds.push(/frm_[\w-]+/.exec(text)?.[0]);
    }
    let sent = 0;
    return oneByOne(limit, () => {
      sent += 1;
      return visit.mutation('routingFormSubmit', { routingFormId: formIds[sent % 2], answers: { company: 'A' } }, as);
    });
  },
  'form-submissions': async (visit, limit) => {
    const as = await visit.sessionOf('ada@acme.test');
    const { text } = await visit.mutation(
      'routingFormCreate',
      { teamId: await teamWith(visit, 0), ...FORM },
      as,
      'routingFormId',
    );
    const routingFormId = /frm_[\w-]+/.exec(text)?.[0];
    return oneByOne(limit, () => visit.mutation('routingFormSubmit', { routingFormId, answers: { company: 'A' } }, {}));
  },
  'form-name': form((amount) => ({ name: x(amount) })),
  'form-description': form((amount) => ({ fallback: { message: x(amount) } })),
  'routing-form-fields': form((amount) => ({
    fields: many(amount, (i) => ({ slug: `f-${i}`, type: 'TEXT', label: 'Why?' })),
    routes: [],
  })),
  'form-routes': form((amount) => ({ routes: many(amount, () => ({ conditions: [CONDITION], target })) })),
  'form-conditions': form((amount) => ({ routes: [{ conditions: many(amount, () => CONDITION), target }] })),
  'form-values': form((amount) => ({
    routes: [{ conditions: [{ ...CONDITION, operator: 'ANY_OF', values: many(amount, String) }], target }],
  })),
};
