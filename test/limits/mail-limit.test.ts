import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changed, rows, sql } from '../../src/database/sql.ts';
import { removeExpiredCounters } from '../../src/limits/counters.ts';
import { type CountedMail, MAIL_LIMITS, MailLimit, strangerAt, TooManyMails } from '../../src/limits/mail-limit.ts';
import { foldedAddress, noteAnswer, noteSignIn, receiverKey } from '../../src/limits/mail-receivers.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';

const HERE = strangerAt('192.0.2.1');
const ADA = { kind: 'ACCOUNT', userId: 'usr_ada' } as const;
const GRACE = 'grace@example.test';

let database: TestDatabase;
let logged: { readonly detail: object; readonly message: string }[];
let limit: MailLimit;
const em = () => database.em.fork();
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await changed(em(), sql`truncate counters, mail_receivers`);
  logged = [];
  limit = new MailLimit(MAIL_LIMITS, { warn: (detail, message) => void logged.push({ detail, message }) });
});

function aMail(changes: Partial<CountedMail> = {}): CountedMail {
  return { to: GRACE, cause: HERE, purpose: 'ACCESS', ...changes };
}

/** One after the other: for each mail the limit that refuses it, or `sent`. */
async function send(mails: readonly CountedMail[]): Promise<string[]> {
  const outcomes: string[] = [];
  for (const mail of mails) outcomes.push((await limit.admit(em(), [mail]))[0]?.limit ?? 'sent');
  return outcomes;
}

/** All at once, which is the same but quicker. */
const sendAll = async (mails: readonly CountedMail[]) =>
  (await limit.admit(em(), mails)).map((decision) => decision.limit ?? 'sent');

const sentOf = (outcomes: readonly string[]): number => outcomes.filter((one) => one === 'sent').length;
const times = (count: number, make: (index: number) => CountedMail) => Array.from({ length: count }, (_, i) => make(i));
const elsewhere = (index: number) => strangerAt(`198.51.${index}.1`);
const by = (index: number) => ({ kind: 'ACCOUNT', userId: `usr_${index % 7}` }) as const;
const somebody = (index: number) => `somebody-${index}@example.test`;

/** A mail of a workflow, to one of the team's own people, caused by a stranger. */
const caused = (index: number, from: string | null, teamId = 'tea_1') =>
  aMail({
    to: somebody(index),
    purpose: 'EXPECTED',
    cause: { kind: 'WORKFLOW', teamId, isKnown: true, userId: null, from },
  });

describe('the most mails in an hour that strangers can cause are', () => {
  test('five mails to one receiver, from all networks together', async () => {
    const outcomes = await send(times(8, (index) => aMail({ cause: elsewhere(index) })));
    expect(outcomes).toEqual([...times(5, () => aMail()).map(() => 'sent'), 'access', 'access', 'access']);
    expect(await send([aMail({ to: 'somebody@example.test' })])).toEqual(['sent']);
  });

  test('five of whatever else, and two codes or links for a new password beyond them', async () => {
    const news = await send(times(6, (index) => aMail({ purpose: 'NEWS', cause: elsewhere(index) })));
    expect(sentOf(news)).toBe(5);
    expect(await send(times(3, (index) => aMail({ cause: elsewhere(index) })))).toEqual(['sent', 'sent', 'receiver']);
  });

  test('two hundred mails from one network, to whomever', async () => {
    const outcomes = await sendAll(
      times(201, (index) => aMail({ to: somebody(index), cause: strangerAt(`192.0.2.${index}`) })),
    );
    expect(sentOf(outcomes)).toBe(200);
    expect(outcomes.at(-1)).toBe('accessNetwork');
    expect(await send([aMail({ to: 'late@example.test', cause: elsewhere(1) })])).toEqual(['sent']);
  });

  test('two hundred mails by the event types of one owner', async () => {
    const of = (index: number) => aMail({ to: somebody(index), cause: elsewhere(index), ownerId: 'usr_1' });
    const refusals = await limit.admit(em(), times(201, of));
    expect(refusals.filter(({ limit: full }) => full === undefined)).toHaveLength(200);
    expect(refusals.at(-1)?.limit).toBe('owner');
    expect(await send([aMail({ ownerId: 'usr_2', cause: elsewhere(250) })])).toEqual(['sent']);
    expect(await send([aMail({ ownerId: 'usr_1', cause: { ...ADA, kind: 'CODE' } })])).toEqual(['sent']);
  });
});

