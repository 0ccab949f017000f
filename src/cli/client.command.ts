import { parseArgs } from 'node:util';
import type { Config } from '../config.ts';
import { Background } from '../core/background.ts';
import { DatabaseClock } from '../database/database-clock.ts';
import { apartFromCaller } from '../database/deadline.ts';
import type { Em } from '../database/sql.ts';
import { admitOrHold } from '../limits/held-notices.ts';
import { MailLimit } from '../limits/mail-limit.ts';
import { createLog } from '../log.ts';
import { createMailer, mailFolderIn, withMessageId } from '../mail/mailer.ts';
import { findAdministrators } from '../modules/accounts/administrators.ts';
import { Notices, type SendMail } from '../oauth/clients/notices.ts';
import {
  type ClientOverview,
  findClientForReview,
  findClientOverviews,
} from '../oauth/clients/oauth-client.queries.ts';
import { ClientReplaced, reviewClient } from '../oauth/clients/review-client.ts';
import { CLIENT_STATUSES, type ClientStatus } from '../oauth/protocol/client.ts';
import type { ReviewAction } from '../oauth/protocol/client-review.ts';
import { RevocationFeed } from '../oauth/revocations/revocations.ts';
import { describeClient } from './client-description.ts';
import { type Command, UsageError } from './command.ts';
import { withDatabase } from './with-database.ts';

const HELP = `  list               all clients; --status PENDING for those of one status, --json for programs
  show <id>          one client whole, with the version that a decision names
  approve <id>       approves a client, or the change that an approved one waits for
  reject <id>        --reason "…" is mandatory: the developer is told
  suspend <id>       ends its tokens at once; --reason "…"
  reinstate <id>     makes a suspended client good again

  --version <n>      of what you looked at, for approve and reject: if its developer has replaced it since, nothing is
                     decided, and the new version is printed. Left out, approve means version 1, as it was registered,
                     and reject the current one
  --as <email>       the administrator who decides, for the audit log; may be left out where there is only one`;

const ACTIONS: Readonly<Record<string, ReviewAction>> = {
  approve: 'APPROVE',
  reject: 'REJECT',
  suspend: 'SUSPEND',
  reinstate: 'REINSTATE',
};

export const command: Command = {
  usage: 'client <action>',
  summary: 'lists and shows OAuth clients, and approves, rejects, suspends or reinstates one',
  help: HELP,
  run: async (args) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        status: { type: 'string' },
        json: { type: 'boolean', default: false },
        reason: { type: 'string' },
        as: { type: 'string' },
        version: { type: 'string' },
      },
    });
    const [name = '', clientId, ...rest] = positionals;
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
    if (name === 'list' && clientId === undefined) return list(statusNamed(values.status), values.json);
    if (name === 'show' && clientId !== undefined && rest.length === 0) return show(clientId);
    if (!action || clientId === undefined || rest.length > 0) {
      throw new UsageError(
        `Call it as: gatehouse client list, gatehouse client show <clientId>, or gatehouse client ${Object.keys(ACTIONS).join('|')} <clientId>`,
      );
    }
    return withDatabase(async ({ em }, config) => {
      const actorId = await actingAdministrator(em.fork(), values.as);
      const decision = { clientId, action, actorId, reason: values.reason };
      const isReview = action === 'APPROVE' || action === 'REJECT';
      const unnamed = action === 'APPROVE' ? 1 : undefined;
      const seenVersion = isReview ? (versionNamed(values.version) ?? unnamed) : undefined;
      return decide(em, config, { ...decision, seenVersion }, name);
    });
  },
};

async function show(clientId: string): Promise<number> {
  await withDatabase(({ em }) => printed(em.fork(), clientId));
  return 0;
}

/** Prints a client whole, with its version. */
async function printed(em: Em, clientId: string): Promise<void> {
  const client = await findClientForReview(em, clientId);
  if (!client)
    throw new UsageError(`There is no such OAuth client, ${JSON.stringify(clientId)}: gatehouse client list`);
  console.log(describeClient(client));
}

async function decide(em: Em, config: Config, decision: Decision, name: string): Promise<number> {
  try {
    await review(em, config, decision);
    console.log(`${decision.clientId}: ${name} is done.`);
    return 0;
  } catch (error) {
    if (!(error instanceof ClientReplaced)) throw error;
    console.error(error.message);
    await printed(em.fork(), decision.clientId);
    return 1;
  }
}

function versionNamed(text: string | undefined): number | undefined {
  if (text === undefined || /^[1-9]\d{0,8}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new UsageError(`"${text}" is no version: gatehouse client show <clientId> prints it.`);
}

async function list(status: ClientStatus | undefined, isJson: boolean): Promise<number> {
  const clients = await withDatabase(({ em }) => findClientOverviews(em.fork(), status));
  if (isJson) console.log(JSON.stringify(clients, null, 2));
  else console.log(clients.length === 0 ? 'There is no such client.' : clients.map(line).join('\n'));
  return 0;
}

function line(client: ClientOverview): string {
  const { clientId, name, type, status, legacy, hasPendingRevision, isDeveloperSuspended, ownerEmail } = client;
  const state = [
    status,
    ...(isDeveloperSuspended ? ['developer suspended'] : []),
    ...(hasPendingRevision ? ['change to review'] : []),
    ...(legacy ? ['legacy'] : []),
  ].join(', ');
  return `${clientId}  ${state}  ${type.toLowerCase()}  ${JSON.stringify(name)}  ${ownerEmail}`;
}

function statusNamed(name: string | undefined): ClientStatus | undefined {
  const status = CLIENT_STATUSES.find((one) => one === name?.toUpperCase());
  if (name === undefined || status) return status;
  throw new UsageError(`There is no status "${name}": choose ${CLIENT_STATUSES.join(', ')}.`);
}

async function actingAdministrator(em: Em, email: string | undefined): Promise<string> {
  const administrators = await findAdministrators(em);
  const [found, ...others] = administrators.filter((one) => email === undefined || one.email === email.toLowerCase());
  if (found && others.length === 0) return found.id;
  if (email !== undefined) throw new UsageError(`"${email}" is no administrator of the service.`);
  throw new UsageError(
    found
      ? 'There are several administrators: say who decides by --as <email>.'
      : 'There is no administrator yet: gatehouse admin create <email>',
  );
}

interface Decision {
  readonly clientId: string;
  readonly action: ReviewAction;
  readonly actorId: string;
  readonly reason: string | undefined;
  readonly seenVersion: number | undefined;
}

async function review(
  em: Em,
  { logLevel, isProduction, smtpUrl, mailFrom, mailLimits, dataDir, publicUrl }: Config,
  decision: Decision,
) {
  const log = createLog(logLevel, isProduction);
  const mailer = createMailer({ smtpUrl, from: mailFrom, publicUrl, folder: mailFolderIn(dataDir), log });
  const background = new Background(
    (error) => log.error({ err: error }, 'The developer could not be told.'),
    apartFromCaller,
  );
  const mailLimit = new MailLimit(mailLimits, log);
  const sendMail: SendMail = async (mail, counted) => {
    // A running service sends the mails that are held.
    const notices = [{ mail: withMessageId(mail, publicUrl), counted }];
    for (const notice of await admitOrHold(em.fork(), mailLimit, notices))
      await mailer.send(notice.mail, notice.admission);
  };
  const notices = new Notices(sendMail, background, publicUrl);
  // Running processes are notified of revocations; this one ends before it could read them.
  const revocations = new RevocationFeed(em, new DatabaseClock());
  await reviewClient(em.fork(), { notices, revocations }, { ...decision, address: 'command line' });
  await background.settled();
}
