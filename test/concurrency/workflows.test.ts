/** Workflows send when much happens at the same moment, in several processes. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { row, sql } from '../../src/database/sql.ts';
import { JobRunner } from '../../src/jobs/job-runner.ts';
import { SMS_LIMITS, SmsLimit } from '../../src/limits/sms-limit.ts';
import type { Sms } from '../../src/sms/sms.ts';
import { kindsWith } from '../jobs/support/booking-mails.ts';
import { GRACE, WorkflowWorld } from '../jobs/support/workflow-world.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { isOnPostgres } from '../support/database.ts';
import { MailServer } from '../support/mail-server.ts';

const LOG = { warn: () => undefined, error: () => undefined };
const FIFTY = Array.from({ length: 50 }, (_, index) => index);
const PHONE = { slug: 'mobile', type: 'PHONE', label: 'Mobile', isRequired: false };
/** A number of a range of its own. */
const numberOf = (index: number): string => `+491510${String(index).padStart(2, '0')}0000`;

describe.runIf(isOnPostgres)('at the same moment', () => {
  let api: TestApi;
  let world: WorkflowWorld;
  let mailServer: MailServer;
  let limits: SmsLimit | undefined;
  const texts: Sms[] = [];
  const smsProvider = {
    hand: async (sms: Sms) => {
      texts.push(sms);
      return {};
    },
  };
  beforeAll(async () => {
    api = await openTestApi();
    mailServer = await MailServer.open();
    world = new WorkflowWorld(api, { action: 'SMS_ATTENDEE', body: 'Old' });
  });
  afterEach(() => {
    limits = undefined;
    texts.length = 0;
  });
  afterAll(async () => {
    await mailServer.close();
    await api.close();
  });

  /** Three processes do all that is to be done, beside what else is going on. */
  async function settled(beside: Promise<unknown> = Promise.resolve()): Promise<void> {
    const settings = { smsProvider, ...(limits && { smsLimit: limits }) };
    const runners = [1, 2, 3].map(
      () => new JobRunner(api.database.em, kindsWith(mailServer, undefined, settings), LOG),
    );
    await Promise.all([beside, ...runners.map((runner) => runner.settled())]);
    for (const runner of runners) await runner.settled();
    await Promise.all(runners.map((runner) => runner.stop()));
  }

  /** Fifty bookings one after the other, each with a number of its own unless said otherwise. */
  async function book(phone = numberOf): Promise<void> {
    const eventTypeId = await world.offer({ bookingFields: [PHONE], durationInMinutes: 15, slotIntervalInMinutes: 15 });
    const starts = await world.startsOf(eventTypeId);
    for (const index of FIFTY) {
      const attendee = { ...GRACE, email: `grace-${index}@example.test` };
      await world.book(eventTypeId, { start: starts[index], attendee, responses: { mobile: phone(index) } });
    }
  }

  test('fifty bookings with one number are a few SMS, a few that wait, and each other one is noted', async () => {
    await world.newTeam();
    await world.workflow();
    limits = new SmsLimit(SMS_LIMITS, LOG);
    await book(() => numberOf(99));
    await settled();
    expect(texts).toHaveLength(SMS_LIMITS.attendee);
    const unsent = sql<{ sum: number }>`select sum(unsent_mails)::int as sum from bookings`;
    expect(await row(api.database.em.fork(), unsent)).toEqual({ sum: 50 - 2 * SMS_LIMITS.attendee });
  });

  test('fifty reminders that begin while their workflow is changed go once each, in the old words or the new ones', async () => {
    await world.newTeam();
    const { id, steps } = await world.workflow({ trigger: 'AFTER_BOOKING_END', offset: { value: 1, unit: 'MINUTE' } });
    await book();
    await settled();
    expect(texts).toEqual([]);
    await world.minutesPass(60 * 24 * 20);
    const { owner, teamId } = world.team;
    const changes = async () => {
      for (const body of ['New', 'Newer', 'Newest']) {
        const input = { teamId, workflowId: id, stepsSet: [{ id: steps[0]?.id, action: 'SMS_ATTENDEE', body }] };
        expect((await owner.change('teamWorkflowUpdate', input)).mistakes).toEqual([]);
      }
    };
    await settled(changes());
    expect(texts.map(({ to }) => to).toSorted()).toEqual(FIFTY.map(numberOf).toSorted());
    for (const { text } of texts) expect(['Old', 'New', 'Newer', 'Newest']).toContain(text);
  });

  test('fifty reminders that begin while their workflow gets another time go once each for each time, and none is lost', async () => {
    await world.newTeam();
    const { id } = await world.workflow({ trigger: 'AFTER_BOOKING_END', offset: { value: 1, unit: 'MINUTE' } });
    await book();
    await settled();
    await world.minutesPass(60 * 24 * 20);
    const { owner, teamId } = world.team;
    const later = { teamId, workflowId: id, offset: { value: 30, unit: 'DAY' } };
    await settled(owner.change('teamWorkflowUpdate', later));
    const early = texts.splice(0).map(({ to }) => to);
    expect(new Set(early).size).toBe(early.length);
    await world.minutesPass(60 * 24 * 20);
    await settled();
    const late = texts.map(({ to }) => to);
    // None is lost: who was not reminded at the old time is at the new one.
    expect(new Set(late).size).toBe(late.length);
    expect(new Set([...early, ...late]).size).toBe(50);
  });
});
