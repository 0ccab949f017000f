/**
 * All that this service sends × what limits it: what is past a limit goes out later, in order and no faster than the limit, or it was
 * refused before anything was done. What sends is found in the sources, so nothing is sent past the table below.
 */
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId, newUserId } from '../../src/core/id.ts';
import { changed, type Em, rows, sql } from '../../src/database/sql.ts';
import { JobRunner } from '../../src/jobs/job-runner.ts';
import { admitOrHold, admitOrHoldWelcome, findHeldNotices, findHeldWelcome } from '../../src/limits/held-notices.ts';
import {
  ACCOUNT_NEWS,
  type CountedAs,
  MAIL_LIMITS,
  MailLimit,
  type MailLimitName,
  ownAccount,
  strangerAt,
} from '../../src/limits/mail-limit.ts';
import { noteAnswer, receiverKey } from '../../src/limits/mail-receivers.ts';
import { SMS_LIMITS, SmsLimit, type SmsLimitName } from '../../src/limits/sms-limit.ts';
import type { Sms } from '../../src/sms/sms.ts';
import { kindsWith } from '../jobs/support/booking-mails.ts';
import { WorkflowWorld } from '../jobs/support/workflow-world.ts';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { idOfUid, uuidOf } from '../support/ids.ts';
import { MailServer } from '../support/mail-server.ts';
import { storeVerified } from '../support/verified-resources.ts';

/** The outcome of a message past a limit, by the file that has it counted. */
const SENDERS: Readonly<Record<string, 'HELD' | 'REFUSED'>> = {
  // Mails about bookings: test/jobs/held-mails.test.ts.
  'src/modules/bookings/mails/mail-outcomes.ts': 'HELD',
  'src/modules/bookings/mails/held-mails.ts': 'HELD',
  // Mails that accounts, developers and administrators are sent, and the mail that verifies a new account.
  'src/limits/held-notices.ts': 'HELD',
  // Mails and SMS of workflows.
  'src/modules/workflows/sendings/room-left.ts': 'HELD',
  // Links and codes that somebody asks for, and invitations: test/contract/limits/mails.hits.ts.
  'src/modules/accounts/links/account-mails.ts': 'REFUSED',
  'src/modules/bookings/book/booker-email-code.ts': 'REFUSED',
  'src/modules/memberships/invite.ts': 'REFUSED',
  'src/modules/verified-resources/verify-receiver.ts': 'REFUSED',
};

