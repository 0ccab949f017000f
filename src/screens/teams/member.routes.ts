import { idOf } from '../../core/id.ts';
import { sql } from '../../database/sql.ts';
import { once } from '../../limits/at-most-once.ts';
import { networkOf } from '../../limits/network.ts';
import { findDepartures } from '../../modules/bookings/departures/departure.queries.ts';
import { endMembership } from '../../modules/bookings/departures/end-membership.ts';
import { administers } from '../../modules/levels/reach.ts';
import { handOverOwnership, updateMembership } from '../../modules/memberships/membership.commands.ts';
import { findMembershipOf, findMemberships } from '../../modules/memberships/membership.queries.ts';
import { findStanding } from '../../modules/organizations/group.ts';
import { mayManage } from '../../modules/organizations/role.rules.ts';
import { isolated } from '../kit/layout.ts';
import { type DeclaredPage, orDone, page, type Visit } from '../kit/page.ts';
import { sendError } from '../kit/problem-response.ts';
import { question } from '../kit/question.ts';
import { savingOf, seenAt, seenBy } from '../kit/request.ts';
import { requireRoleIn } from './group-actions.ts';
import { TEAMS_PATH } from './group-kinds.ts';
import { type Member, memberName, memberPath, memberPage as memberView } from './member-page.ts';
import { administersPlace, answerNone as answerNoGroup, type Place, placeOf, type TeamsSettings } from './place.ts';
import { choiceOf, KEEPS, removalMistakes, removalPage as removalView, typedChoice } from './removal-page.ts';
import { memberWords, teamWords } from './words/team-words.ts';

const ONE = `${TEAMS_PATH}/:id/members/:member`;

/** A member, and the group whose member they are. */
interface Found {
  readonly place: Place;
  readonly member: Member;
}

/** Finds the caller's own membership, or, for administrators, anybody's. */
async function find(visit: Visit): Promise<Found | undefined> {
  const place = await placeOf(visit);
  const id = idOf('membership', visit.param('member'));
  if (!place || id === undefined) return undefined;
  const { kind, groupId, actorId, standing } = place;
  const { group } = kind;
  const own = await findMembershipOf(visit.em, group, groupId, actorId);
  const condition = own?.id === id ? sql<boolean>`true` : administers({ group, groupId, actorId });
  const [row] = await findMemberships(visit.em, group, [{ groupId, id }], condition);
  if (!row) return undefined;
  const theirs = row.accepted ? await findStanding(visit.em, group, groupId, row.userId) : row.role;
  const isOwn = row.userId === actorId;
  const isManaged = mayManage(standing, theirs ?? row.role);
  return { place, member: { ...row, isOwn, isManaged, isOfOwner: own?.role === 'OWNER' } };
}

/** The same answer where there is no such member, and where the reader may not see or do it. */
async function none(visit: Visit): Promise<Response> {
  const { c, locale } = visit;
  const place = await placeOf(visit);
  if (!place) return answerNoGroup(visit);
  const { kind, path } = place;
  // A form that is sent twice finds nobody the second time.
  if (c.req.method === 'POST' && administersPlace(place)) return visit.lead({ to: path, done: 'gone' });
  const { title, message, advice } = memberWords(locale).nothing;
  return sendError(c, { status: 404, title, message: message[kind.group.kind], advice: advice(path) });
}

/** The page of a member, before an administrator of the group or the member. */
export const memberPage: DeclaredPage = page({
  path: ONE,
  find,
  none,
  show: (showing, { place, member }) => {
    const { locale, back, csrf, done } = showing;
    const { fields: labels, mistakes: texts } = teamWords(locale);
    return memberView({
      ...showing,
      place,
      member,
      updatedAt: seenBy(member.updatedAt, back),
      role: back?.form.get('role') ?? member.role,
      csrf: csrf.change,
      mistakes: showing.mistakes({ labels, texts }),
      isDone: done === 'saved',
    });
  },
  forms: {
    change: {
      at: '',
      run: async ({ em, path }, { place, member }, form) => {
        const target = { ...targetOf(place, member), lastSeen: seenAt(form.get('updatedAt')) };
        await once(em, savingOf(place.actorId, form, member.id), async (inner) =>
          updateMembership(inner, place.kind.group, target, { role: requireRoleIn(form) }),
        );
        // A member who gives up their own role may not see this page any more.
        return member.isOwn ? { to: place.path, done: 'role' } : { to: path, done: 'saved' };
      },
    },
  },
});

/** Asks an owner before they hand the group over to a member. */
export const handOverPage: DeclaredPage = question({
  path: `${ONE}/owner`,
  find,
  none,
  ask: ({ locale, back }, { place, member }) => {
    const { kind, shown } = place;
    const { handOver: words } = memberWords(locale);
    if (!back && !(member.isOfOwner && member.accepted && !member.isOwn)) return undefined;
    return {
      title: words.title(isolated(shown.name), isolated(memberName(member))),
      explanation: words.explanation[kind.group.kind],
      button: words.button,
      backPath: memberPath(place, member),
    };
  },
  run: async ({ em }, { place, member }) => {
    await handOverOwnership(em, place.kind.group, targetOf(place, member));
    return { to: place.path, done: 'handed-over' };
  },
});

/** Asks before a membership ends, and what then becomes of the bookings. */
export function removalPage({ addressOf }: TeamsSettings): DeclaredPage {
  return page({
    path: `${ONE}/remove`,
    find,
    none,
    show: async (showing, { place, member }) => {
      const { locale, back, csrf } = showing;
      const { kind, groupId, actorId } = place;
      if (!back && !(member.isOwn || member.isManaged)) return undefined;
      const [departure] = await findDepartures(showing.em, kind.group, actorId, [{ groupId, membershipId: member.id }]);
      return removalView({
        ...showing,
        place,
        member,
        departure,
        typed: back ? typedChoice(back.form) : KEEPS,
        csrf: csrf.remove,
        mistakes: removalMistakes(back?.problem, locale),
      });
    },
    forms: {
      remove: {
        at: '',
        run: async ({ c, em }, { place, member }, form) => {
          const by = { userId: place.actorId, network: networkOf(addressOf(c)) };
          const end = () =>
            endMembership(em, place.kind.group, targetOf(place, member), choiceOf(typedChoice(form)), by);
          const gone = await orDone('NOT_FOUND', { to: place.path, done: 'gone' }, async () => void (await end()));
          if (member.isOwn) return { to: TEAMS_PATH, done: 'left' };
          return gone ?? { to: place.path, done: 'removed' };
        },
      },
    },
  });
}

function targetOf({ groupId, actorId }: Place, { id: membershipId }: Member) {
  return { groupId, actorId, membershipId };
}
