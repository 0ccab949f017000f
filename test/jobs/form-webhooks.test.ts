/** Organizations' webhooks are told of responses to forms, by real requests to a receiver that holds each to its schema. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { JobRunner } from '../../src/jobs/job-runner.ts';
import { groupId } from '../api/every-value/things-there.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { uuidOf } from '../support/ids.ts';
import { jobsSettled } from '../support/mails-settled.ts';
import { newRoutingForm } from '../support/routing-forms.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';
import { startRunner } from './support/jobs.ts';
import { storeWebhooks, testDoor, webhookKindsWith } from './support/webhooks.ts';

let api: TestApi;
let receiver: WebhookReceiver;
let groups: { teamId: string; organizationId: string };
beforeAll(async () => {
  api = await openTestApi();
  receiver = await WebhookReceiver.open();
  const [teamId, organizationId] = [await groupId(api, 'team', 'sales'), await groupId(api, 'organization', 'acme')];
  groups = { teamId, organizationId };
});
afterEach(async () => {
  receiver.all.length = 0;
  await rows(api.database.em.fork(), sql`delete from webhooks`);
});
afterAll(async () => {
  await receiver.close();
  await api.close();
});

const open = () => new JobRunner(api.database.em, webhookKindsWith(testDoor(5_000)), console);
const listening = (path: string, readable: readonly string[]) =>
  storeWebhooks(api.database.em, uuidOf(api.as('ada').userId), [receiver.url(path)], {
    of: { organization: uuidOf(groups.organizationId) },
    readable,
    triggers: ['ROUTING_FORM_SUBMITTED'],
  });
async function submit(routingFormId: string, answers: object, more: object = {}): Promise<string> {
  const shown = 'routingFormResponseId';
  const { data, mistakes } = await api.nobody.change('routingFormSubmit', { routingFormId, answers, ...more }, shown);
  expect(mistakes).toEqual([]);
  return data.routingFormResponseId;
}
/** The messages that have come, by where. */
const told = () => receiver.all.map(({ path, body }) => ({ path, ...JSON.parse(body) }));

test('a webhook gets the whole response if its user may read it, and otherwise only that there is one', async () => {
  await listening('/full', ['ROUTING_FORM']);
  await listening('/thin', ['BOOKING', 'SCHEDULE']);
  const forms = {
    team: await newRoutingForm(api.signedIn('ada'), { teamId: groups.teamId }),
    organization: await newRoutingForm(api.signedIn('ada'), { organizationId: groups.organizationId }),
  };
  const runner = open();
  const ids = { team: '', organization: '' };
  for (const level of ['team', 'organization'] as const)
    ids[level] = await submit(forms[level], { company: 'A shop', size: 3, topics: ['Support'] });
  await runner.settled();
  await runner.stop();
  const all = told();
  expect(all.filter(({ path }) => path === '/thin').map(({ data }) => data)).toEqual([null, null]);
  const full = all.filter(({ path }) => path === '/full').map(({ data }) => data);
  for (const level of ['team', 'organization'] as const) {
    expect(full.find(({ routingFormResponse }) => routingFormResponse.id === ids[level])).toMatchObject({
      routingFormResponse: {
        routingFormId: forms[level],
        formVersion: 1,
        answers: { company: 'A shop', size: 3, topics: ['Support'] },
        routeId: expect.stringMatching(/^rte_/),
        target: { type: 'URL', url: 'https://prices.example/', eventTypeId: null, message: null },
      },
      teamId: level === 'team' ? groups.teamId : null,
    });
  }
});

test('each response once, though 50 come at the same moment, some of them twice, and two processes tell of them', async () => {
  await listening('/full', ['ROUTING_FORM']);
  const form = await newRoutingForm(api.signedIn('ada'), { teamId: groups.teamId });
  const ids = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      submit(form, { company: 'A', size: index % 25 }, { idempotencyKey: `a-key-of-its-own-${index % 25}` }),
    ),
  );
  expect(new Set(ids).size).toBe(25);
  for (let started = 0; started < 2; started += 1)
    await startRunner(api.database, ...webhookKindsWith(testDoor(5_000)));
  // On a busy machine some do not have their owner's turn in half a second, and are tried again a second later.
  await jobsSettled(api);
  const once: string[] = told().map(({ data }) => data.routingFormResponse.id);
  expect(once.toSorted()).toEqual([...new Set(ids)].toSorted());
});
