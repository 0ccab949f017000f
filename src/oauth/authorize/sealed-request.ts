import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { equalsInConstantTime, macOf } from '../../core/secret.ts';
import type { AcceptedRequest } from '../protocol/authorize/authorize-checks.ts';

/** A checked authorization request of somebody who has to sign in first, and of which browser it is. */
export interface RequestOnItsWay {
  readonly request: AcceptedRequest;
  /** SHA-256 of the cookie of the browser that began it. */
  readonly browserHash: string;
  /** Milliseconds since 1970, by the database's clock. */
  readonly askedAt: number;
}

/** As much as a page to go on to after signing in may have (http/local-path.ts), less its path. */
const MAX_LENGTH = 8_000;
/** Much longer than what was checked can be. */
const MAX_BYTES = 65_536;

/**
 * The request as a text of our own, which travels through the sign-in in the address of the page after it. So nothing
 * is stored before sign-in: anybody may begin authorizations, as many as they like, and few go on.
 */
export function sealRequest(key: Uint8Array, onItsWay: RequestOnItsWay): string {
  const body = deflateRawSync(JSON.stringify(onItsWay)).toString('base64url');
  return `${body}.${macOfBody(key, body)}`;
}

/** Undefined for whatever we did not seal. */
export function openSealedRequest(key: Uint8Array, text: string): RequestOnItsWay | undefined {
  const [, body, mac] = /^([\w-]+)\.([\w-]{43})$/.exec(text.slice(0, MAX_LENGTH + 1)) ?? [];
  if (body === undefined || mac === undefined || !equalsInConstantTime(mac, macOfBody(key, body))) return undefined;
  const json = inflateRawSync(Buffer.from(body, 'base64url'), { maxOutputLength: MAX_BYTES });
  return JSON.parse(json.toString()) as RequestOnItsWay;
}

function macOfBody(key: Uint8Array, body: string): string {
  return macOf(key, 'authorization request', body).toString('base64url');
}
