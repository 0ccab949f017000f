import type { GraphQLParams } from 'graphql-yoga';
import type { Problem } from '../../core/problem.ts';

/** Another door of this process hands these along with a request, as members of the server context. */
export interface InsideRequest {
  /** Reads what is asked, in place of a body, once it is known who calls, and that they may call so often. */
  readonly readParams?: () => Promise<GraphQLParams>;
  /** Told what a mutation was refused for: the problem knows more than `userErrors` show. */
  readonly onRefusal?: (problem: Problem) => void;
}
