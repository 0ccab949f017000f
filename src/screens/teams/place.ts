import type { Em } from '../../database/sql.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/sessions.ts';
import type { InvitationMails } from '../../modules/memberships/invite.ts';
import { type FurnishMember, findStanding } from '../../modules/organizations/group.ts';
import { isAtLeast, mayManage, ROLES, type Role, type Standing } from '../../modules/organizations/role.rules.ts';
import type { IsLetIn } from '../../modules/webhooks/webhook.queries.ts';
import type { Visit } from '../kit/page.ts';
import { localeOf } from '../kit/page-locale.ts';
import { sendError } from '../kit/problem-response.ts';
import type { AddressOf, Visitors } from '../kit/visitors.ts';
import { type Acting, type GroupKind, groupNamed, groupPath, type ShownGroup, TEAMS_PATH } from './group-kinds.ts';
import { teamWords } from './words/team-words.ts';

export interface TeamsSettings {
  /** The global EntityManager; each request works on a fork. */
  readonly em: Em;
  readonly visitors: Visitors;
  readonly publicUrl: string;
  readonly addressOf: AddressOf;
  /** How invitations are mailed. */
  readonly invitationMails: InvitationMails;
  readonly furnishMember: FurnishMember;
  /** Whether apps that have set webhooks still have access. */
  readonly isLetIn: IsLetIn;
}

/** A team or an organization, and its reader. */
export interface Place extends Acting {
  readonly kind: GroupKind;
  readonly shown: ShownGroup;
  /** The reader's; in a team, also by their role in its organization. */
  readonly standing: Standing;
  readonly session: FoundSession;
  /** The path of its page. */
  readonly path: string;
}

/** Finds what `:id` names: undefined alike for a text that is no id, an unknown one, and a group of others. */
export function placeOf({ em, session, param }: Visit): Promise<Place | undefined> {
  return findPlace(em, param('id'), session);
}

/** Undefined for what the reader does not see, and for what is no id. */
export async function findPlace(em: Em, named: string, session: FoundSession): Promise<Place | undefined> {
  const found = groupNamed(named);
  if (!found) return undefined;
  const { kind, groupId } = found;
  const actorId = session.userId;
  const shown = await kind.find(em, actorId, groupId);
  const standing = shown && (await findStanding(em, kind.group, groupId, actorId));
  return standing && { kind, groupId, actorId, shown, standing, session, path: groupPath(kind.group, groupId) };
}

/** Whether a page offers what only an administrator may do; the command decides once more. */
export function administersPlace({ standing }: Place): boolean {
  return isAtLeast(standing, 'ADMIN');
}

/** Whether the reader may change the group's profile. */
export function mayChange({ kind, standing }: Place): boolean {
  return isAtLeast(standing, kind.changedBy);
}

/** Whether it is offered to delete it: a team alone. */
export function mayDelete({ kind, standing }: Place): boolean {
  return kind.group.kind === 'team' && isAtLeast(standing, 'OWNER');
}

/** The roles that the reader may give. */
export function rolesToGive({ standing }: Place): readonly Role[] {
  return ROLES.filter((role) => mayManage(standing, role));
}

/** Answers a reader who does not see what an address names: in their language, also where the page exists in one alone. */
export function answerNone({ c }: Pick<Visit, 'c'>): Response | Promise<Response> {
  const { title, message, advice } = teamWords(localeOf(c)).nothing;
  return sendError(c, { status: 404, title, message, advice: advice(TEAMS_PATH) });
}
