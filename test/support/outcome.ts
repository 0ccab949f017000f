import { Problem } from '../../src/core/problem.ts';

/** `done`, or the code by which a command refused. */
export async function outcomeOf(command: Promise<unknown>): Promise<string> {
  try {
    await command;
    return 'done';
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}
