import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteEventType } from '../../src/modules/event-types/event-type.commands.ts';
import { own } from '../../src/modules/levels/reach.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { isOnPostgres } from '../support/database.ts';
import { uuidOf } from '../support/ids.ts';
import { meanwhile } from '../support/meanwhile.ts';

describe.runIf(isOnPostgres)('a private link to an event type that is deleted at the same moment', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await openTestApi();
  });
  afterAll(() => api.close());

  test.each([
    ['without an idempotency key', {}],
    ['under an idempotency key', { idempotencyKey: 'a-key-of-my-choice' }],
  ])('is not made, %s', async (_, more) => {
    const ada = api.as('ada');
    const type = { slug: 'going', title: 'Going', durationInMinutes: 30 };
    const { eventTypeId } = (await ada.change('eventTypeCreate', type, 'eventTypeId')).data;
    const { codes, mistakes } = await meanwhile(
      api.database,
      (em) => deleteEventType(em, own(uuidOf(ada.userId)), uuidOf(eventTypeId)),
      () => ada.change('privateLinkCreate', { eventTypeId, ...more }),
    );
    expect([codes, mistakes]).toEqual([[], ['NOT_FOUND eventTypeId']]);
  });
});
