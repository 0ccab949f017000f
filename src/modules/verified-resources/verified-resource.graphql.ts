import type { OwnedId } from '../../core/id.ts';
import { batchedEach } from '../../graphql/batch.ts';
import { rowType } from '../../graphql/row.ts';
import { reads, writes } from '../../scopes/declare.ts';
import { resource } from '../levels/resource.graphql.ts';
import { VerifiedEmail as VerifiedEmailEntity } from './verified-email.entity.ts';
import { VerifiedPhone as VerifiedPhoneEntity } from './verified-phone.entity.ts';
import { findAnsweredFor, VERIFIED_EMAILS, VERIFIED_PHONES } from './verified-resource.queries.ts';
import type { ReceiverKind } from './verified-resource.rules.ts';

const data = reads('VERIFIED_RESOURCES');
const change = writes('VERIFIED_RESOURCES');
const IS_ANSWERED_FOR =
  'Whether messages go there. Of a team’s, who has given the code last answers for it: no workflow sends anything there while they do not administer the team, or are suspended, until an administrator verifies it anew. One’s own is always answered for.';
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

export const VerifiedEmail = rowType(VerifiedEmailEntity, 'VerifiedEmail', {
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

export const VerifiedPhone = rowType(VerifiedPhoneEntity, 'VerifiedPhone', {
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
