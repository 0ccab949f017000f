import { pageRequest } from '../../core/page.ts';
import type { Mistake } from '../../core/problem.ts';
import { builder } from '../../graphql/builder.ts';
import { connection, pageArguments } from '../../graphql/connection.ts';
import { type GraphQLContext, requireUserId } from '../../graphql/context.ts';
import { mutation } from '../../graphql/mutation.ts';
import { FIRST_PARTY } from '../../scopes/declare.ts';
import type { ReviewAction } from '../protocol/clients/client-transitions.ts';
import { findClientsToReview } from './oauth-client.queries.ts';
import {
  actorOf,
  changedClient,
  clientIdField,
  OAuthClient,
  OAuthClientConnection,
} from './oauth-client-type.graphql.ts';
import { ClientReplaced, MAX_REASON_LENGTH, REVIEW_CLIENT_CODES, reviewClient } from './review-client.ts';

const requires = FIRST_PARTY;

const VERSION =
  'The version of the client that you looked at (`OAuthClient.version`). If its developer has replaced it since, nothing is decided: CONFLICT, with the client as it is now. Left out, the current version is decided about, seen or not: name it.';

builder.queryField('oauthClientReviewQueue', (t) =>
  t.field({
    type: OAuthClientConnection,
    nullable: true,
    description:
      'For administrators: what waits for a review, longest wait first. New clients, and approved ones with a pendingRevision. Empty for everybody else.',
    requires,
    args: pageArguments(),
    resolve: async (_, args, context) => {
      const page = await findClientsToReview(context.em, requireUserId(context), pageRequest(args, ['TIME', 'TEXT']));
      return connection(page, ({ key }) => key);
    },
  }),
);

mutation('oauthClientApprove', {
  description:
    'For administrators: approves a pending client, or accepts the pendingRevision of an approved one; NOT_POSSIBLE while its developer is suspended.',
  requires,
  errors: [...REVIEW_CLIENT_CODES, 'CONFLICT'],
  input: (t) => ({ clientId: clientIdField(t), version: t.int({ description: VERSION }) }),
  resolve: ({ clientId, version }, context) => decide(context, { action: 'APPROVE', clientId, seenVersion: version }),
  payload: (t) => ({ client: t.field({ type: OAuthClient, nullable: true, requires, resolve: changedClient }) }),
});

mutation('oauthClientReject', {
  description: 'For administrators: rejects a pending client, or declines the pendingRevision of an approved one.',
  requires,
  errors: [...REVIEW_CLIENT_CODES, 'CONFLICT'],
  input: (t) => ({
    clientId: clientIdField(t),
    reason: t.string({
      required: true,
      description: `What the developer should change, at most ${MAX_REASON_LENGTH} characters; it is mailed.`,
    }),
    version: t.int({ description: VERSION }),
  }),
  resolve: ({ clientId, reason, version }, context) =>
    decide(context, { action: 'REJECT', clientId, reason, seenVersion: version }),
  payload: (t) => ({ client: t.field({ type: OAuthClient, nullable: true, requires, resolve: changedClient }) }),
});

mutation('oauthClientSuspend', {
  description: 'For administrators: suspends a client at once, including its access tokens.',
  requires,
  errors: REVIEW_CLIENT_CODES,
  input: (t) => ({
    clientId: clientIdField(t),
    reason: t.string({ description: `Why, at most ${MAX_REASON_LENGTH} characters; it is mailed to the developer.` }),
  }),
  resolve: ({ clientId, reason }, context) => decide(context, { action: 'SUSPEND', clientId, reason }),
  payload: (t) => ({ client: t.field({ type: OAuthClient, nullable: true, requires, resolve: changedClient }) }),
});

mutation('oauthClientReinstate', {
  description: 'For administrators: reinstates a suspended client, with the grants that it had.',
  requires,
  errors: REVIEW_CLIENT_CODES,
  input: (t) => ({ clientId: clientIdField(t) }),
  resolve: ({ clientId }, context) => decide(context, { action: 'REINSTATE', clientId }),
  payload: (t) => ({ client: t.field({ type: OAuthClient, nullable: true, requires, resolve: changedClient }) }),
});

interface Decision {
  readonly clientId: string;
  readonly action: ReviewAction;
  readonly reason?: string | null | undefined;
  readonly seenVersion?: number | null | undefined;
}

interface Decided {
  readonly clientId: string;
  readonly userErrors?: readonly Mistake[];
}

async function decide(context: GraphQLContext, { clientId, action, reason, seenVersion }: Decision): Promise<Decided> {
  const made = { clientId, action, reason: reason ?? undefined, seenVersion: seenVersion ?? undefined };
  try {
    await reviewClient(context.em, context.oauth, { ...made, ...actorOf(context) });
    return { clientId };
  } catch (error) {
    if (error instanceof ClientReplaced) return { clientId, userErrors: error.mistakes };
    throw error;
  }
}
