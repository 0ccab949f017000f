/**
 * Messages are kept while nobody answers for their webhook, and go out once somebody does: by real requests to a
 * receiver.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId, publicId, publicOwnedId } from '../../src/core/id.ts';
import { textOf } from '../../src/core/mail-content.ts';
import type { Problem } from '../../src/core/problem.ts';
import { row, rows, sql } from '../../src/database/sql.ts';
import { recordEvent } from '../../src/events/record-event.ts';
import type { JobKind } from '../../src/jobs/job-kind.ts';
import { MailLimit } from '../../src/limits/mail-limit.ts';
import { reinstateUser, suspendUser } from '../../src/modules/accounts/suspend-user.ts';
import { ownOfGroup } from '../../src/modules/levels/reach.ts';
import { ORGANIZATION } from '../../src/modules/organizations/group.ts';
import {
  expirePausedDeliveries,
  removeOldDeliveries,
  resumingWebhooks,
} from '../../src/modules/webhooks/paused-deliveries.ts';
import { takeOverWebhook } from '../../src/modules/webhooks/webhook.commands.ts';
import { findPausedBySuspension, MAX_PAUSED_NAMED, WEBHOOKS } from '../../src/modules/webhooks/webhook.queries.ts';
import { pausedMails } from '../../src/modules/webhooks/webhook-mails.ts';
import { isLetIn } from '../../src/oauth/grants/authorized-apps.ts';
import type { Outbound } from '../../src/outbound/outbound.ts';
import { groupId } from '../api/every-value/things-there.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { ownedUuidOf, uuidOf } from '../support/ids.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';
import { aRunner, letTimePass, storedJobs } from './support/jobs.ts';
import { storeBooking, storedDeliveries, storeWebhooks, testDoor, webhookKindsWith } from './support/webhooks.ts';

let api: TestApi;
let receiver: WebhookReceiver;
let door: Outbound;
let organizationId: string;
/** Event types of the organization's owner, and of a plain member. */
let types: Record<'ada' | 'cyd', string>;
const em = () => api.database.em.fork();
const idOf = (name: string) => uuidOf(api.as(name).userId);

beforeAll(async () => {
  api = await openTestApi();
  receiver = await WebhookReceiver.open();
  door = testDoor(20_000);
  organizationId = await groupId(api, 'organization', 'acme');
  const typeOf = async (name: string): Promise<string> => {
    const input = { slug: 'kept', title: 'Kept', durationInMinutes: 30 };
    return (await api.signedIn(name).change('eventTypeCreate', input, 'eventTypeId')).data.eventTypeId;
  };
  types = { ada: await typeOf('ada'), cyd: await typeOf('cyd') };
});
afterEach(async () => {
  receiver.all.length = 0;
  await rows(em(), sql`delete from webhooks`);
  await rows(em(), sql`delete from jobs.job`);
  await rows(em(), sql`update users set suspended_at = null`);
  await standing('bob', 'MEMBER');
});
afterAll(async () => {
  await door.close();
  await receiver.close();
  await api.close();
});

const standing = (name: string, role: string) =>
  rows(em(), sql`update organization_memberships set role = ${role} where user_id = ${idOf(name)}`);

/** A webhook of the organization that Bob has set as its administrator. */
async function bobs(): Promise<string> {
  await standing('bob', 'ADMIN');
  const of = { organization: uuidOf(organizationId), setBy: idOf('bob') };
  const [id = ''] = await storeWebhooks(em(), idOf('bob'), [receiver.url()], { of, triggers: ['MEETING_STARTED'] });
  return publicOwnedId('webhook', { ownerId: uuidOf(organizationId), id });
}

/** A meeting of this host begins; @returns the name by which its messages are known */
async function begins(host: 'ada' | 'cyd'): Promise<string> {
  const type = ownedUuidOf(types[host]);
  const id = await storeBooking(em(), type, [idOf(host)]);
  const facts = { start: '2031-01-06T09:00:00Z', end: '2031-01-06T09:30:00Z' };
  const booking = { id, thread: newId(), eventTypeId: type.id, hostIds: [idOf(host)], ...facts };
  await recordEvent(em(), type.ownerId, { type: 'MEETING_STARTED', booking, sessionId: 's', at: facts.start });
  return publicOwnedId('booking', { ownerId: type.ownerId, id });
}

const mailed: Mailed[] = [];
interface Mailed {
  readonly mail: { readonly messageId: string };
}
const mails: JobKind = {
  queue: 'mail',
  hears: [],
  atOnce: 1,
  pausesInSeconds: [],
  run: async (_em, data) => {
    mailed.push(data as Mailed);
    return [];
  },
};

