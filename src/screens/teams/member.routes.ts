import { type Context, Hono } from 'hono';
import { idOf } from '../../core/id.ts';
import type { Problem } from '../../core/problem.ts';
import { sql } from '../../database/sql.ts';
import { problemOf, sendError, sendForm } from '../../http/problem-response.ts';
import { asViewer } from '../../http/visitors.ts';
import { once } from '../../limits/at-most-once.ts';
import { networkOf } from '../../limits/network.ts';
import { findDepartures } from '../../modules/bookings/departures/departure.queries.ts';
import { endMembership } from '../../modules/bookings/departures/end-membership.ts';
import { administers } from '../../modules/levels/reach.ts';
import { handOverOwnership } from '../../modules/memberships/hand-over-ownership.ts';
import { findMembershipOf, findMemberships } from '../../modules/memberships/membership.queries.ts';
import { updateMembership } from '../../modules/memberships/update-membership.ts';
import { findStanding } from '../../modules/organizations/group.ts';
import { mayManage } from '../../modules/organizations/role.rules.ts';
import { confirmPage } from '../kit/confirm-page.ts';
import { savingOf } from '../kit/form-key.ts';
import { isolated } from '../kit/layout.ts';
import { mistakesIn } from '../kit/mistakes.ts';
import { type FormBack, seenAt, seenBy } from '../kit/seen-at.ts';
import { requireRoleIn } from './group-actions.ts';
import { TEAMS_PATH } from './group-kinds.ts';
import { type Member, memberName, memberPage, memberPath } from './member-page.ts';
import { administersPlace, inGroup, type Place, type TeamsSettings } from './place.ts';
import { choiceOf, KEEPS, removalMistakes, removalPage, type TypedChoice, typedChoice } from './removal-page.ts';
import { memberWords, teamWords } from './words/team-words.ts';

const ONE = `${TEAMS_PATH}/:id/members/:member`;
const [CHANGE, HAND_OVER, REMOVE] = ['member change', 'member hand over', 'member remove'];

