/** Something is deleted while something else hangs on it: the one waits for the other, and is told so. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/core/id.ts';
import { type Em, type RawBuilder, row, rows, sql } from '../../src/database/sql.ts';
import type { RecordedEvent } from '../../src/events/record-event.ts';
import { MAIL_LIMITS, MailLimit } from '../../src/limits/mail-limit.ts';
import { SMS_LIMITS, SmsLimit } from '../../src/limits/sms-limit.ts';
import { claimMeeting } from '../../src/modules/bookings/conferencing/hold-meeting.ts';
import { planDeliveries } from '../../src/modules/webhooks/plan-deliveries.ts';
import { planReminders, planWorkflow } from '../../src/modules/workflows/reminders.ts';
import { planSendings, type WorkflowEvent } from '../../src/modules/workflows/sendings/plan-sendings.ts';
import { isLetIn } from '../../src/oauth/grants/authorized-apps.ts';
import { storeAbsence } from '../jobs/support/webhooks.ts';
import { WorkflowWorld } from '../jobs/support/workflow-world.ts';
import { NO_KEY, openTestApi, type TestApi } from '../support/api.ts';
import { isOnPostgres } from '../support/database.ts';
import { uuidOf } from '../support/ids.ts';
import { meanwhile } from '../support/meanwhile.ts';

const LOG = { warn: () => undefined, error: () => undefined };

const deleting = (table: string, id: string) => (open: Em) =>
  rows(open, sql`delete from ${sql.table(table)} where id = ${id}`);
const locking = (table: string, id: string) => (open: Em) =>
  rows(open, sql`select 1 from ${sql.table(table)} where id = ${id} for update`);

// These are races of connections.
describe.runIf(isOnPostgres)('while it is deleted,', () => {
  let api: TestApi;
  let world: WorkflowWorld;
  beforeAll(async () => {
    api = await openTestApi();
    world = new WorkflowWorld(api, { action: 'EMAIL_ATTENDEE', body: 'Soon', subject: 'Soon' });
    await world.newTeam();
  });
  afterAll(() => api.close());

  const em = (): Em => api.database.em.fork();
  const count = async (table: string, condition: RawBuilder<unknown>): Promise<number> =>
    (await rows(em(), sql`select 1 from ${sql.table(table)} where ${condition}`)).length;

  let made = 0;
  const aWebhook = async (): Promise<string> => {
    const input = { url: `https://hooks.example/${(made += 1)}`, triggers: ['OUT_OF_OFFICE_CREATED'] };
    const { webhookId } = (await api.signedIn('ada').change('webhookCreate', input, 'webhookId')).data;
    return webhookId;
  };

  test('a webhook is not tried', async () => {
    const webhookId = await aWebhook();
    const input = { webhookId, trigger: 'OUT_OF_OFFICE_CREATED' };
    const { codes, mistakes } = await meanwhile(api.database, deleting('webhooks', uuidOf(webhookId)), () =>
      api.signedIn('ada').change('webhookTest', input),
    );
    expect([codes, mistakes]).toEqual([[], ['NOT_FOUND webhookId']]);
  });

  test('a webhook is told nothing, and another one is', async () => {
    const [gone, other] = [await aWebhook(), await aWebhook()];
    const event = {
      type: 'OUT_OF_OFFICE_CREATED' as const,
      id: newId(),
      ownerId: uuidOf(api.signedIn('ada').userId),
      occurredAt: '2030-12-01T09:00:00.000001+00:00',
      outOfOfficeId: await storeAbsence(em(), uuidOf(api.signedIn('ada').userId)),
      start: '2031-01-06T00:00:00Z',
      end: '2031-01-07T00:00:00Z',
    };
    const planned = await meanwhile(api.database, deleting('webhooks', uuidOf(gone)), () =>
      planDeliveries(em(), event, { webhooksKey: NO_KEY, isLetIn }),
    );
    const told = planned.map(({ webhookId }) => webhookId);
    expect([told.includes(uuidOf(gone)), told.includes(uuidOf(other))]).toEqual([false, true]);
  });

  test('no meeting is begun with an app', async () => {
    const { conferencingAppId } = (
      await world.team.owner.change('conferencingAppConnect', { app: 'video' }, 'conferencingAppId')
    ).data;
    const holderId = uuidOf(world.team.owner.userId);
    const key = { ownerId: holderId, icsId: newId(), holderId, appId: uuidOf(conferencingAppId) };
    const claimed = await meanwhile(api.database, deleting('conferencing_apps', key.appId), () =>
      claimMeeting(em(), key),
    );
    expect(claimed).toBeUndefined();
  });

  test('an event type of a team gets no webhook', async () => {
    await world.newTeam();
    const { teamId, owner } = world.team;
    const input = {
      teamId,
      eventTypeId: await world.offer(),
      url: 'https://hooks.example/',
      triggers: ['BOOKING_CREATED'],
    };
    const { codes, mistakes } = await meanwhile(
      api.database,
      locking('teams', uuidOf(teamId)),
      () => owner.change('teamEventTypeWebhookCreate', input),
      deleting('teams', uuidOf(teamId)),
    );
    expect([codes, mistakes]).toEqual([[], ['NOT_FOUND teamId']]);
  });

  /** A team with a workflow that reminds of a booking, in two hours. */
  async function reminding(trigger: 'BEFORE_BOOKING_START' | 'NEW_BOOKING') {
    await world.newTeam();
    const offset = trigger === 'NEW_BOOKING' ? {} : { offset: { value: 1, unit: 'MINUTE' } };
    const workflow = uuidOf((await world.workflow({ trigger, ...offset })).id);
    await world.book(await world.offer());
    const teamId = uuidOf(world.team.teamId);
    const booked = await row(
      em(),
      sql<
        RecordedEvent & { readonly data: object }
      >`select id, type, owner_id as "ownerId", occurred_at as "occurredAt", data
        from domain_events where owner_id = ${teamId} and type = 'BOOKING_CREATED'`,
    );
    if (!booked) throw new Error('Nothing was booked.');
    return { workflow, teamId, event: { ...booked, ...booked.data } as unknown as WorkflowEvent };
  }

  test.each([['workflows'], ['teams']])('nothing of a workflow is planned anew (%s)', async (table) => {
    const { workflow, teamId, event } = await reminding('BEFORE_BOOKING_START');
    await planReminders(em(), event);
    const isIts = sql`workflow_id = ${workflow}`;
    expect(await count('workflow_reminders', isIts)).toBe(1);
    const id = table === 'teams' ? teamId : workflow;
    const changed = { type: 'WORKFLOW_CHANGED', workflowId: workflow, ownerId: teamId } as const;
    await meanwhile(
      api.database,
      locking(table, id),
      () => planWorkflow(em(), { ...changed, id: newId(), occurredAt: event.occurredAt }),
      deleting(table, id),
    );
    expect(await count('workflow_reminders', isIts)).toBe(0);
  });

  test('a workflow reminds of no booking, and sends nothing', async () => {
    const first = await reminding('BEFORE_BOOKING_START');
    await meanwhile(api.database, deleting('workflows', first.workflow), () => planReminders(em(), first.event));
    expect(await count('workflow_reminders', sql`workflow_id = ${first.workflow}`)).toBe(0);
    const { workflow, event } = await reminding('NEW_BOOKING');
    const [mailLimit, smsLimit] = [new MailLimit(MAIL_LIMITS, LOG), new SmsLimit(SMS_LIMITS, LOG)];
    const handed: unknown[] = [];
    const handOver = async (_em: Em, sendings: readonly unknown[]) => void handed.push(...sendings);
    await meanwhile(api.database, deleting('workflows', workflow), () =>
      planSendings(em(), event, { mailLimit, smsLimit, handOver }),
    );
    expect(handed).toEqual([]);
  });
});
