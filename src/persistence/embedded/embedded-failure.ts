/** crash_shutdown */
const CRASHED = '57P02';

export function crashed(message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code: CRASHED });
}

export function unopened(folder: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `The embedded database in ${folder} could not be opened (${reason}). If the disk is full, make room; if its files were damaged, restore a copy of the folder.`;
  return crashed(message, cause);
}
