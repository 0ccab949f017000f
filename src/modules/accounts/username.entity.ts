import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';

/** A username that somebody has, or has given up and is kept for: its key decides who gets a name. */
export const Username = defineEntity({
  name: 'Username',
  tableName: 'usernames',
  indexes: [
    { name: 'usernames_user_id_idx', properties: ['userId'] },
    {
      name: 'usernames_free_at_idx',
      expression: 'create index usernames_free_at_idx on usernames (free_at) where free_at is not null',
    },
  ],
  properties: {
    username: p.text().primary(),
    /** The user who has it, or had it last. */
    userId: p.uuid(),
    /** When anybody may take it; null while it is in use. */
    freeAt: p.type(InstantType).nullable(),
  },
});
