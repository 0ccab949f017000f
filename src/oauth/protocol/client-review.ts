import type { Client, ClientPatch, ClientStatus } from './client.ts';

/**
 * A change that a reviewer approves, whole: how the client will show itself and what it will be allowed once the change
 * is accepted.
 */
export type ClientRevision = Pick<
  Client,
  'name' | 'developerName' | 'logoUrl' | 'websiteUrl' | 'redirectUris' | 'scopes'
>;

/** An owner's edit, and the developer's name at that moment. */
export interface ClientEdit extends ClientPatch {
  readonly developerName?: string | null | undefined;
}

/** Fields of a client that get a new value. */
type ClientChanges = Partial<Omit<Client, 'clientId' | 'type'>>;

export interface UpdatePlan {
  /** Takes effect at once. */
  readonly immediate: ClientChanges;
  /** Waits for an administrator while the approved version stays live; null when nothing waits, also if something did before. */
  readonly revision: ClientRevision | null;
}

/** The subject of a review, whole: the client as it would be if it was approved now. */
export interface ReviewedContent extends ClientRevision {
  readonly purpose: string;
  readonly requiresPkce: boolean;
}

export type ReviewAction = 'APPROVE' | 'REJECT' | 'SUSPEND' | 'REINSTATE';

interface TransitionMistake {
  readonly code: 'NOT_POSSIBLE' | 'REASON_REQUIRED';
  readonly message: string;
  readonly path: readonly string[];
}

/**
 * The effect of an administrator's decision: it moves the client, or it settles the requested change of an approved
 * client.
 */
export type ReviewOutcome =
  | { readonly kind: 'STATUS'; readonly status: ClientStatus }
  | { readonly kind: 'REVISION_ACCEPTED' }
  | { readonly kind: 'REVISION_DECLINED' }
  | { readonly kind: 'REFUSED'; readonly mistake: TransitionMistake };

interface ReviewedClient {
  readonly status: ClientStatus;
  readonly hasPendingRevision: boolean;
  readonly isDeveloperSuspended: boolean;
}

/**
 * Plans an owner's edit. It starts from the revision that already waits (`pending`), so that two edits in a row add up.
 * Removals, the purpose and the PKCE switch change at once; additions and whatever users are shown are reviewed: also
 * the developer's present name, which users are told beside the word that the client was reviewed.
 */
export function planUpdate(client: Client, pending: ClientRevision | null, patch: ClientEdit): UpdatePlan {
  const target = patched(pending ?? client, patch);
  const unreviewed = { ...unreviewedChanges(client, patch), ...migration(client, patch) };
  if (client.status === 'PENDING' || client.status === 'REJECTED') {
    // Nothing is live yet: the reviewer sees the latest version, and editing a rejected client submits it again.
    return { immediate: { ...unreviewed, ...revisionChanges(client, target), status: 'PENDING' }, revision: null };
  }
  const immediate = { ...removals(client, target), ...unreviewed };
  const changes = Object.keys(revisionChanges({ ...client, ...immediate }, target));
  // Nobody vouches for the developer's name of a client that was never submitted, so that alone asks for no review.
  const isSettled = changes.every((field) => field === 'developerName' && client.developerName === null);
  return { immediate, revision: isSettled ? null : target };
}

/** The fields in which a revision differs from the live client: what its reviewer has to look at. Order in a list means nothing. */
export function revisionChanges(live: ClientRevision, target: ClientRevision): Partial<ClientRevision> {
  return {
    ...(live.name === target.name ? {} : { name: target.name }),
    ...(live.developerName === target.developerName ? {} : { developerName: target.developerName }),
    ...(live.logoUrl === target.logoUrl ? {} : { logoUrl: target.logoUrl }),
    ...(live.websiteUrl === target.websiteUrl ? {} : { websiteUrl: target.websiteUrl }),
    ...(isSameSet(live.redirectUris, target.redirectUris) ? {} : { redirectUris: target.redirectUris }),
    ...(isSameSet(live.scopes, target.scopes) ? {} : { scopes: target.scopes }),
  };
}

/** Whether a plan changes anything that a reviewer looks at, or submits a rejected client again. */
export function changesReview(
  client: Client,
  pending: ClientRevision | null,
  { immediate, revision }: UpdatePlan,
): boolean {
  const changesLive = Object.entries(immediate).some(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(client[field as keyof ClientChanges]),
  );
  if (changesLive || !revision || !pending) return changesLive || revision !== pending;
  return Object.keys(revisionChanges(pending, revision)).length > 0;
}

export function reviewedContent(
  client: ReviewedContent & { readonly pendingRevision: ClientRevision | null },
): ReviewedContent {
  const { purpose, requiresPkce } = client;
  return { ...revisionOf(client.pendingRevision ?? client), purpose, requiresPkce };
}

