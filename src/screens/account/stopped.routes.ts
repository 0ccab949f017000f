import { type Context, Hono } from 'hono';
import { idOf, NO_ID } from '../../core/id.ts';
import { pageRequest } from '../../core/page.ts';
import type { Problem } from '../../core/problem.ts';
import type { Em } from '../../database/sql.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/session.queries.ts';
import { findUser } from '../../modules/accounts/user.queries.ts';
import { discardThing, type RevivalSettings, type Revived, reviveThing } from '../../oauth/stopped/revive-thing.ts';
import { findStoppedThings } from '../../oauth/stopped/stopped-thing.queries.ts';
import { signedIn } from '../kit/page.ts';
import { localeOf } from '../kit/page-locale.ts';
import { SCRIPTED_HEADERS, seeOther, sendPage } from '../kit/page-response.ts';
import { outcomeOf, sendForm } from '../kit/problem-response.ts';
import { mistakesIn } from '../kit/problem-words.ts';
import { type AddressOf, asViewer, type Visitors } from '../kit/visitors.ts';
import { clockOf } from '../kit/when.ts';
import {
  newSecretPage,
  STOPPED_ACTIONS,
  STOPPED_PATH,
  type StoppedAction,
  stoppedPage,
  stoppedWords,
} from './stopped-page.ts';

export interface StoppedSettings extends RevivalSettings {
  /** The global EntityManager; each request works on a fork. */
  readonly em: Em;
  readonly visitors: Visitors;
  readonly addressOf: AddressOf;
}

/** `/settings/stopped`: what has stopped since the address of an account was shown to be its owner's. */
export function stoppedRoutes(settings: StoppedSettings): Hono {
  const { em, visitors, addressOf } = settings;
  const routes = new Hono();
  routes.get(
    STOPPED_PATH,
    signedIn(visitors, (c, session) => show(c, session)),
  );
  for (const action of STOPPED_ACTIONS) {
    const path = `${STOPPED_PATH}/${action}`;
    routes.post(
      path,
      signedIn(visitors, (c, session) => take(c, session, action)),
    );
    // For users who had to sign in before the form was taken, and come back.
    routes.get(path, (c) => seeOther(c, STOPPED_PATH));
  }
  return routes;

  async function take(c: Context, session: FoundSession, action: StoppedAction): Promise<Response> {
    const { form, forgery } = await visitors.readForm(c, purposeOf(action));
    const act = async (): Promise<Revived | undefined> => {
      const id = idOf('stoppedThing', form.get('id') ?? '') ?? NO_ID;
      const thing = { userId: session.userId, id, address: addressOf(c) };
      if (action === 'revive') return reviveThing(em.fork(), settings, { ...thing, shown: form.get('address') });
      await discardThing(em.fork(), thing);
      return undefined;
    };
    const { problem, result } = await outcomeOf(forgery, act);
    if (problem) return show(c, session, problem);
    if (result?.secret === undefined)
      return visitors.leadTo(c, STOPPED_PATH, action === 'revive' ? 'revived' : 'deleted');
    const page = newSecretPage(asViewer(session), { ...result, secret: result.secret }, localeOf(c));
    return sendPage(c, page, 200, SCRIPTED_HEADERS);
  }

  async function show(c: Context, session: FoundSession, problem?: Problem): Promise<Response> {
    const { after } = c.req.query();
    const things = await findStoppedThings(em.fork(), session.userId, pageRequest({ after }));
    const clock = { ...clockOf(await findUser(em.fork(), session.userId)), locale: localeOf(c) };
    const done = visitors.doneBefore(c);
    const words = stoppedWords(clock.locale);
    const page = stoppedPage({
      viewer: asViewer(session),
      things,
      csrf: visitors.formTokens(c, STOPPED_ACTIONS, purposeOf),
      mistakes: mistakesIn(clock.locale, problem),
      done: done === 'revived' || done === 'deleted' ? words.done[done] : undefined,
      clock,
    });
    return sendForm(c, page, problem);
  }
}

function purposeOf(action: StoppedAction): string {
  return `stopped ${action}`;
}
