#!/usr/bin/env node
// The command `gatehouse`. Plain JavaScript that an older Node reads too: it finds the Node that can run the rest.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/**
 * Who is told to stop while the service starts stops at once: nothing was begun. Said before anything else, since process 1
 * of a container gets no signal that it does not listen to. What listens later takes these away (drain.ts).
 */
if (process.argv[2] === 'start') {
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.on(signal, () => {
      console.log(`Stopped by ${signal} before it was ready.`);
      endAtOnce();
    });
  }
}

const REQUIRED_MAJOR = 26;
// A package has dist/ in place of the sources: Node runs no TypeScript below node_modules.
const source = new URL('main.ts', import.meta.url);
const isClone = existsSync(source);
const main = isClone ? source : new URL('../../dist/cli/main.js', import.meta.url);
const bundledNode = fileURLToPath(new URL(`${isClone ? '../../node_modules' : '../../..'}/.bin/node`, import.meta.url));

/**
 * glibc gives each thread memory of its own to take from, where what V8's and OpenSSL's threads needed once stays: a tenth of
 * the service. It reads this at the start of a program only (mallopt(3)).
 */
const MALLOC = { MALLOC_ARENA_MAX: '1' };

if (Number.parseInt(process.versions.node, 10) >= REQUIRED_MAJOR) {
  takeLessMemory();
  // Before the first TypeScript: what strips types is not even loaded where the results are kept. Where that cannot be
  // written, each start compiles anew.
  module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/gatehouse', import.meta.url)));
  module.registerHooks({ resolve: resolveExactPath });
  await import(main.href);
} else if (existsSync(bundledNode)) {
  runWith(bundledNode);
} else {
  console.error(
    `Gatehouse needs Node.js ${REQUIRED_MAJOR}, and this is ${process.version}. Install it (https://nodejs.org), or run ` +
      (isClone
        ? '`npm ci` without --omit=dev in the folder of Gatehouse'
        : `\`npm i node@${REQUIRED_MAJOR}\` beside it`) +
      ': it brings the right one for Gatehouse alone.',
  );
  process.exitCode = 1;
}

/**
 * `./x.ts` is that file, and needs no search. Node would look at the disk for each of 5,000 imports, a tenth of the start.
 */
function resolveExactPath(specifier, context, resolve) {
  const isExact = /^\.\.?\/.*\.(?:ts|js|mjs)$/.test(specifier) && context.conditions.includes('import');
  return isExact
    ? { url: new URL(specifier, context.parentURL).href, shortCircuit: true }
    : resolve(specifier, context);
}

/**
 * Begins anew with these settings, as the same process; takes 20 milliseconds. Only on Linux, and not with a channel to a
 * parent, which would be lost. Nor as process 1, which would hear no signal meanwhile.
 */
function takeLessMemory() {
  if (process.platform !== 'linux' || process.argv[2] !== 'start') return;
  if (process.connected || process.pid === 1 || Object.keys(MALLOC).every((name) => name in process.env)) return;
  const argv = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  try {
    process.execve(process.execPath, argv, { ...process.env, ...MALLOC });
  } catch {
    // Where Node or the system forbids it (--permission), it starts with what it has.
  }
}

/**
 * Ends well. `process.exit` waits for V8's threads, and while a start compiles, one of those may wait for memory to be collected, which
 * this thread would have to do: now and then neither goes on. A program that takes the place of this one waits for no thread.
 */
function endAtOnce() {
  try {
    if (process.platform === 'linux' && !process.connected)
      process.execve(process.execPath, [process.execPath, '--eval', ''], {});
  } catch {
    // Where Node or the system forbids it (--permission), or an older Node has none.
  }
  process.exit(0);
}

/** Stands between the caller and the other Node without being noticed: same streams, signals and exit code. */
function runWith(node) {
  let child;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    const before = process.listeners(signal);
    process.on(signal, () => forward(child, signal));
    for (const listener of before) process.removeListener(signal, listener);
  }
  child = spawn(node, [fileURLToPath(main), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...MALLOC, ...process.env },
  });
  child.on('error', (error) => {
    console.error(`${node} cannot be started: ${error.message}`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    // 128 + n is what a shell reports of a process that a signal ended.
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}

/** Ctrl-C in a terminal already reaches the child, which would take a second one as "at once". */
function forward(child, signal) {
  if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
}
