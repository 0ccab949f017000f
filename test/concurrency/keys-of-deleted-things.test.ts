/**
 * A key by which something was made is kept as long as that is there. Whatever deletes it takes the key along, however many
 * requests come at the same moment; a key that stayed would be kept for ever.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changed, rows, sql } from '../../src/database/sql.ts';
import { deleteTeam } from '../../src/modules/bookings/departures/delete-team.ts';
import { addResponse } from '../../src/modules/routing-forms/routing-form-response.commands.ts';
import { removeOldStoppedThings } from '../../src/oauth/stopped/revive-thing.ts';
import { groupId } from '../api/every-value/things-there.ts';
import { WorkflowWorld } from '../jobs/support/workflow-world.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { isOnPostgres } from '../support/database.ts';
import { ownedUuidOf, uuidOf } from '../support/ids.ts';
import { newRoutingForm } from '../support/routing-forms.ts';

let api: TestApi;
let team: { readonly teamId: string };
beforeAll(async () => {
  api = await openTestApi();
  team = { teamId: await groupId(api, 'team', 'sales') };
});
afterAll(() => api.close());

const em = () => api.database.em.fork();
const ada = () => api.signedIn('ada');

/** A new form, and the keys by which it is filled in. */
async function openForm(series: string, count: number) {
  const id = await newRoutingForm(ada(), team);
  const fill = (n: number) => {
    const given = { routingFormId: id, answers: { company: 'ACME' }, idempotencyKey: `${series}-of-this-test-${n}` };
    return api.nobody.change('routingFormSubmit', given, 'outcome { type }');
  };
  return { id, fillAll: () => Array.from({ length: count }, (_, n) => fill(n)) };
}

/** The keys of an owner of what is not there. */
function keysOfNothing(ownerId: string) {
  return rows(
    em(),
    sql`select k.result_id from idempotency_keys k where k.owner_id = ${ownerId} and k.result_id is not null
        and not exists (select from routing_form_responses r where r.owner_id = k.owner_id and r.id = k.result_id)
        and not exists (select from bookings b where b.owner_id = k.owner_id and b.id = k.result_id)
        and not exists (select from booking_attendees a where a.owner_id = k.owner_id and a.seat_id = k.result_id)`,
  );
}

test('somebody who may not delete a form does not even touch its keys', async () => {
  const form = await openForm('foreign', 1);
  await Promise.all(form.fillAll());
  const { ownerId } = ownedUuidOf(form.id);
  const keys = () => rows(em(), sql`select xmax::text, ctid::text from idempotency_keys where owner_id = ${ownerId}`);
  const before = await keys();
  expect(before).not.toEqual([]);
  for (const username of ['dan', 'cyd']) {
    const { mistakes } = await api.signedIn(username).change('routingFormDelete', { routingFormId: form.id });
    expect(mistakes).toHaveLength(1);
  }
  expect(await keys()).toEqual(before);
});

test('a form that nobody has revived in time goes with its keys', async () => {
  const form = await openForm('stopped', 3);
  await Promise.all(form.fillAll());
  const key = ownedUuidOf(form.id);
  const was = { is_active: true };
  const content = { emptied: { table: 'routing_forms', key: { owner_id: key.ownerId, id: key.id }, was } };
  await changed(em(), sql`update routing_forms set is_active = false where id = ${key.id}`);
  await changed(
    em(),
    sql`insert into stopped_things (user_id, id, kind, title, content, stopped_at)
        select id, gen_random_uuid(), 'ROUTING_FORM', 'Form', ${JSON.stringify(content)}::jsonb, now() - interval '300 days'
        from users where username = 'ada'`,
  );
  await removeOldStoppedThings(em(), 100);
  expect(await rows(em(), sql`select id from routing_forms where id = ${key.id}`)).toEqual([]);
  expect(await keysOfNothing(key.ownerId)).toEqual([]);
});

// The embedded database runs one transaction at a time.
describe.runIf(isOnPostgres)('at the same moment', () => {
  test('a form is deleted while fifty fill it in, some of them again, and none of them fails', async () => {
    for (let round = 0; round < 6; round += 1) {
      const form = await openForm(`round-${round}`, 25);
      const first = form.fillAll();
      if (round % 2 === 0) await Promise.all(first);
      const all = [...first, ...form.fillAll(), ...form.fillAll()];
      const deleted = await ada().change('routingFormDelete', { routingFormId: form.id });
      const answers = await Promise.all(all);
      expect([deleted.codes, deleted.mistakes]).toEqual([[], []]);
      // A caller who comes too late is told that there is no such form.
      expect(
        answers.flatMap(({ codes, mistakes }) => [...codes, ...mistakes.filter((one) => !one.startsWith('NOT_FOUND'))]),
      ).toEqual([]);
      expect(await keysOfNothing(ownedUuidOf(form.id).ownerId)).toEqual([]);
    }
  });

  test('a team is deleted while fifty fill in its form', async () => {
    for (let round = 0; round < 4; round += 1) {
      const world = new WorkflowWorld(api, {});
      await world.newTeam();
      const [teamId, actorId] = [uuidOf(world.team.teamId), uuidOf(world.team.owner.userId)];
      const { id } = ownedUuidOf(await newRoutingForm(ada(), team));
      await changed(em(), sql`update routing_forms set owner_id = ${teamId}, team_id = ${teamId} where id = ${id}`);
      const fill = (n: number) => {
        const given = {
          answers: { company: 'ACME' },
          by: { userId: null, network: null },
          key: `team-${round}-of-this-test-${n}`,
        };
        const condition = sql<boolean>`true`;
        return addResponse(em(), { ownerId: teamId, id }, { ...given, condition }).catch((error) => error as Error);
      };
      await Promise.all(Array.from({ length: 20 }, (_, n) => fill(n)));
      const all = Array.from({ length: 50 }, (_, n) => fill(n));
      await deleteTeam(em(), { teamId, actorId });
      await Promise.all(all);
      expect(await rows(em(), sql`select id from teams where id = ${teamId}`)).toEqual([]);
      expect(await rows(em(), sql`select result_id from idempotency_keys where owner_id = ${teamId}`)).toEqual([]);
    }
  });
});
