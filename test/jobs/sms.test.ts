/** SMS by a provider that speaks Twilio's Messages API: a real HTTP server, called through the door to servers of others. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newUserId } from '../../src/core/id.ts';
import { changed, type Em, rows, sql } from '../../src/database/sql.ts';
import { enqueueJobs, prepareQueues } from '../../src/jobs/job-queue.ts';
import { codeSmsJob, smsJob, smsKind } from '../../src/jobs/kinds/sms.job.ts';
import { digitsOf, issueCode } from '../../src/modules/verified-resources/verify-receiver.ts';
import { createSmsProvider, type SmsAdmission } from '../../src/sms/sms.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';
import { aRunner, letTimePass, storedJobs } from './support/jobs.ts';
import { testDoor } from './support/webhooks.ts';

const KEY = new Uint8Array(32);
const ADMITTED = {} as SmsAdmission;
const SILENT = 'answers nothing in time';
const SMS = { to: '+4930123456', text: 'See you at 9, Grace & Bob: 100% +1', messageId: 'sms-of-this-test' };

let database: TestDatabase;
let provider: WebhookReceiver;
let em: () => Em;
const logged: object[] = [];
const log = { info: (detail: object) => void logged.push(detail) };
beforeAll(async () => {
  database = await openTestDatabase();
  em = () => database.em.fork();
  await prepareQueues(em(), ['sms']);
});
afterAll(() => database.close());
beforeEach(async () => {
  logged.length = 0;
  provider = await WebhookReceiver.open();
  answering(201, { sid: 'SM1' });
});
afterEach(async () => {
  await provider.close();
  await rows(em(), sql`delete from jobs.job`);
});

function answering(status: number, body: unknown): void {
  provider.answer = (response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
}

/** A process that sends what waits. */
function aSender(timeoutInMs = 5_000) {
  const url = provider.url('/2010-04-01/Accounts/AC1/Messages.json?From=%2B15005550006&ValidityPeriod=600');
  const smsUrl = url.replace('http://', 'http://AC1:to%40ken@');
  const smsProvider = createSmsProvider({ smsUrl, outbound: testDoor(timeoutInMs), folder: undefined, log });
  return aRunner(database.em, smsKind({ smsProvider, codeKey: KEY }));
}

const put = () => enqueueJobs(em(), [smsJob(SMS, ADMITTED)]);
const forms = () => provider.all.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));

test('an SMS is posted as a form, signed in, with an id that stays the same; neither its text nor its receiver is logged', async () => {
  await put();
  await aSender().runner.settled();
  const basic = `Basic ${Buffer.from('AC1:to@ken').toString('base64')}`;
  expect(provider.all).toMatchObject([
    {
      path: '/2010-04-01/Accounts/AC1/Messages.json',
      headers: {
        authorization: basic,
        'content-type': 'application/x-www-form-urlencoded',
        'idempotency-key': SMS.messageId,
      },
    },
  ]);
  expect(forms()).toEqual([{ From: '+15005550006', ValidityPeriod: '600', To: SMS.to, Body: SMS.text }]);
  expect(logged).toEqual([{ messageId: SMS.messageId, providerId: 'SM1' }]);
  expect(await storedJobs(em())).toEqual([]);
});

describe('an SMS that was not taken', () => {
  test.each([
    ['answers 500', () => answering(500, {})],
    ['asks to wait', () => answering(429, { code: 20429, message: 'Too many requests' })],
    ['does not know the password any more', () => answering(401, { code: 20003 })],
    [SILENT, () => (provider.answer = () => undefined)],
  ])('as the provider %s is sent again, with the same id', async (how, fail) => {
    await put();
    fail();
    await aSender(how === SILENT ? 500 : undefined).runner.settled();
    expect(await storedJobs(em())).toMatchObject([{ queue: 'sms', attempts: 1, isGivenUp: false }]);
    answering(201, {});
    await letTimePass(em());
    await aSender().runner.settled();
    expect(await storedJobs(em())).toEqual([]);
    expect(new Set(provider.all.map(({ headers }) => headers['idempotency-key']))).toEqual(new Set([SMS.messageId]));
    expect(forms().at(-1)).toMatchObject({ To: SMS.to, Body: SMS.text });
  });

  test('as the number is none is given up at once, with what the provider said', async () => {
    await put();
    answering(400, { code: 21211, message: "Invalid 'To' Phone Number" });
    await aSender().runner.settled();
    const error = expect.stringContaining("answered 400 (21211): Invalid 'To' Phone Number");
    expect(await storedJobs(em())).toMatchObject([{ attempts: 1, isGivenUp: true, error }]);
    expect(provider.all).toHaveLength(1);
  });

  test('is given up within an hour', async () => {
    await put();
    answering(503, 'x'.repeat(100_000));
    const { runner, logged: messages } = aSender();
    for (let isGivenUp = false; !isGivenUp; ) {
      await runner.settled();
      isGivenUp = (await storedJobs(em())).every((job) => job.isGivenUp);
      await letTimePass(em());
    }
    const pauses = messages.map(([, message]) => Number(/again in (\d+) s/.exec(message)?.[1] ?? 0));
    const minutes = pauses.reduce((sum, pause) => sum + pause, 0) / 60;
    expect([minutes > 30, minutes < 60]).toEqual([true, true]);
  });
});

const about = () => ({ ownerId: newUserId(), subject: 'PHONE', receiver: SMS.to });

const putCode = async (of: ReturnType<typeof about>) => {
  const code = await issueCode(em(), of);
  await enqueueJobs(em(), [codeSmsJob(code, 'a-code', ADMITTED)]);
  return digitsOf(KEY, code);
};

describe('an SMS with a code', () => {
  test('has it, and the database does not', async () => {
    const digits = await putCode(about());
    const jobs = await rows<{ data: object }>(em(), sql`select data from jobs.job where queue = 'sms'`);
    const keys = jobs.flatMap(({ data }) => Object.entries(data).map(([key, value]) => [key, Object.keys(value)]));
    expect(Object.fromEntries(keys)).toEqual({
      sms: expect.arrayContaining(['to', 'messageId']),
      code: expect.arrayContaining(['ownerId', 'subject', 'receiver', 'salt']),
    });
    expect(keys.flat(2)).not.toContain('text');
    await aSender().runner.settled();
    expect(forms()).toMatchObject([{ To: SMS.to, Body: expect.stringMatching(new RegExp(`^${digits} is your code`)) }]);
  });

  test('is not sent once another one was asked for, which is', async () => {
    const of = about();
    await putCode(of);
    const second = await putCode(of);
    await aSender().runner.settled();
    expect(forms().map(({ Body }) => Body?.slice(0, 6))).toEqual([second]);
  });

  test('is not sent once it is over', async () => {
    await putCode(about());
    await changed(em(), sql`update verification_codes set expires_at = now() - interval '1 second'`);
    await aSender().runner.settled();
    expect([forms(), await storedJobs(em())]).toEqual([[], []]);
  });
});
