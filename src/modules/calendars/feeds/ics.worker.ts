import { parentPort, workerData } from 'node:worker_threads';
import { type IcsQuestion, readIcs } from './read-ics.ts';

const { body, ...question } = workerData as Omit<IcsQuestion, 'text'> & { readonly body: Uint8Array };
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port between threads, and no window
parentPort?.postMessage(readIcs({ ...question, text: new TextDecoder().decode(body) }));