test('every counter of mails or SMS is in the table, and holds or refuses as it says', async () => {
  const found: Record<string, string> = {};
  for (const path of (await Array.fromAsync(glob('src/**/*.ts'))).toSorted()) {
    const source = readFileSync(path, 'utf8');
    if (/(?:mail|sms)Limit\.(?:admit|admitEach|decide|decideSummary)\(/.test(source)) found[path] = 'HELD';
    else if (/(?:mail|sms)Limit\.require\(/.test(source)) found[path] = 'REFUSED';
  }
  expect(found).toEqual(Object.fromEntries(Object.entries(SENDERS).toSorted(([a], [b]) => (a < b ? -1 : 1))));
});

const SILENT = { warn: () => undefined, error: console.error };

let api: TestApi;
let mailServer: MailServer;
let em: () => Em;
const texts: Sms[] = [];
const verified: string[] = [];
const smsProvider = { hand: async (sms: Sms) => (texts.push(sms), {}) };
beforeAll(async () => {
  api = await openTestApi();
  mailServer = await MailServer.open();
  em = () => api.database.em.fork();
});
beforeEach(async () => {
  for (const table of ['counters', 'held_notices', 'mail_receivers', 'workflow_sendings'])
    await changed(em(), sql`delete from ${sql.table(table)}`);
  mailServer.mails.length = 0;
  texts.length = 0;
  verified.length = 0;
});
afterAll(async () => {
  await mailServer.close();
  await api.close();
});

const sendVerification = async (_em: Em, userId: string) => void verified.push(userId);
const limitOf = (changes: object = {}): MailLimit => new MailLimit({ ...MAIL_LIMITS, ...changes }, SILENT);

/** A process that begins anew, does all that is due, and ends. @returns the texts of what it has sent, by mail and by SMS */
async function sent(mailLimit = limitOf(), smsLimit = new SmsLimit(SMS_LIMITS, SILENT)): Promise<string[]> {
  const kinds = kindsWith(mailServer, mailLimit, { smsProvider, smsLimit, sendVerification });
  const runner = new JobRunner(api.database.em, kinds, SILENT);
  await runner.settled();
  await runner.stop();
  return [...mailServer.mails.splice(0).map(({ text }) => text.trim()), ...texts.splice(0).map(({ text }) => text)];
}

/** So much time passes, for what is counted and for what waits. */
async function pass(interval = '61 minutes'): Promise<void> {
  await changed(em(), sql`update counters set ends_at = ends_at - ${interval}::interval`);
  for (const table of ['held_notices', 'workflow_sendings', 'booking_mails'])
    await changed(em(), sql`update ${sql.table(table)} set due_at = due_at - ${interval}::interval`);
  for (const table of ['held_notices', 'workflow_sendings'])
    await changed(em(), sql`update ${sql.table(table)} set created_at = created_at - ${interval}::interval`);
}

const ADA = 'ada.of.notices@example.test';
const notice = (text: string, counted: CountedAs, to = ADA) => ({
  mail: { to, subject: `About ${text}`, parts: [text], messageId: `<${newId()}@gatehouse.example>` },
  counted,
});

/** Mails about accounts, and mails to developers and administrators (oauth/clients/notices.ts). */
const BY_ADA = { kind: 'ACCOUNT', userId: newUserId() } as const;
const NOTICES: readonly (readonly [name: string, counted: CountedAs, limits: readonly MailLimitName[]])[] = [
  ...ACCOUNT_NEWS.map((news) => [news, ownAccount(news), ['ownAccount']] as const),
  ['developers', { cause: BY_ADA, purpose: 'NEWS' }, ['account', 'accountReceiver', 'accountsReceiver']],
  ['administrators', { cause: BY_ADA, purpose: 'EXPECTED' }, ['account', 'accountReceiver']],
  ['developers, of a stranger', { cause: strangerAt('192.0.2.1'), purpose: 'NEWS' }, ['receiver', 'accessNetwork']],
  [
    'administrators, of a stranger',
    { cause: strangerAt('192.0.2.1'), purpose: 'EXPECTED' },
    ['access', 'accessNetwork'],
  ],
];

describe.each(NOTICES.flatMap(([name, counted, limits]) => limits.map((limit) => [name, limit, counted] as const)))(
  'messages to %s, past the limit %s,',
  (_name, limit, counted) => {
    test('one mail tells of all that was held, in order, once there is room; until then it is listed', async () => {
      const mailLimit = limitOf({ [limit]: 2 });
      const at = async (text: string) =>
        (await admitOrHold(em(), mailLimit, [notice(text, counted)])).map(({ mail }) => mail.parts[0]);
      const atOnce: unknown[] = [];
      for (const text of ['one', 'two', 'three', 'four', 'four', 'five']) atOnce.push(...(await at(text)));
      expect(atOnce).toEqual(['one', 'two']);
      const listed = await findHeldNotices(em(), ADA.replace('@', '+x@'));
      expect(listed.map(({ subject, times, outcome }) => [subject, times, outcome])).toEqual([
        ['About three', 1, 'SUMMARY'],
        ['About four', 2, 'SUMMARY'],
        ['About five', 1, 'SUMMARY'],
      ]);
      expect(await sent(mailLimit)).toEqual([]);
      await pass();
      // Whoever comes now does not go before those who wait.
      expect(await at('six')).toEqual([]);
      const [summary = '', ...others] = await sent(mailLimit);
      expect(others).toEqual([]);
      expect(summary.match(/^(?:three|four|five|six|About four \(2 times\):)$/gm)).toEqual([
        'three',
        'About four (2 times):',
        'four',
        'five',
        'six',
      ]);
      expect([await sent(mailLimit), await findHeldNotices(em(), ADA)]).toEqual([[], []]);
      // It has counted: one more may be sent in this hour.
      expect([await at('seven'), await at('eight')]).toEqual([['seven'], []]);
    });
  },
);

describe('notices that are held', () => {
  const news = ownAccount('PASSWORD_CHANGED');

  test('are the mail itself, where there is one', async () => {
    const mailLimit = limitOf({ ownAccount: 1 });
    for (const text of ['one', 'two']) await admitOrHold(em(), mailLimit, [notice(text, news)]);
    await pass();
    expect(await sent(mailLimit)).toEqual(['two']);
  });

  test('are few rows, however many come and however different they are, and none is left out of the count', async () => {
    const mailLimit = limitOf({ ownAccount: 1 });
    for (let index = 0; index < 40; index += 1) await admitOrHold(em(), mailLimit, [notice(`no. ${index}`, news)]);
    expect(await findHeldNotices(em(), ADA)).toHaveLength(21);
    await pass();
    const [summary = ''] = await sent(mailLimit);
    expect(summary).toContain('And 19 more times, something of the same kind.');
    expect(summary.match(/^no\. \d+$/gm)).toEqual(Array.from({ length: 20 }, (_, index) => `no. ${index + 1}`));
  });

  test('are counted and sent once for fifty at the same moment, by processes that look at the same moment, too', async () => {
    const mailLimit = limitOf({ ownAccount: 3 });
    const fifty = Array.from({ length: 50 }, () => admitOrHold(em(), mailLimit, [notice('same', news)]));
    expect((await Promise.all(fifty)).flat()).toHaveLength(3);
    expect(await findHeldNotices(em(), ADA)).toMatchObject([{ times: 47 }]);
    await pass();
    const mails = (await Promise.all([1, 2, 3].map(() => sent(mailLimit)))).flat();
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain('(47 times)');
  });

  test('wait on where the hour has no room either, and are told to nobody after three days, which the account says', async () => {
    const warnings: object[] = [];
    const mailLimit = new MailLimit(
      { ...MAIL_LIMITS, ownAccount: 0 },
      { warn: (detail) => void warnings.push(detail) },
    );
    await admitOrHold(em(), mailLimit, [notice('never', news)]);
    await pass();
    expect(await sent(mailLimit)).toEqual([]);
    expect(await findHeldNotices(em(), ADA)).toMatchObject([{ outcome: 'SUMMARY', dueAt: expect.any(String) }]);
    await pass('73 hours');
    expect(await sent(mailLimit)).toEqual([]);
    expect(await findHeldNotices(em(), ADA)).toMatchObject([{ outcome: 'EXPIRED', dueAt: null }]);
    expect(warnings).toContainEqual({ of: 'notices', messages: 1 });
    const [row] = await rows(em(), sql<{ mail: unknown }>`select mail from held_notices`);
    expect(row).toEqual({ mail: null });
  });

  test('by strangers do not wait for a mailbox whose reader wants none, which the account says', async () => {
    await noteAnswer(em(), receiverKey(ADA), { wantsMails: false });
    const byStranger = { cause: strangerAt('192.0.2.1'), purpose: 'NEWS' } as const;
    expect(await admitOrHold(em(), limitOf(), [notice('never', byStranger)])).toEqual([]);
    expect(await findHeldNotices(em(), ADA)).toMatchObject([{ outcome: 'NONE', dueAt: null }]);
  });
});

const welcome = (userId: string, to = ADA) =>
  admitOrHoldWelcome(em(), limitOf({ receiver: 1 }), userId, { to, cause: strangerAt('192.0.2.1'), purpose: 'NEWS' });

describe('the mail that verifies a new account, past a limit,', () => {
  test('waits, those of a mailbox in order and few of them, and the account says what becomes of it', async () => {
    const users = Array.from({ length: 8 }, () => newUserId());
    const [first = '', ...others] = users;
    expect(await welcome(first)).toBeDefined();
    for (const [index, userId] of others.entries())
      expect(await welcome(userId, ADA.replace('@', `+${index}@`))).toBeUndefined();
    const outcomes = await Promise.all(others.map((userId) => findHeldWelcome(em(), userId)));
    expect(outcomes.map((held) => held?.outcome)).toEqual([
      ...Array.from({ length: 5 }, () => 'SUMMARY'),
      'NONE',
      'NONE',
    ]);
    // Nobody else is told of them.
    expect(await findHeldNotices(em(), ADA)).toEqual([]);
    for (const userId of others.slice(0, 5)) {
      await pass();
      await sent(limitOf({ receiver: 1 }));
      expect(verified.splice(0)).toEqual([userId]);
      expect(await findHeldWelcome(em(), userId)).toBeUndefined();
    }
    await pass();
    await sent();
    expect(verified).toEqual([]);
  });
});

/** A message of a workflow, with its cause, its receiver, and all limits that it counts for. */
interface Story {
  readonly name: string;
  readonly step: object;
  readonly by: 'STRANGER' | 'HOST';
  readonly mails?: readonly MailLimitName[];
  readonly sms?: readonly SmsLimitName[];
  readonly about?: 'FORM';
}
const OFFICE = 'office.of.notices@example.test';
const NUMBER = '+4915112340001';
const TYPED = '+4915187650001';
const OF_TEAM: readonly MailLimitName[] = ['workflows', 'workflowReceiver'];
const TO_STRANGER: readonly MailLimitName[] = ['workflows', 'receiver', 'owner', 'accountsReceiver'];
const SMS_TO_STRANGER: readonly SmsLimitName[] = ['owner', 'attendee', 'attendeeDay', 'range'];
const SMS_OF_TEAM: readonly SmsLimitName[] = ['owner', 'workflowReceiver', 'workflowRange'];
const STORIES: readonly Story[] = [
  { name: 'a mail to hosts', step: { action: 'EMAIL_HOST' }, by: 'HOST', mails: OF_TEAM },
  { name: 'a mail to hosts', step: { action: 'EMAIL_HOST' }, by: 'STRANGER', mails: [...OF_TEAM, 'workflowNetwork'] },
  { name: 'a mail to the team', step: { action: 'EMAIL_ADDRESS', sendTo: OFFICE }, by: 'STRANGER', mails: OF_TEAM },
  {
    name: 'a mail to an attendee',
    step: { action: 'EMAIL_ATTENDEE' },
    by: 'STRANGER',
    mails: [...TO_STRANGER, 'workflowNetwork'],
  },
  {
    name: 'a mail to an attendee',
    step: { action: 'EMAIL_ATTENDEE' },
    by: 'HOST',
    mails: [...OF_TEAM, 'accountsReceiver', 'account', 'accountReceiver'],
  },
  {
    name: 'an SMS to the team',
    step: { action: 'SMS_NUMBER', sendTo: NUMBER, subject: null },
    by: 'HOST',
    sms: SMS_OF_TEAM,
  },
  {
    name: 'an SMS to the team',
    step: { action: 'SMS_NUMBER', sendTo: NUMBER, subject: null },
    by: 'STRANGER',
    sms: [...SMS_OF_TEAM, 'network'],
  },
  {
    name: 'an SMS to an attendee',
    step: { action: 'SMS_ATTENDEE', subject: null },
    by: 'STRANGER',
    sms: [...SMS_TO_STRANGER, 'network'],
  },
  {
    name: 'a mail to who has filled in a form',
    step: { action: 'EMAIL_ATTENDEE' },
    by: 'STRANGER',
    mails: [...TO_STRANGER, 'workflowNetwork'],
    about: 'FORM',
  },
  {
    name: 'an SMS to who has filled in a form',
    step: { action: 'SMS_ATTENDEE', subject: null },
    by: 'STRANGER',
    sms: [...SMS_TO_STRANGER, 'network'],
    about: 'FORM',
  },
];
const CASES = STORIES.flatMap((story) =>
  [...(story.mails ?? []), ...(story.sms ?? [])].map((limit) => [story.name, story.by, limit, story] as const),
);
const MARK = 'Workflow message no.';
const FIELDS = [
  { slug: 'email', type: 'EMAIL', label: 'E-mail' },
  { slug: 'mobile', type: 'PHONE', label: 'Mobile' },
];

describe('messages of workflows', () => {
  let world: WorkflowWorld;
  beforeAll(async () => {
    world = new WorkflowWorld(api, { subject: 'Note' });
    await world.newTeam();
    await storeVerified(api.database.em, 'EMAIL', world.team.teamId, OFFICE);
    await storeVerified(api.database.em, 'PHONE', world.team.teamId, NUMBER);
  });

  /** A booking, or a response to a form, of which a workflow sends three messages to one receiver. @returns its id, and how to ask of it */
  async function started({ step, by, about }: Story): Promise<{ readonly ask: () => Promise<Told> }> {
    const steps = [1, 2, 3].map((index) => ({ subject: 'Note', ...step, body: `${MARK} ${index}` }));
    const as: TestCaller = by === 'HOST' ? world.host : api.nobody;
    if (about === 'FORM') {
      const form = await world.newForm({ fields: FIELDS, routes: [] });
      await world.workflow({ trigger: 'ROUTING_FORM_SUBMITTED', routingFormIds: [form], steps });
      const answers = { email: 'filled.in@example.test', mobile: TYPED };
      const { mistakes } = await as.change('routingFormSubmit', { routingFormId: form, answers });
      if (mistakes.length > 0) throw new Error(mistakes.join(' '));
      return { ask: () => toldOfForm(form) };
    }
    const bookingFields = [{ slug: 'mobile', type: 'PHONE', label: 'Mobile', isRequired: false }];
    const eventTypeId = await world.offer({ bookingFields });
    await world.workflow({ eventTypeIds: [eventTypeId], steps });
    const uid = await world.book(eventTypeId, { responses: { mobile: TYPED } }, as);
    return { ask: () => toldOfBooking(uid) };
  }

  interface Told {
    readonly waitingMessageCount: number;
    readonly unsentMessageCount: number;
  }

  async function toldOfBooking(uid: string): Promise<Told> {
    const document = 'query ($uid: ID!) { me { booking(id: $uid) { waitingMessageCount unsentMessageCount } } }';
    return (await world.host.ask(document, { uid: idOfUid(uid) })).data.me.booking;
  }

  async function toldOfForm(id: string): Promise<Told> {
    const { teamId, owner } = world.team;
    const document = `query ($teamId: ID!, $id: ID!) { team(id: $teamId) { routingForm(id: $id) {
      responses { nodes { waitingMessageCount unsentMessageCount } } } } }`;
    const { data } = await owner.ask(document, { teamId, id });
    return data.team.routingForm.responses.nodes[0];
  }

  test.each(CASES)(
    '%s, caused by %s, past the limit %s go out later, one in each window',
    async (_n, _by, limit, story) => {
      const mailLimit = limitOf(story.mails ? { [limit]: 1 } : {});
      const smsLimit = new SmsLimit({ ...SMS_LIMITS, ...(story.sms && { line: 40, attendee: 3, [limit]: 1 }) }, SILENT);
      const theirs = async () => (await sent(mailLimit, smsLimit)).filter((text) => text.includes(MARK));
      // Room enough to wait, also where one an hour is the limit: of strangers, no more wait than that.
      const left = limit === 'receiver' || limit === 'attendee' ? 1 : 2;
      const { ask } = await started(story);
      expect(await theirs()).toEqual([`${MARK} 1`]);
      expect(await ask()).toEqual({ waitingMessageCount: left, unsentMessageCount: 2 - left });
      expect(await theirs()).toEqual([]);
      for (let index = 2; index < 2 + left; index += 1) {
        const minutes = limit === 'attendeeDay' ? 24 * 60 : 60;
        await pass(`${minutes - 5} minutes`);
        expect(await theirs()).toEqual([]);
        await pass('6 minutes');
        expect(await theirs()).toEqual([`${MARK} ${index}`]);
        expect(await ask()).toEqual({ waitingMessageCount: left - index + 1, unsentMessageCount: 2 - left });
      }
      await pass();
      expect(await theirs()).toEqual([]);
    },
  );

  test('about a booking go before none that wait for their receiver, and come too late once it has begun', async () => {
    const mailLimit = limitOf({ workflows: 1 });
    const theirs = async () => (await sent(mailLimit)).filter((text) => text.includes(MARK));
    const eventTypeId = await world.offer();
    const steps = [1, 2].map((index) => ({
      action: 'EMAIL_HOST',
      subject: 'Note',
      body: `${MARK} ${index} {event_date}`,
    }));
    await world.workflow({ eventTypeIds: [eventTypeId], steps });
    const starts = await world.startsOf(eventTypeId);
    const first = await world.book(eventTypeId, { start: starts[0] });
    expect(await theirs()).toHaveLength(1);
    const second = await world.book(eventTypeId, { start: starts[30] });
    expect(await theirs()).toEqual([]);
    expect([await world.waitingOf(first), await world.waitingOf(second)]).toEqual([1, 2]);
    await changed(em(), sql`delete from counters`);
    // There is room, but those who wait are not due yet: the third booking waits behind them.
    const third = await world.book(eventTypeId, { start: starts[60] });
    expect(await theirs()).toEqual([]);
    expect(await world.waitingOf(third)).toBe(2);
    await changed(
      em(),
      sql`update bookings set starts_at = now() - interval '1 minute', ends_at = now() + interval '29 minutes' where id = ${uuidOf(first)}`,
    );
    await pass();
    expect((await theirs()).map((text) => text.slice(0, MARK.length + 2))).toEqual([`${MARK} 1`]);
    expect([await world.waitingOf(first), await world.unsentOf(first)]).toEqual([0, 1]);
    expect([await world.waitingOf(second), await world.unsentOf(second)]).toEqual([1, 0]);
    await pass('73 hours');
    expect(await theirs()).toEqual([]);
    expect([await world.waitingOf(third), await world.unsentOf(third)]).toEqual([0, 2]);
  });

  test('are not sent, nor called too late, of a booking that was cancelled, nor once their step is gone', async () => {
    const mailLimit = limitOf({ workflows: 1 });
    const eventTypeId = await world.offer();
    const steps = [1, 2].map((index) => ({ action: 'EMAIL_HOST', subject: 'Note', body: `${MARK} ${index}` }));
    const { id, steps: made } = await world.workflow({ eventTypeIds: [eventTypeId], steps });
    const cancelled = await world.book(eventTypeId);
    await sent(mailLimit);
    const kept = await world.book(eventTypeId);
    await sent(mailLimit);
    const ended = await api.nobody.change('bookingCancel', { uid: cancelled });
    const removed = { teamId: world.team.teamId, workflowId: id, stepsRemove: [made[1]?.id] };
    const updated = await world.team.owner.change('teamWorkflowUpdate', removed);
    expect([ended, updated].flatMap(({ mistakes, codes }) => [...mistakes, ...codes])).toEqual([]);
    await pass();
    expect((await sent(limitOf())).filter((text) => text.includes(MARK))).toEqual([`${MARK} 1`]);
    for (const uid of [cancelled, kept])
      expect([await world.waitingOf(uid), await world.unsentOf(uid)]).toEqual([0, 0]);
  });

  test('that one network of strangers causes leave room in the line for all others', async () => {
    const mailLimit = limitOf({ workflows: 0, workflowLine: 20 });
    const eventTypeId = await world.offer();
    const steps = [1, 2, 3].map((index) => ({ action: 'EMAIL_HOST', subject: 'Note', body: `${MARK} ${index}` }));
    await world.workflow({ eventTypeIds: [eventTypeId], steps });
    const [byStranger, byHost] = [await world.book(eventTypeId), await world.book(eventTypeId, {}, world.host)];
    await sent(mailLimit);
    expect([await world.waitingOf(byStranger), await world.unsentOf(byStranger)]).toEqual([2, 1]);
    expect([await world.waitingOf(byHost), await world.unsentOf(byHost)]).toEqual([3, 0]);
  });
});
