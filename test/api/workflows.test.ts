import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { idOfUid, unknownId } from '../support/ids.ts';
import { newRoutingForm } from '../support/routing-forms.ts';
import { storeVerified } from '../support/verified-resources.ts';
import { FROM, TO } from './booking-pages.ts';
import { type ManagedTeam, openManagedTeam } from './managed-team.ts';

let api: TestApi;
let team: ManagedTeam;
let member: TestCaller;
let eventTypeId: string;
beforeAll(async () => {
  api = await openTestApi();
  team = await openManagedTeam(api);
  member = await team.join();
  eventTypeId = await team.manage({ schedulingType: 'ROUND_ROBIN' });
});
afterAll(() => api.close());

const STEP = { action: 'EMAIL_ATTENDEE', subject: 'Soon: {event_name}', body: 'Hello {attendee_name},\nsee you.' };
const sendingTo = (sendTo: string | null, action = 'EMAIL_ADDRESS') => ({ steps: [{ ...STEP, action, sendTo }] });
const SHOWN = `workflowId workflow { id name trigger eventTypeIds isForAllEventTypes isActive
  steps { id action sendTo subject body includesCalendarEvent senderName } }`;
const input = (more: object = {}) => ({
  teamId: team.teamId,
  name: 'Welcome',
  trigger: 'NEW_BOOKING',
  steps: [STEP],
  ...more,
});
async function made(more: object = {}) {
  const { data, mistakes } = await team.owner.change('teamWorkflowCreate', input(more), SHOWN);
  expect(mistakes).toEqual([]);
  return data.workflow;
}
const update = (workflowId: string, patch: object, who = team.owner) =>
  who.change('teamWorkflowUpdate', { teamId: team.teamId, workflowId, ...patch }, SHOWN);

