import { createHash, randomBytes } from 'node:crypto';

/** A user name with its password. */
export interface Login {
  readonly username: string;
  readonly appPassword: string;
}

/** One way to sign in that a server offers (RFC 9110 §11.3). */
interface Challenge {
  readonly scheme: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The best first. */
const HASHES = [
  ['SHA-512-256', 'sha512-256'],
  ['SHA-256', 'sha256'],
  ['MD5', 'md5'],
] as const;

interface DigestChallenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string | undefined;
  /** As the server has written it; undefined: it has said none. */
  readonly algorithm: string | undefined;
  readonly hash: string;
  readonly isSession: boolean;
  /** Whether the server takes a protected answer: one from before RFC 2617 does not. */
  readonly hasQop: boolean;
  readonly isStale: boolean;
  readonly hidesUser: boolean;
}

/**
 * Chooses between a password that is sent as it is, and one that is sent as a digest; the digest where the server takes both.
 * Undefined: it takes none.
 */
export function passwordSchemeOf(headers: Headers): 'BASIC' | 'DIGEST' | undefined {
  const text = headers.get('www-authenticate') ?? '';
  if (digestIn(text)) return 'DIGEST';
  return challengesIn(text).some(({ scheme }) => scheme === 'basic') ? 'BASIC' : undefined;
}

/**
 * Asks as somebody who signs in by HTTP Digest (RFC 7616). A password that is refused is not sent again: only where the server says
 * that a nonce is stale (§3.3) is there another answer to it. For one account; each origin has nonces of its own. `cnonceOf`: makes
 * the client's own nonce.
 */
export function digestFetch(ask: typeof fetch, login: Login, cnonceOf = randomNonce): typeof fetch {
  const known = new Map<string, { readonly challenge: DigestChallenge; uses: number }>();
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const method = init?.method ?? 'GET';
    const sign = (): Promise<Response> => {
      const headers = new Headers(init?.headers);
      headers.delete('authorization');
      const from = known.get(url.origin);
      if (from) {
        from.uses += 1;
        headers.set(
          'authorization',
          answerTo(from.challenge, { ...login, method, url, count: from.uses, cnonce: cnonceOf() }),
        );
      }
      return ask(url, { ...init, headers });
    };
    for (let left = MAX_NONCES; ; left -= 1) {
      const isSigned = known.has(url.origin);
      // oxlint-disable-next-line no-await-in-loop -- the same request, by another nonce
      const answer = await sign();
      const challenge = answer.status === 401 ? digestIn(answer.headers.get('www-authenticate') ?? '') : undefined;
      if (!challenge || left === 0 || (isSigned && !challenge.isStale)) return answer;
      known.set(url.origin, { challenge, uses: 0 });
    }
  };
}

/** One request is signed by so many at most: servers that share a name may not share what they know of nonces. */
const MAX_NONCES = 3;

function randomNonce(): string {
  return randomBytes(16).toString('base64url');
}

interface Signed extends Login {
  readonly method: string;
  readonly url: URL;
  /** How often the nonce has been used, with this time. */
  readonly count: number;
  readonly cnonce: string;
}

/** `Authorization: Digest` (RFC 7616 §3.4). */
function answerTo(challenge: DigestChallenge, { username, appPassword, method, url, count, cnonce }: Signed): string {
  const { realm, nonce, opaque, algorithm, hash, isSession, hasQop, hidesUser } = challenge;
  const digest = (...parts: readonly string[]) => createHash(hash).update(parts.join(':')).digest('hex');
  const uri = url.pathname + url.search;
  const nc = count.toString(16).padStart(8, '0');
  const secret = digest(username, realm, appPassword);
  const key = isSession ? digest(secret, nonce, cnonce) : secret;
  const about = digest(method, uri);
  const response = hasQop ? digest(key, nonce, nc, cnonce, 'auth', about) : digest(key, nonce, about);
  const isPlain = /^[ -~]*$/.test(username);
  const user = hidesUser ? digest(username, realm) : username;
  return `Digest ${[
    hidesUser || isPlain ? `username=${quoted(user)}` : `username*=UTF-8''${encodeURIComponent(username)}`,
    `realm=${quoted(realm)}`,
    `uri=${quoted(uri)}`,
    ...(algorithm === undefined ? [] : [`algorithm=${algorithm}`]),
    `nonce=${quoted(nonce)}`,
    ...(hasQop ? [`nc=${nc}`, `cnonce=${quoted(cnonce)}`, 'qop=auth'] : isSession ? [`cnonce=${quoted(cnonce)}`] : []),
    `response=${quoted(response)}`,
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
    ...(hidesUser ? ['userhash=true'] : []),
  ].join(', ')}`;
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Chooses the best of a server's challenges that can be answered. */
function digestIn(text: string): DigestChallenge | undefined {
  const offered = challengesIn(text).flatMap(({ scheme, parameters }) => {
    const { realm, nonce, opaque, algorithm, qop, stale, userhash } = parameters;
    const name = (algorithm ?? 'MD5').toUpperCase();
    const rank = HASHES.findIndex(([known]) => name === known || name === `${known}-SESS`);
    const takes = qop?.toLowerCase().split(/[\s,]+/);
    if (scheme !== 'digest' || realm === undefined || nonce === undefined || rank < 0) return [];
    if (takes && !takes.includes('auth')) return [];
    const challenge: DigestChallenge = {
      realm,
      nonce,
      opaque,
      algorithm,
      hash: HASHES[rank]?.[1] ?? 'md5',
      isSession: name.endsWith('-SESS'),
      hasQop: takes !== undefined,
      isStale: stale?.toLowerCase() === 'true',
      hidesUser: userhash?.toLowerCase() === 'true',
    };
    return [{ rank, challenge }];
  });
  return offered.toSorted((a, b) => a.rank - b.rank)[0]?.challenge;
}

/** A name, or a name and its value, of which a list of challenges is made (RFC 9110 §11.6.1). */
const PART = /([\w!#$%&'*+.^`|~-]+)(?:\s{0,9}=\s{0,9}(?:"((?:[^"\\]|\\.)*)"|([^\s",]+)))?/g;

function challengesIn(text: string): readonly Challenge[] {
  const challenges: { scheme: string; parameters: Record<string, string> }[] = [];
  for (const [, name = '', inQuotes, plain] of text.matchAll(PART)) {
    const value = inQuotes?.replace(/\\(.)/g, '$1') ?? plain;
    const last = challenges.at(-1);
    if (value === undefined) challenges.push({ scheme: name.toLowerCase(), parameters: Object.create(null) });
    else if (last) last.parameters[name.toLowerCase()] ??= value;
  }
  return challenges;
}
