/** The name of the constraint that a statement broke (unique, check, foreign key, exclusion), or undefined. */
export function violatedConstraint(error: unknown): string | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1) {
    const { code, constraint } = cause as { readonly code?: unknown; readonly constraint?: unknown };
    if (typeof code === 'string' && code.startsWith('23') && typeof constraint === 'string') return constraint;
  }
  return undefined;
}
