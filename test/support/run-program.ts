import { spawn } from 'node:child_process';
import process from 'node:process';
import { killedWithFile } from './ends-with-file.ts';

export interface ProgramResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end while this process goes on, as a service does that the program calls. */
export async function runProgram(
  program: string,
  args: readonly string[],
  {
    cwd,
    path = process.env['PATH'],
    onOutput,
  }: { cwd: string; path?: string | undefined; onOutput?: (stdout: string) => void },
): Promise<ProgramResult> {
  const child = killedWithFile(
    spawn(program, args, {
      cwd,
      env: { ...process.env, PATH: path, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    onOutput?.(stdout);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on('error', reject).on('close', resolve);
  return { code: await promise, stdout, stderr };
}
