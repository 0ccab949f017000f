import type { Client, ClientPatch } from '../client.ts';

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
export type ClientChanges = Partial<Omit<Client, 'clientId' | 'type'>>;

export interface UpdatePlan {
  /** Takes effect at once. */
  readonly immediate: ClientChanges;
  /** Waits for an administrator while the approved version stays live; null when nothing waits, also if something did before. */
  readonly revision: ClientRevision | null;
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

/** The subject of a review, whole: the client as it would be if it was approved now. */
export interface ReviewedContent extends ClientRevision {
  readonly purpose: string;
  readonly requirePkce: boolean;
}

export function reviewedContent(
  client: ReviewedContent & { readonly pendingRevision: ClientRevision | null },
): ReviewedContent {
  const { purpose, requirePkce } = client;
  return { ...revisionOf(client.pendingRevision ?? client), purpose, requirePkce };
}

/** Just what a revision holds, of a client or of something else that has more. */
export function revisionOf(content: ClientRevision): ClientRevision {
  const { name, developerName, logoUrl, websiteUrl, redirectUris, scopes } = content;
  return { name, developerName, logoUrl, websiteUrl, redirectUris, scopes };
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

function unreviewedChanges(client: Client, { purpose, requirePkce }: ClientPatch): ClientChanges {
  return {
    ...(purpose === undefined || purpose === client.purpose ? {} : { purpose }),
    ...(requirePkce === undefined || requirePkce === client.requirePkce ? {} : { requirePkce }),
  };
}

/** Saving scopes ends a client's legacy state at once: it narrows what was unrestricted (specification §3). */
function migration(client: Client, { scopes }: ClientPatch): ClientChanges {
  return client.legacy && scopes !== undefined ? { scopes, legacy: false } : {};
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

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item) => b.includes(item));
}
