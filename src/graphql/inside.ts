/**
 * The door for other parts of this process: the paths of REST ask by it. Their operations go through the same phases as those of
 * the other doors, and nothing is written as an HTTP answer that would only be read again.
 */
import type { ServerResponse } from 'node:http';
import type { GraphQLFormattedError } from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';
import type { Authentication } from './authentication.ts';
import type { GraphQLContext } from './context.ts';
import type { Outcome } from './execution.ts';
import { Operation, resultResponse, type Shared } from './operation.ts';

export interface InsideRequest {
  readonly authentication: Authentication;
  /** Reads the request, once its caller is known to have room in their limit. */
  readonly read: () => Promise<GraphQLParams>;
  readonly onRefusal?: GraphQLContext['onRefusal'];
  /** Ends the work when it is closed. */
  readonly response?: ServerResponse | undefined;
}

export interface InsideAnswer {
  /** As application/graphql-response+json has it (GraphQL over HTTP): a request that is refused has a status that says so. */
  readonly status: number;
  readonly headers: Headers;
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly GraphQLFormattedError[];
}

export type InsideDoor = (request: InsideRequest) => Promise<InsideAnswer>;

export function insideDoor(shared: Shared): InsideDoor {
  return async ({ authentication, read, onRefusal, response }) => {
    const operation = new Operation(shared, { authentication, isByGet: false, onRefusal });
    response?.once('close', () => operation.done());
    try {
      const answer = await answerOf(await outcomeOf(operation, read), shared);
      for (const [name, value] of Object.entries(operation.headers(answer.status))) answer.headers.set(name, value);
      return answer;
    } finally {
      operation.done();
    }
  };
}

async function outcomeOf(operation: Operation, read: InsideRequest['read']): Promise<Outcome> {
  try {
    await operation.count();
    return await operation.answer(operation.ask(await read()));
  } catch (error) {
    return operation.failure(error);
  }
}

async function answerOf(outcome: Outcome, { refusals }: Shared): Promise<InsideAnswer> {
  switch (outcome.kind) {
    case 'TEXT':
      return { status: 200, headers: new Headers(), ...JSON.parse(outcome.text) };
    case 'SHARED':
      return { status: 200, headers: new Headers(), ...JSON.parse(outcome.bytes.toString()) };
    case 'REFUSED':
    case 'RESULT': {
      const response = resultResponse(outcome, refusals, 'application/graphql-response+json');
      return { status: response.status, headers: response.headers, ...(await response.json()) };
    }
  }
}
