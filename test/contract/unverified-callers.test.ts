import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { buildSchemas } from '../../src/schema.ts';
import { everythingIn } from '../api/every-mutation/whole-database.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { uuidOf } from '../support/ids.ts';
import { FOR_UNVERIFIED } from '../world/every-fixture.ts';
import type { ValidInput } from '../world/fixture.ts';
import { NAMES_WITH_INPUT, validInputs } from '../world/valid-inputs.ts';

/**
 * Callers with an unverified address are refused these: they lead out of an account that may become another person's,
 * let somebody in, or have strangers written to. Every other mutation is in ALLOWED: an author who adds one decides
 * where it belongs.
 */
const REFUSED: readonly string[] = [
  // Whoever has the address is told of bookings.
  'webhookCreate',
  'webhookUpdate',
  'organizationWebhookCreate',
  'organizationWebhookUpdate',
  'eventTypeWebhookCreate',
  'eventTypeWebhookUpdate',
  'teamEventTypeWebhookCreate',
  'teamEventTypeWebhookUpdate',
  'webhookTakeOver',
  'organizationWebhookTakeOver',
  'eventTypeWebhookTakeOver',
  'teamEventTypeWebhookTakeOver',
  // Other people let it in.
  'oauthClientCreate',
  'oauthClientUpdate',
  'oauthClientSecretCreate',
  // They let somebody in.
  'privateLinkCreate',
  'privateLinkUpdate',
  'teamPrivateLinkCreate',
  'teamPrivateLinkUpdate',
  'teamInvitationCreate',
  'teamInvitationResend',
  'organizationInvitationCreate',
  'organizationInvitationResend',
  'teamMembershipCreate',
  'teamMembershipUpdate',
  'teamMembershipOwnershipTransfer',
  'organizationMembershipCreate',
  'organizationMembershipUpdate',
  'organizationMembershipOwnershipTransfer',
  // Strangers are written to.
  'emailVerificationRequest',
  'phoneVerificationRequest',
  'teamEmailVerificationRequest',
  'teamPhoneVerificationRequest',
  'bookingAttendeeAdd',
  'bookingGuestsAdd',
  'teamBookingGuestsAdd',
  'teamBookingAttendeeAdd',
  'organizationBookingGuestsAdd',
  'organizationBookingAttendeeAdd',
  'teamBookingCreate',
  'organizationBookingCreate',
];

/**
 * These stay allowed: reading, being booked, one's own settings, and whatever ends something. A takeover stops those
 * that lead out.
 */
const ALLOWED: readonly string[] = [
  ...FOR_UNVERIFIED,
  'appleCalendarAccountConnect',
  'authorizedAppRevoke',
  'bookerEmailVerificationRequest',
  'bookingAbsenceMark',
  'bookingCancel',
  'bookingConfirm',
  'bookingCreate',
  'bookingDecline',
  'bookingLocationUpdate',
  'bookingReassign',
  'bookingReschedule',
  'bookingRescheduleRequest',
  'bookingSeriesCancel',
  'bookingUidRotate',
  'caldavCalendarAccountConnect',
  'calendarAccountConnect',
  'calendarAccountDisconnect',
  'calendarAccountReconnect',
  'conferencingAppConnect',
  'conferencingAppDefaultSet',
  'conferencingAppDisconnect',
  'destinationCalendarSet',
  'emailChange',
  'verifiedEmailCreate',
  'eventTypeWebhookDelete',
  'eventTypeWebhookDeliveryRetry',
  'eventTypeWebhookSecretRotate',
  'eventTypeWebhookTest',
  'icsFeedsSet',
  'reservedSlotDelete',
  'organizationBookingAbsenceMark',
  'organizationBookingLocationUpdate',
  'organizationBookingRescheduleRequest',
  'teamBookingAbsenceMark',
  'teamBookingRescheduleRequest',
  'teamReservedSlotDelete',
  // For administrators of the service, whom the operator appoints by a verified address.
  'oauthClientApprove',
  'oauthClientReinstate',
  'oauthClientReject',
  'oauthClientSuspend',
  'userReinstate',
  'userSuspend',
  'oauthClientDelete',
  'oauthClientSecretDelete',
  'organizationBookingCancel',
  'organizationBookingConfirm',
  'organizationBookingDecline',
  'organizationBookingReassign',
  'organizationBookingUidRotate',
  'organizationBookingSeriesCancel',
  'organizationCreate',
  'organizationInvitationDelete',
  'organizationMembershipDelete',
  'organizationTeamCreate',
  'organizationTeamDelete',
  'organizationTeamUpdate',
  'organizationUpdate',
  'organizationUserRemove',
  'organizationUserUpdate',
  'organizationWebhookDelete',
  'organizationWebhookDeliveryRetry',
  'organizationWebhookSecretRotate',
  'organizationWebhookTest',
  'passwordChange',
  'verifiedPhoneCreate',
  'privateLinkDelete',
  'profileUpdate',
  'routingFormCreate',
  'routingFormDelete',
  'routingFormSubmit',
  'routingFormUpdate',
  'selectedCalendarAdd',
  'selectedCalendarRemove',
  'sessionRevoke',
  'slotReservationCreate',
  'slotReservationDelete',
  'slotReservationUpdate',
  'stoppedThingDelete',
  'stoppedThingRevive',
  'teamBookingCancel',
  'userBookingCancel',
  'userBookingSeriesCancel',
  'userBookingReschedule',
  'teamBookingReschedule',
  'organizationBookingReschedule',
  'teamBookingConfirm',
  'teamBookingDecline',
  'teamBookingLocationUpdate',
  'teamBookingReassign',
  'teamBookingUidRotate',
  'teamBookingSeriesCancel',
  'teamConferencingAppConnect',
  'teamConferencingAppDefaultSet',
  'teamConferencingAppDisconnect',
  'teamCreate',
  'teamDelete',
  'teamVerifiedEmailCreate',
  'teamEventTypeWebhookDelete',
  'teamEventTypeWebhookDeliveryRetry',
  'teamEventTypeWebhookSecretRotate',
  'teamEventTypeWebhookTest',
  'teamInvitationDelete',
  'teamMembershipDelete',
  'teamVerifiedPhoneCreate',
  'teamPrivateLinkDelete',
  'teamUpdate',
  'teamVerifiedEmailDelete',
  'teamVerifiedPhoneDelete',
  'verifiedEmailDelete',
  'verifiedPhoneDelete',
  'webhookDelete',
  'webhookDeliveryRetry',
  'webhookSecretRotate',
  'webhookTest',
];

