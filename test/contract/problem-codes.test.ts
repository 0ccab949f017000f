import type { GraphQLEnumType } from 'graphql';
import { expect, test } from 'vitest';
import { codesOf as codesOfMutation } from '../../src/graphql/mutation.ts';
import { buildSchemas } from '../../src/schema.ts';
import { readSources } from './import-graph.ts';
import { CodeSearch } from './problem-codes.ts';

/** Some mutations (by a pattern of their names) use functions with these codes, but never make them give these. */
const NEVER: readonly (readonly [mutations: RegExp, codes: readonly string[], why: string])[] = [
  [/^(?!team|organization)/, ['FORBIDDEN'], 'what is one’s own may be changed'],
  [/^(?!organization)/, ['BAD_INPUT'], 'only organizations reach both teams and members'],
  [
    /^organization(Schedule|OutOfOffice|RoutingFormResponse|Webhook)/,
    ['BAD_INPUT'],
    'what only people or a group itself have names no team',
  ],
  [/^teamCreate$/, ['NOT_FOUND', 'FORBIDDEN'], 'it stands alone, in no organization'],
  [/^teamEventType(Update|Delete)$/, ['MANAGED_BY_TEAM'], 'a team’s own event type follows no other'],
  [/^privateLinkCreate$/, ['NOT_POSSIBLE'], 'only a team’s managed event type is not booked itself'],
  [
    /bookingReassign$|MembershipDelete$|^organizationUserRemove$/i,
    ['SLOT_IN_PAST', 'NOTICE_TOO_SHORT', 'OUTSIDE_BOOKING_WINDOW', 'LIMIT_REACHED'],
    'who cannot take it over is passed over',
  ],
  [
    /booking(Confirm|Decline|Reschedule|RescheduleRequest|AbsenceMark)$/i,
    ['REASON_REQUIRED'],
    'only who cancels owes a reason',
  ],
  [
    /booking(Confirm|Decline|Cancel|SeriesCancel|Reschedule|RescheduleRequest)$/i,
    ['NOT_STARTED'],
    'it may begin later',
  ],
  [/^bookingReassign$/, ['REQUIRED'], 'a host hands over their own part'],
  [/^bookingCreate$/, ['EMAIL_NOT_VERIFIED'], 'who books for themselves may be anybody'],
  [
    /^organizationUserUpdate$/,
    ['USERNAME_TAKEN', 'INVALID_SLUG', 'INVALID_URL', 'TOO_MANY'],
    'it takes some fields of a profile, by the rules of all',
  ],
  [/^(profile|organizationUser)Update$/, ['INVALID_TIME_FORMAT'], 'an enum has no other values'],
  [/^oauthClientCreate$/, ['TOO_MANY_SECRETS'], 'it is the first one'],
  [/^oauthClient(Suspend|Reinstate)$|webhookSecretRotate$/i, ['CONFLICT'], 'they name no version'],
];

/** Codes of what the context brings: no import leads there. */
const FROM_CONTEXT: Readonly<Record<string, readonly string[]>> = {
  emailChange: ['TOO_MANY_MAILS'],
  bookerEmailVerificationRequest: ['TOO_MANY_MAILS'],
  emailVerificationRequest: ['TOO_MANY_MAILS'],
  teamEmailVerificationRequest: ['TOO_MANY_MAILS'],
  phoneVerificationRequest: ['TOO_MANY_SMS'],
  teamPhoneVerificationRequest: ['TOO_MANY_SMS'],
  teamInvitationCreate: ['TOO_MANY_MAILS'],
  teamInvitationResend: ['TOO_MANY_MAILS'],
  organizationInvitationCreate: ['TOO_MANY_MAILS'],
  organizationInvitationResend: ['TOO_MANY_MAILS'],
};

const { schema } = buildSchemas().forSessions;
const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {});
const found = [...new CodeSearch(await readSources('src')).mutations()];

test.each(mutations)('%s names the codes that it can give, and no more', (name) => {
  const reached = reachedBy(name);
  const declared = codesOf(name);
  const excused = NEVER.flatMap(([pattern, codes]) => (pattern.test(name) ? codes : []));
  const isGiven = (code: string): boolean => reached.has(code) || FROM_CONTEXT[name]?.includes(code) === true;
  expect({
    neverGiven: declared.filter((code) => !isGiven(code)),
    notNamed: [...reached].filter(([code]) => !declared.includes(code) && !excused.includes(code)),
  }).toEqual({ neverGiven: [], notNamed: [] });
});

test.each(mutations)('the description of %s lists these codes', (name) => {
  const [, list = ''] = /^Codes: (.+)\.$/m.exec(schema.getMutationType()?.getFields()[name]?.description ?? '') ?? [];
  expect(list.split(', ')).toEqual(codesOf(name).map((code) => `\`${code}\``));
});

test('UserErrorCode has the codes that mutations give, and no others', () => {
  const values = (schema.getType('UserErrorCode') as GraphQLEnumType).getValues().map(({ name }) => name);
  expect(values.toSorted()).toEqual([...new Set<string>(mutations.flatMap(codesOf))].toSorted());
});

test('no excuse is left over', () => {
  const leftOver = NEVER.flatMap(([pattern, codes]) =>
    codes.filter(
      (code) =>
        !mutations.some((name) => pattern.test(name) && reachedBy(name).has(code) && !codesOf(name).includes(code)),
    ),
  );
  expect(leftOver).toEqual([]);
});

function reachedBy(name: string): ReadonlyMap<string, string> {
  const [, reached] = found.find(([pattern]) => new RegExp(`^${pattern.replaceAll('*', '.*')}$`, 'i').test(name)) ?? [];
  if (!reached) throw new Error(`${name} is declared nowhere.`);
  return reached;
}

function codesOf(name: string): readonly string[] {
  const { [name]: mutation } = schema.getMutationType()?.getFields() ?? {};
  return mutation ? codesOfMutation(mutation) : [];
}
