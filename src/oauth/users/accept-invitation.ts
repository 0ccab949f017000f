import { takeStanding } from '../../database/on-behalf.ts';
import type { Em } from '../../database/sql.ts';
import { recordAudit } from '../../events/record-audit.ts';
import { acceptByLink } from '../../modules/memberships/answer-invitation.ts';
import type { InvitedTo } from '../../modules/memberships/invited-to.rules.ts';
import type { FurnishMember } from '../../modules/organizations/group.ts';
import type { Aftermath } from '../authorization-server.ts';
import { type ProvenAccount, stopThings } from '../stopped/stop-things.ts';

export interface Acceptance extends ProvenAccount {
  readonly token: string;
}

/**
 * Accepts an invitation by the link of its mail. That verifies the address of an account to which it went; since the account was
 * not shown to be its reader's until then, what leads out of it stops. @throws as acceptByLink does
 */
export async function acceptByLinkWithGrants(
  em: Em,
  after: Aftermath,
  { token, ...account }: Acceptance,
  furnishTeamMember: FurnishMember,
): Promise<InvitedTo> {
  const { userId, address } = account;
  // The holder of the link needs nothing else, and the steps below may put them out.
  takeStanding(undefined);
  const joined = await acceptByLink(em, { token, userId }, furnishTeamMember, async (inner) => {
    await recordAudit(inner, { type: 'USER_EMAIL_VERIFIED', userId, address });
    await stopThings(inner, account);
  });
  await after.revocations.catchUp();
  return joined;
}
