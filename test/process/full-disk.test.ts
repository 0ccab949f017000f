import { rm } from 'node:fs/promises';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { Browser } from '../../src/cli/demo-browser.ts';
import { isOnPostgres } from '../support/database.ts';
import { paced } from '../support/pace.ts';
import { type RunningService, runToExit, startService, temporaryFolder } from '../support/process.ts';
import { fillDisk, HAS_SMALL_DISKS, onDisk } from '../support/small-disk.ts';

const folders: string[] = [];
async function folder(): Promise<string> {
  const path = await temporaryFolder();
  folders.push(path);
  return path;
}
afterAll(() => Promise.all(folders.map((path) => rm(path, { recursive: true, force: true }))));

const NEED = '(needs a kernel that lets users mount)';

describe.runIf(!isOnPostgres && HAS_SMALL_DISKS)(`the embedded database on a disk that is full ${NEED}`, () => {
  test('refuses what it cannot write, says why it is not ready, and has all that it acknowledged once there is room', async () => {
    const DATA_DIR = await folder();
    const service = await startService({ DATA_DIR, MAIL_LIMITS: 'off' }, onDisk(300));
    onTestFinished(async () => void (await service.kill('SIGKILL')));
    const ada = await Browser.signIn(service.url, 'ada@acme.test', 'gatehouse-demo');
    const acknowledged = [await createEventType(ada, 'before')];

    const makeRoom = await fillDisk(service, DATA_DIR);
    let refusal: Error | undefined;
    // The database still writes what it has room for in its own files.
    for (let n = 0; refusal === undefined; n += 1) {
      const outcome = await createEventType(ada, `while-${n}`).catch((error: Error) => error);
      if (outcome instanceof Error) refusal = outcome;
      else acknowledged.push(outcome);
    }
    expect(refusal?.message).toMatch(/503.*SERVICE_UNAVAILABLE/s);
    expect(await health(service, 'ready')).toEqual({ status: 503, reason: 'the disk of the database is full' });
    expect(await health(service, 'live')).toEqual({ status: 200 });

    await makeRoom();
    await expect.poll(() => health(service, 'ready'), { timeout: paced(45_000) }).toEqual({ status: 200 });
    acknowledged.push(await createEventType(ada, 'after'));
    expect(await eventTypesOf(ada)).toEqual(expect.arrayContaining(acknowledged));
  });

  test('does not start, and says so in a line', async () => {
    const { code, output } = await runToExit({ DATA_DIR: await folder() }, onDisk(20));
    expect(code).toBe(1);
    expect(output).toMatch(
      /^Gatehouse is starting[^\n]+\nGatehouse could not start: The disk of \S+ has \d+ MB left; [^\n]+Make room on it\.\n$/,
    );
  });
});

/** @throws Error with the answer, unless it was made */
async function createEventType(browser: Browser, slug: string): Promise<string> {
  const query = `mutation ($slug: String!, $description: String!) {
    eventTypeCreate(input: { title: "Kept", slug: $slug, durationInMinutes: 30, description: $description }) {
      eventTypeId userErrors { code } } }`;
  const variables = { slug, description: 'x'.repeat(5_000) };
  const { eventTypeCreate } = await browser.graphql<{ eventTypeCreate: { eventTypeId: string | null } }>(
    query,
    variables,
  );
  if (eventTypeCreate.eventTypeId === null) throw new Error(JSON.stringify(eventTypeCreate));
  return eventTypeCreate.eventTypeId;
}

async function eventTypesOf(browser: Browser): Promise<string[]> {
  const query = '{ me { eventTypes(first: 100) { nodes { id } } } }';
  const { me } = await browser.graphql<{ me: { eventTypes: { nodes: { id: string }[] } } }>(query, {});
  return me.eventTypes.nodes.map(({ id }) => id);
}

async function health({ url }: RunningService, kind: 'ready' | 'live') {
  const response = await fetch(`${url}/health/${kind}`);
  const { reason } = (await response.json()) as { reason?: string };
  return { status: response.status, ...(reason !== undefined && { reason }) };
}
