/** Teams have messages sent when somebody fills in a form of theirs. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { JobRunner } from '../../src/jobs/job-runner.ts';
import { MAIL_LIMITS, MailLimit } from '../../src/limits/mail-limit.ts';
import type { Sms } from '../../src/sms/sms.ts';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { uuidOf } from '../support/ids.ts';
import { MailServer, type ReceivedMail } from '../support/mail-server.ts';
import { FORM } from '../support/routing-forms.ts';
import { storeVerified } from '../support/verified-resources.ts';
import { kindsWith, PUBLIC_URL } from './support/booking-mails.ts';
import { WorkflowWorld } from './support/workflow-world.ts';

const LOG = { warn: () => undefined, error: () => undefined };
const DESK = 'desk@example.test';
const NUMBER = '+4915112345678';
const TYPED = '+4915187654321';
const TEXT =
  'Form {form_name} of {team_name}. {answer:company} / {answer:topics} / {answer:size} / {answer:none}\n{answers}';

/** One of them is never answered. */
const FIELDS = [...FORM.fields, { slug: 'none', type: 'TEXT', label: 'Anything else?' }];

let api: TestApi;
let world: WorkflowWorld;
let mailServer: MailServer;
let runner: JobRunner;
const texts: Sms[] = [];
const smsProvider = {
  hand: async (sms: Sms) => {
    texts.push(sms);
    return {};
  },
};
const open = (mailLimit?: MailLimit) =>
  new JobRunner(api.database.em, kindsWith(mailServer, mailLimit, { smsProvider }), LOG);
beforeAll(async () => {
  api = await openTestApi();
  world = new WorkflowWorld(api, { action: 'EMAIL_ADDRESS', subject: 'New: {answers}', body: TEXT });
  mailServer = await MailServer.open();
  runner = open();
});
afterEach(() => runner.settled());
afterAll(async () => {
  await runner.stop();
  await mailServer.close();
  await api.close();
});

/** A team with verified receivers. */
async function newTeam(): Promise<void> {
  await world.newTeam();
  await storeVerified(api.database.em, 'EMAIL', world.team.teamId, DESK);
  await storeVerified(api.database.em, 'PHONE', world.team.teamId, NUMBER);
}
const newForm = (more: object = {}) => world.newForm({ fields: FIELDS, ...more });
const started = (more: object = {}, step: object = {}) =>
  world.workflow({ trigger: 'ROUTING_FORM_SUBMITTED', ...more }, { sendTo: DESK, ...step });
async function submit(routingFormId: string, answers: object, as: TestCaller = api.nobody): Promise<void> {
  const { mistakes } = await as.change('routingFormSubmit', { routingFormId, answers });
  expect(mistakes).toEqual([]);
}
/** The mails since the last time, by the receiver: subject and text. */
async function sent(): Promise<readonly ReceivedMail[]> {
  await runner.settled();
  return mailServer.mails.splice(0).toSorted((a, b) => a.mailbox.localeCompare(b.mailbox));
}

const bodies = async () => (await sent()).map(({ text }) => text.trim()).toSorted();

describe('a workflow for forms', () => {
  beforeAll(newTeam);

  test('tells the team all that was answered, but no link of a stranger', async () => {
    const form = await newForm();
    await started({ routingFormIds: [form] });
    await submit(form, { company: 'A & B', size: 7, topics: ['Prices', 'Support'], email: 'lin@example.test' });
    const [mail, ...others] = await sent();
    expect([mail?.mailbox, others]).toEqual([DESK, []]);
    const lines = [
      'Company: A & B',
      'How many are you?: 7',
      'Topics: Prices, Support',
      'E-mail address: lin@example.test',
    ];
    expect(mail?.text.trim()).toBe(`Form Contact of Team. A & B / Prices, Support / 7 / –\n${lines.join('\n')}`);
    expect(mail?.email.subject).toBe(`New: ${lines.join(' ')}`);
    await submit(form, { company: 'Win at evil.example {answers}' });
    const [other] = await sent();
    expect(other?.everything).not.toContain('evil.example');
    expect(other?.text).toContain('(left out of this e-mail, because it has a link');
  });

  test('is started by its forms alone, by each response once, and by none once it is inactive', async () => {
    const [mine, other] = [await newForm(), await newForm()];
    const { id } = await started({ routingFormIds: [mine] }, { body: 'Mine' });
    const forAll = await started({}, { body: 'All' });
    await submit(mine, { company: 'A' });
    const em = api.database.em.fork();
    const events = await rows(em, sql<object>`select * from domain_events order by id`);
    await runner.settled();
    const again = JSON.stringify(events);
    await rows(
      em,
      sql`insert into domain_events select * from jsonb_populate_recordset(null::domain_events, ${again}::jsonb)`,
    );
    expect(await bodies()).toEqual(['All', 'Mine']);
    await submit(other, { company: 'A' });
    expect(await bodies()).toEqual(['All']);
    for (const workflowId of [id, forAll.id])
      await world.team.owner.change('teamWorkflowUpdate', { teamId: world.team.teamId, workflowId, isActive: false });
    await submit(mine, { company: 'A' });
    expect(await bodies()).toEqual([]);
  });
});

