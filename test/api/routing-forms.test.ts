import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { ownedUuidOf, unknownId } from '../support/ids.ts';
import { FORM, newRoutingForm } from '../support/routing-forms.ts';
import { groupId } from './every-value/things-there.ts';

let api: TestApi;
let team: { teamId: string };
let organization: { organizationId: string };
beforeAll(async () => {
  api = await openTestApi();
  team = { teamId: await groupId(api, 'team', 'sales') };
  organization = { organizationId: await groupId(api, 'organization', 'acme') };
});
afterAll(() => api.close());

const OF_FORM = `name description isActive version fields { slug type label isRequired options placeholder }
  routes { id match conditions { field operator values } target { type message url eventTypeId } }
  fallback { type message url eventTypeId }`;
const ada = () => api.signedIn('ada');
const changed = async (input: object) => {
  const done = await ada().change('routingFormUpdate', { ...input }, `routingForm { ${OF_FORM} }`);
  return { ...done, form: done.data?.routingForm };
};
const shownTo = async (username: string, of: 'team' | 'organization', id: string) => {
  const groupOf = of === 'team' ? team.teamId : organization.organizationId;
  const document = `query($id: ID!, $form: ID!) { ${of}(id: $id) { routingForm(id: $form) { id ${OF_FORM} } } }`;
  return (await api.as(username).ask(document, { id: groupOf, form: id })).data?.[of]?.routingForm ?? null;
};
let count = 0;
const newEventType = async (owner: object = team, mutation = 'teamEventTypeCreate'): Promise<string> => {
  count += 1;
  const input = { ...owner, slug: `routed-${count}`, title: 'Talk', durationInMinutes: 30 };
  const { data, mistakes } = await api.as('ada').change(mutation, input, 'eventTypeId');
  expect(mistakes).toEqual([]);
  return data.eventTypeId;
};

describe('a routing form', () => {
  test('is made, listed, changed and deleted, of a team and of an organization', async () => {
    for (const [of, owner] of [
      ['team', team],
      ['organization', organization],
    ] as const) {
      const id = await newRoutingForm(ada(), owner);
      const shown = await shownTo('ada', of, id);
      expect(shown).toMatchObject({ id, name: 'Contact', isActive: true, version: 1, fallback: { type: 'MESSAGE' } });
      expect(shown.fields.map(({ slug }: { slug: string }) => slug)).toEqual(['company', 'size', 'topics', 'email']);
      const { mistakes, form } = await changed({ routingFormId: id, name: 'Other', isActive: false });
      expect([mistakes, form]).toEqual([[], { ...shown, id: undefined, name: 'Other', isActive: false }]);
      const other = of === 'team' ? 'organization' : 'team';
      expect(await shownTo('ada', other, id)).toBeNull();
      expect((await ada().change('routingFormDelete', { routingFormId: id })).mistakes).toEqual([]);
      expect(await shownTo('ada', of, id)).toBeNull();
    }
  });

  test('is edited with a session alone', async () => {
    const input = { ...team, ...FORM };
    await expect(api.as('ada').change('routingFormCreate', input)).rejects.toThrow('Cannot query field');
  });

  test.each([
    ['cyd', 'FORBIDDEN teamId'],
    ['dan', 'NOT_FOUND routingFormId'],
  ])('is none of the business of %s, who does not administer its team', async (who, refused) => {
    const routingFormId = await newRoutingForm(ada(), team);
    for (const [name, more] of [
      ['routingFormUpdate', { name: 'Mine' }],
      ['routingFormDelete', {}],
    ] as const) {
      const { mistakes } = await api.signedIn(who).change(name, { routingFormId, ...more });
      expect(mistakes).toEqual([refused]);
    }
    const { mistakes } = await api.signedIn(who).change('routingFormCreate', { ...team, ...FORM });
    expect(mistakes).toEqual([refused.replace('routingFormId', 'teamId')]);
    expect(await shownTo(who, 'team', routingFormId)).toBeNull();
    expect(await shownTo('ada', 'team', routingFormId)).toMatchObject({ name: 'Contact' });
  });

  test('keeps whatever a change does not name, with the ids of routes', async () => {
    const routingFormId = await newRoutingForm(ada(), team);
    const before = await shownTo('ada', 'team', routingFormId);
    const [first, second] = before.routes;
    const { mistakes, form } = await changed({
      routingFormId,
      fieldsSet: [{ slug: 'company', type: 'TEXT', label: 'Your company' }],
      routesSet: [{ id: second.id, target: { message: 'See our prices.' } }],
      routesOrder: [second.id],
    });
    expect(mistakes).toEqual([]);
    expect(form.fields).toEqual([{ ...before.fields[0], label: 'Your company' }, ...before.fields.slice(1)]);
    const target = { type: 'MESSAGE', message: 'See our prices.', url: null, eventTypeId: null };
    expect([form.routes, form.version]).toEqual([[{ ...second, target }, first], 2]);
  });

  test('leads to event types of its team, or of teams and members of its organization', async () => {
    const eventTypeId = await newEventType();
    const own = await newEventType({}, 'eventTypeCreate');
    const ofTeam = await newRoutingForm(ada(), team, { fallback: { eventTypeId } });
    expect((await shownTo('ada', 'team', ofTeam)).fallback).toMatchObject({ type: 'EVENT_TYPE', eventTypeId });
    const ofOrganization = await newRoutingForm(ada(), organization, { fallback: { eventTypeId } });
    expect((await changed({ routingFormId: ofOrganization, fallback: { eventTypeId: own } })).mistakes).toEqual([]);
    const foreign = await changed({ routingFormId: ofTeam, fallback: { eventTypeId: own } });
    expect(foreign.mistakes).toEqual(['NOT_FOUND fallback eventTypeId']);
    const unknown = await changed({ routingFormId: ofTeam, fallback: { eventTypeId: unknownId('eventType') } });
    expect(unknown.mistakes).toEqual(['NOT_FOUND fallback eventTypeId']);
  });

  test.each<[string, object, string]>([
    ['loses a field that a route asks for', { fieldsRemove: ['size'] }, 'UNKNOWN_FIELD routes 0 conditions 0 field'],
    [
      'loses an option that a route asks for',
      { fieldsSet: [{ slug: 'topics', type: 'MULTI_SELECT', label: 'Topics', options: ['Support'] }] },
      'INVALID_RESPONSE routes 1 conditions 0 values 0',
    ],
    [
      'is given a route about no field',
      { routesSet: [{ conditions: [{ field: 'gone', operator: 'IS_EMPTY' }], target: { message: 'No.' } }] },
      'UNKNOWN_FIELD routesSet 0 conditions 0 field',
    ],
    ['is given an address that is not https', { fallback: { url: 'javascript:alert(1)' } }, 'INVALID_URL fallback url'],
    ['is led to two places', { fallback: { url: 'https://a.example/', message: 'No.' } }, 'BAD_INPUT fallback'],
    ['loses its fallback', { fallback: null }, 'REQUIRED fallback'],
    ['is to lose a route that it has not', { routesRemove: ['rte_gone'] }, 'UNKNOWN_ROUTE routesRemove 0'],
    ['is given a route without a target', { routesSet: [{ conditions: [] }] }, 'REQUIRED routesSet 0 target'],
  ])('stays as it is where it %s', async (_, patch, mistake) => {
    const routingFormId = await newRoutingForm(ada(), team);
    const before = await shownTo('ada', 'team', routingFormId);
    expect((await changed({ routingFormId, ...patch })).mistakes).toEqual([mistake]);
    expect(await shownTo('ada', 'team', routingFormId)).toEqual(before);
  });

  test('is not overwritten by a client that has seen an earlier version', async () => {
    const routingFormId = await newRoutingForm(ada(), team);
    const stale = { routingFormId, name: 'Stale', ifUpdatedAt: '2020-01-01T00:00:00Z' };
    expect((await changed(stale)).mistakes).toEqual(['CONFLICT ifUpdatedAt']);
  });
});