describe('a workflow', () => {
  test('is made, listed, looked up and deleted', async () => {
    const workflow = await made({ eventTypeIds: [eventTypeId, eventTypeId] });
    const step = {
      ...STEP,
      id: expect.stringMatching(/^wst_/),
      sendTo: null,
      includesCalendarEvent: false,
      senderName: null,
    };
    expect(workflow).toEqual({
      id: expect.stringMatching(/^wfl_/),
      name: 'Welcome',
      trigger: 'NEW_BOOKING',
      eventTypeIds: [eventTypeId],
      isForAllEventTypes: false,
      isActive: true,
      steps: [step],
    });
    const document = `query($team: ID!, $id: ID!) { team(id: $team) {
      workflow(id: $id) { id } workflowsById(ids: [$id]) { id } workflows(last: 1) { nodes { id } } } }`;
    const variables = { team: team.teamId, id: workflow.id };
    const { id } = workflow;
    const found = (await team.owner.ask(document, variables)).data.team;
    expect(found).toEqual({ workflow: { id }, workflowsById: [{ id }], workflows: { nodes: [{ id }] } });
    const remove = { teamId: team.teamId, workflowId: id };
    expect((await team.owner.change('teamWorkflowDelete', remove)).mistakes).toEqual([]);
    expect((await team.owner.ask(document, variables)).data.team.workflow).toBeNull();
  });

  test('is patched: steps keep their ids and what is not named stays', async () => {
    const { id, steps, ...before } = await made({ steps: [STEP, { ...STEP, senderName: 'Sales' }] });
    const [first, second] = steps;
    const renamed = await update(id, { name: 'Hello' });
    expect(renamed.data.workflow).toEqual({ ...before, id, steps, name: 'Hello' });
    const stepsSet = [
      { id: second.id, action: STEP.action, body: 'Bye' },
      { ...STEP, subject: 'Third' },
    ];
    const { data, mistakes } = await update(id, { stepsSet, stepsOrder: [second.id], isActive: false });
    expect(mistakes).toEqual([]);
    const third = { ...first, id: expect.stringMatching(/^wst_/), subject: 'Third' };
    expect(data.workflow.steps).toEqual([{ ...second, body: 'Bye' }, first, third]);
    const forAll = (await update(id, { eventTypeIds: null })).data.workflow;
    expect(forAll).toMatchObject({ eventTypeIds: [], isForAllEventTypes: true });
    expect((await update(id, { eventTypeIds: [] })).mistakes).toEqual(['REQUIRED eventTypeIds']);
    const fewer = await update(id, {
      stepsRemove: [first.id],
      stepsSet: [{ ...STEP, id: second.id, body: 'Bye', senderName: null }],
    });
    expect(fewer.data.workflow.steps).toEqual([{ ...second, body: 'Bye', senderName: null }, third]);
    const all = fewer.data.workflow.steps.map((step: { id: string }) => step.id);
    expect((await update(id, { stepsRemove: all })).mistakes).toEqual(['REQUIRED stepsRemove']);
  });

  test('is its administrators’ alone', async () => {
    const { id } = await made();
    const [stranger, other] = [await api.newUser('workflow-stranger'), await openManagedTeam(api)];
    expect((await member.change('teamWorkflowCreate', input())).mistakes).toEqual(['FORBIDDEN teamId']);
    expect((await update(id, { name: 'Mine' }, member)).mistakes).toEqual(['FORBIDDEN teamId']);
    expect((await stranger.change('teamWorkflowCreate', input())).mistakes).toEqual(['NOT_FOUND teamId']);
    expect((await update(id, { name: 'Mine' }, stranger)).mistakes).toEqual(['NOT_FOUND teamId']);
    const elsewhere = { teamId: other.teamId, workflowId: id, name: 'Mine' };
    expect((await other.owner.change('teamWorkflowUpdate', elsewhere)).mistakes).toEqual(['NOT_FOUND workflowId']);
    const list = 'query($id: ID!) { team(id: $id) { workflows { nodes { id } } } }';
    expect((await member.ask(list, { id: team.teamId })).data.team.workflows).toBeNull();
    const own = await other.manage();
    expect(
      (await team.owner.change('teamWorkflowCreate', input({ eventTypeIds: [eventTypeId, own] }))).mistakes,
    ).toEqual(['NOT_FOUND eventTypeIds 1']);
  });

  test.each([
    [{ subject: '' }, 'REQUIRED subject'],
    [{ subject: 'Two\nlines' }, 'INVALID_TEXT subject'],
    [{ body: ' ' }, 'REQUIRED body'],
    [{ body: 'One {attendee_name}\nand {password}.' }, 'UNKNOWN_VARIABLE body', 'line 2, character 5'],
    [{ body: 'At { event_time }' }, 'UNKNOWN_VARIABLE body', 'line 1, character 4'],
    [{ body: 'Of {answer:company}' }, 'UNKNOWN_VARIABLE body', 'line 1, character 4'],
    [{ subject: 'A {constructor}' }, 'UNKNOWN_VARIABLE subject', 'line 1, character 3'],
    [{ senderName: 'www.bank.example/login' }, 'INVALID_TEXT senderName'],
    [{ senderName: 'Bank <a@b.example>\r\nBcc: x@y.example' }, 'INVALID_TEXT senderName'],
  ])('is refused with a step of %o', async (wrong, mistake, place = '') => {
    const [code, field] = mistake.split(' ');
    const refused = await team.owner.change('teamWorkflowCreate', input({ steps: [STEP, { ...STEP, ...wrong }] }));
    expect(refused.mistakes).toEqual([`${code} steps 1 ${field}`]);
    expect(refused.messages.join()).toContain(place);
    const { id, steps } = await made();
    const patched = await update(id, { stepsSet: [{ ...STEP, id: steps[0].id, ...wrong }] });
    expect(patched.mistakes).toEqual([`${code} stepsSet 0 ${field}`]);
  });

  test('is refused without steps, with a step of another one, and with half of a new one', async () => {
    expect((await team.owner.change('teamWorkflowCreate', input({ steps: [] }))).mistakes).toEqual(['REQUIRED steps']);
    const [one, other] = [await made(), await made()];
    const foreign = other.steps[0].id;
    const patch = { stepsSet: [{ ...STEP, id: foreign }], stepsRemove: [foreign], stepsOrder: ['nonsense'] };
    expect((await update(one.id, patch)).mistakes).toEqual([
      'UNKNOWN_STEP stepsRemove 0',
      'UNKNOWN_STEP stepsOrder 0',
      'UNKNOWN_STEP stepsSet 0 id',
    ]);
    const half = { stepsSet: [{ action: STEP.action, body: 'New' }] };
    expect((await update(one.id, half)).mistakes).toEqual(['REQUIRED stepsSet 0 subject']);
    const withId = input({ steps: [{ ...STEP, id: foreign }] });
    expect((await team.owner.change('teamWorkflowCreate', withId)).mistakes).toEqual(['UNKNOWN_STEP steps 0 id']);
    expect((await update(unknownId('workflow'), { name: 'A' })).mistakes).toEqual(['NOT_FOUND workflowId']);
  });

  test('sends to addresses that the team has verified, and to no other', async () => {
    const { em } = api.database;
    await storeVerified(em, 'EMAIL', team.teamId, 'office@example.test');
    await storeVerified(em, 'EMAIL', team.owner.userId, 'mine@example.test');
    const { id, steps } = await made(sendingTo('Office@Example.test'));
    expect(steps[0].sendTo).toBe('office@example.test');
    const create = async (more: object) => (await team.owner.change('teamWorkflowCreate', input(more))).mistakes;
    expect(await create(sendingTo('mine@example.test'))).toEqual(['NOT_VERIFIED steps 0 sendTo']);
    expect(await create(sendingTo(null))).toEqual(['REQUIRED steps 0 sendTo']);
    expect(await create(sendingTo('office@example.test', 'EMAIL_HOST'))).toEqual(['CONTRADICTION steps 0 sendTo']);
    const set = (patch: object) =>
      update(id, { stepsSet: [{ ...STEP, action: 'EMAIL_ADDRESS', id: steps[0].id, ...patch }] });
    expect((await set({ sendTo: 'mine@example.test' })).mistakes).toEqual(['NOT_VERIFIED stepsSet 0 sendTo']);
    expect((await set({ action: 'EMAIL_HOST' })).mistakes).toEqual(['CONTRADICTION stepsSet 0 sendTo']);
    expect((await set({ action: 'EMAIL_HOST', sendTo: null })).data.workflow.steps[0].sendTo).toBeNull();
  });

  test('sends SMS to numbers that the team has verified and to no other, and what is of mails alone is refused', async () => {
    await storeVerified(api.database.em, 'PHONE', team.teamId, '+493012345678');
    await storeVerified(api.database.em, 'PHONE', team.owner.userId, '+493087654321');
    const sms = { action: 'SMS_NUMBER', sendTo: '+49 30 12345678', body: 'Soon: {event_name}' };
    const { id, steps } = await made({ steps: [sms, { action: 'SMS_ATTENDEE', body: 'Hello' }] });
    expect(steps).toMatchObject([
      { ...sms, sendTo: '+493012345678', subject: null },
      { action: 'SMS_ATTENDEE', sendTo: null, subject: null },
    ]);
    const refused: readonly (readonly [object, string])[] = [
      [{ sendTo: '+493087654321' }, 'NOT_VERIFIED sendTo'],
      [{ sendTo: 'office@example.test' }, 'INVALID_PHONE sendTo'],
      [{ sendTo: null }, 'REQUIRED sendTo'],
      [{ action: 'SMS_ATTENDEE' }, 'CONTRADICTION sendTo'],
      [{ action: 'EMAIL_ATTENDEE', sendTo: null }, 'REQUIRED subject'],
      [{ action: 'EMAIL_ADDRESS', subject: 'A' }, 'INVALID_EMAIL sendTo'],
      [{ subject: 'A' }, 'CONTRADICTION subject'],
      [{ senderName: 'Sales' }, 'CONTRADICTION senderName'],
      [{ includesCalendarEvent: true }, 'CONTRADICTION includesCalendarEvent'],
      [{ body: 'My {password}' }, 'UNKNOWN_VARIABLE body'],
    ];
    for (const [wrong, mistake] of refused) {
      const [code, field] = mistake.split(' ');
      const created = await team.owner.change('teamWorkflowCreate', input({ steps: [{ ...sms, ...wrong }] }));
      expect(created.mistakes).toEqual([`${code} steps 0 ${field}`]);
      const patched = await update(id, { stepsSet: [{ ...sms, id: steps[0].id, ...wrong }] });
      expect(patched.mistakes).toEqual([`${code} stepsSet 0 ${field}`]);
    }
    const document = `query($team: ID!, $id: ID!) { team(id: $team) { workflowPreview(workflowId: $id) { subject text smsPartCount } } }`;
    const shown = (await team.owner.ask(document, { team: team.teamId, id })).data.team.workflowPreview;
    expect(shown).toEqual([
      { subject: null, text: 'Soon: Introduction', smsPartCount: 1 },
      { subject: null, text: 'Hello', smsPartCount: 1 },
    ]);
  });

  test('is about forms with ROUTING_FORM_SUBMITTED, with their variables, and stays so', async () => {
    const { username } = (await team.owner.ask('{ me { username } }')).data.me;
    const form = await newRoutingForm(api.signedIn(username), { teamId: team.teamId });
    const other = await openManagedTeam(api);
    const theirs = (await other.owner.ask('{ me { username } }')).data.me.username;
    const foreign = await newRoutingForm(api.signedIn(theirs), { teamId: other.teamId });
    const step = { ...STEP, subject: 'New', body: 'At {form_name}: {answer:size}, {answers}' };
    const about = { trigger: 'ROUTING_FORM_SUBMITTED', steps: [step] };
    const shown = 'workflow { id trigger routingFormIds isForAllRoutingForms isForAllEventTypes steps { id } }';
    const create = (more: object) => team.owner.change('teamWorkflowCreate', input({ ...about, ...more }), shown);
    const { workflow } = (await create({ routingFormIds: [form, form] })).data;
    const one = {
      trigger: 'ROUTING_FORM_SUBMITTED',
      routingFormIds: [form],
      isForAllRoutingForms: false,
      isForAllEventTypes: false,
    };
    expect(workflow).toMatchObject(one);
    const forAll = (await update(workflow.id, { routingFormIds: null })).data.workflow;
    expect(forAll).toMatchObject({ isForAllEventTypes: false });
    const refused: readonly (readonly [object, string])[] = [
      [{ routingFormIds: [form, foreign] }, 'NOT_FOUND routingFormIds 1'],
      [{ routingFormIds: [] }, 'REQUIRED routingFormIds'],
      [{ eventTypeIds: [eventTypeId] }, 'CONTRADICTION eventTypeIds'],
      [{ offset: { value: 1, unit: 'DAY' } }, 'CONTRADICTION offset'],
      [{ trigger: 'NEW_BOOKING', steps: [STEP], routingFormIds: [form] }, 'CONTRADICTION routingFormIds'],
      [{ steps: [STEP] }, 'UNKNOWN_VARIABLE steps 0 subject UNKNOWN_VARIABLE steps 0 body'],
      [{ steps: [{ ...step, body: 'Of {answer:company-size}' }] }, 'UNKNOWN_VARIABLE steps 0 body'],
      [{ steps: [{ ...step, body: 'Of {answer:Size}' }] }, 'UNKNOWN_VARIABLE steps 0 body'],
      [{ steps: [{ ...step, body: 'Of {answer:}' }] }, 'UNKNOWN_VARIABLE steps 0 body'],
      [{ steps: [{ ...step, action: 'EMAIL_HOST' }] }, 'CONTRADICTION steps 0 action'],
      [{ steps: [{ ...step, includesCalendarEvent: true }] }, 'CONTRADICTION steps 0 includesCalendarEvent'],
    ];
    for (const [wrong, mistakes] of refused) expect((await create(wrong)).mistakes.join(' ')).toBe(mistakes);
    const asking = (body: string) =>
      update(workflow.id, { stepsSet: [{ ...STEP, id: workflow.steps[0].id, subject: 'New', body }] });
    expect((await asking('Of {answer:gone}')).mistakes).toEqual(['UNKNOWN_VARIABLE stepsSet 0 body']);
    expect((await asking(step.body)).mistakes).toEqual([]);
    expect((await update(workflow.id, { trigger: 'NEW_BOOKING' })).mistakes).toEqual(['CONTRADICTION trigger']);
    const booked = await made();
    expect((await update(booked.id, { trigger: 'ROUTING_FORM_SUBMITTED' })).mistakes).toEqual([
      'CONTRADICTION trigger',
    ]);
    expect((await update(booked.id, { routingFormIds: [form] })).mistakes).toEqual(['CONTRADICTION routingFormIds']);
    const document = 'query($team: ID!, $id: ID!) { team(id: $team) { workflowPreview(workflowId: $id) { text } } }';
    const [preview] = (await team.owner.ask(document, { team: team.teamId, id: workflow.id })).data.team
      .workflowPreview;
    expect(preview.text).toBe('At Contact: (the answer to size), Company: ACME\nHow many are you?: 120');
  });

  test('is previewed, with values that are made up or of a booking of the team', async () => {
    const { id, steps } = await made({ eventTypeIds: [eventTypeId] });
    const document = `query($team: ID!, $id: ID!, $uid: ID) { team(id: $team) {
      workflowPreview(workflowId: $id, bookingId: $uid) { stepId subject text } } }`;
    const preview = async (who: TestCaller, workflowId: string, uid?: string, teamId = team.teamId) =>
      (await who.ask(document, { team: teamId, id: workflowId, uid: uid && idOfUid(uid) })).data.team?.workflowPreview;
    const stepId = steps[0].id;
    const made1 = { stepId, subject: 'Soon: Introduction', text: 'Hello Grace Hopper,\nsee you.' };
    expect(await preview(team.owner, id)).toEqual([made1]);
    const range = { id: eventTypeId, from: FROM, to: TO };
    const slots =
      'query($id: ID!, $from: DateTime!, $to: DateTime!) { slots(eventType: { id: $id }, start: $from, end: $to) { start } }';
    const [{ start }] = (await api.nobody.ask(slots, range)).data.slots;
    const booked = { eventTypeId, start, attendee: { name: 'Lin', email: 'lin@example.test', timeZone: 'UTC' } };
    const { uid } = (await team.owner.change('bookingCreate', booked, 'booking { uid }')).data.booking;
    const real = { stepId, subject: 'Soon: Managed', text: 'Hello Lin,\nsee you.' };
    expect(await preview(team.owner, id, uid)).toEqual([real]);
    const other = await openManagedTeam(api);
    const theirs = await other.owner.change('teamWorkflowCreate', { ...input(), teamId: other.teamId }, 'workflowId');
    expect(await preview(member, id, uid)).toBeNull();
    expect(await preview(other.owner, id, undefined, other.teamId)).toBeNull();
    expect(await preview(other.owner, theirs.data.workflowId, uid, other.teamId)).toBeNull();
    expect(await preview(other.owner, theirs.data.workflowId, undefined, other.teamId)).toHaveLength(1);
    const few = { team: team.teamId, id };
    expect((await api.as('ada', ['TEAM_WORKFLOW_READ']).ask(document, few)).codes).toEqual(['INSUFFICIENT_SCOPE']);
  });

  test('has an offset with the triggers that go by time, and with no other', async () => {
    const offset = { value: 2, unit: 'HOUR' };
    const shown = 'workflow { id trigger offset { value unit } }';
    const create = (more: object) => team.owner.change('teamWorkflowCreate', input(more), shown);
    const { workflow } = (await create({ trigger: 'BEFORE_BOOKING_START', offset })).data;
    expect(workflow).toMatchObject({ trigger: 'BEFORE_BOOKING_START', offset });
    expect((await create({ trigger: 'AFTER_BOOKING_END' })).mistakes).toEqual(['REQUIRED offset']);
    expect((await create({ offset })).mistakes).toEqual(['CONTRADICTION offset']);
    for (const wrong of [
      { value: 0, unit: 'MINUTE' },
      { value: 721, unit: 'HOUR' },
      { value: 31, unit: 'DAY' },
    ]) {
      expect((await create({ trigger: 'AFTER_BOOKING_END', offset: wrong })).mistakes).toEqual([
        'OUT_OF_RANGE offset value',
      ]);
    }
    const change = (patch: object) =>
      team.owner.change('teamWorkflowUpdate', { teamId: team.teamId, workflowId: workflow.id, ...patch }, shown);
    expect((await change({ offset: null })).mistakes).toEqual(['REQUIRED offset']);
    expect((await change({ trigger: 'AFTER_BOOKING_END' })).data.workflow).toMatchObject({
      trigger: 'AFTER_BOOKING_END',
      offset,
    });
    expect((await change({ trigger: 'NEW_BOOKING', offset })).mistakes).toEqual(['CONTRADICTION offset']);
    expect((await change({ trigger: 'NEW_BOOKING' })).data.workflow.offset).toBeNull();
    expect((await change({ trigger: 'AFTER_BOOKING_END' })).mistakes).toEqual(['REQUIRED offset']);
  });

  test('keeps braces that are no variable', async () => {
    const { steps } = await made({ steps: [{ ...STEP, body: '{ a: 1 } {} {{event_name}}' }] });
    expect(steps[0].body).toBe('{ a: 1 } {} {{event_name}}');
  });
});
