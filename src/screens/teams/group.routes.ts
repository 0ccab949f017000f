import { type Context, Hono } from 'hono';
import { type PageRequest, pageRequest } from '../../core/page.ts';
import type { Mistake, Problem } from '../../core/problem.ts';
import { SCRIPTED_HEADERS, seeOther } from '../../http/page-response.ts';
import { problemOf, sendForm } from '../../http/problem-response.ts';
import { asViewer } from '../../http/visitors.ts';
import { findUser } from '../../modules/accounts/user.queries.ts';
import { placeOfOrganization, placeOfTeam, placeUrl } from '../../modules/event-types/booking-url.rules.ts';
import { isPlaceOpen } from '../../modules/event-types/public/offers.queries.ts';
import { findMembershipOf, membershipPages } from '../../modules/memberships/membership.queries.ts';
import { sentInvitationPages } from '../../modules/memberships/sent-invitation.queries.ts';
import { teamPages } from '../../modules/teams/team.queries.ts';
import { findUnanswered } from '../../modules/verified-resources/verified-resource.queries.ts';
import { findPausedWebhooks } from '../../modules/webhooks/webhook-setter.queries.ts';
import { newFormKey } from '../kit/form-key.ts';
import { mistakesIn } from '../kit/mistakes.ts';
import { type FormBack, seenBy } from '../kit/seen-at.ts';
import { clockOf } from '../kit/when.ts';
import { GROUP_ACTIONS } from './group-actions.ts';
import { GROUP_DONE, GROUP_FORMS, type GroupForm } from './group-done.ts';
import { CURSORS, FORM_ENDINGS, type ListName, profileOf, typedInvitation, typedProfile } from './group-forms.ts';
import { KINDS, SHOWN_TEAM, TEAMS_PATH } from './group-kinds.ts';
import { groupPage } from './group-page.ts';
import { administersPlace, inGroup, type Place, type TeamsSettings } from './place.ts';
import { teamWords } from './words/team-words.ts';

/** `/settings/teams/:id`: a team or an organization, with what its reader may change of it. */
export function groupRoutes(settings: TeamsSettings): Hono {
  const { em, visitors, publicUrl, invitationMails: mails } = settings;
  const routes = new Hono();
  routes.get(
    `${TEAMS_PATH}/:id`,
    inGroup(settings, (c, place) => show(c, place)),
  );
  for (const form of GROUP_FORMS) {
    const path = `${TEAMS_PATH}/:id${FORM_ENDINGS[form]}`;
    routes.post(
      path,
      inGroup(settings, (c, place) => take(c, place, form)),
    );
    // For users who had to sign in before the form was taken, and come back.
    if (form !== 'profile')
      routes.get(path, (c) => seeOther(c, `${TEAMS_PATH}/${encodeURIComponent(c.req.param('id') ?? '')}`));
  }
  return routes;

  async function take(c: Context, place: Place, name: GroupForm): Promise<Response> {
    const { form, forgery } = await visitors.readForm(c, purposeOf(name));
    const sent = { place, form, invitation: c.req.param('invitation') ?? '', mails };
    const problem = forgery ?? (await problemOf(() => GROUP_ACTIONS[name](em.fork(), sent)));
    if (!problem) return visitors.leadTo(c, place.path, name);
    if (name === 'withdraw' && problem.code === 'NOT_FOUND') return visitors.leadTo(c, place.path, 'gone');
    return show(c, place, { name, form, problem });
  }

  async function show(c: Context, place: Place, refused?: Refused): Promise<Response> {
    const { kind, groupId, actorId, shown, session } = place;
    const { group } = kind;
    const request = (list: ListName): PageRequest =>
      pageRequest({ after: c.req.query(CURSORS[list]) }, list === 'teams' ? ['TEXT'] : ['UUID']);
    const isAdministered = administersPlace(place);
    const roof = await roofOf(place);
    const where = group.kind === 'team' ? placeOfTeam(shown.slug, roof?.slug) : placeOfOrganization(shown.slug);
    const done = visitors.doneBefore(c);
    const page = groupPage({
      viewer: asViewer(session),
      place,
      updatedAt: seenBy(shown.updatedAt, refused && backOf(refused)),
      roof,
      bookingUrl: placeUrl(publicUrl, where),
      isPlaceOpen: await isPlaceOpen(em.fork(), where, actorId),
      own: await findMembershipOf(em.fork(), group, groupId, actorId),
      members: isAdministered
        ? (await membershipPages(em.fork(), group, 'MEMBERSHIPS', [groupId], request('members'))).get(groupId)
        : undefined,
      invitations: isAdministered
        ? (await sentInvitationPages(em.fork(), group, [groupId], request('invitations'))).get(groupId)
        : undefined,
      pausedWebhooks: isAdministered
        ? await findPausedWebhooks(em.fork(), { group, groupId, actorId }, settings.isLetIn)
        : [],
      unanswered: isAdministered && group.kind === 'team' ? await findUnanswered(em.fork(), groupId) : [],
      teams:
        group.kind === 'organization'
          ? (await teamPages(em.fork(), actorId, [groupId], request('teams'), SHOWN_TEAM)).get(groupId)
          : undefined,
      profile: refused?.name === 'profile' ? typedProfile(refused.form) : profileOf(shown),
      invitation: refused?.name === 'invite' ? typedInvitation(refused.form) : { email: '', role: 'MEMBER' },
      idempotencyKey: newFormKey(),
      csrf: visitors.formTokens(c, GROUP_FORMS, purposeOf),
      mistakes: refused ? mistakesOf(refused, session.userLocale) : [],
      done: refused ? undefined : GROUP_DONE.find((one) => one === done),
      clock: clockOf(await findUser(em.fork(), actorId)),
    });
    return sendForm(c, page, refused?.problem, SCRIPTED_HEADERS);
  }

  /** The organization of a team, for its members. */
  async function roofOf({ shown, actorId }: Place) {
    const { organizationId } = shown;
    return organizationId == null ? undefined : KINDS.organization.find(em.fork(), actorId, organizationId);
  }
}

interface Refused {
  readonly name: GroupForm;
  readonly form: URLSearchParams;
  readonly problem: Problem;
}

function backOf({ form, problem }: Refused): FormBack {
  return { problem, sent: form.get('updatedAt') };
}

function mistakesOf({ name, problem }: Refused, locale: string): readonly Mistake[] {
  const { fields: labels, mistakes, members } = teamWords(locale);
  const texts = name === 'resend' ? { ...mistakes, NOT_FOUND: members.invitationGone } : mistakes;
  return mistakesIn(locale, problem, { labels, texts });
}

function purposeOf(form: GroupForm): string {
  return `team ${form}`;
}
