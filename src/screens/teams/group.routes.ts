import { type PageRequest, pageRequest } from '../../core/page.ts';
import type { Em } from '../../database/sql.ts';
import { findUser } from '../../modules/accounts/user.queries.ts';
import { deleteTeam } from '../../modules/bookings/departures/delete-team.ts';
import { placeOfOrganization, placeOfTeam, placeUrl } from '../../modules/event-types/booking-url.rules.ts';
import { isPlaceOpen } from '../../modules/event-types/public/public-event-type.queries.ts';
import { sentInvitationPages } from '../../modules/memberships/invitation.queries.ts';
import { findMembershipOf, membershipPages } from '../../modules/memberships/membership.queries.ts';
import { teamPages } from '../../modules/teams/team.queries.ts';
import { findUnanswered } from '../../modules/verified-resources/verified-resource.queries.ts';
import { findPausedWebhooks } from '../../modules/webhooks/webhook.queries.ts';
import { type Html, isolated } from '../kit/layout.ts';
import { type DeclaredPage, orDone, page, type Run, type Showing } from '../kit/page.ts';
import { SCRIPTED_HEADERS } from '../kit/page-response.ts';
import { question } from '../kit/question.ts';
import { seenBy } from '../kit/request.ts';
import { clockOf } from '../kit/when.ts';
import { GROUP_ACTIONS } from './group-actions.ts';
import {
  CURSORS,
  GROUP_DONE,
  type GroupForm,
  type ListName,
  profileOf,
  typedInvitation,
  typedProfile,
} from './group-forms.ts';
import { KINDS, SHOWN_TEAM, TEAMS_PATH } from './group-kinds.ts';
import { groupPage as groupView } from './group-page.ts';
import { administersPlace, answerNone, mayDelete, type Place, placeOf, type TeamsSettings } from './place.ts';
import { teamWords } from './words/team-words.ts';

/** `/settings/teams/:id`: a team or an organization, with what its reader may change of it. */
export function groupPage(settings: TeamsSettings): DeclaredPage {
  const run =
    (name: GroupForm): Run<Place> =>
    async (visit, place, form) => {
      const sent = { place, form, invitation: visit.param('invitation'), mails: settings.invitationMails };
      await GROUP_ACTIONS[name](visit.em, sent);
      return undefined;
    };
  return page({
    path: `${TEAMS_PATH}/:id`,
    find: placeOf,
    none: answerNone,
    show: (showing, place) => show(showing, place, settings),
    headers: SCRIPTED_HEADERS,
    forms: {
      profile: { at: '', run: run('profile') },
      invite: { run: run('invite') },
      resend: { at: '/invitations/:invitation/resend', run: run('resend') },
      withdraw: {
        at: '/invitations/:invitation/withdraw',
        run: (visit, place, form) =>
          orDone('NOT_FOUND', { to: visit.path, done: 'gone' }, async () => run('withdraw')(visit, place, form)),
      },
    },
  });
}

/** Asks before a team is deleted, those who may: an owner, or an administrator of its organization. */
export const deletionPage: DeclaredPage = question({
  path: `${TEAMS_PATH}/:id/delete`,
  find: async (visit) => {
    const place = await placeOf(visit);
    return place?.kind.group.kind === 'team' ? place : undefined;
  },
  none: answerNone,
  ask: ({ locale, back }, place) => {
    if (!back && !mayDelete(place)) return undefined;
    const { title, explanation, button } = teamWords(locale).deletion;
    return { title: title(isolated(place.shown.name)), explanation, button, backPath: place.path };
  },
  run: async ({ em }, { groupId: teamId, actorId }) => {
    await deleteTeam(em, { teamId, actorId });
    return { to: TEAMS_PATH, done: 'deleted' };
  },
});

async function show(showing: Showing<GroupForm>, place: Place, { publicUrl, isLetIn }: TeamsSettings): Promise<Html> {
  const { c, locale, back, done } = showing;
  const { kind, groupId, actorId, shown } = place;
  const { group } = kind;
  const request = (list: ListName): PageRequest =>
    pageRequest({ after: c.req.query(CURSORS[list]) }, list === 'teams' ? ['TEXT'] : ['UUID']);
  const isAdministered = administersPlace(place);
  const roof = await roofOf(showing.em, place);
  const where = group.kind === 'team' ? placeOfTeam(shown.slug, roof?.slug) : placeOfOrganization(shown.slug);
  const { fields: labels, mistakes, members } = teamWords(locale);
  const texts = back?.name === 'resend' ? { ...mistakes, NOT_FOUND: members.invitationGone } : mistakes;
  return groupView({
    ...showing,
    place,
    updatedAt: seenBy(shown.updatedAt, back),
    roof,
    bookingUrl: placeUrl(publicUrl, where),
    isPlaceOpen: await isPlaceOpen(showing.em, where, actorId),
    own: await findMembershipOf(showing.em, group, groupId, actorId),
    members: isAdministered
      ? (await membershipPages(showing.em, group, 'MEMBERSHIPS', [groupId], request('members'))).get(groupId)
      : undefined,
    invitations: isAdministered
      ? (await sentInvitationPages(showing.em, group, [groupId], request('invitations'))).get(groupId)
      : undefined,
    pausedWebhooks: isAdministered ? await findPausedWebhooks(showing.em, { group, groupId, actorId }, isLetIn) : [],
    unanswered: isAdministered && group.kind === 'team' ? await findUnanswered(showing.em, groupId) : [],
    teams:
      group.kind === 'organization'
        ? (await teamPages(showing.em, actorId, [groupId], request('teams'), SHOWN_TEAM)).get(groupId)
        : undefined,
    profile: back?.name === 'profile' ? typedProfile(back.form) : profileOf(shown),
    invitation: back?.name === 'invite' ? typedInvitation(back.form) : { email: '', role: 'MEMBER' },
    mistakes: showing.mistakes({ labels, texts }),
    done: GROUP_DONE.find((one) => one === done),
    clock: clockOf(await findUser(showing.em, actorId)),
  });
}

/** The organization of a team, for its members. */
async function roofOf(em: Em, { shown: { organizationId }, actorId }: Place) {
  return organizationId == null ? undefined : KINDS.organization.find(em, actorId, organizationId);
}
