/** One subcommand of `gatehouse`. */
export interface Command {
  /** How it is called, after `gatehouse` */
  readonly usage: string;
  /** Says in a line what the command does. */
  readonly summary: string;
  /** Explains the rest: options, exit codes. */
  readonly help?: string;
  /** @returns the exit code. @throws UsageError for arguments that make no sense, Error for what went wrong */
  readonly run: (args: readonly string[]) => Promise<number>;
}

/** The command was called wrongly, or was given something unreadable: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
