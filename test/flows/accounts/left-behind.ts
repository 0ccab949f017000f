/**
 * Leaves in an account what an intruder would who signed up for it under another person's address: one thing of each
 * kind at least.
 */
import { newId } from '../../../src/core/id.ts';
import { type RawBuilder, row, rows, sql } from '../../../src/database/sql.ts';
import { storeFeed } from '../../support/feeds.ts';
import { ownedUuidOf, uuidOf } from '../../support/ids.ts';
import type { TestBrowser } from '../../support/test-browser.ts';
import { storeVerified } from '../../support/verified-resources.ts';
import { aPerson, lastMailTo, type MailedApp, signUp, signUpVerified } from './mailbox.ts';

export interface LeftBehind {
  readonly person: ReturnType<typeof aPerson>;
  readonly userId: string;
  /** The browser of the intruder, and that of an accomplice whom they have let in. */
  readonly intruder: TestBrowser;
  readonly accomplice: TestBrowser;
  readonly eventTypeId: string;
  readonly privateLink: string;
  readonly clientId: string;
  readonly routingFormId: string;
  readonly teamId: string;
}

export const PLACES = {
  redirect: 'https://intruder.test/booked',
  link: 'https://intruder.test/meeting',
  webhook: 'https://intruder.test/hook',
  app: 'https://intruder.test/cb',
  picture: 'https://intruder.test/me.png',
  logo: 'https://intruder.test/logo.png',
  embedding: 'https://intruder.test',
  form: 'https://intruder.test/form',
} as const;

/**
 * An account that is not verified, with everything in it. Much of it could not be made today before the address is verified, so
 * that it is verified while it is made.
 */
export async function leaveEverything({ app, mailServer }: MailedApp): Promise<LeftBehind> {
  const em = () => app.database.em.fork();
  const write = (statement: RawBuilder<unknown>) => rows(em(), statement);
  const person = aPerson();
  const intruder = await signUp(app.url, person);
  const { me } = await intruder.ask<{ me: { id: string; eventTypes: { nodes: { id: string }[] } } }>(
    '{ me { id eventTypes { nodes { id } } } }',
  );
  const userId = uuidOf(me.id);
  // Nobody is welcomed whose address is verified before the mail is written.
  await lastMailTo(mailServer, person.email);
  await write(sql`update users set email_verified_at = now() where id = ${userId}`);
  const accomplice = await signUpVerified(app.url, mailServer);
  const other = await accomplice.ask<{ me: { id: string } }>('{ me { id } }');

  const eventTypeId = me.eventTypes.nodes[0]?.id ?? '';
  await make(intruder, 'profileUpdate', { avatarUrl: PLACES.picture }, 'me { id }');
  await make(
    intruder,
    'eventTypeUpdate',
    {
      eventTypeId,
      successRedirectUrl: PLACES.redirect,
      embedOrigins: [PLACES.embedding],
      locations: [
        { type: 'ADDRESS', address: 'Main Street 1' },
        { type: 'LINK', url: PLACES.link },
        { type: 'PHONE', phone: '+4930123456' },
      ],
    },
    'eventTypeId',
  );
  const link = await make(intruder, 'privateLinkCreate', { eventTypeId, maxUsageCount: 5 }, 'privateLink { url }');
  await make(intruder, 'webhookCreate', { url: PLACES.webhook, triggers: ['BOOKING_CREATED'] }, 'webhookId');
  const client = {
    name: 'Sly app',
    purpose: 'Shows it',
    type: 'CONFIDENTIAL',
    redirectUris: [PLACES.app],
    scopes: ['PROFILE_READ'],
  };
  const { client: made } = await make(intruder, 'oauthClientCreate', client, 'client { clientId }');
  await write(sql`update oauth_clients set status = 'APPROVED' where client_id = ${made.clientId}`);

  const team = { slug: `t${person.username}`, name: 'Sly team', logoUrl: PLACES.logo };
  const { teamId } = await make(intruder, 'teamCreate', team, 'teamId');
  const organization = { slug: `o${person.username}`, name: 'Sly organization' };
  const { organizationId } = await make(intruder, 'organizationCreate', organization, 'organizationId');
  for (const [group, input] of [
    ['team', { teamId }],
    ['organization', { organizationId }],
  ] as const) {
    const { membershipId } = await make(
      intruder,
      `${group}MembershipCreate`,
      { ...input, userId: other.me.id, role: 'ADMIN' },
      'membershipId',
    );
    await make(accomplice, `${group}MembershipUpdate`, { ...input, membershipId, isAccepted: true }, 'membershipId');
    const invited = { ...input, email: aPerson().email, role: 'ADMIN' };
    await make(intruder, `${group}InvitationCreate`, invited, 'invitationId');
  }
  // Asked to come, and not there yet.
  const third = await signUpVerified(app.url, mailServer);
  const asked = await third.ask<{ me: { id: string } }>('{ me { id } }');
  await make(intruder, 'teamMembershipCreate', { teamId, userId: asked.me.id, role: 'ADMIN' }, 'membershipId');
  // Let into a group of the accomplice's.
  const theirs = { slug: `u${person.username}`, name: 'Another team' };
  const { teamId: otherTeamId } = await make(accomplice, 'teamCreate', theirs, 'teamId');
  const { membershipId } = await make(
    accomplice,
    'teamMembershipCreate',
    { teamId: otherTeamId, userId: me.id, role: 'MEMBER' },
    'membershipId',
  );
  await make(intruder, 'teamMembershipUpdate', { teamId: otherTeamId, membershipId, isAccepted: true }, 'membershipId');
  await make(
    intruder,
    'outOfOfficeCreate',
    { start: '2031-01-06T00:00:00Z', end: '2031-01-08T00:00:00Z', redirectToUserId: other.me.id },
    'outOfOfficeId',
  );
  await make(
    intruder,
    'teamWorkflowCreate',
    {
      teamId,
      name: 'Sly workflow',
      trigger: 'NEW_BOOKING',
      steps: [{ action: 'EMAIL_HOST', subject: 'New: {event_name}', body: '{attendee_name} has booked.' }],
    },
    'workflowId',
  );
  const form = {
    teamId,
    name: 'Sly form',
    fields: [{ slug: 'name', type: 'TEXT', label: 'Name', isRequired: true }],
    fallback: { url: PLACES.form },
  };
  const { routingFormId } = await make(intruder, 'routingFormCreate', form, 'routingFormId');

  // Rows from servers elsewhere are stored as they would be.
  const feed = ownedUuidOf(await storeFeed(em(), me.id, 'https://calendar.example/one.ics'));
  await write(sql`insert into busy_periods (user_id, source_id, during)
    values (${userId}, ${feed.id}, '[2031-01-06T10:00:00Z,2031-01-06T11:00:00Z)')`);
  const [connection, account, calendar, app1] = [newId(), newId(), newId(), newId()];
  const [zoom, booking] = [newId(), newId()];
  await write(sql`insert into connections (owner_id, id, user_id, provider, credentials, created_at)
    values (${userId}, ${connection}, ${userId}, 'GOOGLE', 'sealed', now()), (${userId}, ${zoom}, ${userId}, 'zoom', 'sealed', now())`);
  await write(sql`insert into calendar_connections (user_id, id, provider, account, access_id, created_at, updated_at)
    values (${userId}, ${account}, 'GOOGLE', 'intruder@calendars.test', ${connection}, now(), now())`);
  await write(sql`insert into connected_calendars (user_id, id, connection_id, external_id, name, is_primary, is_read_only, selected,
      is_destination, next_read_at, created_at, updated_at)
    values (${userId}, ${calendar}, ${account}, 'home', 'Home', true, false, true, true, now() + interval '1 hour', now(), now())`);
  await write(sql`insert into busy_periods (user_id, source_id, during)
    values (${userId}, ${calendar}, '[2031-01-07T10:00:00Z,2031-01-07T11:00:00Z)')`);
  await write(sql`insert into calendar_entries (user_id, ics_id, calendar_id, external_id)
    values (${userId}, ${booking}, ${calendar}, 'entry')`);
  await write(sql`insert into conferencing_apps (owner_id, id, user_id, app, is_default, connection_id, created_at)
    values (${userId}, ${app1}, ${userId}, 'zoom', true, ${zoom}, now())`);
  await write(sql`insert into conferencing_meetings (owner_id, ics_id, holder_id, app_id, created_at)
    values (${userId}, ${booking}, ${userId}, ${app1}, now())`);
  await storeVerified(em(), 'EMAIL', me.id, 'intruder@mail.test');
  await storeVerified(em(), 'PHONE', me.id, '+4930999999');

  await write(sql`update users set email_verified_at = null where id = ${userId}`);
  return {
    person,
    userId,
    intruder,
    accomplice,
    eventTypeId,
    privateLink: link.privateLink.url,
    clientId: made.clientId,
    routingFormId,
    teamId,
  };
}

