import { failureOf, OutboundFailure } from '../../outbound/outcome.ts';

const OAUTH_TIMEOUT_MS = 10_000;
/** As RFC 6749 §5.2 writes codes, and short: nothing else of what a provider says is passed on. */
const ERROR_CODE = /^[\w.-]{1,60}$/;

/** The error code of an answer of a provider (RFC 6749 §4.1.2.1, §5.2), if it has given one. */
export function codeIn(error: unknown): string | undefined {
  const { error: code } = error as { readonly error?: unknown };
  return error instanceof Error && typeof code === 'string' && ERROR_CODE.test(code) ? code : undefined;
}

/** Why nothing came of it, for people outside: the provider was not reached, or has said no. */
export function providerFailure(error: unknown): OutboundFailure {
  const code = codeIn(error);
  if (code !== undefined) return new OutboundFailure('FAILED', `The provider has answered with the error ${code}.`);
  return failureOf(error, OAUTH_TIMEOUT_MS);
}
