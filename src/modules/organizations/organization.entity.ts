/** organizations/ owns what members, roles and standings are, for organizations and (as `Group`) for teams. */

import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import { metadataCheck } from '../../database/updates/merged-keys.ts';

/** A company: the roof over its teams and members. Reference table. */
export const Organization = defineEntity({
  name: 'Organization',
  tableName: 'organizations',
  checks: [metadataCheck('organizations')],
  properties: {
    id: p.uuid().primary(),
    slug: p.text().unique(),
    name: p.text(),
    bio: p.text().nullable(),
    logoUrl: p.text().nullable(),
    brandColor: p.text().nullable(),
    timeZone: p.text(),
    weekStart: p.text(),
    hideBranding: p.boolean().default(false),
    isPrivate: p.boolean(),
    metadata: p.json<Record<string, string>>(),
    createdAt: p.type(InstantType),
    updatedAt: p.type(InstantType),
  },
});
