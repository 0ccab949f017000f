import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../../database/temporal-types.ts';
import { User } from '../../accounts/user.entity.ts';

/** A calendar that is read from an address. The address is a secret: anyone who has it can read the calendar. */
export const IcsFeed = defineEntity({
  name: 'IcsFeed',
  tableName: 'ics_feeds',
  properties: {
    user: () => p.manyToOne(User).fieldNames('user_id').primary().deleteRule('cascade').index(false),
    id: p.uuid().primary(),
    /** Encrypted (outbound/credentials.ts). */
    sealedUrl: p.text(),
    /** The part of the address that is shown (save-feeds.ts). */
    host: p.text(),
    ending: p.text(),
    /** The mark that the server gave the text that was read last, so that it sends only another one (RFC 9110 §8.8). */
    etag: p.text().nullable(),
    lastModified: p.text().nullable(),
    /** The SHA-256 of that text. */
    digest: p.text().nullable(),
    /** When it was last turned into busy times, which reach so far ahead from then. */
    expandedAt: p.type(InstantType),
    /** When it was last read with success. */
    readAt: p.type(InstantType),
    /** Why it could not be read the last time; null: it could. */
    error: p.text().nullable(),
    /** How many readings in a row have failed. */
    failures: p.integer().default(0),
    nextReadAt: p.type(InstantType),
    /** When its server was last asked, and when it was known what came of that (turn-to-ask.ts). */
    askedAt: p.type(InstantType).nullable(),
    answeredAt: p.type(InstantType).nullable(),
    /** Which time was asked about, where a visitor was the reason. Null: all, in the background or with nothing new. */
    askedDuring: p.string().columnType('tstzrange').nullable(),
    /** Until when its server wants to be left alone. */
    restingUntil: p.type(InstantType).nullable(),
    /** When its user was last notified that it did not answer while somebody booked. */
    silenceNotifiedAt: p.type(InstantType).nullable(),
    eventCount: p.integer(),
    unreadableEventCount: p.integer(),
    /** The first of them, as their owner knows them: encrypted, as their titles are. Null: there are none. */
    sealedUnreadable: p.text().nullable(),
    createdAt: p.type(InstantType),
    updatedAt: p.type(InstantType),
  },
});
