import { execFileSync, spawnSync } from 'node:child_process';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { isOnPostgres } from '../support/database.ts';
import { paced } from '../support/pace.ts';
import { startService, temporaryFolder, usedDataFolder } from '../support/process.ts';

function gatehouse(...args: string[]): { code: number | null; output: string; complaints: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['src/cli/gatehouse.js', ...args], {
    encoding: 'utf8',
  });
  return { code: status, output: stdout, complaints: stderr };
}

// These tests give the same on both databases, as they open none, or that of the package.
describe.skipIf(isOnPostgres)('the command gatehouse', () => {
  test('lists its commands when asked, and says by its exit code that nothing was done when not', () => {
    const asked = gatehouse('--help');
    expect(asked).toMatchObject({ code: 0, complaints: '' });
    for (const name of ['start', 'migrate', 'seed', 'scopes', 'keys rotate', 'admin create', 'client', 'jobs']) {
      expect(asked.output).toContain(`gatehouse ${name}`);
    }
    expect(gatehouse()).toMatchObject({ code: 2, output: asked.output });
  });

  test('explains a command', () => {
    expect(gatehouse('scopes', '--help')).toMatchObject({ code: 0, output: expect.stringMatching(/--check "A B"/) });
    expect(gatehouse('help', 'scopes').output).toBe(gatehouse('scopes', '--help').output);
  });

  test.each([
    ['an unknown command', ['frobnicate'], /no command "frobnicate".*start/],
    ['a name that every object has', ['constructor'], /no command "constructor"/],
    ['an unknown option', ['scopes', 'x.graphql', '--frobnicate'], /--frobnicate/],
    ['a missing argument', ['scopes'], /Name the files/],
  ])('ends with 2 and a sentence, without a stack, for %s', (_what, args, message) => {
    const { code, output, complaints } = gatehouse(...args);
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(complaints).toMatch(message);
    expect(complaints).not.toMatch(/^\s+at /m);
  });

  test('ends with the code of its command', () => {
    const file = 'test/cli/support/mine.graphql';
    expect(gatehouse('scopes', file, '--check', 'EVENT_TYPE_READ PROFILE_READ').code).toBe(0);
    expect(gatehouse('scopes', file, '--check', 'EVENT_TYPE_READ').code).toBe(1);
  });
});

/** Runs the launcher as if this Node were an older one. What it starts in turn is what it is. */
function onOlderNode(launcher: string, ...args: string[]): { code: number | null; output: string; complaints: string } {
  const older = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } })";
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(older)}`, launcher, ...args],
    { encoding: 'utf8' },
  );
  return { code: status, output: stdout, complaints: stderr };
}

describe.skipIf(isOnPostgres)('on an older Node, the command gatehouse', () => {
  test('goes on with the one that came with the packages', () => {
    expect(onOlderNode('src/cli/gatehouse.js', 'frobnicate')).toMatchObject({
      code: 2,
      complaints: expect.stringContaining('no command "frobnicate"'),
    });
    expect(onOlderNode('src/cli/gatehouse.js', 'help', 'scopes').output).toBe(gatehouse('help', 'scopes').output);
  });

  test('says in one line what it needs where there is none', async () => {
    const folder = await temporaryFolder();
    const launcher = join(folder, 'src/cli/gatehouse.js');
    await mkdir(join(folder, 'src/cli'), { recursive: true });
    await cp('src/cli/gatehouse.js', launcher);
    await cp('package.json', join(folder, 'package.json'));
    // Without the sources it is the package.
    for (const [from, advice] of [
      ['package', 'npm i node@26'],
      ['clone', 'npm ci'],
    ] as const) {
      if (from === 'clone') await cp('src/cli/main.ts', join(folder, 'src/cli/main.ts'));
      const { code, output, complaints } = onOlderNode(launcher, 'start');
      expect({ code, output }).toEqual({ code: 1, output: '' });
      expect(complaints).toMatch(/^Gatehouse needs Node\.js 26, and this is v[\d.]+\..*\n$/);
      expect(complaints).toContain(advice);
    }
    await rm(folder, { recursive: true });
  });
});

/** As `npm i` leaves it in an empty folder, but that the packages it needs are those of this repository. */
async function installedPackage(): Promise<string> {
  const folder = await temporaryFolder();
  const installed = join(folder, 'node_modules/gatehouse-scheduling');
  execFileSync('npm', ['pack', '--pack-destination', folder], { stdio: 'pipe' });
  await mkdir(installed, { recursive: true });
  execFileSync('tar', ['xzf', join(folder, 'gatehouse-scheduling-0.1.0.tgz'), '-C', installed, '--strip-components=1']);
  const { dependencies, bin } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
    bin: Record<string, string>;
  };
  const links = Object.keys(dependencies).map((name) => [
    resolve('node_modules', name),
    join(folder, 'node_modules', name),
  ]);
  links.push([join(installed, bin['gatehouse'] ?? ''), join(folder, 'node_modules/.bin/gatehouse')]);
  for (const [target = '', path = ''] of links) {
    await mkdir(dirname(path), { recursive: true });
    await symlink(target, path);
  }
  return folder;
}

test.skipIf(isOnPostgres)(
  'the package of npm pack explains documents, gives the scope engine, and serves',
  async () => {
    const folder = await installedPackage();
    await using leftovers = new AsyncDisposableStack();
    leftovers.defer(() => rm(folder, { recursive: true }));
    const launcher = join(folder, 'node_modules/.bin/gatehouse');
    await writeFile(join(folder, 'app.ts'), 'const q: Q = gql`query Mine { me { name } }`;');
    await writeFile(
      join(folder, 'engine.mjs'),
      `import { createCatalog } from 'gatehouse-scheduling/scopes/create-catalog';
     console.log(createCatalog([['ALBUM_READ', 'USER', 'ALBUM', 'READ', 'View your albums']]).names);`,
    );
    const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    expect(run(launcher, 'scopes', 'app.ts', '--check', 'PROFILE_READ')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('app.ts:1:18  query Mine'),
      stderr: '',
    });
    expect(run(launcher, 'scopes', 'app.ts', '--migrate')).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(run('engine.mjs')).toMatchObject({ status: 0, stdout: "[ 'ALBUM_READ' ]\n" });
    expect(
      await readFile(join(folder, 'node_modules/gatehouse-scheduling/dist/scopes/explain.d.ts'), 'utf8'),
    ).toContain('export declare function explain(');

    const DATA_DIR = await usedDataFolder();
    leftovers.defer(() => rm(DATA_DIR, { recursive: true }));
    const running = await startService({ DATA_DIR }, ['env', '-C', folder], launcher);
    leftovers.defer(async () => void (await running.kill('SIGKILL')));
    const { url } = running;
    const sdl = await fetch(`${url}/schema.graphql`);
    expect(await sdl.text()).toBe(await readFile('schema/schema.graphql', 'utf8'));
    const page = await (await fetch(url)).text();
    for (const [address] of page.matchAll(/\/assets\/[^"]+/g))
      expect((await fetch(`${url}${address}`)).status).toBe(200);
    const query = '{ publicEventTypes(username: "ada") { nodes { slug } } }';
    expect(await (await fetch(`${url}/graphql?query=${encodeURIComponent(query)}`)).json()).toMatchObject({
      data: { publicEventTypes: { nodes: [{ slug: 'intro' }, {}] } },
    });
  },
  paced(60_000),
);
