import type { Role } from '../organizations/role.rules.ts';

/** The group and the role of an invitation. */
export interface InvitedTo {
  readonly groupKind: 'organization' | 'team';
  readonly groupName: string;
  readonly role: Role;
}