describe('nobody can silence others', () => {
  test('a stranger keeps no host from hearing of those who book elsewhere', async () => {
    const toHost = (index: number) => aMail({ purpose: 'EXPECTED', cause: strangerAt(`192.0.2.${index}`) });
    expect(sentOf(await send(times(10, toHost)))).toBe(5);
    expect(await send([aMail({ purpose: 'EXPECTED', cause: elsewhere(1) })])).toEqual(['sent']);
  });

  test('mails that a verified account causes are not counted with those that strangers cause', async () => {
    await send(times(10, (index) => aMail({ cause: elsewhere(index) })));
    expect(await send([aMail({ cause: ADA })])).toEqual(['sent']);
  });

  test('an account has fifty mails to one receiver and five hundred in all, and takes none from other accounts', async () => {
    const toGrace = await limit.admit(
      em(),
      times(51, () => aMail({ cause: ADA })),
    );
    expect(toGrace.findIndex(({ limit: full }) => full !== undefined)).toBe(50);
    expect(toGrace.at(-1)?.limit).toBe('accountReceiver');
    const toOthers = await limit.admit(
      em(),
      times(451, (index) => aMail({ cause: ADA, to: somebody(index) })),
    );
    expect(toOthers.at(-2)?.limit).toBeUndefined();
    expect(toOthers.at(-1)?.limit).toBe('account');
    expect(await send([aMail({ cause: { kind: 'ACCOUNT', userId: 'usr_bob' } })])).toEqual(['sent']);
  });

  test('all accounts together have sixty mails to one receiver, but for hosts who are mailed about their bookings', async () => {
    const outcomes = await send(times(62, (index) => aMail({ cause: by(index), purpose: 'NEWS' })));
    expect(sentOf(outcomes)).toBe(60);
    expect(outcomes.slice(-2)).toEqual(['accountsReceiver', 'accountsReceiver']);
    expect(await send([aMail({ cause: by(0), purpose: 'EXPECTED' })])).toEqual(['sent']);
    expect(await send([aMail({ cause: by(0), to: somebody(1) })])).toEqual(['sent']);
  });

  test('a mail that is refused counts for nothing', async () => {
    await send(times(30, () => aMail()));
    expect(sentOf(await sendAll(times(200, (index) => aMail({ to: somebody(index) }))))).toBe(195);
  });
});

describe('the most mails in an hour that workflows of teams can send are', () => {
  test('twenty of a team to its own people that one network has caused', async () => {
    const outcomes = await sendAll(times(21, (index) => caused(index, 'here')));
    expect([sentOf(outcomes), outcomes.at(-1)]).toEqual([20, 'workflowNetwork']);
    const others = [caused(21, 'elsewhere'), caused(22, null), caused(23, 'here', 'tea_2')];
    expect(await sendAll(others)).toEqual(['sent', 'sent', 'sent']);
  });

  const KNOWN = { kind: 'WORKFLOW', teamId: 'tea_1', isKnown: true, userId: null, from: null } as const;
  const byTeam = (index: number, changes: Partial<typeof KNOWN | { userId: string; isKnown: boolean }> = {}) =>
    aMail({ purpose: 'NEWS', cause: { ...KNOWN, teamId: `tea_${index % 20}`, ...changes } });

  test('sixty to one attendee by all teams together, but for hosts', async () => {
    const outcomes = await sendAll(times(61, (index) => byTeam(index, { userId: `usr_${index % 2}` })));
    expect([sentOf(outcomes), outcomes.at(-1)]).toEqual([60, 'accountsReceiver']);
    expect(await sendAll([{ ...byTeam(0), purpose: 'EXPECTED' }])).toEqual(['sent']);
    expect(await sendAll([aMail({ cause: ADA, purpose: 'NEWS' })])).toEqual(['sent']);
  });

  test('fifty of them that one account causes, and five hundred to people whom it names', async () => {
    const ada = { userId: ADA.userId };
    const toGrace = await sendAll(times(51, (index) => byTeam(index, ada)));
    expect([sentOf(toGrace), toGrace.at(-1)]).toEqual([50, 'accountReceiver']);
    const named = (index: number) => ({ ...byTeam(index, { ...ada, isKnown: false }), to: somebody(index) });
    const toOthers = await sendAll(times(451, named));
    expect([sentOf(toOthers), toOthers.at(-1)]).toEqual([450, 'account']);
    expect(await sendAll([{ ...named(500), cause: { ...KNOWN, userId: 'usr_bob' } }])).toEqual(['sent']);
  });
});