async function settle(): Promise<void> {
  const { runner, logged } = aRunner(api.database.em, ...webhookKindsWith(door), mails);
  await runner.settled();
  expect(logged).toEqual([]);
}

/** The bookings that were told, each with all there is to tell, and how messages stand. */
const told = () => receiver.all.map(({ body }) => JSON.parse(body).data.booking.id);
const statuses = async () => (await storedDeliveries(em())).map(({ status }) => status);

/** As the mutation does, of a service that may call its own machine. @returns the salt of the new secret, or why not */
const takeOver = (name: string, webhookId: string): Promise<string> => {
  const owner = ownOfGroup({ group: ORGANIZATION, groupId: uuidOf(organizationId), actorId: idOf(name) });
  const shown = { id: ownedUuidOf(webhookId).id, url: receiver.url() };
  const readable = ['BOOKING', 'SCHEDULE', 'ROUTING_FORM'] as const;
  const director = { allowsPrivate: true, userId: idOf(name), clientId: null, readable };
  return takeOverWebhook(em(), WEBHOOKS, owner, shown, director, isLetIn);
};

test('are kept while the user who set it stands lower, and sent by the rights of the user who takes it over', async () => {
  const webhookId = await bobs();
  await standing('bob', 'MEMBER');
  const [ofOwner, ofMember] = [await begins('ada'), await begins('cyd')];
  await settle();
  expect([told(), await statuses(), await storedJobs(em())]).toEqual([[], ['PAUSED', 'PAUSED'], []]);
  const asked = `query($id: ID!) { organization(id: $id) { webhooks { nodes { status pausedReason deliveries { nodes { status } } } } } }`;
  expect((await api.signedIn('ada').ask(asked, { id: organizationId })).data.organization.webhooks.nodes).toEqual([
    {
      status: 'PAUSED',
      pausedReason: 'ROLE_LOST',
      deliveries: { nodes: [{ status: 'PAUSED' }, { status: 'PAUSED' }] },
    },
  ]);
  // Nothing looks at them in between.
  await settle();
  expect(await storedJobs(em())).toEqual([]);
  // An administrator is shown all bookings of the organization, those that its owner hosts too.
  await standing('dan', 'ADMIN');
  await rows(
    em(),
    sql`insert into organization_memberships (id, organization_id, user_id, role, accepted, created_at)
        values (${newId()}, ${uuidOf(organizationId)}, ${idOf('dan')}, 'ADMIN', true, now())`,
  );
  await takeOver('dan', webhookId);
  await settle();
  expect([new Set(told()), await statuses()]).toEqual([new Set([ofOwner, ofMember]), ['DELIVERED', 'DELIVERED']]);
  await rows(em(), sql`delete from organization_memberships where user_id = ${idOf('dan')}`);
});

