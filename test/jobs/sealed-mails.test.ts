import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Em, row, sql } from '../../src/database/sql.ts';
import { enqueueJobs } from '../../src/jobs/job-queue.ts';
import { invitationMailJob, mailKind } from '../../src/jobs/kinds/mail.job.ts';
import { MailLimit } from '../../src/limits/mail-limit.ts';
import { createMailer } from '../../src/mail/mailer.ts';
import { findInvitation } from '../../src/modules/memberships/answer-invitation.ts';
import {
  type InvitationMails,
  type InvitingTo,
  invite,
  resendInvitation,
  withdrawInvitation,
} from '../../src/modules/memberships/invite.ts';
import { createTeam } from '../../src/modules/teams/team.commands.ts';
import { TEAM } from '../../src/modules/teams/team-role.ts';
import { Credentials } from '../../src/outbound/credentials.ts';
import { TEST_CREDENTIALS } from '../support/calendar-accounts.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { MailServer } from '../support/mail-server.ts';
import { UIDS } from '../support/uids.ts';
import { namedHosts } from './support/booking-mails.ts';
import { aRunner, letTimePass, storedJobs } from './support/jobs.ts';

let database: TestDatabase;
let mailServer: MailServer;
let to: InvitingTo;
beforeAll(async () => {
  database = await openTestDatabase();
  const [actorId = ''] = await namedHosts(database.em, 'Ada');
  to = { group: TEAM, groupId: await createTeam(em(), actorId, { slug: 'choir', name: 'Choir' }), actorId };
});
afterAll(() => database.close());
beforeEach(async () => {
  mailServer = await MailServer.open();
  // The service makes the queues as it starts.
  await aRunner(database.em, kind(TEST_CREDENTIALS)).runner.settled();
});
afterEach(() => mailServer.close());

const em = (): Em => database.em.fork();

const mails: InvitationMails = {
  mailLimit: new MailLimit(undefined, console),
  publicUrl: 'https://gatehouse.test',
  enqueue: async (inner, { mail, tokenHash }, admission) =>
    enqueueJobs(inner, [
      await invitationMailJob(
        TEST_CREDENTIALS,
        { mail: { ...mail, messageId: '<1@gatehouse.test>' }, tokenHash },
        admission,
      ),
    ]),
};

const kind = (credentials: Credentials) =>
  mailKind({
    mailer: createMailer({
      smtpUrl: mailServer.url,
      from: 'us@gatehouse.test',
      publicUrl: 'https://gatehouse.test',
      folder: undefined,
      log: console,
    }),
    credentials,
    linkKey: new Uint8Array(32),
    uids: UIDS,
  });

test('an invitation is mailed once the mail server is back, and until then the database tells nothing of its link', async () => {
  const email = 'bob@mail.test';
  await invite(em(), mails, to, { email, role: 'MEMBER' });
  const stored = await row(em(), sql<{ data: string }>`select data::text as data from jobs.job`);
  expect(stored?.data).toContain('sealed');
  expect(stored?.data).not.toMatch(/token=|bob@|Choir/);

  mailServer.refusalFor = () => ({ code: 451, message: 'Try again later.' });
  const { runner } = aRunner(database.em, kind(TEST_CREDENTIALS));
  await runner.settled();
  expect(mailServer.mails).toEqual([]);

  mailServer.refusalFor = () => undefined;
  await letTimePass(em());
  await runner.settled();
  const token = /token=(\w{43})/.exec(mailServer.mails[0]?.email.text ?? '')?.[1] ?? '';
  expect(await findInvitation(em(), token)).toMatchObject({ email, groupName: 'Choir' });
  expect(await storedJobs(em())).toEqual([]);
});

test('one that was sent again, or withdrawn, before the mail server was back is not mailed any more', async () => {
  const [again, withdrawn] = [
    await invite(em(), mails, to, { email: 'eve@mail.test', role: 'MEMBER' }),
    await invite(em(), mails, to, { email: 'fay@mail.test', role: 'MEMBER' }),
  ];
  await resendInvitation(em(), mails, to, again);
  await withdrawInvitation(em(), to, withdrawn);
  await aRunner(database.em, kind(TEST_CREDENTIALS)).runner.settled();
  expect(mailServer.mails.map(({ mailbox }) => mailbox)).toEqual(['eve@mail.test']);
  const token = /token=(\w{43})/.exec(mailServer.mails[0]?.email.text ?? '')?.[1] ?? '';
  expect(await findInvitation(em(), token)).toMatchObject({ email: 'eve@mail.test' });
  expect(await storedJobs(em())).toEqual([]);
});

test('a transaction that is rolled back mails nothing', async () => {
  const undone = em().transactional(async (inner) => {
    await invite(inner, mails, to, { email: 'cyd@mail.test', role: 'MEMBER' });
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await storedJobs(em())).toEqual([]);
});

test('a mail that another key has sealed is given up, and says why', async () => {
  await invite(em(), mails, to, { email: 'dan@mail.test', role: 'MEMBER' });
  await aRunner(database.em, kind(new Credentials(new Uint8Array(32).fill(9)))).runner.settled();
  expect(mailServer.mails).toEqual([]);
  expect(await storedJobs(em())).toMatchObject([
    { queue: 'mail', isGivenUp: true, error: expect.stringContaining('encrypted by another key') },
  ]);
});
