import { decodedId, encodedId } from '../../core/id.ts';
import { base62Of, checksum, equalsInConstantTime, macOf, type RandomBytes, randomBase62 } from '../../core/secret.ts';

/**
 * The forms of everything that is a secret or a name of a client. Each says by its prefix what it is, so that scanners find
 * a leaked one; codes and refresh tokens carry the id of their row (core/id.ts), so that it is found by its key.
 * Every parser is total and looks at a bounded text once.
 */

const CLIENT_ID_CHARACTERS = 22;
/** 43 × log2(62) = 256.03 bits. */
const SECRET_CHARACTERS = 43;
const SHOWN_CHARACTERS = 4;

const CLIENT_SECRET = /^(gh_secret_[0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;
const AUTHORIZATION_CODE = /^gh_code_([\w-]{22})_[0-9A-Za-z]{48}$/;
const REFRESH_TOKEN = /^(gh_refresh_([\w-]{22})_([1-9][0-9]{0,8})_([0-9A-Za-z]{48}))([0-9A-Za-z]{6})$/;

export function newClientId(random?: RandomBytes): string {
  return `gh_client_${randomBase62(CLIENT_ID_CHARACTERS, random)}`;
}

/** A new secret of a confidential client. It is shown once and stored as SHA-256. */
export function newClientSecret(random?: RandomBytes): string {
  const secret = `gh_secret_${randomBase62(SECRET_CHARACTERS, random)}`;
  return secret + checksum(secret);
}

/**
 * Whether a text has the form of a client secret, told without a look-up: for scanners and for keeping secrets out of logs.
 * Authentication does not ask it, and compares hashes only, so the secrets of the demo data need not have the form.
 */
export function isClientSecret(text: string): boolean {
  const [, secret, sum] = CLIENT_SECRET.exec(text) ?? [];
  return secret !== undefined && sum === checksum(secret);
}

/** The end of a secret: enough to tell a client's two apart, useless to a thief. */
export function secretHint(secret: string): string {
  return secret.slice(-SHOWN_CHARACTERS);
}

/**
 * The code of an interaction. It is derived and not drawn, so that a repeated or concurrent Allow gives the same one though
 * the database holds only its hash; without the server's key nobody can tell it.
 */
export function authorizationCode(derivationKey: Uint8Array, interactionId: string): string {
  return `gh_code_${encodedId(interactionId)}_${base62Of(macOf(derivationKey, 'authorization code', interactionId))}`;
}

/** The id of the interaction that a code claims to be of. Whether it is genuine is told by its hash. */
export function interactionIdOfCode(code: string): string | undefined {
  const [, encoded] = AUTHORIZATION_CODE.exec(code) ?? [];
  return encoded === undefined ? undefined : decodedId(encoded);
}

/** A refresh token is derived from these: the grant's row and the server's key, neither of which yields it alone. */
export interface RefreshTokenSource {
  readonly grantId: string;
  /** Random, kept in the row of the grant. */
  readonly seed: string;
  readonly generation: number;
}

export interface ParsedRefreshToken {
  readonly grantId: string;
  readonly generation: number;
  readonly mac: string;
}

/** The refresh token of one generation of a grant: the same each time that it is computed. */
export function refreshToken(derivationKey: Uint8Array, source: RefreshTokenSource): string {
  const token = `gh_refresh_${encodedId(source.grantId)}_${source.generation}_${refreshMac(derivationKey, source)}`;
  return token + checksum(token);
}

/** Reads a refresh token; undefined when it has not the form or its checksum is wrong. */
export function parseRefreshToken(token: string): ParsedRefreshToken | undefined {
  const [, summed, encoded, generation, mac, sum] = REFRESH_TOKEN.exec(token) ?? [];
  if (summed === undefined || encoded === undefined || mac === undefined || sum !== checksum(summed)) return undefined;
  const grantId = decodedId(encoded);
  return grantId === undefined ? undefined : { grantId, generation: Number(generation), mac };
}

/** Whether we wrote this token, whatever its age: true for every generation of the grant that the seed belongs to. */
export function isGenuineRefreshToken(derivationKey: Uint8Array, token: ParsedRefreshToken, seed: string): boolean {
  return equalsInConstantTime(token.mac, refreshMac(derivationKey, { ...token, seed }));
}

function refreshMac(derivationKey: Uint8Array, { grantId, seed, generation }: RefreshTokenSource): string {
  return base62Of(macOf(derivationKey, 'refresh token', grantId, seed, String(generation)));
}