describe('a person who has filled in a form', () => {
  beforeAll(newTeam);

  test('is mailed what the team has written, and nothing that a stranger can have written', async () => {
    const eventTypeId = await world.offer({ title: 'Talk', slug: 'talk' });
    const form = await newForm({ fallback: { eventTypeId } });
    await started({ routingFormIds: [form] }, { action: 'EMAIL_ATTENDEE', sendTo: null, body: `${TEXT}\n{next_link}` });
    const answers = { company: 'Win at evil dot example', size: 7, topics: ['Support'], email: 'victim@example.test' };
    await submit(form, answers);
    const [mail, ...others] = await sent();
    expect([mail?.mailbox, others]).toEqual(['victim@example.test', []]);
    expect(mail?.text.trim()).toMatch(/^Form Contact of Team\. – \/ Support \/ – \/ –\nTopics: Support\nhttps:/);
    expect(mail?.text.trim().endsWith('/talk')).toBe(true);
    expect(mail?.text).toContain(`${PUBLIC_URL}/book/team/`);
    expect(mail?.everything).not.toContain('Win at');
    // An account is told what it has written itself, at its own address.
    const lin = await api.newUser('form-lin');
    const email = (await lin.ask('{ me { email } }')).data.me.email;
    await submit(form, { ...answers, email }, lin);
    expect((await sent())[0]?.text).toContain('Company: Win at evil dot example');
    await submit(form, answers, lin);
    expect((await sent())[0]?.everything).not.toContain('Win at');
    await submit(form, { company: 'No address' });
    expect(await sent()).toEqual([]);
  });

  test('is sent SMS at the number of the form, and the team at its own', async () => {
    const fields = [{ slug: 'mobile', type: 'PHONE', label: 'Mobile' }];
    const form = await newForm({ fields, routes: [] });
    const body = 'Thanks. {answer:mobile}';
    const sms = [
      { action: 'SMS_ATTENDEE', body },
      { action: 'SMS_NUMBER', sendTo: NUMBER, body },
    ];
    await started({ routingFormIds: [form], steps: sms });
    await submit(form, { mobile: TYPED });
    await runner.settled();
    const said = texts.splice(0).map(({ to, text }) => `${to} ${text}`);
    expect(said.toSorted()).toEqual([`${NUMBER} Thanks. ${TYPED}`, `${TYPED} Thanks. -`]);
  });

  test('is mailed a few times by strangers and no more', async () => {
    const form = await newForm();
    await started({ routingFormIds: [form] }, { action: 'EMAIL_ATTENDEE', sendTo: null });
    const limited = open(new MailLimit(MAIL_LIMITS, LOG));
    for (let index = 0; index < MAIL_LIMITS.receiver + 2; index += 1)
      await submit(form, { company: `A ${index}`, email: 'often@example.test' });
    await limited.settled();
    await limited.stop();
    expect(await sent()).toHaveLength(MAIL_LIMITS.receiver);
  });

  test('is mailed by an account no more than mails of that account may be', async () => {
    const form = await newForm();
    await started({ routingFormIds: [form] }, { action: 'EMAIL_ATTENDEE', sendTo: null });
    const limited = open(new MailLimit({ ...MAIL_LIMITS, account: 2 }, LOG));
    for (const name of ['ann', 'ben', 'cyd'])
      await submit(form, { company: 'A', email: `${name}@example.test` }, world.host);
    await submit(form, { company: 'A', email: 'dee@example.test' });
    await limited.settled();
    await limited.stop();
    const mailboxes = (await sent()).map(({ mailbox }) => mailbox);
    expect(mailboxes).toHaveLength(3);
    expect(mailboxes).toContain('dee@example.test');
  });

  test('is mailed nothing in the name of a team that nobody answers for', async () => {
    const form = await newForm();
    await started({ routingFormIds: [form] }, { action: 'EMAIL_ATTENDEE', sendTo: null });
    const unverify = sql`update users set email_verified_at = null where id = ${uuidOf(world.team.owner.userId)}`;
    await rows(api.database.em.fork(), unverify);
    await submit(form, { company: 'A', email: 'lin@example.test' });
    expect(await sent()).toEqual([]);
  });
});

test('50 responses at once are one mail each, by two processes', async () => {
  await newTeam();
  const form = await newForm();
  await started({ routingFormIds: [form] }, { body: 'Of {answer:size}' });
  const all = Array.from({ length: 50 }, (_, index) => index);
  await Promise.all(all.map((size) => submit(form, { company: 'A', size })));
  const other = open();
  await Promise.all([runner.settled(), other.settled()]);
  await other.stop();
  const told = (await sent()).map(({ text }) => Number(text.trim().replace('Of ', '')));
  expect(told.toSorted((a, b) => a - b)).toEqual(all);
});
