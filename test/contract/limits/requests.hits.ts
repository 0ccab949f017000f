/** How often somebody may ask, and how much at once. */

import { connect } from 'node:net';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { EXECUTION_SECONDS } from '../../../src/graphql/operation.ts';
import { Place } from '../../../src/limits/large-work.ts';
import { DEMO_PASSWORD } from '../../../src/persistence/demo-data.ts';
import { anAccount } from '../../modules/accounts/an-account.ts';
import { APP, FORM, tokensFor } from '../../support/oauth-requests.ts';
import { plainGraphql, post } from '../../support/plain-graphql.ts';
import { TestBrowser } from '../../support/test-browser.ts';
import { bothOf, type Hit, type Hits, type Outcome, oneByOne, type Visit } from './limit-hit.ts';

const NAME = '{ __typename }';
const LARGE = '{ __schema { types { name fields { name args { name } } } } }';

/** Takes what strangers may take at once, and so much more of the line of one of them. */
function waitInLineOf({ address }: Visit, bytes: number): () => void {
  const parts = 40;
  const places = Array.from({ length: parts + 1 }, () => new Place({ kind: 'anonymous', address }));
  const [running, ...waiting] = places as [Place, ...Place[]];
  void running.take(Number.POSITIVE_INFINITY);
  for (const place of waiting) {
    const back = (): void => place.giveBack();
    void place.take(bytes / parts)?.then(back, back);
  }
  return () => running.giveBack();
}

const padded = (text: string, bytes: number): string => text.padEnd(bytes);

/** A form in which only its size is remarkable: it is none of ours, since it has no token of a page of ours. */
const FOREIGN = '403';
const sendForm =
  (path: string, body: (amount: number) => string, withinIs = FOREIGN): Hit =>
  async (visit, limit) => ({
    ...(await bothOf(limit, (amount) =>
      visit.send({ method: 'POST', path, headers: { 'content-type': FORM, accept: 'text/html' }, body: body(amount) }),
    )),
    withinIs,
  });

export const hits: Hits = {
  'form-body': sendForm('/auth/login', (amount) => 'x='.padEnd(amount, 'x')),
  'form-fields': sendForm('/auth/login', (amount) => Array.from({ length: amount }, (_, i) => `p${i}=x`).join('&')),
  // It says nothing of a time.
  'large-form-body': sendForm('/book/dan/intro', (amount) => 'x='.padEnd(amount, 'x'), '400'),
  'request-head': (visit, limit) => bothOf(limit, (amount) => askWithHead(visit, amount)),
  'execution-time': async (_visit, { amount }) => {
    if (EXECUTION_SECONDS !== amount) throw new Error(`An operation has ${EXECUTION_SECONDS} seconds.`);
    return { within: await executed('{ quick }'), beyond: await executed('{ quick slow }') };
  },
  'large-waiting': async (visit, { amount }) => {
    const release = waitInLineOf(visit, amount * 1_000_000);
    const beyond = await visit.graphql(LARGE);
    release();
    return { within: await visit.graphql(LARGE), beyond };
  },
  'requests-anonymous': (visit, limit) => oneByOne(limit, () => visit.graphql(NAME)),
  'requests-grant': async (visit, limit) => {
    const { access_token: token } = await tokensFor(await TestBrowser.signedIn(visit.app.url, 'ada@acme.test'), APP);
    return oneByOne(limit, () => visit.graphql(NAME, {}, { token }));
  },
  'requests-session': async (visit, limit) => {
    const session = await visit.sessionOf('ada@acme.test');
    return oneByOne(limit, () => visit.graphql(NAME, {}, session));
  },
  'requests-user': async (visit, limit) => {
    const sessions: Awaited<ReturnType<Visit['sessionOf']>>[] = [];
    const email = await somebody(visit);
    for (let n = 0; n < 3; n += 1) sessions.push(await visit.sessionOf(email));
    return oneByOne(limit, (index) => visit.graphql(NAME, {}, sessions[index % sessions.length]));
  },
  'requests-apps': async (visit, limit) => {
    const browser = await TestBrowser.signedIn(visit.app.url, await somebody(visit));
    const tokens: string[] = [];
    for (let n = 0; n < 5; n += 1) tokens.push((await tokensFor(browser, APP)).access_token);
    return oneByOne(limit, (index) => visit.graphql(NAME, {}, { token: tokens[index % tokens.length] ?? '' }));
  },
  'graphql-body': (visit, limit) =>
    bothOf(limit, (amount) =>
      visit.send({
        method: 'POST',
        path: '/graphql',
        headers: { 'content-type': 'application/json' },
        body: padded(JSON.stringify({ query: NAME }), amount),
      }),
    ),
  'scopes-body': (visit, limit) =>
    bothOf(limit, (amount) =>
      visit.send({
        method: 'POST',
        path: '/graphql/scopes',
        headers: { 'content-type': 'application/json' },
        body: padded(JSON.stringify({ query: NAME }), amount),
      }),
    ),
};

/** Makes a user that no other test needs within this minute. */
async function somebody({ app }: Visit): Promise<string> {
  return (await anAccount(app.database.em.fork(), { password: DEMO_PASSWORD })).email;
}

/** With a twentieth of a second, since nobody waits for ten. */
async function executed(query: string): Promise<Outcome> {
  const schema = makeExecutableSchema({
    typeDefs: 'type Query { quick: Int, slow: Int }',
    resolvers: { Query: { quick: () => 1, slow: () => new Promise(() => undefined) } },
  });
  const answer = await post(plainGraphql(schema, { executionSeconds: 0.05 }), { query });
  const text = await answer.text();
  const { errors } = JSON.parse(text) as { errors?: { extensions: { code: string } }[] };
  return { status: answer.status, code: errors?.[0]?.extensions.code, retryAfterInSeconds: undefined, text };
}

/** A request whose head has so many characters beside its punctuation. */
async function askWithHead({ app, address }: Visit, amount: number): Promise<Outcome> {
  const { port, host } = new URL(app.url);
  const headers = { Host: host, Connection: 'close', 'X-Forwarded-For': address };
  const taken = Object.entries(headers).flat().join('').length;
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(`GET ${'/health/live?'.padEnd(amount - taken, 'x')} HTTP/1.1\r\n`);
  socket.write(
    `${Object.entries(headers)
      .map((header) => header.join(': '))
      .join('\r\n')}\r\n\r\n`,
  );
  const text = Buffer.concat(await socket.toArray()).toString();
  return { status: Number(text.slice(9, 12)), code: undefined, retryAfterInSeconds: undefined, text };
}
