import { spawnSync } from 'node:child_process';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/process.ts';

function gatehouse(...args: string[]): { code: number | null; output: string; complaints: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['src/cli/gatehouse.js', ...args], {
    encoding: 'utf8',
  });
  return { code: status, output: stdout, complaints: stderr };
}

describe('the command gatehouse', () => {
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

describe('on an older Node, the command gatehouse', () => {
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
    const { code, output, complaints } = onOlderNode(launcher, 'start');
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(complaints).toMatch(/^Gatehouse needs Node\.js 26, and this is v[\d.]+\..*npm ci.*\n$/);
    await rm(folder, { recursive: true });
  });
});
