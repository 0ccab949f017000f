import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { vi } from 'vitest';
import type { TestApp } from '../../support/app.ts';
import { CLI, post, statusOf } from '../../support/oauth-requests.ts';
import { type ProgramResult, runProgram } from '../../support/run-program.ts';
import { TestBrowser } from '../../support/test-browser.ts';
import { BASE, section } from './page.ts';

/** The exports of the page's `session.ts` that matter here. */
export interface Session {
  readonly accessToken: () => string;
}

export interface ProgramRun {
  readonly printed: readonly string[];
  readonly refreshed: boolean;
  readonly sent: readonly { readonly method: string; readonly text: string }[];
}

/** The folder of somebody who follows the page: what it has them save, with the address of the tested service. */
export class MyApp {
  readonly #app: TestApp;
  readonly #ada: TestBrowser;
  readonly #root: string;

  private constructor(app: TestApp, ada: TestBrowser, root: string) {
    this.#app = app;
    this.#ada = ada;
    this.#root = root;
  }

  /** @param tools the package whose modules the folder has, before those of the repository */
  static async create(app: TestApp, tools: string | undefined): Promise<MyApp> {
    const ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
    const my = new MyApp(app, ada, await mkdtemp(join(tmpdir(), 'gatehouse-clients-')));
    await symlink(resolve('node_modules'), join(my.#root, 'node_modules'));
    await mkdir(my.path('.'));
    await writeFile(my.path('package.json'), '{"type":"module"}');
    if (tools !== undefined) await symlink(resolve(tools, 'node_modules'), my.path('node_modules'));
    return my;
  }

  path(name: string): string {
    return join(this.#root, 'my-app', name);
  }

  load(name: string): Promise<unknown> {
    return import(pathToFileURL(this.path(name)).href);
  }

  /** Saves the files of a section. */
  async save(name: string, folder = '.'): Promise<void> {
    for (const [file, text] of section(name).files) {
      const path = this.path(join(folder, file));
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text.replaceAll(BASE, this.#app.url));
    }
  }

  /** Does what a section says before its program is run; what it installs is there. */
  async prepare(name: string): Promise<void> {
    await this.save(name);
    for (const command of section(name).commands.filter((line) => !/^(?:npm i|node) /.test(line))) {
      const line = command.replaceAll(BASE, this.#app.url).replace(/^npx /, '');
      const { code, stdout, stderr } = await this.exec('sh', ['-c', line]);
      if (code !== 0) throw new Error(`${command} ended with ${code}: ${stdout}${stderr}`);
    }
  }

  /** Runs a program in the folder, and allows what it asks its user for. */
  exec(program: string, args: readonly string[]): Promise<ProgramResult> {
    const path = [this.path('node_modules/.bin'), join(this.#root, 'node_modules/.bin'), process.env['PATH']].join(':');
    return runProgram(program, args, { cwd: this.path('.'), path, onOutput: this.#user() });
  }

  /** Loads what signs in when it is loaded. */
  async signIn(name: string): Promise<Session> {
    const user = this.#user();
    const log = vi.spyOn(console, 'log').mockImplementation((...values) => user(`${values.join(' ')}\n`));
    try {
      return (await this.load(name)) as Session;
    } finally {
      log.mockRestore();
    }
  }

  /** Loads a program whose access token is over: its first request is 401. */
  async run(program: string, { accessToken }: Session): Promise<ProgramRun> {
    const token = accessToken();
    await post(this.#app.url, { client_id: CLI.client_id, token }, { path: '/v2/auth/oauth2/revoke' });
    await vi.waitUntil(async () => (await statusOf(this.#app.url, token)) === 401);
    const requests = vi.spyOn(globalThis, 'fetch');
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    try {
      await this.load(program);
      return {
        printed: log.mock.calls.map((values) => values.map(shown).join(' ')),
        refreshed: accessToken() !== token,
        sent: requests.mock.calls.map(([address, init]) => ({
          method: init?.method ?? 'GET',
          text: JSON.stringify([address, init?.body]),
        })),
      };
    } finally {
      log.mockRestore();
      requests.mockRestore();
    }
  }

  async remove(): Promise<void> {
    await rm(this.#root, { recursive: true });
  }

  /** A user at the address that a program prints. */
  #user(): (printed: string) => void {
    let seen = false;
    return (printed) => {
      const address = /^Open (\S+)\n/m.exec(printed)?.[1];
      if (seen || address === undefined) return;
      seen = true;
      const { pathname, search } = new URL(address);
      void this.#ada.allow(pathname + search).then(({ location }) => fetch(location));
    };
  }
}

/** As the console writes it. */
function shown(value: unknown): string {
  return Array.isArray(value) ? `[ ${value.map((one) => `'${one}'`).join(', ')} ]` : String(value);
}
