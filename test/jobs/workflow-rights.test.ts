/** By whose right a team's workflows tell of bookings: judged when a message is planned, and again when it is sent. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changed, rows, sql } from '../../src/database/sql.ts';
import { JobRunner } from '../../src/jobs/job-runner.ts';
import { childOf } from '../api/managed-team.ts';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { ownedUuidOf, uuidOf } from '../support/ids.ts';
import { MailServer, type ReceivedMail } from '../support/mail-server.ts';
import { storeVerified } from '../support/verified-resources.ts';
import { kindsWith } from './support/booking-mails.ts';
import { letTimePass } from './support/jobs.ts';
import { reviveAll, stopAll } from './support/stopping.ts';
import { GRACE, WorkflowWorld } from './support/workflow-world.ts';

const DESK = 'desk@example.test';
const MARK = 'From a workflow';
const BODY = `${MARK}: {event_name} / {attendee_name} / {location} / {event_date}`;

let api: TestApi;
let mailServer: MailServer;
let runner: JobRunner;
let world: WorkflowWorld;
beforeAll(async () => {
  api = await openTestApi();
  world = new WorkflowWorld(api, { action: 'EMAIL_ADDRESS', sendTo: DESK, subject: 'Note', body: BODY });
  mailServer = await MailServer.open();
  runner = new JobRunner(api.database.em, kindsWith(mailServer), { warn: () => undefined, error: console.error });
});
beforeEach(() => world.newTeam());
afterEach(() => runner.settled());
afterAll(async () => {
  await runner.stop();
  await mailServer.close();
  await api.close();
});

async function sent(): Promise<readonly ReceivedMail[]> {
  await runner.settled();
  return mailServer.mails.splice(0).filter(({ text }) => text.includes(MARK));
}

const mailboxes = async () => (await sent()).map(({ mailbox }) => mailbox);

async function answering(teamId: string, who: TestCaller): Promise<void> {
  await changed(
    api.database.em.fork(),
    sql`update verified_emails set verified_by_id = ${uuidOf(who.userId)} where owner_id = ${uuidOf(teamId)}`,
  );
}

async function isAnsweredFor(): Promise<boolean> {
  const document = 'query($id: ID!) { team(id: $id) { verifiedEmails { nodes { isAnsweredFor } } } }';
  const { data } = await world.team.owner.ask(document, { id: world.team.teamId });
  return data.team.verifiedEmails.nodes[0].isAnsweredFor;
}

describe('an address that an administrator has verified for the team', () => {
  let admin: TestCaller & { readonly membershipId: string };
  let eventTypeId: string;
  beforeEach(async () => {
    admin = await world.team.join();
    await become('ADMIN');
    await storeVerified(api.database.em, 'EMAIL', world.team.teamId, DESK);
    await answering(world.team.teamId, admin);
    eventTypeId = await world.offer();
    await world.workflow({ eventTypeIds: [eventTypeId] });
  });

  const become = async (role: string) => {
    const input = { teamId: world.team.teamId, membershipId: admin.membershipId, role };
    expect((await world.team.owner.change('teamMembershipUpdate', input)).mistakes).toEqual([]);
  };
  const remove = async () => {
    const input = { teamId: world.team.teamId, membershipId: admin.membershipId };
    expect((await world.team.owner.change('teamMembershipDelete', input)).mistakes).toEqual([]);
  };
  const suspended = (at: 'now()' | 'null') =>
    changed(
      api.database.em.fork(),
      sql`update users set suspended_at = ${at === 'null' ? sql`null` : sql`now()`} where id = ${uuidOf(admin.userId)}`,
    );

  test('is told as long as they administer the team', async () => {
    await world.book(eventTypeId);
    expect([await mailboxes(), await isAnsweredFor()]).toEqual([[DESK], true]);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['a member only', () => become('MEMBER')],
    ['removed', () => remove()],
    ['suspended', () => suspended('now()')],
  ])('is told nothing once they are %s, not even what waits already, until somebody answers for it', async (_, end) => {
    mailServer.refusalFor = () => ({ code: 450, message: 'Later' });
    await world.book(eventTypeId);
    expect(await sent()).toEqual([]);
    await end();
    mailServer.refusalFor = () => undefined;
    await letTimePass(api.database.em.fork());
    expect(await mailboxes()).toEqual([]);
    await world.book(eventTypeId);
    expect([await mailboxes(), await isAnsweredFor()]).toEqual([[], false]);
    // Nor does it get into another workflow.
    await expect(world.workflow({ eventTypeIds: [eventTypeId] })).rejects.toThrow('NOT_VERIFIED');
    await answering(world.team.teamId, world.team.owner);
    await world.book(eventTypeId);
    expect([await mailboxes(), await isAnsweredFor()]).toEqual([[DESK], true]);
  });

  test('is told again once they are reinstated', async () => {
    await suspended('now()');
    await suspended('null');
    await world.book(eventTypeId);
    expect(await mailboxes()).toEqual([DESK]);
  });
});

describe('a booking of what a team manages', () => {
  test('is told to the team’s address only as something that happened, and to the booker in full', async () => {
    const parent = await world.team.manage({ title: 'Talk', hosts: [{ userId: world.host.userId }] });
    await storeVerified(api.database.em, 'EMAIL', world.team.teamId, DESK);
    await world.workflow({ eventTypeIds: [parent] }, { includesCalendarEvent: true });
    await world.workflow({ eventTypeIds: [parent] }, { action: 'EMAIL_ATTENDEE', sendTo: null });
    await world.book((await childOf(world.host, parent)).id, {}, world.team.owner);
    const mails = await sent();
    const toDesk = mails.find(({ mailbox }) => mailbox === DESK);
    expect(toDesk?.text.trim()).toBe(`${MARK}: Talk / – / – / –`);
    expect(toDesk?.calendars).toEqual([]);
    expect(mails.find(({ mailbox }) => mailbox === GRACE.email)?.text).toContain('/ Grace /');
  });

  test('is told in full where who answers for the address has it in the list of the organization', async () => {
    const n = `${Date.now()}`;
    const [founder, host] = await api.newUsers([`rights-founder-${n}`, `rights-host-${n}`]);
    if (!founder || !host) throw new Error('A user is missing.');
    const first = api.signedIn(`rights-founder-${n}`);
    const { organizationId } = (
      await first.change('organizationCreate', { slug: `rights-${n}`, name: 'Rights' }, 'organizationId')
    ).data;
    const invited = { organizationId, userId: host.userId, role: 'MEMBER' };
    const { membershipId } = (await founder.change('organizationMembershipCreate', invited, 'membershipId')).data;
    await host.change('organizationMembershipUpdate', { organizationId, membershipId, isAccepted: true });
    const made = { organizationId, slug: `rights-team-${n}`, name: 'In' };
    const { teamId } = (await founder.change('organizationTeamCreate', made, 'teamId')).data;
    await founder.change('teamMembershipCreate', { teamId, userId: host.userId, role: 'MEMBER' });
    const managed = { schedulingType: 'MANAGED', title: 'Talk', hosts: [{ userId: host.userId }] };
    const offer = { teamId, slug: 'talk', durationInMinutes: 30, ...managed };
    const { eventTypeId } = (await founder.change('teamEventTypeCreate', offer, 'eventTypeId')).data;
    await storeVerified(api.database.em, 'EMAIL', teamId, DESK);
    await answering(teamId, founder);
    const step = { action: 'EMAIL_ADDRESS', sendTo: DESK, subject: 'Note', body: BODY };
    const workflow = { teamId, name: 'W', trigger: 'NEW_BOOKING', steps: [step] };
    expect((await founder.change('teamWorkflowCreate', workflow)).mistakes).toEqual([]);
    await world.book((await childOf(host, eventTypeId)).id, {}, founder);
    expect((await sent()).map(({ text }) => text)).toEqual([expect.stringContaining('Talk / Grace /')]);
  });

  test('is planned anew before it begins where its host has the event type no more, as long as they are a member', async () => {
    const parent = await world.team.manage({ hosts: [{ userId: world.host.userId }] });
    const before = { trigger: 'BEFORE_BOOKING_START', offset: { value: 1, unit: 'HOUR' }, eventTypeIds: null };
    const { id: workflowId } = await world.workflow(before, { action: 'EMAIL_ATTENDEE', sendTo: null });
    const child = await childOf(world.host, parent);
    await world.book(child.id);
    await runner.settled();
    const em = api.database.em.fork();
    const planned = async () => {
      const found = sql<{ minutes: number }>`select (extract(epoch from b.starts_at - r.due_at) / 60)::int as minutes
        from workflow_reminders r join bookings b on b.owner_id = r.owner_id and b.id = r.booking_id where r.team_id = ${uuidOf(world.team.teamId)}`;
      return (await rows(em, found)).map(({ minutes }) => minutes);
    };
    const move = async (value: number) => {
      const input = { teamId: world.team.teamId, workflowId, offset: { value, unit: 'HOUR' } };
      expect((await world.team.owner.change('teamWorkflowUpdate', input)).mistakes).toEqual([]);
      await runner.settled();
    };
    expect(await planned()).toEqual([60]);
    await changed(em, sql`delete from event_types where id = ${ownedUuidOf(child.id).id}`);
    await move(2);
    expect(await planned()).toEqual([120]);
    await changed(em, sql`update team_memberships set accepted = false where user_id = ${uuidOf(world.host.userId)}`);
    await move(3);
    expect(await planned()).toEqual([]);
  });

  test('is planned once the workflow is revived, of which nothing was while it had stopped', async () => {
    const parent = await world.team.manage({ hosts: [{ userId: world.host.userId }] });
    const before = { trigger: 'BEFORE_BOOKING_START', offset: { value: 1, unit: 'HOUR' }, eventTypeIds: null };
    await world.workflow(before, { action: 'EMAIL_ATTENDEE', sendTo: null });
    await world.book((await childOf(world.host, parent)).id);
    const em = api.database.em.fork();
    const planned = async () =>
      (await rows(em, sql`select 1 from workflow_reminders where team_id = ${uuidOf(world.team.teamId)}`)).length;
    await stopAll(em, uuidOf(world.team.owner.userId));
    await runner.settled();
    expect(await planned()).toBe(0);
    expect(await reviveAll(em, uuidOf(world.team.owner.userId))).toBeGreaterThan(2);
    await runner.settled();
    expect(await planned()).toBe(1);
  });

  test('is no longer the team’s once its host has left, whatever was planned or waits', async () => {
    const parent = await world.team.manage({ hosts: [{ userId: world.host.userId }] });
    const toBooker = { action: 'EMAIL_ATTENDEE', sendTo: null };
    await world.workflow({ eventTypeIds: null, trigger: 'BOOKING_CANCELLED' }, toBooker);
    await world.workflow({ eventTypeIds: null }, { ...toBooker, subject: 'New' });
    const stays = await world.team.join();
    const other = await world.team.manage({ hosts: [{ userId: stays.userId }] });
    mailServer.refusalFor = () => ({ code: 450, message: 'Later' });
    const [left, kept] = [
      await world.book((await childOf(world.host, parent)).id),
      await world.book((await childOf(stays, other)).id),
    ];
    // Both are planned, and wait for the mail server.
    expect(await sent()).toEqual([]);
    const { data } = await world.team.owner.ask(
      'query($id: ID!) { team(id: $id) { memberships { nodes { id userId } } } }',
      { id: world.team.teamId },
    );
    const membershipId = data.team.memberships.nodes.find(
      ({ userId }: { userId: string }) => userId === world.host.userId,
    ).id;
    const leaving = { teamId: world.team.teamId, membershipId };
    expect((await world.team.owner.change('teamMembershipDelete', leaving)).mistakes).toEqual([]);
    expect(await sent()).toEqual([]);
    mailServer.refusalFor = () => undefined;
    await letTimePass(api.database.em.fork());
    // One of the two that wait is left: that of the member who stays.
    expect((await sent()).map(({ email }) => email.subject)).toEqual(['New']);
    await api.nobody.change('bookingCancel', { uid: left });
    expect(await mailboxes()).toEqual([]);
    await api.nobody.change('bookingCancel', { uid: kept });
    expect(await mailboxes()).toEqual([GRACE.email]);
  });
});
