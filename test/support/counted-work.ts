import { createHook } from 'node:async_hooks';
import type { Em } from '../../src/database/sql.ts';
import { noted, withoutLane } from './noted-statements.ts';

/** The work of an answer: statements on the database, and hashes of passwords. */
export interface Work {
  statements: number;
  hashes: number;
  /** The texts of the statements, as far as they were sent outside transactions. */
  readonly sent: string[];
}

/** Counts from now on. Each fork of `em` counts, and what is done within its transactions. */
export function countWork(em: Em): { readonly em: Em; readonly work: Work; stop(): void } {
  const work: Work = { statements: 0, hashes: 0, sent: [] };
  const hook = createHook({ init: (_id, type) => void (type === 'ARGON2REQUEST' && (work.hashes += 1)) });
  hook.enable();
  const counting = Object.create(em, { fork: { value: () => counted(em.fork(), work) } }) as Em;
  return { em: counting, work, stop: () => hook.disable() };
}

/** Every statement asks the EntityManager for Kysely first, and a transaction has an EntityManager of its own. */
export function counted(em: Em, counter: { statements: number; readonly sent: string[] }): Em {
  const [getKysely, transactional, fork] = [em.getKysely.bind(em), em.transactional.bind(em), em.fork.bind(em)];
  withoutLane(em);
  em.fork = (options) => counted(fork(options), counter);
  em.transactional = (work, options) => transactional((inner) => work(counted(inner, counter)), options);
  em.getKysely = ((...args: Parameters<typeof getKysely>) => {
    counter.statements += 1;
    return noted(getKysely(...args), (statement) => counter.sent.push(statement.sql));
  }) as typeof em.getKysely;
  return em;
}
