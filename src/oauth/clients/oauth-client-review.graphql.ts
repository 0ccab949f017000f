import { pageRequest } from '../../core/page.ts';
import { builder } from '../../graphql/builder.ts';
import { connection, pageArguments } from '../../graphql/connection.ts';
import { type GraphQLContext, requireUserId } from '../../graphql/context.ts';
import { mutation } from '../../graphql/mutation.ts';
import { FIRST_PARTY } from '../../scopes/declare.ts';
import type { ReviewAction } from '../protocol/client-transitions.ts';
import { findClientsToReview } from './oauth-client.queries.ts';
import { actorOf, changedClient, OAuthClient, OAuthClientConnection } from './oauth-client-type.graphql.ts';
import { reviewClient } from './review-client.ts';

const requires = FIRST_PARTY;

const MISTAKES = ['NOT_FOUND', 'FORBIDDEN', 'NOT_POSSIBLE', 'REASON_REQUIRED', 'TOO_LONG', 'INVALID_TEXT'] as const;

builder.queryField('oauthClientReviewQueue', (t) =>
  t.field({
    type: OAuthClientConnection,
    description:
      'For administrators: what waits for a review, longest wait first. New clients, and approved ones with a pendingRevision. Empty for everybody else.',
    requires,
    args: pageArguments(),
    resolve: async (_, args, context) => {
      const page = await findClientsToReview(context.em, requireUserId(context), pageRequest(args, 2));
      return connection(page, ({ key }) => key);
    },
  }),
);

mutation('oauthClientApprove', {
  description: 'For administrators: approves a pending client, or accepts the pendingRevision of an approved one.',
  requires,
  errors: MISTAKES,
  input: (t) => ({ clientId: t.string({ required: true }) }),
  resolve: ({ clientId }, context) => decide(context, 'APPROVE', clientId),
  payload: (t) => ({ client: t.field({ type: OAuthClient, nullable: true, requires, resolve: changedClient }) }),
});

mutation('oauthClientReject', {
  description: 'For administrators: rejects a pending client, or declines the pendingRevision of an approved one.',
  requires,
  errors: MISTAKES,
  input: (t) => ({
    clientId: t.string({ required: true }),
    reason: t.string({ required: true, description: 'What the developer should change; it is mailed.' }),
  }),
  resolve: ({ clientId, reason }, context) => decide(context, 'REJECT', clientId, reason),
  payload: (t) => ({ client: t.field({ type: OAuthClient, nullable: true, requires, resolve: changedClient }) }),
});

mutation('oauthClientSuspend', {
  description: 'For administrators: stops a client at once, its access tokens included.',
  requires,
  errors: MISTAKES,
  input: (t) => ({ clientId: t.string({ required: true }), reason: t.string({ description: 'It is mailed.' }) }),
  resolve: ({ clientId, reason }, context) => decide(context, 'SUSPEND', clientId, reason ?? undefined),
  payload: (t) => ({ client: t.field({ type: OAuthClient, nullable: true, requires, resolve: changedClient }) }),
});

mutation('oauthClientReinstate', {
  description: 'For administrators: lets a suspended client go on, with the grants that it had.',
  requires,
  errors: MISTAKES,
  input: (t) => ({ clientId: t.string({ required: true }) }),
  resolve: ({ clientId }, context) => decide(context, 'REINSTATE', clientId),
  payload: (t) => ({ client: t.field({ type: OAuthClient, nullable: true, requires, resolve: changedClient }) }),
});

async function decide(
  context: GraphQLContext,
  action: ReviewAction,
  clientId: string,
  reason?: string,
): Promise<{ readonly clientId: string }> {
  await reviewClient(context.em, context.oauth, { clientId, action, reason, ...actorOf(context) });
  return { clientId };
}