test('wait that were on their way when who has set it was removed, and are tried no more meanwhile', async () => {
  const webhookId = await bobs();
  receiver.answer = (response) => void response.writeHead(500).end();
  await begins('cyd');
  await settle();
  expect([receiver.all.length, await statuses()]).toEqual([1, ['PENDING']]);
  await standing('bob', 'MEMBER');
  await letTimePass(em());
  await settle();
  expect([receiver.all.length, await statuses(), await storedJobs(em())]).toEqual([1, ['PAUSED'], []]);
  receiver.answer = (response) => void response.writeHead(204).end();
  await takeOver('ada', webhookId);
  await settle();
  expect([receiver.all.length, await statuses()]).toEqual([2, ['DELIVERED']]);
  expect(new Set(receiver.all.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

test('go on when a suspended user is reinstated, and when a role is given back', async () => {
  await bobs();
  await rows(em(), sql`update users set suspended_at = now() where id = ${idOf('bob')}`);
  const first = await begins('cyd');
  await settle();
  expect([told(), await statuses()]).toEqual([[], ['PAUSED']]);
  await rows(em(), sql`update users set suspended_at = null where id = ${idOf('bob')}`);
  await recordEvent(em(), idOf('bob'), { type: 'USER_REINSTATED' });
  await settle();
  expect([told(), await statuses()]).toEqual([[first], ['DELIVERED']]);
  await standing('bob', 'MEMBER');
  const second = await begins('cyd');
  await settle();
  const task = resumingWebhooks(isLetIn);
  await task(em());
  await settle();
  expect(told()).toEqual([first]);
  await standing('bob', 'ADMIN');
  await task(em());
  await settle();
  expect(told()).toEqual([first, second]);
});

const age = (days: number) =>
  rows(em(), sql`update webhook_deliveries set created_at = now() - make_interval(days => ${days}::int)`);
const swept = async () => {
  await expirePausedDeliveries(em(), 10);
  await removeOldDeliveries(em(), 10);
  return rows(em(), sql`select status, payload = '' as "isEmpty" from webhook_deliveries`);
};

test('are deleted after thirty days, and the list says so for as long again', async () => {
  await bobs();
  await standing('bob', 'MEMBER');
  await begins('cyd');
  await settle();
  await age(29);
  expect(await swept()).toEqual([{ status: 'PAUSED', isEmpty: false }]);
  await age(31);
  expect(await swept()).toEqual([{ status: 'EXPIRED', isEmpty: true }]);
  await age(61);
  expect(await swept()).toEqual([]);
});

test('fifty who take a webhook over at once: one does, and each message comes once', async () => {
  const webhookId = await bobs();
  await standing('bob', 'MEMBER');
  const uids = [await begins('cyd'), await begins('cyd')];
  await settle();
  const takers = Array.from({ length: 50 }, () => takeOver('ada', webhookId));
  const outcomes = (await Promise.allSettled(takers)).map((one) =>
    one.status === 'fulfilled' ? 'TAKEN' : (one.reason as Problem).code,
  );
  expect(outcomes.toSorted()).toEqual([...Array.from({ length: 49 }, () => 'CONFLICT'), 'TAKEN']);
  await settle();
  expect(new Set(told())).toEqual(new Set(uids));
  expect(told()).toHaveLength(uids.length);
});

test('a message is kept or sent, once, while somebody is removed at the very moment', async () => {
  await bobs();
  const [uid] = await Promise.all([begins('cyd'), standing('bob', 'MEMBER')]);
  await Promise.all([settle(), settle()]);
  const [status] = await statuses();
  expect([status, told()]).toEqual(told().length === 0 ? ['PAUSED', []] : ['DELIVERED', [uid]]);
});

test('removing somebody names the webhooks that nobody answers for then, to those who stay', async () => {
  const webhookId = await bobs();
  const membership = await row(
    em(),
    sql<{ id: string }>`select id from organization_memberships where user_id = ${idOf('bob')}`,
  );
  const demoted = await api
    .signedIn('ada')
    .change(
      'organizationMembershipUpdate',
      { organizationId, membershipId: publicId('membership', membership?.id ?? newId()), role: 'MEMBER' },
      'pausedWebhooks { webhookId eventTypeWebhookId teamId url pausedReason }',
    );
  expect(demoted.data.pausedWebhooks).toEqual([
    { webhookId, eventTypeWebhookId: null, teamId: null, url: receiver.url(), pausedReason: 'ROLE_LOST' },
  ]);
  // More than one answer names.
  await rows(
    em(),
    sql`insert into webhooks select (jsonb_populate_record(w, jsonb_build_object('id', 'ffffffff-ffff-7fff-8fff-' || lpad(n::text, 12, '0'), 'url', w.url || n))).*
      from webhooks w cross join generate_series(1, ${MAX_PAUSED_NAMED}::int) n where w.set_by_id = ${idOf('bob')}`,
  );
  const removed = await api
    .signedIn('ada')
    .change('organizationUserRemove', { organizationId, userId: api.as('bob').userId }, 'pausedWebhooks { webhookId }');
  expect(removed.data.pausedWebhooks).toHaveLength(MAX_PAUSED_NAMED);
  expect(removed.data.pausedWebhooks[0]).toEqual({ webhookId });
});

const suspension = () => ({ userId: idOf('bob'), actorId: idOf('dan'), address: '192.0.2.1' });
const suspend = () => suspendUser(em(), suspension());
const reinstate = () => reinstateUser(em(), suspension());
const paused = async () => (await findPausedBySuspension(em(), idOf('bob'), isLetIn)).map(({ id }) => id);
/** The Message-IDs of the mails that events have led to. */
const queued = async () => {
  await settle();
  return mailed.splice(0).map(({ mail }) => mail.messageId);
};

describe('suspending who has set them', () => {
  const settings = { publicUrl: 'https://gatehouse.test', mailLimit: new MailLimit(undefined, console) };
  let teamId: string;
  let teamWebhook: string;
  beforeEach(async () => {
    await rows(em(), sql`update users set locale = 'de' where id = ${idOf('ada')}`);
    // An earlier test has removed them.
    await rows(
      em(),
      sql`insert into organization_memberships (id, organization_id, user_id, role, accepted, created_at)
          values (${newId()}, ${uuidOf(organizationId)}, ${idOf('bob')}, 'ADMIN', true, now()) on conflict do nothing`,
    );
    const bob = api.signedIn('bob');
    const slug = `kept-${newId()}`;
    teamId = (await bob.change('teamCreate', { slug, name: 'Bobs’ team' }, 'teamId')).data.teamId;
    await join('cyd', 'ADMIN');
    const input = { teamId, slug: 'kept', title: 'Kept', durationInMinutes: 30 };
    const type = ownedUuidOf((await bob.change('teamEventTypeCreate', input, 'eventTypeId')).data.eventTypeId);
    const of = { team: type.ownerId, setBy: idOf('bob') };
    const [id = ''] = await storeWebhooks(em(), idOf('bob'), [receiver.url('/key')], {
      of,
      eventTypeId: type.id,
      triggers: ['BOOKING_CREATED'],
    });
    teamWebhook = publicOwnedId('eventTypeWebhook', { ownerId: type.ownerId, id });
  });
  afterEach(async () => {
    await rows(em(), sql`update users set locale = 'en'`);
    await rows(em(), sql`delete from teams where id = ${uuidOf(teamId)}`);
  });

  const join = (name: string, role: string) =>
    rows(
      em(),
      sql`insert into team_memberships (id, team_id, user_id, role, accepted, created_at)
          values (${newId()}, ${uuidOf(teamId)}, ${idOf(name)}, ${role}, true, now())`,
    );
  const writtenNow = async () => {
    const written = await pausedMails(em(), { id: newId(), ownerId: idOf('bob') }, isLetIn, settings);
    return new Map(
      written.map(({ mail }) => [
        typeof mail.to === 'string' ? mail.to : mail.to.address,
        { subject: mail.subject, text: textOf(mail) },
      ]),
    );
  };

  test('names those that pause, and each who may take them over is mailed once, in their language', async () => {
    const webhookId = await bobs();
    // Their own, one that is off, and one that nobody answers for anyway are not among them.
    await storeWebhooks(em(), idOf('bob'), [receiver.url('/own')]);
    expect([await writtenNow(), await paused()]).toEqual([new Map(), []]);
    await suspend();
    expect(await paused()).toEqual([teamWebhook, webhookId].map((one) => ownedUuidOf(one).id));
    const written = await writtenNow();
    expect([...written.keys()].toSorted()).toEqual(['ada@acme.test', 'cyd@acme.test']);
    const { host } = new URL(receiver.url());
    const pages = {
      organization: `https://gatehouse.test/settings/teams/${organizationId}`,
      team: `https://gatehouse.test/settings/teams/${teamId}`,
    };
    expect(written.get('ada@acme.test')).toMatchObject({ subject: 'Ein Webhook ist angehalten' });
    expect(written.get('ada@acme.test')?.text).toContain(`- ${host} (Acme)`);
    expect(written.get('ada@acme.test')?.text).toContain(pages.organization);
    expect(written.get('ada@acme.test')?.text).not.toContain(pages.team);
    expect(written.get('cyd@acme.test')).toMatchObject({ subject: 'A webhook is paused' });
    expect(written.get('cyd@acme.test')?.text).toContain(`- ${host} (Bobs’ team)`);
    expect(written.get('cyd@acme.test')?.text).toContain(pages.team);
    for (const { text } of written.values()) expect(text).not.toContain('/key');
  });

  test('is mailed by the event alone, once, and not once they are reinstated', async () => {
    // The earlier events are over.
    await queued();
    await bobs();
    await suspend();
    await suspend();
    const first = await queued();
    expect(new Set(first).size).toBe(2);
    expect(first).toHaveLength(2);
    await reinstate();
    await suspend();
    await reinstate();
    expect(await queued()).toEqual([]);
  });

  test('leaves a webhook that was taken over with its new user, and lets the rest go on when they are reinstated', async () => {
    const webhookId = await bobs();
    await suspend();
    const uid = await begins('cyd');
    await settle();
    expect([told(), await statuses()]).toEqual([[], ['PAUSED']]);
    const salt = await takeOver('ada', webhookId);
    expect(salt).not.toBe('');
    expect(await paused()).toEqual([ownedUuidOf(teamWebhook).id]);
    await settle();
    expect([told(), await statuses()]).toEqual([[uid], ['DELIVERED']]);
    await reinstate();
    const answering = await rows(
      em(),
      sql<{ id: string }>`select set_by_id as id from webhooks order by organization_id nulls last`,
    );
    expect(answering.map(({ id }) => id)).toEqual([idOf('ada'), idOf('bob')]);
    expect(await paused()).toEqual([]);
  });
});
