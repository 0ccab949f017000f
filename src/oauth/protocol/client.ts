export const CLIENT_TYPES = ['CONFIDENTIAL', 'PUBLIC'] as const;
export type ClientType = (typeof CLIENT_TYPES)[number];

export const CLIENT_STATUSES = ['PENDING', 'APPROVED', 'REJECTED', 'SUSPENDED'] as const;
export type ClientStatus = (typeof CLIENT_STATUSES)[number];

/** An OAuth client, as the rules see it. A row of the client table fits it as it is. */
export interface Client {
  readonly clientId: string;
  readonly type: ClientType;
  readonly status: ClientStatus;
  readonly name: string;
  /** The developer's name, in the words that the reviewer saw; null where it was never submitted. */
  readonly developerName: string | null;
  /** For the reviewer; users never see it. */
  readonly purpose: string;
  readonly logoUrl: string | null;
  readonly websiteUrl: string | null;
  readonly redirectUris: readonly string[];
  /** The enabled scopes: they bound what a request may ask for, by name. */
  readonly scopes: readonly string[];
  /** Created before scopes existed. An explicit flag: an empty list of scopes never means "everything". */
  readonly legacy: boolean;
  /** Public clients need PKCE in any case; this asks it of a confidential one. */
  readonly requiresPkce: boolean;
}

export const MAX_REDIRECT_URIS = 10;
export const MAX_ACTIVE_SECRETS = 2;
/** One developer has this many clients at most that were never approved and wait for a review. */
export const MAX_WAITING_CLIENTS = 20;

/** Whether `text` can be the id of a client at all (RFC 6749 Appendix A.1, without the space). A wrong one never reaches the database. */
export function isPossibleClientId(text: string): boolean {
  return /^[\x21-\x7e]{1,255}$/.test(text);
}

/** An owner's edit. An absent field stays as it is; null removes a logo or a website. */
export interface ClientPatch {
  readonly name?: string | undefined;
  readonly purpose?: string | undefined;
  readonly logoUrl?: string | null | undefined;
  readonly websiteUrl?: string | null | undefined;
  readonly redirectUris?: readonly string[] | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly requiresPkce?: boolean | undefined;
}
