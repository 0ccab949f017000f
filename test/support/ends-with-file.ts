import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { afterAll } from 'vitest';

type End = () => unknown;

/**
 * The ends of all files that this process runs. A setup file is loaded anew for each of them, and this must outlive
 * that.
 */
const ENDS: Set<End> = ((globalThis as { endsWithFile?: Set<End> }).endsWithFile ??= watched(new Set()));

/**
 * Ends what a test has started when the test runs out of time before it does so itself.
 * @returns the function to call once it has ended
 */
export function endsWithFile(end: End): () => void {
  ENDS.add(end);
  return () => ENDS.delete(end);
}

/** @returns the same process */
export function killedWithFile<Child extends ChildProcess>(child: Child): Child {
  const ended = once(child, 'exit');
  const forget = endsWithFile(() => {
    child.kill('SIGKILL');
    return ended;
  });
  // Also one that could not be started.
  void ended.then(forget, forget);
  return child;
}

/** In a setup file: after a file's own hooks, whatever is left of what it started. */
export function endWhatIsLeft(): void {
  afterAll(async () => {
    const left = [...ENDS];
    ENDS.clear();
    await Promise.allSettled(left.map(async (end) => end()));
  });
}

/** Also when this process is told to end, as after Ctrl+C. */
function watched(ends: Set<End>): Set<End> {
  process.once('exit', () => ends.forEach((end) => end()));
  return ends;
}
