import { ownedIdOf } from '../../../core/id.ts';
import { mutation } from '../../../graphql/mutation.ts';
import { PUBLIC } from '../../../scopes/declare.ts';
import { insiderId } from '../../teams/team.graphql.ts';
import { CODE_MINUTES } from '../../verified-resources/verified-resource.rules.ts';
import { privateLinkField } from '../booking-input.graphql.ts';
import { findOfferedEventType } from '../slots/bookable-event-type.queries.ts';
import { REQUEST_BOOKER_EMAIL_CODE_CODES, requestBookerEmailCode } from './booker-email-code.ts';

mutation('bookerEmailVerificationRequest', {
  description:
    'Mails a code of six digits for `bookingCreate`, where the event type asks bookers to verify their e-mail address. The answer is the same whether a mail was sent or not.',
  requires: PUBLIC,
  single: true,
  errors: REQUEST_BOOKER_EMAIL_CODE_CODES,
  input: (t) => ({
    eventTypeId: t.id({ required: true }),
    email: t.field({ type: 'EmailAddress', required: true, description: 'The e-mail address of the attendee.' }),
    privateLinkToken: privateLinkField(t),
  }),
  resolve: async ({ eventTypeId, email, privateLinkToken }, context) => {
    const { em, address, verification } = context;
    const named = ownedIdOf('eventType', eventTypeId);
    const offeredTo = { viewerId: insiderId(context), privateLinkToken: privateLinkToken ?? null };
    const eventType = named && (await findOfferedEventType(em, named, offeredTo));
    await requestBookerEmailCode(em, eventType, { email, address }, verification);
    return { expiresInMinutes: CODE_MINUTES };
  },
  payload: (t) => ({
    expiresInMinutes: t.exposeInt('expiresInMinutes', {
      nullable: true,
      requires: PUBLIC,
      description: 'How long a code is valid; another request makes it void.',
    }),
  }),
});
