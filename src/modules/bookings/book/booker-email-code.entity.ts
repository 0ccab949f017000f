import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../../database/temporal-types.ts';

/** The last code that was sent to an e-mail address, to book one event type with it. Booking deletes it. */
export const BookerEmailCode = defineEntity({
  name: 'BookerEmailCode',
  tableName: 'booker_email_codes',
  indexes: [{ name: 'booker_email_codes_expires_at_idx', properties: ['expiresAt'] }],
  properties: {
    /** The owner of the event type. */
    ownerId: p.uuid().primary(),
    eventTypeId: p.uuid().primary(),
    /** In lower case. */
    email: p.text().primary(),
    codeMac: p.text(),
    /** How often anything was tried, from wherever. */
    tries: p.integer(),
    expiresAt: p.type(InstantType),
  },
});
