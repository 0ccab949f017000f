/**
 * stopped/ protects somebody who proves that an account is theirs after another person may have been in it. Everything that leads
 * out of the account, or lets somebody in, is stopped and listed to its owner, who brings it back one by one. It may import
 * grants/, clients/ and revocations/.
 */
import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import { User } from '../../modules/accounts/user.entity.ts';
import type { StoppedContent, StoppedKind } from './stopped-thing.rules.ts';

/**
 * Something that has stopped. It is here and nowhere else: rows of other tables stand in `content`, and columns of rows that stay
 * are emptied there, so that nothing that works with those tables has to know. Bound by what the account has had, and for 30 days.
 */
export const StoppedThing = defineEntity({
  name: 'StoppedThing',
  tableName: 'stopped_things',
  indexes: [{ name: 'stopped_things_stopped_at_idx', properties: ['stoppedAt'] }],
  properties: {
    user: () => p.manyToOne(User).fieldNames('user_id').primary().deleteRule('cascade').index(false),
    id: p.uuid().primary(),
    kind: p.text().$type<StoppedKind>(),
    /** The title by which its owner knows it. */
    title: p.text(),
    /**
     * The place that it leads to, or the person that it lets in; null for a thing that has a secret alone, or leads to
     * the owner's own.
     */
    address: p.text().nullable(),
    content: p.json<StoppedContent>(),
    stoppedAt: p.type(InstantType),
  },
});
