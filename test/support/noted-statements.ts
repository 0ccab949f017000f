import type { CompiledQuery } from 'kysely';
import type { Em } from '../../src/database/sql.ts';

type Kysely = ReturnType<Em['getKysely']>;

/** The same, and `note` is told of each statement before it is sent, whether it was built or written. */
export function noted(plain: Kysely, note: (statement: CompiledQuery) => void): Kysely {
  const noting = plain.withPlugin({
    transformQuery: ({ node, queryId }) => {
      note(plain.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  noting.executeQuery = async (query) => {
    note(query as CompiledQuery);
    return plain.executeQuery(query);
  };
  return noting;
}

/** Lets it send all its statements by the pool, where they are noted. */
export function withoutLane(em: Em): Em {
  const connection = em.getConnection();
  const poolAlone = new Proxy(connection, {
    get(target, name) {
      if (name === 'lane' || name === 'sharedCommits') return undefined;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  em.getConnection = () => poolAlone;
  return em;
}