/** Just what a revision holds, of a client or of something else that has more. */
export function revisionOf(content: ClientRevision): ClientRevision {
  const { name, developerName, logoUrl, websiteUrl, redirectUris, scopes } = content;
  return { name, developerName, logoUrl, websiteUrl, redirectUris, scopes };
}

/** Where a client's status can go. An edit of a rejected client submits it again; see `planUpdate`. */
const TRANSITIONS: Readonly<Record<ClientStatus, Partial<Record<ReviewAction, ClientStatus>>>> = {
  PENDING: { APPROVE: 'APPROVED', REJECT: 'REJECTED' },
  APPROVED: { SUSPEND: 'SUSPENDED' },
  REJECTED: {},
  SUSPENDED: { REINSTATE: 'APPROVED' },
};

/**
 * Decides about a client. The role of the actor is checked before: administrators decide, and nobody by owning the
 * client.
 */
export function review(client: ReviewedClient, action: ReviewAction, reason: string | undefined): ReviewOutcome {
  const status = TRANSITIONS[client.status][action];
  const settlesRevision = isRevisionDecision(client, action);
  if (status === undefined && !settlesRevision) return refused('NOT_POSSIBLE', notPossible(client, action), 'clientId');
  if (action === 'APPROVE' && client.isDeveloperSuspended) {
    const message =
      'The developer of the client is suspended; reinstate them first, or reject what they have submitted.';
    return refused('NOT_POSSIBLE', message, 'clientId');
  }
  const text = reason?.trim() ?? '';
  if (action === 'REJECT' && text === '') {
    return refused('REASON_REQUIRED', 'The reason is missing; tell the developer what to change.', 'reason');
  }
  if (status !== undefined) return { kind: 'STATUS', status };
  return { kind: action === 'APPROVE' ? 'REVISION_ACCEPTED' : 'REVISION_DECLINED' };
}

function patched(base: ClientRevision, patch: ClientEdit): ClientRevision {
  return {
    name: patch.name ?? base.name,
    developerName: patch.developerName ?? base.developerName,
    logoUrl: patch.logoUrl === undefined ? base.logoUrl : patch.logoUrl,
    websiteUrl: patch.websiteUrl === undefined ? base.websiteUrl : patch.websiteUrl,
    redirectUris: patch.redirectUris ?? base.redirectUris,
    scopes: patch.scopes ?? base.scopes,
  };
}

function unreviewedChanges(client: Client, { purpose, requiresPkce }: ClientPatch): ClientChanges {
  return {
    ...(purpose === undefined || purpose === client.purpose ? {} : { purpose }),
    ...(requiresPkce === undefined || requiresPkce === client.requiresPkce ? {} : { requiresPkce }),
  };
}

/** Saving scopes ends a client's legacy state at once: it narrows what was unrestricted (specification §3). */
function migration(client: Client, { scopes }: ClientPatch): ClientChanges {
  return client.legacy && scopes !== undefined ? { scopes, legacy: false } : {};
}

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item) => b.includes(item));
}

/** A list that would be left empty stays whole until the revision is settled, or the app would be cut off from its users. */
function removals(client: Client, target: ClientRevision): ClientChanges {
  const redirectUris = client.redirectUris.filter((uri) => target.redirectUris.includes(uri));
  const scopes = client.scopes.filter((scope) => target.scopes.includes(scope));
  return {
    ...(isShorter(redirectUris, client.redirectUris) ? { redirectUris } : {}),
    ...(isShorter(scopes, client.scopes) ? { scopes } : {}),
  };
}

function isShorter(kept: readonly string[], all: readonly string[]): boolean {
  return kept.length > 0 && kept.length < all.length;
}

function isRevisionDecision({ status, hasPendingRevision }: ReviewedClient, action: ReviewAction): boolean {
  return status === 'APPROVED' && hasPendingRevision && (action === 'APPROVE' || action === 'REJECT');
}

function refused(code: TransitionMistake['code'], message: string, field: string): ReviewOutcome {
  return { kind: 'REFUSED', mistake: { code, message, path: [field] } };
}

function notPossible({ status, hasPendingRevision }: ReviewedClient, action: ReviewAction): string {
  const advice = {
    APPROVE: 'only a pending client, or an approved one with a pending revision, can be approved',
    REJECT: 'only a pending client, or an approved one with a pending revision, can be rejected',
    SUSPEND: 'only an approved client can be suspended',
    REINSTATE: 'only a suspended client can be reinstated',
  }[action];
  const revision = hasPendingRevision ? ' with a pending revision' : '';
  return `The client is ${status.toLowerCase()}${revision}; ${advice}.`;
}
