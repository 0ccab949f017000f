import { type Context, Hono } from 'hono';
import type { Problem } from '../../core/problem.ts';
import { seeOther } from '../../http/page-response.ts';
import { problemOf, sendForm } from '../../http/problem-response.ts';
import { asViewer } from '../../http/visitors.ts';
import { deleteTeam } from '../../modules/bookings/departures/delete-team.ts';
import { confirmPage } from '../kit/confirm-page.ts';
import { isolated } from '../kit/layout.ts';
import { TEAMS_PATH } from './group-kinds.ts';
import { answerNone, inGroup, mayDelete, type Place, type TeamsSettings } from './place.ts';

const ONE = `${TEAMS_PATH}/:id/delete`;
const DELETE = 'team delete';

/** Deleting a team, for who may: an owner, or an administrator of its organization. */
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
    const page = confirmPage({
      viewer: asViewer(session),
      title: `Delete the team ${isolated(shown.name)}?`,
      explanation:
        'Its event types, its past bookings and all else that belongs to it are deleted for good, and nobody can book it any more. Its members keep their accounts, and bookings of managed event types stay theirs. A team with upcoming bookings is not deleted: cancel them first. One with very many past bookings goes in parts: if an error comes before it is gone, delete it once more, and that goes on from there.',
      button: 'Delete the team',
      action: `${path}/delete`,
      csrf: visitors.formToken(c, DELETE),
      backPath: path,
      mistakes: problem?.mistakes ?? [],
    });
    return sendForm(c, page, problem);
  }

  async function remove(c: Context, place: Place): Promise<Response> {
    const { forgery } = await visitors.readForm(c, DELETE);
    const { groupId: teamId, actorId } = place;
    const problem = forgery ?? (await problemOf(() => deleteTeam(em.fork(), { teamId, actorId })));
    return problem ? ask(c, place, problem) : seeOther(c, `${TEAMS_PATH}?done=deleted`);
  }
}