/** The page of a member, before an administrator of the group or the member: their role, handing over to them, ending it. */
export function memberRoutes(settings: TeamsSettings): Hono {
  const { em, visitors, addressOf } = settings;
  const routes = new Hono();
  routes.get(
    ONE,
    ofMember((c, place, member) => show(c, place, member)),
  );
  routes.post(ONE, ofMember(change));
  routes.get(
    `${ONE}/owner`,
    ofMember((c, place, member) => askToHandOver(c, place, member)),
  );
  routes.post(`${ONE}/owner`, ofMember(handOver));
  routes.get(
    `${ONE}/remove`,
    ofMember((c, place, member) => askToRemove(c, place, member)),
  );
  routes.post(`${ONE}/remove`, ofMember(remove));
  return routes;

  function ofMember(handle: (c: Context, place: Place, member: Member) => Promise<Response>) {
    return inGroup(settings, async (c, place) => {
      const member = await find(place, c.req.param('member') ?? '');
      if (member) return handle(c, place, member);
      // A form that is sent twice finds nobody the second time.
      const isLate = c.req.method === 'POST' && administersPlace(place);
      return isLate ? visitors.leadTo(c, place.path, 'gone') : answerNone(c, place);
    });
  }

  /** One's own membership, or for administrators anybody's. */
  async function find(place: Place, named: string): Promise<Member | undefined> {
    const { kind, groupId, actorId, standing } = place;
    const { group } = kind;
    const id = idOf('membership', named);
    if (id === undefined) return undefined;
    const own = await findMembershipOf(em.fork(), group, groupId, actorId);
    const condition = own?.id === id ? sql<boolean>`true` : administers({ group, groupId, actorId });
    const [row] = await findMemberships(em.fork(), group, [{ groupId, id }], condition);
    if (!row) return undefined;
    const theirs = row.accepted ? await findStanding(em.fork(), group, groupId, row.user.id) : row.role;
    const isOwn = row.user.id === actorId;
    return { ...row, isOwn, isManaged: mayManage(standing, theirs ?? row.role), isOfOwner: own?.role === 'OWNER' };
  }

  async function show(c: Context, place: Place, member: Member, refused?: Refused): Promise<Response> {
    const locale = place.session.userLocale;
    const { fields: labels, mistakes: texts } = teamWords(locale);
    const page = memberPage({
      viewer: asViewer(place.session),
      locale,
      place,
      member,
      updatedAt: seenBy(member.updatedAt, refused && backOf(refused)),
      role: refused?.form.get('role') ?? member.role,
      csrf: visitors.formToken(c, CHANGE),
      mistakes: mistakesIn(locale, refused?.problem, { labels, texts }),
      isDone: !refused && visitors.doneBefore(c) === 'saved',
    });
    return sendForm(c, page, refused?.problem);
  }

  async function change(c: Context, place: Place, member: Member): Promise<Response> {
    const { form, forgery } = await visitors.readForm(c, CHANGE);
    const target = { ...targetOf(place, member), lastSeen: seenAt(form.get('updatedAt')) };
    const act = () =>
      once(em.fork(), savingOf(place.actorId, form, member.id), async (inner) =>
        updateMembership(inner, place.kind.group, target, { role: requireRoleIn(form) }),
      );
    const problem = forgery ?? (await problemOf(act));
    if (problem) return show(c, place, member, { form, problem });
    // A member who gives up their own role may not see this page any more.
    return member.isOwn
      ? visitors.leadTo(c, place.path, 'role')
      : visitors.leadTo(c, memberPath(place, member), 'saved');
  }

  async function askToHandOver(c: Context, place: Place, member: Member, problem?: Problem): Promise<Response> {
    const { kind, shown, session } = place;
    const locale = session.userLocale;
    const { handOver: words } = memberWords(locale);
    if (!problem && !(member.isOfOwner && member.accepted && !member.isOwn)) return answerNone(c, place);
    const page = confirmPage({
      viewer: asViewer(session),
      title: words.title(isolated(shown.name), isolated(memberName(member))),
      explanation: words.explanation[kind.group.kind],
      button: words.button,
      action: `${memberPath(place, member)}/owner`,
      csrf: visitors.formToken(c, HAND_OVER),
      backPath: memberPath(place, member),
      mistakes: mistakesIn(locale, problem),
      locale,
    });
    return sendForm(c, page, problem);
  }

  async function handOver(c: Context, place: Place, member: Member): Promise<Response> {
    const { forgery } = await visitors.readForm(c, HAND_OVER);
    const act = () => handOverOwnership(em.fork(), place.kind.group, targetOf(place, member));
    const problem = forgery ?? (await problemOf(act));
    return problem ? askToHandOver(c, place, member, problem) : visitors.leadTo(c, place.path, 'handed-over');
  }

  async function askToRemove(c: Context, place: Place, member: Member, refused?: RefusedRemoval): Promise<Response> {
    const { kind, groupId, actorId, session } = place;
    if (!refused && !(member.isOwn || member.isManaged)) return answerNone(c, place);
    const [departure] = await findDepartures(em.fork(), kind.group, actorId, [{ groupId, membershipId: member.id }]);
    const page = removalPage({
      viewer: asViewer(session),
      place,
      member,
      departure,
      typed: refused?.typed ?? KEEPS,
      csrf: visitors.formToken(c, REMOVE),
      mistakes: removalMistakes(refused?.problem, session.userLocale),
      locale: session.userLocale,
    });
    return sendForm(c, page, refused?.problem);
  }

  async function remove(c: Context, place: Place, member: Member): Promise<Response> {
    const { form, forgery } = await visitors.readForm(c, REMOVE);
    const typed = typedChoice(form);
    const by = { userId: place.actorId, network: networkOf(addressOf(c)) };
    const act = () => endMembership(em.fork(), place.kind.group, targetOf(place, member), choiceOf(typed), by);
    const problem = forgery ?? (await problemOf(act));
    if (problem && problem.code !== 'NOT_FOUND') return askToRemove(c, place, member, { typed, problem });
    if (member.isOwn) return visitors.leadTo(c, TEAMS_PATH, 'left');
    return visitors.leadTo(c, place.path, problem ? 'gone' : 'removed');
  }
}

interface Refused {
  readonly form: URLSearchParams;
  readonly problem: Problem;
}

function backOf({ form, problem }: Refused): FormBack {
  return { problem, sent: form.get('updatedAt') };
}

interface RefusedRemoval {
  readonly typed: TypedChoice;
  readonly problem: Problem;
}

function targetOf({ groupId, actorId }: Place, { id: membershipId }: Member) {
  return { groupId, actorId, membershipId };
}

/** The same answer where there is no such member, and where the reader may not see or do it. */
function answerNone(c: Context, { kind, path, session }: Place): Response | Promise<Response> {
  const locale = session.userLocale;
  const { title, message, advice } = memberWords(locale).nothing;
  return sendError(c, { status: 404, title, message: message[kind.group.kind], advice: advice(path) });
}
