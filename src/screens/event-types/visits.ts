import type { Context } from 'hono';
import type { Em } from '../../database/sql.ts';
import { localeOf } from '../../http/page-locale.ts';
import { sendError } from '../../http/problem-response.ts';
import type { FormLimits } from '../../http/request-body.ts';
import type { ReceivedForm, Visitors } from '../../http/visitors.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/session.queries.ts';
import { signedIn } from '../account/signed-in.ts';
import { type FoundEventType, findEventType } from './shown-event-types.queries.ts';
import { eventTypeWords } from './words/event-type-words.ts';

export interface EventTypePagesSettings {
  /** The global EntityManager; each request works on a fork. */
  readonly em: Em;
  readonly visitors: Visitors;
  readonly publicUrl: string;
}

/** An event type, and its reader. */
export interface Visit extends FoundEventType {
  readonly c: Context;
}

type Handle<Rest extends readonly unknown[]> = (visit: Visit, ...rest: Rest) => Promise<Response>;

/** Makes handlers for the event type, of the reader or of a team that they administer, that the address names. */
export class Visits {
  readonly #em: Em;
  readonly #visitors: Visitors;

  constructor({ em, visitors }: Pick<EventTypePagesSettings, 'em' | 'visitors'>) {
    this.#em = em;
    this.#visitors = visitors;
  }

  ofOne(handle: Handle<[]>): (c: Context) => Promise<Response> {
    return signedIn(this.#visitors, (c, session) => this.#find(c, session, handle));
  }

  /** The same for a form. That of another site is told nothing, not even whether there is such an event type. */
  formOfOne(purpose: string, handle: Handle<[ReceivedForm]>, limits?: FormLimits): (c: Context) => Promise<Response> {
    const receive = async (c: Context, session: FoundSession): Promise<Response> => {
      const sent = await this.#visitors.readForm(c, purpose);
      return this.#find(c, session, (visit) => handle(visit, sent));
    };
    return signedIn(this.#visitors, receive, limits);
  }

  /** The event type as it is by now: it may have been changed, or gone, since it was found. */
  again({ c, level }: Visit, handle: Handle<[]>): Promise<Response> {
    return this.#find(c, level.session, handle);
  }

  async #find(c: Context, session: FoundSession, handle: Handle<[]>): Promise<Response> {
    const found = await findEventType(this.#em.fork(), session, c.req.param('id') ?? '');
    return found ? handle({ c, ...found }) : answerNone(c);
  }
}

/** The same for a text that is no id, for an unknown one, and for what others have. */
export function answerNone(c: Context): Response | Promise<Response> {
  return sendError(c, { status: 404, ...eventTypeWords(localeOf(c)).none });
}