/** Everything that is kept, table by table, but for what tells of requests and what a proof or a revival renews. */
export async function everythingKept({ app }: MailedApp): Promise<Readonly<Record<string, unknown>>> {
  const em = app.database.em.fork();
  const tables = await rows(
    em,
    sql<{ name: string }>`select table_name as name from information_schema.tables
        where table_schema = 'public' and table_name <> all(${PASSING}::text[]) order by 1`,
  );
  const kept: Record<string, unknown> = {};
  for (const { name } of tables) {
    const found = await row(
      em,
      sql<{ all: unknown }>`select coalesce(jsonb_agg(t.content order by t.content::text), '[]') as all from (
        select to_jsonb(t) - ${RENEWED}::text[] as content from ${sql.table(name)} t) t`,
    );
    kept[name] = found?.all;
  }
  return kept;
}

const PASSING = [
  'account_links',
  'audit_events',
  'counters',
  'counts',
  'domain_events',
  'failed_sign_ins',
  'guess_counts',
  'idempotency_keys',
  'mail_counts',
  'mail_receivers',
  'oauth_client_secrets',
  'oauth_codes',
  'oauth_grants',
  'oauth_interactions',
  'oauth_revocations',
  'request_counts',
  'sessions',
  'stopped_things',
];
const RENEWED = [
  'updated_at',
  'password_hash',
  'email_verified_at',
  'email',
  'secret',
  'token_hash',
  'next_read_at',
  'reading_id',
  'reinstated_at',
  'set_by_id',
  'secret_salt',
  'previous_salt',
  'previous_until',
];

// oxlint-disable-next-line typescript/no-explicit-any -- payloads of many mutations
function make(by: TestBrowser, name: string, input: object, shown: string): Promise<any> {
  return by.mutate(name, input, shown);
}
