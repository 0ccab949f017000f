import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../../database/temporal-types.ts';
import { User } from '../user.entity.ts';
import type { LinkKind } from './account-mail.rules.ts';

/** The last link of its kind that was mailed for an account. Following it deletes it. */
export const AccountLink = defineEntity({
  name: 'AccountLink',
  tableName: 'account_links',
  indexes: [{ name: 'account_links_expires_at_idx', properties: ['expiresAt'] }],
  properties: {
    user: () => p.manyToOne(User).primary().deleteRule('cascade').index(false),
    kind: p.text().$type<LinkKind>().primary(),
    /** SHA-256 of the token in the link; the token itself is kept nowhere. */
    tokenHash: p.text().unique(),
    /** The address that it was mailed to: for a change of address, the new one. */
    email: p.text(),
    createdAt: p.type(InstantType),
    expiresAt: p.type(InstantType),
  },
});
