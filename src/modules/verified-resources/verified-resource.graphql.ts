import type { OwnedId } from '../../core/id.ts';
import { EMAIL_IN_WORDS } from '../../core/text.ts';
import { batchedEach } from '../../graphql/batch.ts';
import type { InputBuilder } from '../../graphql/builder.ts';
import { requireUserId } from '../../graphql/context.ts';
import { mutation, type PayloadFields } from '../../graphql/mutation.ts';
import { rowType } from '../../graphql/row.ts';
import { INHERIT, reads, writes } from '../../scopes/declare.ts';
import { enteringAt } from '../levels/level.graphql.ts';
import { newOwner, ownedStore, pathFields, withinOrganization } from '../levels/owned-store.graphql.ts';
import { resource } from '../levels/resource.graphql.ts';
import { mutationName } from '../levels/resource-mutations.graphql.ts';
import {
  VerifiedEmail as VerifiedEmailEntity,
  VerifiedPhone as VerifiedPhoneEntity,
} from './verified-resource.entity.ts';
import { findAnsweredFor, VERIFIED_EMAILS, VERIFIED_PHONES } from './verified-resource.queries.ts';
import { CODE_MINUTES, checkedEmail, checkedPhone, type ReceiverKind } from './verified-resource.rules.ts';
import {
  type CodesBySms,
  MOST_TRIES,
  REQUEST_EMAIL_CODES,
  REQUEST_PHONE_CODES,
  requestEmailVerification,
  requestPhoneVerification,
  VERIFY_EMAIL_CODES,
  VERIFY_PHONE_CODES,
  verifyReceiver,
} from './verify-receiver.ts';

const data = reads('VERIFIED_RESOURCES');
const change = writes('VERIFIED_RESOURCES');
const IS_ANSWERED_FOR =
  'Whether workflows send messages there. False while the administrator who verified it for the team no longer administers the team or is suspended; another administrator can verify it again. Always true of a user’s own.';
const VERIFIED_AT = 'When the code that was sent there was last given.';

/** One statement for all of a kind that are asked for in one turn. */
const answeredFor = (kind: ReceiverKind) =>
  batchedEach((context, those: readonly OwnedId[], _args: undefined) =>
    findAnsweredFor(
      context.em,
      kind,
      those.map(({ ownerId, id }) => ({ ownerId, id })),
    ),
  );
const loadEmailAnsweredFor = answeredFor('EMAIL');
const loadPhoneAnsweredFor = answeredFor('PHONE');

const VerifiedEmail = rowType(VerifiedEmailEntity, 'VerifiedEmail', {
  description: 'An e-mail address that a user or a team has shown to be theirs, by a code that was mailed there.',
  fields: (t) => ({
    id: t.ownedId(['ownerId', 'id'], 'verifiedEmail', { requires: data }),
    email: t.column('receiver', { type: 'EmailAddress', requires: data, description: 'The address, in lower case.' }),
    isAnsweredFor: t.from(['ownerId', 'id'], {
      type: 'Boolean',
      requires: data,
      description: IS_ANSWERED_FOR,
      resolve: async (verified, _args, context) => (await loadEmailAnsweredFor(context, verified, undefined)) ?? false,
    }),
    verifiedAt: t.column('verifiedAt', { requires: data, description: VERIFIED_AT }),
  }),
});

const VerifiedPhone = rowType(VerifiedPhoneEntity, 'VerifiedPhone', {
  description: 'A phone number that a user or a team has shown to be theirs, by a code that was sent there by SMS.',
  fields: (t) => ({
    id: t.ownedId(['ownerId', 'id'], 'verifiedPhone', { requires: data }),
    phone: t.column('receiver', { requires: data, description: 'The number in E.164, such as `+4930123456`.' }),
    isAnsweredFor: t.from(['ownerId', 'id'], {
      type: 'Boolean',
      requires: data,
      description: IS_ANSWERED_FOR,
      resolve: async (verified, _args, context) => (await loadPhoneAnsweredFor(context, verified, undefined)) ?? false,
    }),
    verifiedAt: t.column('verifiedAt', { requires: data, description: VERIFIED_AT }),
  }),
});

resource({
  type: VerifiedEmail,
  owned: VERIFIED_EMAILS,
  belongsTo: 'OWNER',
  reads: data,
  writes: change,
  list: {
    name: 'verifiedEmails',
    describes: {
      user: 'The e-mail addresses that you have verified, in the order in which you first did.',
      team: 'The e-mail addresses that were verified for the team, in that order. Null unless you administer it.',
    },
  },
  delete: {
    describes: {
      user: 'Takes an e-mail address off those that you have verified: nothing is sent there for you any more.',
      team: 'Takes an e-mail address off those of a team that you administer: its workflows send nothing there any more.',
    },
  },
});

resource({
  type: VerifiedPhone,
  owned: VERIFIED_PHONES,
  belongsTo: 'OWNER',
  reads: data,
  writes: change,
  list: {
    name: 'verifiedPhones',
    describes: {
      user: 'The phone numbers that you have verified, in the order in which you first did.',
      team: 'The phone numbers that were verified for the team, in that order. Null unless you administer it.',
    },
  },
  delete: {
    describes: {
      user: 'Takes a phone number off those that you have verified: nothing is sent there for you any more.',
      team: 'Takes a phone number off those of a team that you administer: its workflows send nothing there any more.',
    },
  },
});

