/** Codes that are tried fifty times at the same moment, at two processes of the service. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { row, sql } from '../../src/database/sql.ts';
import { digitsOf, issueCode } from '../../src/modules/verified-resources/verify-receiver.ts';
import { isOnPostgres } from '../support/database.ts';
import { uuidOf } from '../support/ids.ts';
import { codeKeyOf } from '../support/minted-tokens.ts';
import { type Servers, SHARED, twoProcesses } from '../support/servers.ts';
import { atTheSameMoment, type Call, counted } from './scheduling/at-the-same-moment.ts';
import { type Person, Scene } from './scheduling/scene.ts';

const MANY = 50;
const EMAIL = 'grace@example.test';

// These are races of connections.
describe.runIf(isOnPostgres)('of fifty simultaneous tries in two processes,', () => {
  let servers: Servers;
  let scene: Scene;
  let key: Uint8Array;
  beforeAll(async () => {
    servers = await twoProcesses();
    scene = new Scene(servers);
    const config = { secretKey: SHARED.SECRET_KEY, secretKeyPrevious: undefined, dataDir: 'memory:' };
    key = await codeKeyOf({ config, database: servers.database });
  });
  afterAll(() => servers.close());

  const em = () => servers.database.em.fork();
  const sent = async ({ id }: Person): Promise<string> =>
    digitsOf(key, await issueCode(em(), { ownerId: uuidOf(id), subject: 'EMAIL', receiver: EMAIL }));
  const trying =
    (who: Person, code: string): Call =>
    (n) =>
      scene.change(n, 'verifiedEmailCreate', { email: EMAIL, code }, '', who);
  const verifiedOf = ({ id }: Person) =>
    row(em(), sql`select count(*)::int as count from verified_emails where owner_id = ${uuidOf(id)}`);

  test('three wrong ones are judged, and the right one is too late then', async () => {
    const who = await scene.person();
    const code = await sent(who);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    const answers = await atTheSameMoment(MANY, trying(who, wrong));
    expect(counted(answers)).toEqual({ INVALID_VERIFICATION_CODE: 3, TOO_MANY_GUESSES: MANY - 3 });
    expect((await trying(who, code)(0)).code).toBe('TOO_MANY_GUESSES');
    expect(await verifiedOf(who)).toEqual({ count: 0 });
  });

  test('a right one works once', async () => {
    const who = await scene.person();
    const { done = 0 } = counted(await atTheSameMoment(MANY, trying(who, await sent(who))));
    expect([done, await verifiedOf(who)]).toEqual([1, { count: 1 }]);
  });
});
