import { sha256Base64url } from '../core/secret.ts';

/** Content that its readers keep, and ask again whether it is still the same. */
export interface KeptAnswer {
  readonly content: string | Uint8Array<ArrayBuffer>;
  readonly type: string;
  /** A strong one, with its quotes. */
  readonly etag: string;
}

export function keptAnswer(content: string | Uint8Array<ArrayBuffer>, type: string): KeptAnswer {
  return { content, type, etag: `"${sha256Base64url(content)}"` };
}

/** The content, or 304 for a reader who has it already (RFC 9110 §13.1.2). */
export function sendKept({ headers }: Request, { content, type, etag }: KeptAnswer, cacheControl: string): Response {
  const shared = { 'Cache-Control': cacheControl, ETag: etag, 'X-Content-Type-Options': 'nosniff' };
  if (isAmong(headers.get('if-none-match') ?? '', etag)) return new Response(null, { status: 304, headers: shared });
  return new Response(content, { headers: { ...shared, 'Content-Type': type } });
}

/** Weak comparison: `W/` says nothing here. A tag may hold commas, so the list is not split at them. */
export function isAmong(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.trim() === '*' || ifNoneMatch.matchAll(/"[^"]*"/g).some(([tag]) => tag === etag);
}