const RESPONSE =
  'routingFormResponse { id routingFormId formVersion answers routeId target { type message url eventTypeId } }';
const responded = (routingFormId: string, answers: object, more: object = team) =>
  api.as('ada').change('teamRoutingFormResponseCreate', { ...more, routingFormId, answers }, RESPONSE);

describe('a response', () => {
  test('is led along the first route that holds, or else to the fallback', async () => {
    const routingFormId = await newRoutingForm(ada(), team);
    const { routes } = await shownTo('ada', 'team', routingFormId);
    const led = async (answers: object) => {
      const { data, mistakes } = await responded(routingFormId, { company: 'ACME', ...answers });
      expect(mistakes).toEqual([]);
      const { routeId, target } = data.routingFormResponse;
      return [routes.findIndex(({ id }: { id: string }) => id === routeId), target.message ?? target.url];
    };
    expect(await led({})).toEqual([-1, 'Thank you.']);
    expect(await led({ size: 101, topics: ['Prices'] })).toEqual([0, 'We will call you.']);
    expect(await led({ size: 100, topics: ['Prices'] })).toEqual([1, 'https://prices.example/']);
    expect(await led({ company: 'The SHOP' })).toEqual([1, 'https://prices.example/']);
  });

  test('is refused where an answer is not what its field takes', async () => {
    const routingFormId = await newRoutingForm(ada(), team);
    const answers = { size: 'many', topics: ['Weather'], email: 'nobody', other: 1 };
    expect((await responded(routingFormId, answers)).mistakes).toEqual([
      'UNKNOWN_FIELD answers',
      'REQUIRED answers company',
      'INVALID_RESPONSE answers size',
      'INVALID_RESPONSE answers topics 0',
      'INVALID_EMAIL answers email',
    ]);
  });

  test('stays what it was when its form is changed, and is corrected by the questions of its time', async () => {
    const routingFormId = await newRoutingForm(ada(), team);
    const { data } = await responded(routingFormId, { company: 'ACME', size: 500 });
    const before = data.routingFormResponse;
    const { routes } = await shownTo('ada', 'team', routingFormId);
    const patch = { routesRemove: [routes[0].id], fieldsRemove: ['size'] };
    expect((await changed({ routingFormId, ...patch })).form.version).toBe(2);
    const id = before.id;
    const input = { ...team, routingFormResponseId: id, answers: { size: 400, email: 'a@example.com' } };
    const after = await api.as('ada').change('teamRoutingFormResponseUpdate', input, RESPONSE);
    const answers = { company: 'ACME', size: 400, email: 'a@example.com' };
    expect(after.data.routingFormResponse).toEqual({ ...before, answers });
    const wrong = { ...input, answers: { company: null } };
    expect((await api.as('ada').change('teamRoutingFormResponseUpdate', wrong)).mistakes).toEqual([
      'REQUIRED answers company',
    ]);
    const named = { ...team, routingFormResponseId: id };
    expect((await api.as('ada').change('teamRoutingFormResponseDelete', named)).mistakes).toEqual([]);
  });

  test('is listed page by page, and by when it was made', async () => {
    const routingFormId = await newRoutingForm(ada(), team);
    for (const company of ['a', 'b', 'c']) await responded(routingFormId, { company });
    const { ownerId, id } = ownedUuidOf(routingFormId);
    await rows(
      api.database.em.fork(),
      sql`update routing_form_responses set created_at = '2026-01-01T00:00:00Z'
        where owner_id = ${ownerId} and form_id = ${id} and answers ->> 'company' = 'c'`,
    );
    const document = `query($id: ID!, $form: ID!, $first: Int, $after: String, $filter: RoutingFormResponseFilterInput) {
      team(id: $id) { routingForm(id: $form) {
        responses(first: $first, after: $after, filter: $filter) { nodes { answers } pageInfo { endCursor hasNextPage } }
      } }
    }`;
    const listed = async (more: object) => {
      const { data } = await api.as('ada').ask(document, { id: team.teamId, form: routingFormId, ...more });
      const { nodes, pageInfo } = data.team.routingForm.responses;
      return [nodes.map(({ answers }: { answers: { company: string } }) => answers.company).join(''), pageInfo];
    };
    const [first, { endCursor, hasNextPage }] = await listed({ first: 2 });
    expect([first, hasNextPage]).toEqual(['ca', true]);
    expect((await listed({ first: 2, after: endCursor }))[0]).toBe('b');
    expect((await listed({ filter: { createdAt: { from: '2026-02-01T00:00:00Z' } } }))[0]).toBe('ab');
    expect((await listed({ filter: { createdAt: { to: '2026-02-01T00:00:00Z' } } }))[0]).toBe('c');
  });

  test('of a team is not reached by the path of another group, and nothing of it changes', async () => {
    const routingFormId = await newRoutingForm(ada(), team);
    const { data } = await responded(routingFormId, { company: 'ACME' });
    const routingFormResponseId = data.routingFormResponse.id;
    const input = {
      name: 'Others',
      slug: `others-${routingFormId
        .slice(-4)
        .toLowerCase()
        .replace(/[^a-z0-9]/g, 'x')}`,
    };
    const made = await api.as('ada').change('teamCreate', input, 'teamId');
    const other = { teamId: made.data.teamId };
    expect((await responded(routingFormId, { company: 'B' }, other)).mistakes).toEqual(['NOT_FOUND routingFormId']);
    for (const [prefix, path] of [
      ['team', other],
      ['organization', organization],
    ] as const) {
      const named = { ...path, routingFormResponseId };
      for (const [verb, more] of [
        ['Update', { answers: { company: 'B' } }],
        ['Delete', {}],
      ] as const) {
        const name = `${prefix}RoutingFormResponse${verb}`;
        const { mistakes } = await api.as('ada').change(name, { ...named, ...more });
        expect(mistakes).toEqual(['NOT_FOUND routingFormResponseId']);
      }
    }
    const unchanged = { ...team, routingFormResponseId, answers: {} };
    const after = await api.as('ada').change('teamRoutingFormResponseUpdate', unchanged, RESPONSE);
    expect(after.data.routingFormResponse.answers).toEqual({ company: 'ACME' });
  });

  test('is led past an event type that cannot be booked', async () => {
    const eventTypeId = await newEventType();
    const routingFormId = await newRoutingForm(ada(), team, { routes: [], fallback: { eventTypeId } });
    const led = async () => (await responded(routingFormId, { company: 'ACME' })).data.routingFormResponse.target;
    expect(await led()).toMatchObject({ type: 'EVENT_TYPE', eventTypeId });
    await api.as('ada').change('teamEventTypeUpdate', { ...team, eventTypeId, isHidden: true });
    expect(await led()).toMatchObject({ type: 'MESSAGE', eventTypeId: null });
    await api.as('ada').change('teamEventTypeDelete', { ...team, eventTypeId });
    expect(await led()).toMatchObject({ type: 'MESSAGE', eventTypeId: null });
  });
});
