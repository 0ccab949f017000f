import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { Problem } from '../core/problem.ts';
import type { Em } from '../database/sql.ts';
import { appointAdministrator } from '../modules/accounts/administrators.ts';
import { signUp } from '../modules/accounts/sign-in/sign-up.ts';
import { furnishAccount } from '../modules/event-types/event-type.commands.ts';
import { type Command, UsageError } from './command.ts';
import { withDatabase } from './with-database.ts';

const HELP = `  --name <name>      of a new account; the part of the address before the @ if left out
  --username <name>  of a new account; likewise
  --password-stdin   reads the password of a new account from standard input; otherwise one is made up and shown once

A verified account that is there already keeps its name and password.`;

export const command: Command = {
  usage: 'admin create <email>',
  summary: 'makes an administrator of the service: a new account, or one that is there',
  help: HELP,
  run: async ([action, ...args]) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        username: { type: 'string' },
        'password-stdin': { type: 'boolean', default: false },
      },
    });
    const [email, ...rest] = positionals;
    if (action !== 'create' || email === undefined || rest.length > 0) {
      throw new UsageError('Call it as: gatehouse admin create <email>');
    }
    const given = values['password-stdin'] ? (await text(process.stdin)).replace(/\r?\n$/, '') : undefined;
    const [local = email] = email.split('@');
    const account = { email, name: values.name ?? local, username: values.username ?? local, password: given };
    return withDatabase(async ({ em }) => {
      console.log(await createAdministrator(em, account));
      return 0;
    });
  },
};

interface NewAdministrator {
  readonly email: string;
  readonly name: string;
  readonly username: string;
  /** Left out: a password is generated. */
  readonly password: string | undefined;
}

/** An account that nobody verified is not taken for its owner's: anybody may have made it. */
async function createAdministrator(em: Em, account: NewAdministrator): Promise<string> {
  const { email } = account;
  const wasAppointed = await appointAdministrator(em.fork(), email).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'NOT_FOUND') return undefined;
    throw error;
  });
  if (wasAppointed !== undefined) return `${email} is an administrator ${wasAppointed ? 'now' : 'already'}.`;
  const password = account.password ?? randomBytes(18).toString('base64url');
  await signUp(em.fork(), { ...account, password, isEmailVerified: true }, furnishAccount);
  await appointAdministrator(em.fork(), email);
  const shown = account.password === undefined ? ` Its password, shown this once: ${password}` : '';
  return `The account ${email} was made, an administrator's.${shown}`;
}
