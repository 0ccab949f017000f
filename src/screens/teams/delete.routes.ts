import { type Context, Hono } from 'hono';
import type { Problem } from '../../core/problem.ts';
import { problemOf, sendForm } from '../../http/problem-response.ts';
import { asViewer } from '../../http/visitors.ts';
import { deleteTeam } from '../../modules/bookings/departures/delete-team.ts';
import { confirmPage } from '../kit/confirm-page.ts';
import { isolated } from '../kit/layout.ts';
import { mistakesIn } from '../kit/mistakes.ts';
import { TEAMS_PATH } from './group-kinds.ts';
import { answerNone, inGroup, mayDelete, type Place, type TeamsSettings } from './place.ts';
import { teamWords } from './words/team-words.ts';

const ONE = `${TEAMS_PATH}/:id/delete`;
const DELETE = 'team delete';

/** Deletes a team for those who may: an owner, or an administrator of its organization. */
export function deleteRoutes(settings: TeamsSettings): Hono {
  const { em, visitors } = settings;
  const routes = new Hono();
  routes.get(
    ONE,
    inGroup(settings, (c, place) => (mayDelete(place) ? ask(c, place) : answerNone(c))),
  );
  routes.post(
    ONE,
    inGroup(settings, (c, place) => (place.kind.group.kind === 'team' ? remove(c, place) : answerNone(c))),
  );
  return routes;

  async function ask(c: Context, { shown, session, path }: Place, problem?: Problem): Promise<Response> {
    const locale = session.userLocale;
    const { title, explanation, button } = teamWords(locale).deletion;
    const page = confirmPage({
      viewer: asViewer(session),
      title: title(isolated(shown.name)),
      explanation,
      button,
      action: `${path}/delete`,
      csrf: visitors.formToken(c, DELETE),
      backPath: path,
      mistakes: mistakesIn(locale, problem),
      locale,
    });
    return sendForm(c, page, problem);
  }

  async function remove(c: Context, place: Place): Promise<Response> {
    const { forgery } = await visitors.readForm(c, DELETE);
    const { groupId: teamId, actorId } = place;
    const problem = forgery ?? (await problemOf(() => deleteTeam(em.fork(), { teamId, actorId })));
    return problem ? ask(c, place, problem) : visitors.leadTo(c, TEAMS_PATH, 'deleted');
  }
}