/** Sets what others are told: an update that only ends it is nobody's worry. */
const CHANGE: Readonly<Record<string, object>> = Object.fromEntries(
  ['webhook', 'organizationWebhook', 'eventTypeWebhook', 'teamEventTypeWebhook'].map((kind) => [
    `${kind}Update`,
    { triggers: ['BOOKING_CANCELLED'] },
  ]),
);

let api: TestApi;
let valid: (name: string) => Promise<ValidInput>;
beforeAll(async () => {
  api = await openTestApi();
  valid = validInputs(api);
});
afterAll(() => api.close());

test('every mutation is decided on: whether it is open to a user with an unverified address', () => {
  const fields = buildSchemas().forSessions.schema.getMutationType()?.getFields() ?? {};
  const decided = [...REFUSED, ...ALLOWED];
  expect(Object.keys(fields).filter((name) => !decided.includes(name))).toEqual([]);
  expect(decided.filter((name, index) => !(name in fields) || decided.indexOf(name) !== index)).toEqual([]);
});

// A secret is rotated for an app that nobody lets in, and what is taken over has nobody: the webhook pauses from then on.
const isLast = (name: string): number => (/SecretRotate|TakeOver/.test(name) ? 1 : 0);
const inOrder = NAMES_WITH_INPUT.toSorted((a, b) => isLast(a) - isLast(b));
const isRefused = (name: string): boolean => REFUSED.includes(name);

async function unverified(name: string) {
  const { username, input } = await valid(name);
  const caller = api.as(username);
  await setVerified(caller.userId, false);
  const before = await everythingIn(api.database);
  const answer = await caller.change(name, { ...input, ...CHANGE[name] });
  const after = await everythingIn(api.database);
  await setVerified(caller.userId, true);
  return { ...answer, before, after };
}

describe('somebody whose address is not verified', () => {
  test.each(inOrder.filter(isRefused))('is refused %s', async (name) => {
    const { mistakes, messages, codes, before, after } = await unverified(name);
    expect(codes).toEqual([]);
    expect(mistakes).toEqual(['EMAIL_NOT_VERIFIED']);
    expect(messages[0]).toMatch(/^[A-Z].*; verify your e-mail address first, at \/settings\/account\.$/);
    expect(after).toEqual(before);
  });

  test.each(inOrder.filter((name) => !isRefused(name)))('is not asked for that by %s', async (name) => {
    const { mistakes, codes } = await unverified(name);
    expect(codes).toEqual([]);
    expect(mistakes.join()).not.toContain('EMAIL_NOT_VERIFIED');
  });
});

describe('mutations for sessions, and the pages', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  test('register no client, change none and give none a secret', async () => {
    const browser = await app.signIn('dan@solo.test');
    const made = { name: 'One', purpose: 'Shows it', type: 'CONFIDENTIAL', redirectUris: ['https://app.test/cb'] };
    const create = () => mutate('oauthClientCreate', { ...made, scopes: ['PROFILE_READ'] }, 'client { clientId }');
    const { client } = await create();
    const { clientId } = client;
    await unverify();
    const refused = [
      await create(),
      await mutate('oauthClientUpdate', { clientId, purpose: 'Another' }),
      await mutate('oauthClientSecretCreate', { clientId, name: 'Second' }),
    ];
    for (const { userErrors } of refused) expect(userErrors).toEqual([{ code: 'EMAIL_NOT_VERIFIED' }]);
    expect((await mutate('oauthClientDelete', { clientId })).userErrors).toEqual([]);

    // oxlint-disable-next-line typescript/no-explicit-any -- payloads of several mutations
    async function mutate(name: string, input: object, shown = ''): Promise<any> {
      const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
      const document = `mutation($input: ${type}!) { ${name}(input: $input) { ${shown} userErrors { code } } }`;
      const data = await browser.graphql<Record<string, unknown>>(document, { input });
      return data[name];
    }
  });

  async function unverify(): Promise<void> {
    await rows(app.database.em.fork(), sql`update users set email_verified_at = null where email = 'dan@solo.test'`);
  }
});

async function setVerified(userId: string, isVerified: boolean): Promise<void> {
  const verifiedAt = isVerified ? sql`now()` : sql`null`;
  await rows(
    api.database.em.fork(),
    sql`update users set email_verified_at = ${verifiedAt} where id = ${uuidOf(userId)}`,
  );
}
