/** A booking with a thousand seats, whose team has as many workflows as it may: half a million messages, of which few may be sent. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Em, row, rows, sql } from '../../../src/database/sql.ts';
import { MAIL_LIMITS, MailLimit } from '../../../src/limits/mail-limit.ts';
import { SMS_LIMITS, SmsLimit } from '../../../src/limits/sms-limit.ts';
import { idOfKey } from '../../../src/modules/bookings/public/public-booking.rules.ts';
import type { PlannedSending, PlanSettings } from '../../../src/modules/workflows/sendings/plan-messages.ts';
import { planSendings, type WorkflowEvent } from '../../../src/modules/workflows/sendings/plan-sendings.ts';
import { GRACE, WorkflowWorld } from '../../jobs/support/workflow-world.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { NEW_ID } from '../../support/ids.ts';

const SEATS = 1_000;
const WORKFLOWS = 50;
const STEPS = 10;
const ALL = SEATS * WORKFLOWS * STEPS;
const addressOf = (place: number): string => `guest-${place}@example.test`;

let api: TestApi;
let world: WorkflowWorld;
let em: Em;
beforeAll(async () => {
  api = await openTestApi();
  em = api.database.em.fork();
  world = new WorkflowWorld(api, { action: 'EMAIL_ATTENDEE', subject: 'Sorry', body: 'It is cancelled.' });
});
afterAll(() => api.close());

/** The messages that are handed over, and lost if the transaction is; `failsAt` is the time at which that fails. */
class Hands implements PlanSettings {
  readonly mailLimit = new MailLimit(MAIL_LIMITS, { warn: () => undefined });
  readonly smsLimit = new SmsLimit(SMS_LIMITS, { warn: () => undefined });
  readonly handedOver: PlannedSending[] = [];
  #times = 0;
  readonly #failsAt: number;

  constructor(failsAt = 0) {
    this.#failsAt = failsAt;
  }

  readonly handOver = async (_em: Em, sendings: readonly PlannedSending[]): Promise<void> => {
    this.#times += 1;
    if (this.#times === this.#failsAt) throw new Error('The process ends here.');
    this.handedOver.push(...sendings);
  };
}

/** A booking of a new team, with so many seats taken by verified people, that is cancelled. */
async function cancelled(seats: number, workflows: number): Promise<WorkflowEvent> {
  await world.newTeam();
  const { owner, teamId } = world.team;
  const eventTypeId = await world.offer({ seats: { perSlot: Math.max(seats, 2), showsAttendees: false } });
  const steps = Array.from({ length: STEPS }, () => ({ action: 'EMAIL_ATTENDEE', subject: 'Sorry', body: 'Off' }));
  await world.workflow({ trigger: 'BOOKING_CANCELLED', steps });
  await world.book(eventTypeId, { attendee: { ...GRACE, email: addressOf(0) } }, owner);
  const booking = await row(
    em,
    sql<{ ownerId: string; id: string }>`
    select owner_id as "ownerId", id from bookings order by id desc limit 1`,
  );
  if (!booking) throw new Error('Nothing was booked.');
  await rows(
    em,
    sql`insert into booking_attendees select (jsonb_populate_record(a, jsonb_build_object('seat_id', ${NEW_ID},
          'id', ('ffffffff' || lpad(to_hex(n), 24, '0'))::uuid, 'key_hash', null, 'email', 'guest-' || n || '@example.test'))).*
        from booking_attendees a, generate_series(1, ${seats - 1}::int) as n where a.booking_id = ${booking.id}`,
  );
  await rows(
    em,
    sql`insert into workflows select (jsonb_populate_record(w, jsonb_build_object('id', ${NEW_ID}))).*
        from workflows w, generate_series(2, ${workflows}::int) where w.team_id = ${booking.ownerId}`,
  );
  const mistakes = (await owner.change('teamBookingCancel', { teamId, bookingId: idOfKey(booking), reason: 'Rain' }))
    .mistakes;
  if (mistakes.length > 0) throw new Error(mistakes.join(' '));
  const event = await row(
    em,
    sql<{ event: WorkflowEvent }>`
    select data || jsonb_build_object('id', id, 'ownerId', owner_id, 'type', type, 'occurredAt', occurred_at) as event
    from domain_events where type = 'BOOKING_CANCELLED' and owner_id = ${booking.ownerId}`,
  );
  if (!event) throw new Error('Nothing was cancelled.');
  return event.event;
}

interface Written {
  readonly rows: number;
  readonly pending: number;
  readonly waiting: number;
  readonly unsent: number;
}

/** The rows that have come of it. */
async function written({ ownerId, booking }: WorkflowEvent): Promise<Written | undefined> {
  return row(
    em,
    sql<Written>`select count(*)::int as rows, count(*) filter (where status = 'PENDING')::int as pending,
        count(*) filter (where status = 'WAITING')::int as waiting,
        (select unsent_mails from bookings where owner_id = ${ownerId} and id = ${booking.id}) as unsent
      from workflow_sendings where team_id = ${ownerId}`,
  );
}

describe('of half a million messages', () => {
  test('the first are sent as far as the limit goes, as many as may wait do, the others are counted, and few rows are written', async () => {
    const event = await cancelled(SEATS, WORKFLOWS);
    const hands = new Hands();
    await planSendings(em, event, hands);
    const first = Array.from({ length: MAIL_LIMITS.workflows }, (_, place) => addressOf(place));
    const told = await rows(
      em,
      sql<{ receiver: string }>`
      select receiver from workflow_sendings where status = 'PENDING' and team_id = ${event.ownerId}`,
    );
    expect(told.map(({ receiver }) => receiver).toSorted()).toEqual(first.toSorted());
    const outcome = await written(event);
    const [pending, waiting] = [MAIL_LIMITS.workflows, MAIL_LIMITS.workflowLine];
    expect(outcome).toMatchObject({ pending, waiting, unsent: ALL - pending - waiting });
    // Receivers without a place have a row each, and all others one together.
    expect(outcome?.rows).toBeLessThanOrEqual(pending + waiting + SEATS + 1);
    expect(hands.handedOver).toHaveLength(MAIL_LIMITS.workflows);
    // Told of it once more, an hour later.
    await rows(em, sql`update counters set ends_at = now()`);
    await planSendings(em, event, hands);
    expect([await written(event), hands.handedOver.length]).toEqual([outcome, MAIL_LIMITS.workflows]);
  });

  test.for([1, 2])('of a process that dies at batch %i, nothing is counted or handed over twice', async (failsAt) => {
    const event = await cancelled(60, 10);
    const dying = new Hands(failsAt);
    await expect(planSendings(em, event, dying)).rejects.toThrow('ends here');
    const hands = new Hands();
    await planSendings(em, event, hands);
    const ids = new Set([...dying.handedOver, ...hands.handedOver].map(({ id }) => id));
    expect(ids.size).toBe(dying.handedOver.length + hands.handedOver.length);
    expect(ids.size).toBe(MAIL_LIMITS.workflows);
    expect(await written(event)).toMatchObject({
      pending: ids.size,
      waiting: MAIL_LIMITS.workflowLine,
      unsent: 60 * 10 * STEPS - ids.size - MAIL_LIMITS.workflowLine,
    });
  });
});
