/**
 * teams/ is where people see the teams and organizations that they belong to, answer invitations and administer what they
 * may. It may import account/ and kit/.
 */
import type { Hono } from 'hono';
import { idOf } from '../../core/id.ts';
import { pageRequest } from '../../core/page.ts';
import { Problem } from '../../core/problem.ts';
import type { Em } from '../../database/sql.ts';
import { OVER_IN_WORDS } from '../../modules/memberships/answer-invitation.ts';
import { listInvitations } from '../../modules/memberships/invitation.queries.ts';
import {
  deleteMembership,
  type MembershipTarget,
  updateMembership,
} from '../../modules/memberships/membership.commands.ts';
import type { FurnishMember, Group } from '../../modules/organizations/group.ts';
import { isAtLeast } from '../../modules/organizations/role.rules.ts';
import type { Html } from '../kit/layout.ts';
import { always, type DeclaredPage, page, routesOf, type Showing, type Visit } from '../kit/page.ts';
import { deletionPage, groupPage } from './group.routes.ts';
import { groupNamed, groupPath, KINDS, type ShownGroup, TEAMS_PATH } from './group-kinds.ts';
import { handOverPage, memberPage, removalPage } from './member.routes.ts';
import { createOnce, nothingTyped, typedGroup } from './new-group.ts';
import type { TeamsSettings } from './place.ts';
import { CURSOR_OF, LIST_DONE, teamsPage } from './teams-page.ts';
import { teamWords } from './words/team-words.ts';

/** `/settings/teams`: the teams and organizations that somebody belongs to or is invited to, with a page for each. */
export function teamsRoutes(settings: TeamsSettings): Hono {
  return routesOf(settings, [
    listPage(settings),
    groupPage(settings),
    memberPage,
    handOverPage,
    removalPage(settings),
    deletionPage,
  ]);
}

type Answer = 'accept' | 'decline';

function listPage({ furnishMember }: TeamsSettings): DeclaredPage {
  return page({
    path: TEAMS_PATH,
    find: always,
    show,
    forms: {
      create: {
        at: '',
        run: async ({ em, session }, _, form) => ({
          to: await createOnce(em, { userId: session.userId, form }, typedGroup(form)),
          done: 'created',
        }),
      },
      accept: {
        at: '/:id/accept',
        run: async (visit, _, form) => ({ to: await answer(visit, form, 'accept', furnishMember), done: 'joined' }),
      },
      decline: {
        at: '/:id/decline',
        run: async (visit, _, form) => {
          await answer(visit, form, 'decline', furnishMember);
          return { to: TEAMS_PATH, done: 'declined' };
        },
      },
    },
  });
}

/** Answers an invitation. @returns the page of the group @throws Problem */
async function answer(
  { em, session, param }: Visit,
  form: URLSearchParams,
  decision: Answer,
  furnish: FurnishMember,
): Promise<string> {
  const invited = groupNamed(param('id'));
  const membershipId = idOf('membership', form.get('membership') ?? '');
  if (!invited || membershipId === undefined) throw new Problem('NOT_FOUND', OVER_IN_WORDS);
  const { kind, groupId } = invited;
  await ANSWER_BY[decision](em, kind.group, { groupId, actorId: session.userId, membershipId }, furnish);
  return groupPath(kind.group, groupId);
}

async function show(showing: Showing<'create' | Answer>): Promise<Html> {
  const { c, session, locale, back, done } = showing;
  const { userId } = session;
  const pageOf = (kind: Group['kind']) =>
    KINDS[kind].list(showing.em, userId, pageRequest({ after: c.req.query(CURSOR_OF[kind]) }));
  const groups = { team: await pageOf('team'), organization: await pageOf('organization') };
  const invitations = [];
  for (const { group } of Object.values(KINDS)) {
    invitations.push(...(await listInvitations(showing.em, group, userId, pageRequest({}))).rows);
  }
  const isOfCreation = back?.name === 'create';
  const typed = isOfCreation ? typedGroup(back.form) : nothingTyped(c.req.query('in') ?? 'team');
  const { fields: labels, mistakes, list } = teamWords(locale);
  return teamsPage({
    ...showing,
    groups,
    invitations,
    roofs: await roofsOf(showing.em, groups.organization.rows, typed.what, userId),
    typed,
    mistakes: showing.mistakes({ labels, texts: isOfCreation ? mistakes : list.answerMistakes }),
    done: LIST_DONE.find((one) => one === done),
  });
}

/** Those listed, and the one that is chosen, which may stand on a further page of the list. */
async function roofsOf(
  em: Em,
  listed: readonly ShownGroup[],
  chosen: string,
  userId: string,
): Promise<readonly ShownGroup[]> {
  const id = idOf('organization', chosen);
  const isListed = id === undefined || listed.some((one) => one.id === id);
  const more = isListed ? undefined : await KINDS.organization.find(em, userId, id);
  return [...listed, ...(more ? [more] : [])].filter(({ role }) => isAtLeast(role, 'ADMIN'));
}

type AnswerBy = (em: Em, group: Group, target: MembershipTarget, furnish: FurnishMember) => Promise<unknown>;

const ANSWER_BY: Readonly<Record<Answer, AnswerBy>> = {
  accept: (em, group, target, furnish) =>
    updateMembership(em, group, target, { isAccepted: true }, group.kind === 'team' ? furnish : undefined),
  // A page that was left open must not make somebody leave who has accepted since.
  decline: (em, group, target) =>
    deleteMembership(em, group, target, () => {
      throw new Problem('CONFLICT', `You have joined this ${group.kind} since; to leave it, go to its page.`);
    }),
};
