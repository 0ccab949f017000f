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
