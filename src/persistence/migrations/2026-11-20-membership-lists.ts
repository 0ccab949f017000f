import { Migration } from '@mikro-orm/migrations';

/** Memberships and invitations are listed without passing over each other. */
export class MembershipLists extends Migration {
  override name = '2026-11-20-membership-lists';

  override up(): void {
    this.addSql(`
      drop index "team_memberships_user_id_team_id_idx";
      create index "team_memberships_user_id_team_id_idx" on "team_memberships" ("user_id", "accepted", "team_id");
      create index team_memberships_accepted_idx on team_memberships (team_id, user_id) where accepted;

      drop index "organization_memberships_user_id_organization_id_idx";
      create index "organization_memberships_user_id_organization_id_idx" on "organization_memberships" ("user_id", "accepted", "organization_id");
      create index organization_memberships_accepted_idx on organization_memberships (organization_id, user_id) where accepted;
    `);
  }
}
