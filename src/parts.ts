import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';
import type { Config } from './config.ts';
import { macOf } from './core/secret.ts';
import type { Listen } from './database/listen.ts';
import type { Em } from './database/sql.ts';
import { Announcements, UseCounts } from './graphql/deprecation.ts';
import { apiCaller, recallCaller } from './http/api-caller.ts';
import { addressOfIncoming, clientAddress, trustedProxies } from './http/client-address.ts';
import { enqueueJobs } from './jobs/job-queue.ts';
import { invitationMailJob, mailJob } from './jobs/kinds/mail.job.ts';
import { codeSmsJob } from './jobs/kinds/sms.job.ts';
import {
  CODE_REQUESTS,
  CODE_TRIES,
  createGuessLimit,
  createNetworkLimits,
  PASSWORD_GUESSES,
} from './limits/guess-limit.ts';
import { admitOrHold } from './limits/held-notices.ts';
import { type CountedAs, MailLimit } from './limits/mail-limit.ts';
import { RequestLimit, shareInDatabase } from './limits/request-limit.ts';
import { ServerTurns } from './limits/server-turns.ts';
import { SmsLimit } from './limits/sms-limit.ts';
import type { Log } from './log.ts';
import { type Admission, createMailer, type Mail, mailFolderIn, withMessageId } from './mail/mailer.ts';
import { AccountMails } from './modules/accounts/links/account-mails.ts';
import { RememberedProfiles } from './modules/accounts/remembered-profiles.ts';
import { Uids } from './modules/bookings/booking-key.rules.ts';
import { openCalendarProviders } from './modules/calendars/connections/calendar-access.ts';
import { CalendarAccounts } from './modules/calendars/connections/calendar-accounts.ts';
import { ACCOUNT_TRIES } from './modules/calendars/connections/connect-caldav.ts';
import { FEED_TRIES } from './modules/calendars/feeds/save-feeds.ts';
import { FreshCalendars } from './modules/calendars/fresh-calendars.ts';
import { openMeetingProviders } from './modules/conferencing/app-access.ts';
import { ConferencingAccounts } from './modules/conferencing/conferencing-accounts.ts';
import { Connections } from './modules/connections/connections.ts';
import type { InvitationMail } from './modules/memberships/invite.ts';
import { textOfCode } from './modules/verified-resources/verification-words.rules.ts';
import { digitsOf, type SentCode } from './modules/verified-resources/verify-receiver.ts';
import { REQUESTED_DELIVERIES } from './modules/webhooks/request-delivery.ts';
import { openAuthorizationServer } from './oauth/open-authorization-server.ts';
import { ENDPOINTS } from './oauth/protocol/metadata.ts';
import { Credentials } from './outbound/credentials.ts';
import { Outbound } from './outbound/outbound.ts';
import type { Database } from './persistence/connect.ts';
import { masterKeys } from './persistence/master-key.ts';
import { askToSignIn } from './screens/account/sign-in.ts';
import { DEPRECATIONS_PATH } from './screens/deprecations/deprecations.ts';
import { Visitors } from './screens/kit/visitors.ts';
import { createSmsProvider, type SmsAdmission, smsFolderIn } from './sms/sms.ts';

const RATE_WINDOW_SECONDS = 60;

