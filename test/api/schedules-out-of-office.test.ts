import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { unknownId } from '../support/ids.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const FIELDS = `outOfOfficeId outOfOffice { start end reason notes userId redirectTo { id name username } }`;
const WEEK = { start: '2026-12-21T00:00:00Z', end: '2026-12-28T00:00:00Z' };

async function absenceOf(who: TestCaller, more: object = {}): Promise<string> {
  const { data } = await who.change('outOfOfficeCreate', { ...WEEK, ...more }, 'outOfOfficeId');
  return data.outOfOfficeId;
}

async function everythingOf(who: TestCaller) {
  const { data } = await who.ask(
    '{ me { outOfOffice { nodes { id start end reason notes updatedAt redirectTo { id } } } } }',
  );
  return data.me.outOfOffice.nodes;
}

describe('one’s own out-of-office', () => {
  test('is made with a time alone', async () => {
    const { data, mistakes } = await api.as('ada').change('outOfOfficeCreate', WEEK, FIELDS);
    expect(mistakes).toEqual([]);
    expect(data.outOfOffice).toEqual({
      ...WEEK,
      reason: null,
      notes: null,
      userId: api.as('ada').userId,
      redirectTo: null,
    });
  });

  test('is made with a reason, notes and a colleague who receives the guests', async () => {
    const more = { reason: ' Vacation ', notes: 'Back\nin January', redirectToUserId: api.as('bob').userId };
    const { data } = await api.as('ada').change('outOfOfficeCreate', { ...WEEK, ...more }, FIELDS);
    expect(data.outOfOffice).toMatchObject({
      reason: 'Vacation',
      notes: 'Back\nin January',
      redirectTo: { id: api.as('bob').userId, name: 'Bob Lindqvist', username: 'bob' },
    });
  });

  test('shows the colleague who receives the guests as long as they are a colleague', async () => {
    const [away, colleague] = await Promise.all(['away', 'stands-in'].map((name) => api.newUser(name)));
    if (!away || !colleague) throw new Error('A user is missing.');
    const { teamId } = (await away.change('teamCreate', { slug: 'standing-in', name: 'Team' }, 'teamId')).data;
    const invited = { teamId, userId: colleague.userId, role: 'MEMBER' };
    const { membershipId } = (await away.change('teamMembershipCreate', invited, 'membershipId')).data;
    const join = { teamId, membershipId, isAccepted: true };
    await colleague.change('teamMembershipUpdate', join);
    const { data } = await away.change('outOfOfficeCreate', { ...WEEK, redirectToUserId: colleague.userId }, FIELDS);
    expect(data.outOfOffice.redirectTo).toMatchObject({ username: 'stands-in' });
    const shown = async () =>
      (await away.ask('{ me { outOfOffice { nodes { redirectTo { username } } } } }')).data.me.outOfOffice.nodes;
    expect(await shown()).toEqual([{ redirectTo: { username: 'stands-in' } }]);
    await colleague.change('teamMembershipDelete', { teamId, membershipId });
    expect(await shown()).toEqual([{ redirectTo: null }]);
  });

  test('is listed page by page, in one statement, to its owner alone', async () => {
    const somebody = await api.newUser('often-away');
    const ids = [await absenceOf(somebody), await absenceOf(somebody), await absenceOf(somebody)];
    const document = `query($after: String) { me { outOfOffice(first: 2, after: $after) {
      nodes { id redirectTo { name } } pageInfo { endCursor hasNextPage } } } }`;
    const first = await somebody.ask(document);
    expect(first.statements).toBe(1);
    expect(first.data.me.outOfOffice.nodes.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
    const { endCursor: after } = first.data.me.outOfOffice.pageInfo;
    const second = (await somebody.ask(document, { after })).data.me.outOfOffice;
    expect(second).toMatchObject({ nodes: [{ id: ids[2] }], pageInfo: { hasNextPage: false } });
    expect(await everythingOf(await api.newUser('never-away'))).toEqual([]);
  });

  test('changes in what the patch names, and in nothing else', async () => {
    const ada = api.as('ada');
    const more = { reason: 'Vacation', notes: 'Notes', redirectToUserId: api.as('cyd').userId };
    const { outOfOfficeId, outOfOffice } = (await ada.change('outOfOfficeCreate', { ...WEEK, ...more }, FIELDS)).data;
    const update = async (patch: object) => {
      const { data } = await ada.change('outOfOfficeUpdate', { outOfOfficeId, ...patch }, FIELDS);
      return data.outOfOffice;
    };
    const end = '2026-12-29T12:30:00Z';
    expect(await update({ end })).toEqual({ ...outOfOffice, end });
    expect(await update({ notes: null })).toEqual({ ...outOfOffice, end, notes: null });
    expect(await update({ reason: null })).toEqual({ ...outOfOffice, end, notes: null, reason: null });
    const last = { ...outOfOffice, end, notes: null, reason: null, redirectTo: null };
    expect(await update({ redirectToUserId: null })).toEqual(last);
    const nulls = await ada.change('outOfOfficeUpdate', { outOfOfficeId, start: null, end: null });
    expect(nulls.mistakes).toEqual(['REQUIRED start', 'REQUIRED end']);
  });

  test.each([{ end: '2026-12-21T00:00:00.001Z' }, { notes: 'x'.repeat(2_000), reason: '🏖️' }])(
    'is taken: %j',
    async (values) => {
      const cyd = api.as('cyd');
      const created = await cyd.change('outOfOfficeCreate', { ...WEEK, ...values }, FIELDS);
      expect(created.data.outOfOffice).toMatchObject(values);
      const outOfOfficeId = await absenceOf(cyd);
      const updated = await cyd.change('outOfOfficeUpdate', { outOfOfficeId, ...values }, FIELDS);
      expect(updated.data.outOfOffice).toMatchObject(values);
    },
  );

  test.each([
    [{ end: WEEK.start }, 'INVERTED_RANGE end'],
    [{ start: '2027-01-01T00:00:00Z' }, 'INVERTED_RANGE end'],
    [{ end: '2026-12-21T00:00:00.0004Z' }, 'INVERTED_RANGE end'],
    [{ end: '2999-01-01T00:00:00Z' }, 'RANGE_TOO_LONG end'],
    [{ start: '0001-01-01T00:00:00Z' }, 'OUT_OF_RANGE start'],
    [{ start: '1999-12-31T23:59:59Z' }, 'OUT_OF_RANGE start'],
    [{ end: '9999-12-31T23:59:59Z' }, 'OUT_OF_RANGE end'],
    [{ reason: 'x'.repeat(100_000) }, 'TOO_LONG reason'],
    [{ reason: 'a\u0000' }, 'INVALID_TEXT reason'],
    [{ notes: '\ud800' }, 'INVALID_TEXT notes'],
    [{ notes: 'x'.repeat(100_000) }, 'TOO_LONG notes'],
    [{ redirectToUserId: '\u0000' }, 'NOT_A_COLLEAGUE redirectToUserId'],
    [{ redirectToUserId: 'x'.repeat(100_000) }, 'NOT_A_COLLEAGUE redirectToUserId'],
  ])('is refused, and nothing changes: %j is %s', async (values, mistake) => {
    const cyd = api.as('cyd');
    const outOfOfficeId = await absenceOf(cyd);
    const before = await everythingOf(cyd);
    const refused = { codes: [], mistakes: [mistake] };
    expect(await cyd.change('outOfOfficeCreate', { ...WEEK, ...values })).toMatchObject(refused);
    expect(await cyd.change('outOfOfficeUpdate', { outOfOfficeId, ...values })).toMatchObject(refused);
    expect(await everythingOf(cyd)).toEqual(before);
  });

  test('is measured as a whole when two changes of it cross each other', async () => {
    const somebody = await api.newUser('crossing');
    for (let round = 0; round < 5; round += 1) {
      const outOfOfficeId = await absenceOf(somebody);
      const answers = await Promise.all([
        somebody.change('outOfOfficeUpdate', { outOfOfficeId, start: '2026-12-26T00:00:00Z' }),
        somebody.change('outOfOfficeUpdate', { outOfOfficeId, end: '2026-12-23T00:00:00Z' }),
      ]);
      expect(answers.flatMap(({ codes }) => codes)).toEqual([]);
      expect(answers.flatMap(({ mistakes }) => mistakes)).toEqual(['INVERTED_RANGE end']);
    }
  });

  test.each([
    ['somebody else’s', () => absenceOf(api.as('ada'))],
    ['a missing one', async () => (await absenceOf(api.as('bob'))).replace(/.{4}$/, '0000')],
    ['a text that is no id', async () => 'ooo_\u0000'],
  ])('is changed and deleted by its owner: %s is not found', async (_, make) => {
    const outOfOfficeId = await make();
    const bob = api.as('bob');
    const [ofAda, ofBob] = [await everythingOf(api.as('ada')), await everythingOf(bob)];
    expect((await bob.change('outOfOfficeUpdate', { outOfOfficeId, reason: 'X' })).mistakes).toEqual([
      'NOT_FOUND outOfOfficeId',
    ]);
    expect((await bob.change('outOfOfficeDelete', { outOfOfficeId })).mistakes).toEqual(['NOT_FOUND outOfOfficeId']);
    expect([await everythingOf(api.as('ada')), await everythingOf(bob)]).toEqual([ofAda, ofBob]);
  });

  test('is gone once deleted', async () => {
    const bob = api.as('bob');
    const outOfOfficeId = await absenceOf(bob);
    const { data } = await bob.change('outOfOfficeDelete', { outOfOfficeId }, 'outOfOfficeId');
    expect(data.outOfOfficeId).toBe(outOfOfficeId);
    expect((await bob.change('outOfOfficeDelete', { outOfOfficeId })).mistakes).toEqual(['NOT_FOUND outOfOfficeId']);
  });

  test('can be written without being read, and read without being written', async () => {
    const writer = api.as('dan', ['SCHEDULE_WRITE']);
    const outOfOfficeId = await absenceOf(writer);
    expect((await writer.change('outOfOfficeCreate', WEEK, 'outOfOffice { id }')).codes).toEqual([
      'INSUFFICIENT_SCOPE',
    ]);
    const reader = api.as('dan', ['SCHEDULE_READ']);
    expect((await reader.ask('{ me { outOfOffice { nodes { id } } } }')).codes).toEqual([]);
    expect((await writer.ask('{ me { outOfOffice { nodes { id } } } }')).codes).toEqual(['INSUFFICIENT_SCOPE']);
    const changes: [string, Record<string, unknown>][] = [
      ['outOfOfficeCreate', WEEK],
      ['outOfOfficeUpdate', { outOfOfficeId, reason: 'X' }],
      ['outOfOfficeDelete', { outOfOfficeId }],
    ];
    const before = await everythingOf(api.as('dan'));
    for (const [name, input] of changes) {
      expect((await reader.change(name, input)).codes).toEqual(['INSUFFICIENT_SCOPE']);
      expect((await api.nobody.change(name, input)).codes).toEqual(['UNAUTHENTICATED']);
    }
    expect(await everythingOf(api.as('dan'))).toEqual(before);
    for (const [name, input] of changes) expect((await writer.change(name, input)).mistakes).toEqual([]);
  });
});

describe('guests are sent', () => {
  test.each([
    ['a colleague of the organization', 'ada', 'cyd', []],
    ['oneself', 'ada', 'ada', ['NOT_A_COLLEAGUE redirectToUserId']],
    ['somebody who shares nothing', 'ada', 'dan', ['NOT_A_COLLEAGUE redirectToUserId']],
  ])('to a colleague only: %s', async (_, from, to, mistakes) => {
    const redirectToUserId = api.as(to).userId;
    const created = await api.as(from).change('outOfOfficeCreate', { ...WEEK, redirectToUserId });
    expect(created.mistakes).toEqual(mistakes);
    const outOfOfficeId = await absenceOf(api.as(from));
    const updated = await api.as(from).change('outOfOfficeUpdate', { outOfOfficeId, redirectToUserId });
    expect(updated.mistakes).toEqual(mistakes);
  });

  test('to somebody of a stand-alone team once they have accepted to belong to it', async () => {
    const [owner, invited] = [await api.newUser('conductor'), await api.newUser('singer')];
    const { teamId } = (await owner.change('teamCreate', { slug: 'choir', name: 'Choir' }, 'teamId')).data;
    const invitation = { teamId, userId: invited.userId, role: 'MEMBER' };
    const { membershipId } = (await owner.change('teamMembershipCreate', invitation, 'membershipId')).data;
    const away = { ...WEEK, redirectToUserId: invited.userId };
    expect((await owner.change('outOfOfficeCreate', away)).mistakes).toEqual(['NOT_A_COLLEAGUE redirectToUserId']);
    await invited.change('teamMembershipUpdate', { teamId, membershipId, isAccepted: true });
    expect((await owner.change('outOfOfficeCreate', away)).mistakes).toEqual([]);
  });

  test('to nobody who does not exist', async () => {
    const redirectToUserId = unknownId('user');
    const { mistakes } = await api.as('ada').change('outOfOfficeCreate', { ...WEEK, redirectToUserId });
    expect(mistakes).toEqual(['NOT_A_COLLEAGUE redirectToUserId']);
  });
});
