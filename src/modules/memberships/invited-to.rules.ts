import type { Role } from '../organizations/role.rules.ts';

/** What somebody is invited to. */
export interface InvitedTo {
  readonly groupKind: 'organization' | 'team';
  readonly groupName: string;
  readonly role: Role;
}
