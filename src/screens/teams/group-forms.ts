import type { Page } from '../../core/page.ts';
import type { Mistake } from '../../core/problem.ts';
import type { SentInvitationRow } from '../../modules/memberships/invitation.queries.ts';
import type { MembershipRow, OwnMembership } from '../../modules/memberships/membership.queries.ts';
import type { PausedWebhook } from '../../modules/webhooks/webhook.queries.ts';
import type { Viewer } from '../kit/layout.ts';
import type { Clock } from '../kit/when.ts';
import type { ShownGroup } from './group-kinds.ts';
import type { Place } from './place.ts';

/** The forms of a group's page. */
const GROUP_FORMS = ['profile', 'invite', 'resend', 'withdraw'] as const;
export type GroupForm = (typeof GROUP_FORMS)[number];

/** The actions that a group's page can say were done. */
export const GROUP_DONE = [...GROUP_FORMS, 'created', 'joined', 'removed', 'role', 'handed-over', 'gone'] as const;
type GroupDone = (typeof GROUP_DONE)[number];

/** The contents of the forms: as they are stored, or as they were typed. */
export interface TypedProfile {
  readonly name: string;
  readonly slug: string;
  readonly bio: string;
  readonly isPrivate: boolean;
}
export interface TypedInvitation {
  readonly email: string;
  readonly role: string;
}

export function profileOf({ name, slug, bio, isPrivate }: ShownGroup): TypedProfile {
  return { name, slug, bio: bio ?? '', isPrivate };
}

export function typedProfile(form: URLSearchParams): TypedProfile {
  const textOf = (name: string): string => form.get(name) ?? '';
  return { name: textOf('name'), slug: textOf('slug'), bio: textOf('bio'), isPrivate: form.has('isPrivate') };
}

export function typedInvitation(form: URLSearchParams): TypedInvitation {
  return { email: form.get('email') ?? '', role: form.get('role') ?? '' };
}

/** The lists of the page, each with the name of its cursor in the query. */
export const CURSORS = { members: 'after', invitations: 'invitations', teams: 'teams' } as const;
export type ListName = keyof typeof CURSORS;

export interface GroupPage {
  readonly viewer: Viewer;
  readonly place: Place;
  /** When it was last changed, as its form has seen it. */
  readonly updatedAt: string;
  /** The organization that a team is in. */
  readonly roof: ShownGroup | undefined;
  readonly bookingUrl: string;
  /** Whether there is a page for the reader: not as long as nothing is offered. */
  readonly isPlaceOpen: boolean;
  /** Undefined for administrators of a team's organization who are not in the team. */
  readonly own: OwnMembership | undefined;
  /** For administrators; so is the next. */
  readonly members: Page<MembershipRow> | undefined;
  readonly invitations: Page<SentInvitationRow> | undefined;
  /** The teams of an organization that the reader sees. */
  readonly teams: Page<ShownGroup> | undefined;
  /** That nobody answers for; none for those who may not take them over. */
  readonly pausedWebhooks: readonly PausedWebhook[];
  /** The addresses and numbers to which workflows send nothing, as nobody answers for them. */
  readonly unanswered: readonly string[];
  readonly profile: TypedProfile;
  readonly invitation: TypedInvitation;
  /** The key of the forms that send a mail: each is sent once. */
  readonly idempotencyKey: string;
  readonly csrf: Readonly<Record<GroupForm, string>>;
  readonly mistakes: readonly Mistake[];
  readonly done: GroupDone | undefined;
  /** How who reads it reads times, and in which language. */
  readonly clock: Clock;
}
