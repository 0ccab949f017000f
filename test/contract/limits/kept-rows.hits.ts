/** Hits the limits of what is kept for one owner. */
import { anAccount } from '../../modules/accounts/an-account.ts';
import { KEPT } from '../../support/kept-rows.ts';
import { aSession } from '../../support/session.ts';
import { bothOf, type Hit, type Hits } from './limit-hit.ts';

export const hits: Hits = Object.fromEntries(
  Object.entries(KEPT).map(([id, { mutation, fill }]): [string, Hit] => [
    id,
    (visit, limit) =>
      bothOf(limit, async (amount) => {
        const em = visit.app.database.em.fork();
        const { id: userId } = await anAccount(em);
        const inputOf = await fill(em, userId, amount - 1);
        const { token } = await aSession(em, userId);
        return visit.mutation(mutation, inputOf(0), { cookie: `gatehouse_session=${token}` });
      }),
  ]),
);
