/**
 * teams/ is where people see the teams and organizations that they belong to, answer invitations and administer what they
 * may. It may import account/, kit/ and http/.
 */
import { type Context, Hono } from 'hono';
import { idOf } from '../../core/id.ts';
import { pageRequest } from '../../core/page.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import type { Em } from '../../database/sql.ts';
import { seeOther } from '../../http/page-response.ts';
import { outcomeOf, problemOf, sendForm } from '../../http/problem-response.ts';
import { asViewer } from '../../http/visitors.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/session.queries.ts';
import { OVER_IN_WORDS } from '../../modules/memberships/answer-invitation.ts';
import { deleteMembership } from '../../modules/memberships/delete-membership.ts';
import { listInvitations } from '../../modules/memberships/invitation.queries.ts';
import type { MembershipTarget } from '../../modules/memberships/lock-membership.ts';
import { updateMembership } from '../../modules/memberships/update-membership.ts';
import type { FurnishMember, Group } from '../../modules/organizations/group.ts';
import { isAtLeast } from '../../modules/organizations/role.rules.ts';
import { signedIn } from '../account/signed-in.ts';
import { newFormKey } from '../kit/form-key.ts';
import { mistakesIn } from '../kit/mistakes.ts';
import { deleteRoutes } from './delete.routes.ts';
import { groupRoutes } from './group.routes.ts';
import { groupNamed, groupPath, KINDS, type ShownGroup, TEAMS_PATH } from './group-kinds.ts';
import { memberRoutes } from './member.routes.ts';
import { createOnce, nothingTyped, type TypedGroup, typedGroup } from './new-group.ts';
import type { TeamsSettings } from './place.ts';
import { CURSOR_OF, LIST_DONE, teamsPage } from './teams-page.ts';
import { teamWords } from './words/team-words.ts';

const [CREATE, ANSWER] = ['team create', 'team answer'];
const ANSWERS = ['accept', 'decline'] as const;
type Answer = (typeof ANSWERS)[number];

/** `/settings/teams`: the teams and organizations that somebody belongs to or is invited to, with a page for each. */
export function teamsRoutes(settings: TeamsSettings): Hono {
  const { em, visitors, furnishMember } = settings;
  const routes = new Hono();
  routes.get(
    TEAMS_PATH,
    signedIn(visitors, (c, session) => show(c, session)),
  );
  routes.post(TEAMS_PATH, signedIn(visitors, create));
  for (const answer of ANSWERS) {
    const path = `${TEAMS_PATH}/:id/${answer}`;
    routes.post(
      path,
      signedIn(visitors, (c, session) => take(c, session, answer)),
    );
    // For users who had to sign in before the form was taken, and come back.
    routes.get(path, (c) => seeOther(c, TEAMS_PATH));
  }
  routes.route('/', groupRoutes(settings));
  routes.route('/', memberRoutes(settings));
  routes.route('/', deleteRoutes(settings));
  return routes;

  async function create(c: Context, session: FoundSession): Promise<Response> {
    const { form, forgery } = await visitors.readForm(c, CREATE);
    const typed = typedGroup(form);
    const act = () => createOnce(em.fork(), { userId: session.userId, form }, typed);
    const { problem, result: path } = await outcomeOf(forgery, act);
    return problem ? show(c, session, { typed, problem }) : visitors.leadTo(c, path, 'created');
  }

  async function take(c: Context, session: FoundSession, answer: Answer): Promise<Response> {
    const { form, forgery } = await visitors.readForm(c, ANSWER);
    const { userId: actorId } = session;
    const invited = groupNamed(c.req.param('id') ?? '');
    const act = async () => {
      const membershipId = idOf('membership', form.get('membership') ?? '');
      if (!invited || membershipId === undefined) throw new Problem('NOT_FOUND', OVER_IN_WORDS);
      const { kind, groupId } = invited;
      await ANSWER_BY[answer](em.fork(), kind.group, { groupId, actorId, membershipId }, furnishMember);
    };
    const problem = forgery ?? (await problemOf(act));
    if (problem) return show(c, session, { problem });
    if (answer === 'decline' || !invited) return visitors.leadTo(c, TEAMS_PATH, 'declined');
    return visitors.leadTo(c, groupPath(invited.kind.group, invited.groupId), 'joined');
  }

  async function show(c: Context, session: FoundSession, refused?: Refused): Promise<Response> {
    const { userId } = session;
    const pageOf = (kind: Group['kind']) =>
      KINDS[kind].list(em.fork(), userId, pageRequest({ after: c.req.query(CURSOR_OF[kind]) }));
    const groups = { team: await pageOf('team'), organization: await pageOf('organization') };
    const invitations = [];
    for (const { group } of Object.values(KINDS)) {
      invitations.push(...(await listInvitations(em.fork(), group, userId, pageRequest({}))).rows);
    }
    const typed = refused?.typed ?? nothingTyped(c.req.query('in') ?? 'team');
    const done = visitors.doneBefore(c);
    const page = teamsPage({
      viewer: asViewer(session),
      groups,
      invitations,
      roofs: await roofsOf(groups.organization.rows, typed.what, userId),
      typed,
      idempotencyKey: newFormKey(),
      csrf: { create: visitors.formToken(c, CREATE), answer: visitors.formToken(c, ANSWER) },
      mistakes: refused ? mistakesOf(refused, session.userLocale) : [],
      done: refused ? undefined : LIST_DONE.find((one) => one === done),
      locale: session.userLocale,
    });
    return sendForm(c, page, refused?.problem);
  }

  /** Those listed, and the one that is chosen, which may stand on a further page of the list. */
  async function roofsOf(
    listed: readonly ShownGroup[],
    chosen: string,
    userId: string,
  ): Promise<readonly ShownGroup[]> {
    const id = idOf('organization', chosen);
    const isListed = id === undefined || listed.some((one) => one.id === id);
    const more = isListed ? undefined : await KINDS.organization.find(em.fork(), userId, id);
    return [...listed, ...(more ? [more] : [])].filter(({ role }) => isAtLeast(role, 'ADMIN'));
  }
}

interface Refused {
  /** The group that was to be made; undefined for an answer. */
  readonly typed?: TypedGroup;
  readonly problem: Problem;
}

function mistakesOf({ typed, problem }: Refused, locale: string): readonly Mistake[] {
  const { fields: labels, mistakes, list } = teamWords(locale);
  return mistakesIn(locale, problem, { labels, texts: typed ? mistakes : list.answerMistakes });
}

type AnswerBy = (em: Em, group: Group, target: MembershipTarget, furnish: FurnishMember) => Promise<unknown>;

const ANSWER_BY: Readonly<Record<Answer, AnswerBy>> = {
  accept: (em, group, target, furnish) =>
    updateMembership(em, group, target, { accepted: true }, group.kind === 'team' ? furnish : undefined),
  // A page that was left open must not make somebody leave who has accepted since.
  decline: (em, group, target) =>
    deleteMembership(em, group, target, () => {
      throw new Problem('CONFLICT', `You have joined this ${group.kind} since; to leave it, go to its page.`);
    }),
};