declare module '../../graphql/context.ts' {
  interface ModuleContext {
    /** How codes get to phones; undefined where no SMS are sent. */
    readonly codesBySms: CodesBySms | undefined;
  }
}

/** Each level, the words for the owner there, and the error codes that only it has. */
const LEVELS = [
  { level: 'user', whose: 'yours', codes: ['NOT_FOUND'] },
  { level: 'team', whose: 'one of a team that you administer', codes: ['NOT_FOUND', 'FORBIDDEN'] },
] as const;
type Level = (typeof LEVELS)[number]['level'];

const REQUESTED = 'by which it becomes';
const SAME = `The code is valid for ${CODE_MINUTES} minutes; another request makes it void. The answer is the same for whatever can be sent to.`;
const TRIED = `A code works once, and may be tried ${MOST_TRIES} times.`;

const emailField = (t: InputBuilder) =>
  t.field({ type: 'EmailAddress', required: true, description: `The address: ${EMAIL_IN_WORDS}.` });
const phoneField = (t: InputBuilder) =>
  t.string({ required: true, description: 'The number with its country code, such as `+4930123456`.' });
const codeField = (t: InputBuilder) =>
  t.string({ required: true, description: 'The six digits, with or without white space.' });

for (const { level, whose, codes } of LEVELS) {
  const common = { requires: enteringAt(level, change), single: true } as const;

  mutation(mutationName(level, 'emailVerification', 'Request'), {
    ...common,
    description: `Mails a code of six digits to an e-mail address, ${REQUESTED} ${whose}. ${SAME}`,
    errors: [...codes, ...REQUEST_EMAIL_CODES],
    input: (t) => ({ ...pathFields(t, level), email: emailField(t) }),
    resolve: async (given, context) => {
      const { owner, rest } = newOwner(level, 'OWNER', await withinOrganization(level, given, context), context);
      const wanted = { email: String(rest['email']), actorId: requireUserId(context) };
      await requestEmailVerification(context.em, owner, wanted, context.verification);
      return {};
    },
    payload: () => ({}),
  });

  mutation(mutationName(level, 'phoneVerification', 'Request'), {
    ...common,
    description: `Sends a code of six digits to a phone number by SMS, ${REQUESTED} ${whose}. ${SAME}`,
    errors: [...codes, ...REQUEST_PHONE_CODES],
    input: (t) => ({ ...pathFields(t, level), phone: phoneField(t) }),
    resolve: async (given, context) => {
      const { owner, rest } = newOwner(level, 'OWNER', await withinOrganization(level, given, context), context);
      const wanted = { phone: String(rest['phone']), actorId: requireUserId(context) };
      await requestPhoneVerification(context.em, owner, wanted, context);
      return {};
    },
    payload: () => ({}),
  });

  mutation(mutationName(level, 'verifiedEmail', 'Create'), {
    ...common,
    description: `Has an e-mail address verified by the code that was mailed there: it becomes ${whose}. ${TRIED}`,
    errors: [...codes, ...VERIFY_EMAIL_CODES],
    input: (t) => ({ ...pathFields(t, level), email: emailField(t), code: codeField(t) }),
    resolve: async (given, context) => {
      const { owner, rest } = newOwner(level, 'OWNER', await withinOrganization(level, given, context), context);
      const shown = { receiver: checkedEmail(String(rest['email'])), code: String(rest['code']) };
      const id = await verifyReceiver(context.em, 'EMAIL', owner, shown, context.verification.key);
      return { verified: { ownerId: owner.ownerId, id } };
    },
    payload: verifiedFields(level, 'verifiedEmail', VerifiedEmail, VERIFIED_EMAILS),
  });

  mutation(mutationName(level, 'verifiedPhone', 'Create'), {
    ...common,
    description: `Has a phone number verified by the code that was sent there: it becomes ${whose}. ${TRIED}`,
    errors: [...codes, ...VERIFY_PHONE_CODES],
    input: (t) => ({ ...pathFields(t, level), phone: phoneField(t), code: codeField(t) }),
    resolve: async (given, context) => {
      const { owner, rest } = newOwner(level, 'OWNER', await withinOrganization(level, given, context), context);
      const shown = { receiver: checkedPhone(String(rest['phone'])), code: String(rest['code']) };
      const id = await verifyReceiver(context.em, 'PHONE', owner, shown, context.verification.key);
      return { verified: { ownerId: owner.ownerId, id } };
    },
    payload: verifiedFields(level, 'verifiedPhone', VerifiedPhone, VERIFIED_PHONES),
  });
}

/** The fields of a verified receiver: its row, for callers who may read it, and its id. */
function verifiedFields(
  level: Level,
  noun: 'verifiedEmail' | 'verifiedPhone',
  type: typeof VerifiedEmail | typeof VerifiedPhone,
  table: typeof VERIFIED_EMAILS | typeof VERIFIED_PHONES,
): PayloadFields<{ readonly verified: OwnedId }> {
  const store = ownedStore(table, 'OWNER');
  const readAgain = store.readAgainAt(level);
  return (t) => ({
    [`${noun}Id`]: t.id({
      nullable: true,
      requires: INHERIT,
      resolve: ({ verified }) => verified && store.publicId(verified),
    }),
    [noun]: t.field({
      type,
      nullable: true,
      requires: { [level]: data[level] },
      resolve: ({ verified }, _args, context, info) =>
        verified ? (readAgain(context, verified, info) as never) : undefined,
    }),
  });
}
