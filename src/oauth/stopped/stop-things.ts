import { NO_ID, newId } from '../../core/id.ts';
import { PutOut, type Standing } from '../../database/on-behalf.ts';
import { changed, type Em, row, rows, sql } from '../../database/sql.ts';
import { deleteFrom, selectFrom } from '../../database/statements.ts';
import { recordAudit } from '../../events/record-audit.ts';
import { voidLinks } from '../../modules/accounts/links/account-links.ts';
import { LINK_KINDS } from '../../modules/accounts/links/account-mail.rules.ts';
import { Session } from '../../modules/accounts/sign-in/session.entity.ts';
import { ConnectionRequest } from '../../modules/connections/connection.entity.ts';
import { OAuthClient } from '../clients/oauth-client.entity.ts';
import { endAccess, revokeWhere } from '../grants/revoke-grant.ts';
import { recordRevocations } from '../revocations/revocations.ts';
import { type Found, STOPPINGS, type Whose } from './stopped-kinds.ts';
import type { StoppedKind } from './stopped-thing.rules.ts';

export interface ProvenAccount {
  readonly userId: string;
  /** The network address of the request. */
  readonly address: string;
  /** The session that has shown both: it holds the account, and has come with the link of a mail. It stays. */
  readonly sessionId?: string | undefined;
}

/**
 * Stops what leads out of an account or lets somebody in, when its address is proven for the first time otherwise than
 * by the mail of its own sign-up: by a new password, an invitation's link, a change of address. Whoever signed up may
 * have been anybody, since an account under another person's address costs nothing. So sessions, tokens and grants end,
 * too. Nothing is lost: it is listed, and comes back one by one.
 *
 * The mail of its own sign-up, also when it is asked for again from within the account, proves that the holder of the
 * account reads the mailbox, or that a reader says so: its page names the account, which only its maker is to confirm.
 *
 * It runs in the transaction of the proof, in which the caller has locked the user's row `for update`: a row that is
 * inserted for the user refers to that row and waits, and one that was inserted before is there to be found. A visitor
 * who began something before the proof and comes to it afterwards is refused (`stillLetIn`).
 */
export async function stopThings(em: Em, { userId, address, sessionId = NO_ID }: ProvenAccount): Promise<void> {
  await changed(em, deleteFrom(Session, { userId }).where('id', '<>', sessionId));
  await voidLinks(em, userId, LINK_KINDS);
  await changed(em, deleteFrom(ConnectionRequest, { userId }));
  await endAccess(em, { userId }, { reason: 'ADDRESS_PROVEN', address });
  await endClients(em, userId, address);
  const whose = await findWhose(em, userId);
  const stopped: (Found & { readonly kind: StoppedKind })[] = [];
  for (const { kind, find, stop } of STOPPINGS) {
    const found = await rows(em, find(whose));
    if (found.length === 0) continue;
    stopped.push(...found.map((one) => ({ ...one, kind })));
    for (const statement of stop(whose)) await changed(em, statement);
  }
  await keep(em, userId, stopped);
  const detail = { stopped: stopped.length };
  await recordAudit(em, { type: 'USER_THINGS_STOPPED', userId, address, detail });
}

/** The session or the grant that lets somebody into an account. */
type Credential = { readonly sessionId: string } | { readonly grantId: string };

/**
 * For callers whose address was not verified when their request began: what they change is changed as long as it is not, or as
 * long as what let them in is alive. The proof of the address locks the user's row `for update`, so that it waits for
 * changes that hold this lock, and finds and stops what they made (`stopThings`). Changes that come to the lock after the
 * proof see it, and that their session or grant has ended with it. Two statements, since only the row that was waited for
 * is read as it is by then.
 */
export function stillLetIn(userId: string, by: Credential): Standing {
  const account = sql<{ isUnverified: boolean }>`
    select email_verified_at is null as "isUnverified" from users where id = ${userId} for key share`;
  const credential =
    'sessionId' in by
      ? sql`select 1 from sessions where id = ${by.sessionId} and user_id = ${userId}`
      : sql`select 1 from oauth_grants where id = ${by.grantId} and user_id = ${userId} and revoked_at is null`;
  return async (em) => {
    const found = await row(em, account);
    if (found?.isUnverified) return;
    if (!found || !(await row(em, credential))) throw new PutOut();
  };
}

/** Ends the access that others have given the account's clients. The clients themselves stop with the rest. */
async function endClients(em: Em, userId: string, address: string): Promise<void> {
  const clients = await rows(em, selectFrom(OAuthClient, { ownerId: userId }).select('clientId').forUpdate());
  const clientIds = clients.map(({ clientId }) => clientId);
  await revokeWhere(em, sql`client_id = any(${clientIds}::text[])`, { reason: 'ADDRESS_PROVEN', address });
  await recordRevocations(em, 'CLIENT', clientIds);
}

/**
 * Finds what was made in the account. The maker of a group is the member whose membership is as old as the group: both
 * are of one transaction. A team in an organization of others is theirs, whoever has made it.
 */
async function findWhose(em: Em, userId: string): Promise<Whose> {
  const found = await row(
    em,
    sql<{ teamIds: string[]; organizationIds: string[] }>`
      with made as (
        select o.id from organizations o join organization_memberships m on m.organization_id = o.id
        where m.user_id = ${userId} and m.created_at = o.created_at
      )
      select array(select id from made order by id) as "organizationIds",
        array(
          select t.id from teams t left join team_memberships m on m.team_id = t.id and m.user_id = ${userId}
          where t.organization_id in (select id from made)
            or (t.organization_id is null and m.created_at = t.created_at)
          order by t.id
        ) as "teamIds"`,
  );
  const { teamIds = [], organizationIds = [] } = found ?? {};
  return { userId, ownerIds: [userId, ...teamIds], teamIds, organizationIds };
}

async function keep(
  em: Em,
  userId: string,
  stopped: readonly (Found & { readonly kind: StoppedKind })[],
): Promise<void> {
  if (stopped.length === 0) return;
  const kept = stopped.map((one) => ({ ...one, id: newId() }));
  await changed(
    em,
    sql`insert into stopped_things (user_id, id, kind, title, address, content, stopped_at)
        select ${userId}::uuid, one.id, one.kind, one.title, one.address, one.content, now()
        from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb)
          as one(id uuid, kind text, title text, address text, content jsonb)`,
  );
}
