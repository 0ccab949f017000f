import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { removeOldIdempotencyKeys } from '../../src/limits/at-most-once.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { ownedUuidOf, unknownId } from '../support/ids.ts';
import { newRoutingForm } from '../support/routing-forms.ts';
import { FROM, TO } from './booking-pages.ts';
import { groupId } from './every-value/things-there.ts';

interface DemoTeam {
  readonly slug: string;
  readonly routingForms: { readonly nodes: readonly { readonly id: string; readonly name: string }[] };
  readonly eventTypes: { readonly nodes: readonly { readonly id: string; readonly slug: string }[] };
}

let api: TestApi;
let team: { teamId: string };
let eventTypeId: string;
beforeAll(async () => {
  api = await openTestApi();
  team = { teamId: await groupId(api, 'team', 'sales') };
  const input = { ...team, slug: 'routed', title: 'Talk', durationInMinutes: 30 };
  eventTypeId = (await api.as('ada').change('teamEventTypeCreate', input, 'eventTypeId')).data.eventTypeId;
});
afterAll(() => api.close());

const ada = () => api.signedIn('ada');
const OUTCOME = 'outcome { type message url eventType { id } }';
const submit = (routingFormId: string, answers: object, more: object = {}, shown = OUTCOME) =>
  api.nobody.change('routingFormSubmit', { routingFormId, answers, ...more }, shown);
const storedOf = (routingFormId: string) =>
  rows(
    api.database.em.fork(),
    sql<{ answers: object; events: number }>`
      select r.answers, (select count(*)::int from domain_events e
        where e.owner_id = r.owner_id and e.type = 'ROUTING_FORM_SUBMITTED' and e.data ->> 'responseId' = r.id::text) as events
      from routing_form_responses r where r.form_id = ${ownedUuidOf(routingFormId).id} order by r.id`,
  );

