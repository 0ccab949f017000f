/**
 * dev/ is what somebody needs who has just started the service: what runs, the demo accounts, the mails that it keeps
 * instead of sending, a walk through OAuth. Mounted with the demo data only, which production refuses. It may import kit/.
 */
import { type Context, Hono } from 'hono';
import { findMail, type KeptMail, newestMails } from '../../mail/kept-mails.ts';
import { PAGE_HEADERS, policyHeaders, sendPage } from '../kit/page-response.ts';
import { DEV_PATH } from '../kit/paths.ts';
import { answerNotFound } from '../kit/problem-response.ts';
import type { Visitors } from '../kit/visitors.ts';
import { devPage } from './dev-page.ts';
import type { DevFacts } from './dev-parts.ts';
import { MAILS_PATH, mailPage, mailsPage, SHOWN_MAILS } from './mails-page.ts';
import { type WalkSettings, walkRoutes } from './walk.routes.ts';

export interface DevSettings {
  readonly visitors: Visitors;
  readonly facts: DevFacts;
  readonly walk: WalkSettings;
}

/** On the first page. */
const MAILS_AT_A_GLANCE = 3;

/** A mail may show text, colours and pictures that it holds itself; a frame of ours may show it. */
const HTML_HEADERS = {
  ...PAGE_HEADERS,
  'Content-Security-Policy':
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
  'X-Frame-Options': 'SAMEORIGIN',
};

/** `/dev`, the mails and the walk below it. */
export function devRoutes({ visitors, facts, walk }: DevSettings): Hono {
  const routes = new Hono();
  const { mailFolder } = facts;
  const newest = (most: number) => (mailFolder === undefined ? [] : newestMails(mailFolder, most));
  routes.get(DEV_PATH, async (c) => {
    const viewer = await visitors.viewerOf(c.req.raw);
    return sendPage(c, devPage({ viewer, facts, newestMails: await newest(MAILS_AT_A_GLANCE) }));
  });
  routes.get(MAILS_PATH, async (c) => {
    const viewer = await visitors.viewerOf(c.req.raw);
    return sendPage(c, mailsPage({ viewer, facts, mails: await newest(SHOWN_MAILS) }));
  });
  routes.get(`${MAILS_PATH}/:mail`, (c) =>
    withMail(c, async (mail) =>
      sendPage(c, mailPage(await visitors.viewerOf(c.req.raw), mail), 200, policyHeaders({ framesOwn: true })),
    ),
  );
  routes.get(`${MAILS_PATH}/:mail/html`, (c) =>
    withMail(c, ({ html }) => (html === undefined ? answerNotFound(c) : c.html(html, 200, HTML_HEADERS))),
  );
  routes.route('/', walkRoutes(walk));
  return routes;

  async function withMail(c: Context, show: (mail: KeptMail) => Response | Promise<Response>): Promise<Response> {
    const mail = mailFolder === undefined ? undefined : await findMail(mailFolder, c.req.param('mail') ?? '');
    return mail ? show(mail) : answerNotFound(c);
  }
}
