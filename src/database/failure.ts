/**
 * Says what a failure is to its caller: a mistake of theirs, a database that is away, a change of which nobody knows
 * whether it was made, or a fault of ours. This is decided here alone; GraphQL, pages, REST and the OAuth endpoints
 * write it in their own forms.
 */
import { randomUUID } from 'node:crypto';
import { Problem } from '../core/problem.ts';
import type { ProblemCode } from '../core/problem-code.ts';
import { causesOf, gaveWayToOthers, isDatabaseAway, isInDoubt } from './database-away.ts';

type Status = 400 | 401 | 403 | 404 | 409 | 410 | 413 | 415 | 422 | 429 | 500 | 503 | 504;
type Headers = Readonly<Record<string, string>>;

export interface Failure {
  readonly kind: 'PROBLEM' | 'AWAY' | 'IN_DOUBT' | 'FAULT';
  readonly status: Status;
  readonly code: ProblemCode | 'SERVICE_UNAVAILABLE' | 'OUTCOME_UNKNOWN' | 'INTERNAL_SERVER_ERROR';
  readonly message: string;
  /** When to come back, where that is known. */
  readonly headers: Headers;
  /** Where in the input the mistake is. */
  readonly path?: readonly string[] | undefined;
  /** The id under which a fault was logged. */
  readonly id?: string;
}

/** Logs a fault of ours under the id that the answer names. */
export type Report = (error: unknown, id: string) => void;

const STATUS: Readonly<Partial<Record<ProblemCode, Status>>> = {
  BAD_REQUEST: 400,
  WRONG_CREDENTIALS: 401,
  ACCOUNT_SUSPENDED: 403,
  FORGED_FORM: 403,
  FOREIGN_REQUEST: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  EMAIL_TAKEN: 409,
  LINK_OVER: 410,
  BODY_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  TOO_MANY_GUESSES: 429,
  TOO_MANY_MAILS: 429,
  TOO_MANY_REQUESTS: 429,
  BUSY: 503,
};

export const AWAY = {
  kind: 'AWAY',
  status: 503,
  code: 'SERVICE_UNAVAILABLE',
  message: 'The service cannot reach its database at the moment; try again in a few seconds.',
  headers: { 'Retry-After': '5' },
} as const satisfies Failure;

/** 504 and not 503, which invites to try again at once. */
const IN_DOUBT = {
  kind: 'IN_DOUBT',
  status: 504,
  code: 'OUTCOME_UNKNOWN',
  message:
    'The database was lost before it said whether this was done, so it may have been carried out: look before you send it again. With the same idempotencyKey, you can send it again as it is.',
  headers: {},
} as const satisfies Failure;

const GAVE_WAY = {
  ...AWAY,
  message: 'Others were changing the same at this moment, so this was not done; try again in a few seconds.',
} as const satisfies Failure;

export function failureOf(error: unknown, report: Report): Failure {
  if (error instanceof Problem) {
    const [{ code, message, path }] = error.mistakes;
    return { kind: 'PROBLEM', status: statusOf(error), code, message, path, headers: retryHeaders(error) };
  }
  if (isInDoubt(error)) return IN_DOUBT;
  if (isDatabaseAway(error)) return AWAY;
  const id = randomUUID();
  report(error, id);
  if (gaveWayToOthers(error)) return GAVE_WAY;
  const message = `Something went wrong on our side; quote ${id} when you report it.`;
  return { kind: 'FAULT', status: 500, code: 'INTERNAL_SERVER_ERROR', message, headers: {}, id };
}

/** The status of an answer that tells of a problem; 422 for a mistake in what was filled in. */
export function statusOf(problem: Problem): Status {
  return statusOfCode(problem.code);
}

/** The HTTP status of a problem's code. */
export function statusOfCode(code: ProblemCode): Status {
  return STATUS[code] ?? 422;
}

/** When to come back, where that is known. */
export function retryHeaders(problem: Problem): Headers {
  if ('secondsToWait' in problem) return { 'Retry-After': String(problem.secondsToWait) };
  return problem.code === 'BUSY' ? { 'Retry-After': '2' } : {};
}

/** The name of the constraint that a statement broke (unique, check, foreign key, exclusion), or undefined. */
export function violatedConstraint(error: unknown): string | undefined {
  for (const cause of causesOf(error)) {
    const { code, constraint } = cause as { readonly code?: unknown; readonly constraint?: unknown };
    if (typeof code === 'string' && code.startsWith('23') && typeof constraint === 'string') return constraint;
  }
  return undefined;
}
