import type { Mistake } from '../../core/problem.ts';
import { PROBLEM_CODES, type ProblemCode } from '../../core/problem-code.ts';
import { statusOfCode } from '../../database/failure.ts';
import type { RestRoute } from './route.ts';

/** Codes that say what is so now, rather than what is wrong with what was sent. */
const CONFLICTS: ReadonlySet<string> = new Set([
  'ALREADY_INVITED',
  'ALREADY_MEMBER',
  'ALREADY_VERIFIED',
  'DEFAULT_SCHEDULE',
  'LAST_OWNER',
  'RESERVATION_LIMIT_REACHED',
  'SCHEDULE_IN_USE',
  'SLOT_RESERVED',
  'TEAM_IN_USE',
] satisfies ProblemCode[]);

/** The HTTP status of a code of `userErrors`. */
export function restStatusOf(code: ProblemCode): number {
  if (code === 'FORBIDDEN') return 403;
  return CONFLICTS.has(code) || code.endsWith('_TAKEN') ? 409 : statusOfCode(code);
}

/**
 * The status for what a mutation refused: 412 where `If-Match` did not hold, and 422 where the body, rather than the address,
 * names what is not there.
 */
export function statusOfMistake({ bound }: Pick<RestRoute, 'bound'>, { code, path: [named] = [] }: Mistake): number {
  if (code === 'CONFLICT' && named === 'ifUpdatedAt') return 412;
  if (code === 'NOT_FOUND' && named !== undefined && !(named in bound)) return 422;
  return restStatusOf(code);
}

/** The status for an error of a field that was read: what is wrong is in the address. */
export function statusOfRead(code: string): number {
  if (!(code in PROBLEM_CODES)) return 500;
  const status = restStatusOf(code as ProblemCode);
  return status === 422 ? 400 : status;
}