/** Opens the parts that live as long as the process, beside the database. */
export async function openParts(
  config: Config,
  log: Log,
  database: Database,
  { listen, runsJobs }: { readonly listen: Listen; readonly runsJobs: boolean },
) {
  const { em, isEmbedded } = database;
  const { publicUrl } = config;
  const folder = mailFolderIn(config.dataDir);
  const mailer = createMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom, publicUrl, folder, log });
  const mailLimit = new MailLimit(config.mailLimits, log);
  const enqueue = async (inner: Em, mail: Mail, counted: CountedAs): Promise<void> => {
    const notice = { mail: withMessageId(mail, publicUrl), counted };
    for (const admitted of await admitOrHold(inner, mailLimit, [notice]))
      await (runsJobs
        ? enqueueJobs(inner, [mailJob(admitted.mail, admitted.admission)])
        : mailer.send(admitted.mail, admitted.admission));
  };
  const smsLimit = new SmsLimit(config.smsLimits, log);
  const authorizationServer = await openAuthorizationServer({
    em,
    listen,
    issuer: publicUrl,
    masterKeys: await masterKeys(config),
    codeLifetimeInSeconds: config.authorizationCodeSeconds,
    sendMail: (mail, counted) => enqueue(em.fork(), mail, counted),
    onError: (error) => log.error({ err: error }, 'Work behind an answer failed.'),
  });
  const { derivationKey } = authorizationServer.keys;
  const { background } = authorizationServer;
  const accountMails = new AccountMails({
    em,
    publicUrl,
    mailLimit,
    background,
    enqueue,
    sendAtOnce: (mail, admission) => mailer.send(mail, admission),
    rehearse: (mail) => mailer.rehearse(mail),
  });
  const deprecatedUses = new UseCounts((used) =>
    log.info(used, 'A client uses a part of the schema that is deprecated (once a day for each).'),
  );
  const profiles = new RememberedProfiles();
  const forgetProfiles = await profiles.keepUp(listen);
  const proxies = trustedProxies(config.trustProxy);
  const outbound = new Outbound({
    allowsPrivate: config.allowPrivateNetwork,
    caldavInsideHosts: config.caldavInsideHosts,
    userAgent: `Gatehouse (+${publicUrl})`,
  });
  const credentials = new Credentials(macOf(derivationKey, 'credentials'));
  const calendars = openCalendarProviders(
    { ...config, clients: { GOOGLE: config.google, OFFICE365: config.office365 } },
    outbound,
  );
  const meetings = openMeetingProviders({ zoom: config.zoom }, outbound);
  const providers = [...calendars.access, ...meetings.access];
  const connections = new Connections({ publicUrl, outbound, credentials, providers });
  const calendarAccounts = new CalendarAccounts({ ...calendars, credentials, connections });
  const servers = new ServerTurns();
  const fresh = new FreshCalendars({
    em,
    feeds: { outbound, credentials },
    calendarAccounts,
    hosts: servers.ofVisitors,
    background,
    onError: (error) => log.error({ err: error }, 'A calendar could not be asked.'),
  });
  fresh.serve();
  const smsProvider =
    config.smsUrl === undefined && config.isProduction
      ? undefined
      : createSmsProvider({ smsUrl: config.smsUrl, outbound, folder: smsFolderIn(config.dataDir), log });
  const codeKey = macOf(derivationKey, 'verification codes');
  const addressOf = ({ env, req }: Context): string => {
    const { socket } = (env as { req?: IncomingMessage }).req ?? {};
    return clientAddress(socket?.remoteAddress, req.header('x-forwarded-for') ?? null, proxies);
  };
  const requests = new RequestLimit({
    windowInSeconds: RATE_WINDOW_SECONDS,
    share: isEmbedded ? undefined : shareInDatabase(em, RATE_WINDOW_SECONDS),
    onError: (error) => log.warn({ err: error }, 'Rate limits hold for this process alone until the database answers.'),
  });
  const rateLimit = config.rateLimits && { requests, rates: config.rateLimits };
  const formKey = macOf(derivationKey, 'forms');
  const visitors = new Visitors({ em, publicUrl, formKey, addressOf, rateLimit, askToSignIn });
  const resource = { realm: 'Gatehouse', resourceMetadata: `${publicUrl}${ENDPOINTS.resourceMetadata}` };
  const { bearerTokens } = authorizationServer;
  const callers = { em, bearerTokens, visitors, publicUrl, resource, trustedProxies: proxies };
  return {
    em,
    /** Names the database, in words for the operator. */
    database: isEmbedded ? `embedded, in ${config.dataDir}` : 'PostgreSQL',
    health: database.health,
    mailer,
    mailLimit,
    accountMails,
    sendVerification: (inner: Em, userId: string, admission: Admission) =>
      accountMails.sendVerification(inner, userId, admission),
    deprecatedUses,
    announcements: new Announcements(`${publicUrl}${DEPRECATIONS_PATH}`, deprecatedUses),
    profiles,
    /** Ends their listening. */
    forgetProfiles,
    /** Where mails are looked for that no mail server gets. */
    mailFolder: config.smtpUrl === undefined ? folder : undefined,
    linkKey: macOf(derivationKey, 'links in mails'),
    uids: new Uids(() => authorizationServer.keys.uidKeys()),
    outbound,
    rooms:
      config.conferencingVideoUrl === undefined
        ? undefined
        : { baseUrl: config.conferencingVideoUrl, key: macOf(derivationKey, 'video rooms') },
    webhooksKey: macOf(derivationKey, 'webhooks'),
    connections,
    conferencingAccounts: new ConferencingAccounts({ providers: meetings.providers, connections }),
    credentials,
    authorizationServer,
    proxies,
    addressOf,
    addressOfIncoming: (request: IncomingMessage) => addressOfIncoming(request, proxies),
    requests,
    rateLimit,
    visitors,
    resource,
    authenticate: apiCaller(callers),
    recall: config.fastPath ? recallCaller(callers) : undefined,
    calendarAccounts,
    servers,
    calendarAccountTries: createGuessLimit(ACCOUNT_TRIES, database),
    passwordGuesses: createGuessLimit(PASSWORD_GUESSES, database),
    feedTries: createGuessLimit(FEED_TRIES, database),
    requestedDeliveries: createGuessLimit(REQUESTED_DELIVERIES, database),
    networkLimits: createNetworkLimits(database),
    verification: {
      key: codeKey,
      requests: createGuessLimit(CODE_REQUESTS, database),
      tries: createGuessLimit(CODE_TRIES, database),
      mailLimit,
      send: (mail: Mail, admission: Admission) => background.run(() => mailer.send(mail, admission)),
    },
    invitationMails: {
      mailLimit,
      publicUrl,
      enqueue: async (inner: Em, { mail, tokenHash }: InvitationMail, admission: Admission): Promise<void> => {
        const identified = { mail: withMessageId(mail, publicUrl), tokenHash };
        if (runsJobs) return enqueueJobs(inner, [await invitationMailJob(credentials, identified, admission)]);
        background.run(() => mailer.send(mail, admission));
      },
    },
    sms: { smsProvider, codeKey },
    smsLimit,
    codesBySms: smsProvider && {
      smsLimit,
      send: async (inner: Em, code: SentCode, admission: SmsAdmission): Promise<void> => {
        const messageId = randomUUID();
        if (runsJobs) return enqueueJobs(inner, [codeSmsJob(code, messageId, admission)]);
        const text = textOfCode(digitsOf(codeKey, code));
        background.run(() => smsProvider.hand({ to: code.receiver, text, messageId }));
      },
    },
    report: (error: unknown, id: string): void => log.error({ err: error, id }, 'A request failed on our side.'),
  };
}

export type Parts = Awaited<ReturnType<typeof openParts>>;
