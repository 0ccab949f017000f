import type { Context } from 'hono';
import { errorPage } from '../../pages/error-page.ts';
import { sendPage } from '../page-response.ts';

/** For whatever a page is not asked by. */
export function onlyMethods(...methods: readonly string[]): (c: Context) => Response | Promise<Response> {
  const message = `This address is asked by ${methods.join(' and ')} only.`;
  return (c) =>
    sendPage(c, errorPage({ status: 405, title: 'That is not possible here', message }), 405, {
      Allow: ['HEAD', ...methods].join(', '),
    });
}
