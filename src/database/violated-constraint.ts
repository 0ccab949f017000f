import { causesOf } from '../core/causes.ts';

/** The name of the constraint that a statement broke (unique, check, foreign key, exclusion), or undefined. */
export function violatedConstraint(error: unknown): string | undefined {
  for (const cause of causesOf(error)) {
    const { code, constraint } = cause as { readonly code?: unknown; readonly constraint?: unknown };
    if (typeof code === 'string' && code.startsWith('23') && typeof constraint === 'string') return constraint;
  }
  return undefined;
}
