import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../../database/temporal-types.ts';
import { User } from '../user.entity.ts';

/** A browser in which a user is signed in. The cookie's value is kept as its SHA-256 only. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  indexes: [
    { name: 'sessions_user_id_created_at_idx', properties: ['user', 'createdAt', 'id'] },
    { name: 'sessions_expires_at_idx', properties: ['expiresAt'] },
  ],
  properties: {
    id: p.uuid().primary(),
    tokenHash: p.text().unique(),
    user: () => p.manyToOne(User).deleteRule('cascade').index(false),
    userAgent: p.text(),
    address: p.text(),
    createdAt: p.type(InstantType),
    lastSeenAt: p.type(InstantType),
    expiresAt: p.type(InstantType),
  },
});
