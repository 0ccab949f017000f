/** cli/ is the command line, `gatehouse <command>`: what operators do beside the service. This file finds the command. */
import process from 'node:process';
import { Problem } from '../core/problem.ts';
import { type Command, UsageError } from './command.ts';

/** Loaded when they are called, so that help is there at once. */
const COMMANDS: Readonly<Record<string, () => Promise<{ readonly command: Command }>>> = {
  start: () => import('./start.command.ts'),
  migrate: () => import('./migrate.command.ts'),
  seed: () => import('./seed.command.ts'),
  scopes: () => import('./scopes.command.ts'),
  keys: () => import('./keys.command.ts'),
  admin: () => import('./admin.command.ts'),
  client: () => import('./client.command.ts'),
  jobs: () => import('./jobs.command.ts'),
  webhooks: () => import('./webhooks.command.ts'),
};
const ASKS_FOR_HELP = new Set(['help', '--help', '-h']);

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || ASKS_FOR_HELP.has(name)) {
    const wanted = args[0] === undefined ? undefined : COMMANDS[args[0]];
    console.log(wanted ? helpOf((await wanted()).command) : await overview());
    return name === undefined ? 2 : 0;
  }
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!load) throw new UsageError(`There is no command "${name}". Commands: ${Object.keys(COMMANDS).join(', ')}.`);
  const { command } = await load();
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    console.log(helpOf(command));
    return 0;
  }
  return command.run(args);
}

async function overview(): Promise<string> {
  const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()));
  const width = Math.max(...commands.map(({ command }) => command.usage.length));
  const lines = commands.map(({ command: { usage, summary } }) => `  gatehouse ${usage.padEnd(width)}  ${summary}`);
  return `${lines.join('\n')}\n\nSettings are environment variables: see README.md. More on a command: gatehouse <command> --help`;
}

function helpOf({ usage, summary, help }: Command): string {
  return `gatehouse ${usage}\n\n${summary}${help ? `\n\n${help}` : ''}`;
}

function isArgumentError(error: unknown): boolean {
  return String((error as NodeJS.ErrnoException | undefined)?.code).startsWith('ERR_PARSE_ARGS');
}

/** Operators are told of a fault what it is; of everything else, what callers of the service are told. */
async function inWords(error: unknown): Promise<string> {
  const own = error instanceof Error ? error.message : String(error);
  if (process.env['LOG_LEVEL'] === 'debug') return (error instanceof Error && error.stack) || own;
  const { failureOf } = await import('../database/failure.ts');
  const { kind, message } = failureOf(error, () => undefined);
  if (error instanceof Problem) return error.mistakes.map((mistake) => mistake.message).join('\n');
  return kind === 'AWAY' ? `${message} (${own})` : own;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(await inWords(error));
  process.exitCode = error instanceof UsageError || isArgumentError(error) ? 2 : 1;
}