describe('a routing form, to anybody', () => {
  test('shows what it asks and nothing of its routes, while it is active', async () => {
    const id = await newRoutingForm(ada(), team);
    const document =
      'query($id: ID!) { publicRoutingForm(id: $id) { id name description fields { slug isRequired } } }';
    const { data } = await api.nobody.ask(document, { id });
    expect(data.publicRoutingForm).toMatchObject({ id, name: 'Contact', description: null });
    expect(data.publicRoutingForm.fields[0]).toEqual({ slug: 'company', isRequired: true });
    await ada().change('routingFormUpdate', { routingFormId: id, isActive: false });
    expect((await api.nobody.ask(document, { id })).data.publicRoutingForm).toBeNull();
    expect((await submit(id, { company: 'ACME' })).mistakes).toEqual(['NOT_FOUND routingFormId']);
    expect((await submit(unknownId('routingForm'), {})).mistakes).toEqual(['NOT_FOUND routingFormId']);
  });

  test('says where answers lead, and stores nothing of that', async () => {
    const id = await newRoutingForm(ada(), team);
    const document = `query($id: ID!, $answers: BookingResponses!) {
      routingFormOutcome(routingFormId: $id, answers: $answers) { type message url } }`;
    const { data } = await api.nobody.ask(document, { id, answers: { company: 'A shop' } });
    expect(data.routingFormOutcome).toEqual({ type: 'URL', message: null, url: 'https://prices.example/' });
    const wrong = await api.nobody.ask(document, { id, answers: { size: 1 } });
    expect(wrong.codes).toEqual(['REQUIRED']);
    expect(await storedOf(id)).toEqual([]);
  });

  test('is filled in, with one event, and leads to an event type with its slots', async () => {
    const id = await newRoutingForm(ada(), team, { fallback: { eventTypeId } });
    const slots = `outcome { type eventType { id } slots(start: "${FROM}", end: "${TO}") { start } }`;
    const { data, mistakes } = await submit(id, { company: 'ACME' }, {}, slots);
    expect(mistakes).toEqual([]);
    expect(data.outcome).toMatchObject({ type: 'EVENT_TYPE', eventType: { id: eventTypeId } });
    const asked = `{ slots(eventType: { id: "${eventTypeId}" }, start: "${FROM}", end: "${TO}") { start } }`;
    expect(data.outcome.slots).toEqual((await api.nobody.ask(asked)).data.slots);
    expect(data.outcome.slots.length).toBeGreaterThan(0);
    expect(await storedOf(id)).toEqual([{ answers: { company: 'ACME' }, events: 1 }]);
  });

  test('leads elsewhere with the answers, where the form passes them on', async () => {
    const passing = { url: 'https://crm.example/new?from=form', passesAnswers: true };
    const id = await newRoutingForm(ada(), team, { fallback: passing, routes: [] });
    const answers = { company: 'A & B', topics: ['Prices', 'Support'] };
    const url = 'https://crm.example/new?from=form&company=A%20%26%20B&topics=Prices&topics=Support';
    const keyed = { idempotencyKey: 'a-key-of-this-test-alone' };
    const [first, again] = [await submit(id, answers, keyed), await submit(id, answers, keyed)];
    expect(first.data.outcome).toMatchObject({ type: 'URL', url });
    expect(again.data.outcome).toEqual(first.data.outcome);
    const document = `query($id: ID!, $answers: BookingResponses!) {
      routingFormOutcome(routingFormId: $id, answers: $answers) { url } }`;
    expect((await api.nobody.ask(document, { id, answers })).data.routingFormOutcome).toEqual({ url });
    const wrong = { routingFormId: id, fallback: { message: 'Hello', passesAnswers: true } };
    expect((await ada().change('routingFormUpdate', wrong)).mistakes).toEqual(['BAD_INPUT fallback passesAnswers']);
  });

  test('of the demo leads by size and topic', async () => {
    const sales = `{ me { teams { nodes { slug routingForms { nodes { id name } } eventTypes(first: 9) { nodes { id slug } } } } } }`;
    const teams: DemoTeam[] = (await ada().ask(sales)).data.me.teams.nodes;
    const { eventTypes, routingForms } = teams.find(({ slug }) => slug === 'sales') ?? {};
    const form = routingForms?.nodes.find(({ name }) => name === 'Talk to sales');
    const document = `query($id: ID!, $answers: BookingResponses!) {
      routingFormOutcome(routingFormId: $id, answers: $answers) { type message eventType { id } } }`;
    const ledBy = async (answers: object) => {
      const { data } = await api.nobody.ask(document, { id: form?.id, answers: { company: 'ACME', ...answers } });
      const { message, eventType } = data.routingFormOutcome;
      return message ?? eventTypes?.nodes.find(({ id }) => id === eventType.id)?.slug;
    };
    expect(await ledBy({ topic: 'Product' })).toBe('demo');
    expect(await ledBy({ topic: 'Job interview' })).toBe('panel');
    expect(await ledBy({ topic: 'Prices', size: 1001 })).toBe('We will call you.');
    expect(await ledBy({ topic: 'Support', size: 1001 })).toContain('support@acme.test');
  });

  test('stores nothing of answers that it does not take', async () => {
    const id = await newRoutingForm(ada(), team);
    expect((await submit(id, { email: 'nobody' })).mistakes).toEqual([
      'REQUIRED answers company',
      'INVALID_EMAIL answers email',
    ]);
    expect(await storedOf(id)).toEqual([]);
  });

  test('stores one request once, however often and how many at a time it is sent', async () => {
    const id = await newRoutingForm(ada(), team);
    const idempotencyKey = 'a key of sixteen and more';
    const answers = { company: 'ACME', size: 500 };
    const sent = await Promise.all(Array.from({ length: 50 }, () => submit(id, answers, { idempotencyKey })));
    expect(new Set(sent.map(({ mistakes, data }) => JSON.stringify([mistakes, data.outcome])))).toEqual(
      new Set([JSON.stringify([[], { type: 'MESSAGE', message: 'We will call you.', url: null, eventType: null }])]),
    );
    expect(await storedOf(id)).toEqual([{ answers, events: 1 }]);
    const other = await submit(id, { company: 'Other' }, { idempotencyKey });
    expect(other.mistakes).toEqual(['IDEMPOTENCY_KEY_REUSED idempotencyKey']);
    expect((await submit(id, answers, { idempotencyKey: 'short' })).mistakes).toEqual(['TOO_SHORT idempotencyKey']);
    // The key stays as long as the response, and goes with it.
    const ownerId = ownedUuidOf(id).ownerId;
    const keys = async () =>
      (
        await rows(
          api.database.em.fork(),
          sql`update idempotency_keys set created_at = now() - interval '2 days'
              where owner_id = ${ownerId} and result_id is not null returning key_hash`,
        )
      ).length;
    const before = await keys();
    await removeOldIdempotencyKeys(api.database.em.fork(), 1_000);
    expect((await submit(id, answers, { idempotencyKey })).mistakes).toEqual([]);
    expect(await storedOf(id)).toHaveLength(1);
    expect((await ada().change('routingFormDelete', { routingFormId: id })).mistakes).toEqual([]);
    expect(await keys()).toBe(before - 1);
  });

  test('that is edited and deleted while responses arrive keeps each with the questions of its version', async () => {
    const id = await newRoutingForm(ada(), team);
    const edits = Array.from({ length: 10 }, (_, index) =>
      ada().change('routingFormUpdate', {
        routingFormId: id,
        fieldsSet: [{ slug: 'company', type: 'TEXT', label: `Company ${index}` }],
      }),
    );
    const responses = Array.from({ length: 20 }, () => submit(id, { company: 'ACME' }));
    const done = await Promise.all([...edits, ...responses]);
    expect(done.flatMap(({ mistakes }) => mistakes)).toEqual([]);
    const kept = await rows(
      api.database.em.fork(),
      sql<{ version: number; label: string }>`
        select distinct form_version as version, fields -> 0 ->> 'label' as label from routing_form_responses
        where form_id = ${ownedUuidOf(id).id}`,
    );
    // One label for each version.
    expect(new Set(kept.map(({ version }) => version)).size).toBe(kept.length);
    const [deleted, ...late] = await Promise.all([
      ada().change('routingFormDelete', { routingFormId: id }),
      ...Array.from({ length: 10 }, () => submit(id, { company: 'ACME' })),
    ]);
    expect(deleted?.mistakes).toEqual([]);
    for (const { mistakes } of late) expect([[], ['NOT_FOUND routingFormId']]).toContainEqual(mistakes);
    expect(await storedOf(id)).toEqual([]);
  });
});
