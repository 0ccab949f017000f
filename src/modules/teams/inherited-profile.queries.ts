import { isTeam } from '../../core/id.ts';
import { columnOf } from '../../database/changes.ts';
import type { Part } from '../../database/selection.ts';
import { type Em, type RawBuilder, row, sql } from '../../database/sql.ts';
import type { Mail } from '../../mail/mailer.ts';
import { type GroupProfile, INHERITABLE, type InheritableField } from '../organizations/group-profile.rules.ts';
import { Organization } from '../organizations/organization.entity.ts';

/** The organization of a team, for what the team inherits; null of one that stands alone. */
export const INHERITED_FROM: Part<'inheritedFrom', typeof Organization, 'ONE'> = {
  name: 'inheritedFrom',
  holds: 'ONE',
  entity: Organization,
  from: (alias, of) =>
    of.jsonObject('o', sql`from organizations o where o.id = ${sql.ref(`${alias}.organization_id`)}`),
};

/** SQL: what holds for the team `t` in the organization `o`, if it is in one. */
export function inherited<Name extends InheritableField>(name: Name): RawBuilder<GroupProfile[Name]> {
  const column = columnOf(name);
  const [own, inheritedValue] = [sql.ref(`t.${column}`), sql.ref(`o.${column}`)];
  // An empty text of the team means none, for fields that there can be none of.
  if (INHERITABLE[name] === null) return sql`nullif(coalesce(${own}, ${inheritedValue}), '')`;
  return sql`coalesce(${own}, ${inheritedValue}, ${INHERITABLE[name]})`;
}

/** How the booking pages of a team look, and whether its mails and pages leave out our name. */
export interface Brand extends Pick<GroupProfile, 'logoUrl' | 'brandColor' | 'hideBranding'> {
  /** Where this is true, the logo is the picture of a user. */
  readonly isPerson?: boolean;
}

/** The brand of people on the pages of their bookings, which load nothing from elsewhere. */
const NO_BRAND: Brand = { logoUrl: null, brandColor: null, hideBranding: false };

/** SQL: for `select`, that of the team `t` in the organization `o`, if it is in one. */
export const BRAND = sql<Brand>`${inherited('logoUrl')} as "logoUrl", ${inherited('brandColor')} as "brandColor",
  ${inherited('hideBranding')} as "hideBranding"`;

/** Finds the brand of the owner of event types. Users have none, nor has a team that is gone. */
export async function findBrand(em: Em, ownerId: string): Promise<Brand> {
  if (!isTeam(ownerId)) return NO_BRAND;
  const found = await row(
    em,
    sql<Brand>`select ${BRAND} from teams t left join organizations o on o.id = t.organization_id where t.id = ${ownerId}`,
  );
  return found ?? NO_BRAND;
}

/** The part of the brand that mails show. */
export type MailLook = Pick<Mail, 'isUnbranded' | 'color'>;

export function lookOf({ hideBranding, brandColor }: Brand): MailLook {
  return { isUnbranded: hideBranding, ...(brandColor !== null && { color: brandColor }) };
}
