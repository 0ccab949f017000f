import type { OAuthError } from '../oauth-error.ts';
import { appendParameters } from '../redirect-uri.ts';

/** Where an answer goes. `redirectUri` is the one of the request, already found to be registered. */
export interface AnswerAddress {
  readonly redirectUri: string;
  /** As the request had it; absent when it had none that can be returned. */
  readonly state?: string | null | undefined;
  readonly issuer: string;
}

/** The address to send the browser to with a code (RFC 6749 §4.1.2). */
export function codeAnswer(address: AnswerAddress, code: string): string {
  return answer(address, [['code', code]]);
}

/** The address to send the browser to with an error (RFC 6749 §4.1.2.1). */
export function errorAnswer(address: AnswerAddress, { error, description }: OAuthError): string {
  return answer(address, [
    ['error', error],
    ['error_description', description],
  ]);
}

/** Every answer names its issuer, so that a client of several servers cannot be made to mix them up (RFC 9207). */
function answer(
  { redirectUri, state, issuer }: AnswerAddress,
  parameters: readonly (readonly [string, string])[],
): string {
  const returnedState = state === undefined || state === null ? [] : [['state', state] as const];
  return appendParameters(redirectUri, [...parameters, ...returnedState, ['iss', issuer]]);
}