test('mails that strangers cause do not go to a mailbox that has ended them, but its reader still gets into an account', async () => {
  await noteAnswer(em(), receiverKey(GRACE), { wantsMails: false });
  const workflow = { kind: 'WORKFLOW', teamId: 'tea_1', isKnown: false, userId: null, from: 'here' } as const;
  const theirs = [aMail({ purpose: 'NEWS' }), aMail({ ownerId: 'usr_1' }), aMail({ purpose: 'NEWS', cause: workflow })];
  expect(await send(theirs)).toEqual(['silence', 'silence', 'silence']);
  await expect(limit.require(em(), aMail({ ownerId: 'usr_1' }))).rejects.toMatchObject({
    code: 'TOO_MANY_MAILS',
    message: expect.stringContaining('for 30 more days'),
  });
  const own = { kind: 'OWN_ACCOUNT', news: 'APP_ADDED' } as const;
  const others = [aMail(), aMail({ cause: ADA }), aMail({ purpose: 'EXPECTED', cause: own })];
  expect(await send(others)).toEqual(['sent', 'sent', 'sent']);
  await noteSignIn(em(), 'Grace+x@example.test');
  expect(await send(theirs)).toEqual(['sent', 'sent', 'sent']);
});

test('an hour that is over begins anew, and is swept away', async () => {
  await send(times(6, () => aMail()));
  await changed(em(), sql`update counters set ends_at = now() - interval '1 second'`);
  expect(await send([aMail()])).toEqual(['sent']);
  await changed(em(), sql`update counters set ends_at = now() - interval '1 second'`);
  expect(await removeExpiredCounters(em(), 1)).toBe(1);
  expect(await removeExpiredCounters(em(), 100)).toBeGreaterThan(0);
  expect(await rows(em(), sql`select 1 from counters`)).toEqual([]);
});

test('the operator hears of a limit once an hour, and of which', async () => {
  await send(times(9, () => aMail({ ownerId: 'usr_1' })));
  expect(logged).toEqual([
    {
      detail: { limit: 'access', cause: HERE, ownerId: 'usr_1' },
      message: 'Mails are held back by MAIL_LIMITS.',
    },
  ]);
  const refused = await rows(em(), sql<{ refused: number }>`select refused from counters where refused > 0`);
  expect(refused).toEqual([{ refused: 4 }]);
});

test('a person who asked for the mail themselves is told how long to wait', async () => {
  for (let sent = 0; sent < 5; sent += 1) await limit.require(em(), aMail());
  const refused = limit.require(em(), aMail());
  await expect(refused).rejects.toThrow(TooManyMails);
  await expect(refused).rejects.toMatchObject({ code: 'TOO_MANY_MAILS', secondsToWait: 3_600 });
});

test('without limits everything goes, and nothing is counted', async () => {
  limit = new MailLimit(undefined, console);
  expect(sentOf(await send(times(50, () => aMail())))).toBe(50);
  expect(await rows(em(), sql`select 1 from counters`)).toEqual([]);
});

test.runIf(isOnPostgres)('five of fifty mails at the same moment to one receiver are sent', async () => {
  const all = await Promise.all(
    times(50, (index) => aMail({ cause: elsewhere(index), ownerId: 'usr_1' })).map((mail) => limit.admit(em(), [mail])),
  );
  expect(all.flat().filter(({ limit: full }) => full === undefined)).toHaveLength(5);
});

describe('one receiver, for counting, is', () => {
  test.each([
    ['Ada@Example.test', 'ada@example.test'],
    [' ada+news@example.test', 'ada@example.test'],
    ['ada+a+b@example.test', 'ada@example.test'],
    ['+ada@example.test', '+ada@example.test'],
    ['a.d.a+1@gmail.com', 'ada@gmail.com'],
    ['a.da@googlemail.com', 'ada@gmail.com'],
    ['a.da@example.test', 'a.da@example.test'],
    ['ada@gmail.com.example', 'ada@gmail.com.example'],
    ['no address', 'no address'],
    ['', ''],
  ])('%j: %s', (address, folded) => {
    expect(foldedAddress(address)).toBe(folded);
  });
});
