import type { GraphQLError } from 'graphql';
import { type FetchAPI, processRegularResult } from 'graphql-yoga';
import { bytesOfText, hasRoomFor } from '../../core/caches.ts';
import type { Refusal } from '../../scopes/authorize.ts';
import type { CompiledOperation } from '../../scopes/compile.ts';
import type { Refusals } from '../refusals.ts';
import { shortErrors } from '../short-errors.ts';

/** The answer of an operation that is refused. */
export interface WrittenRefusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly text: string;
}

const BYTES = 1_000;

/**
 * Keeps the answers that Yoga has written to refusals, so that each is written once, and sent when the refusal comes
 * again.
 */
export class WrittenRefusals {
  readonly #refusals: Pick<Refusals, 'errorOf'>;
  readonly #written = new WeakMap<Refusal, Map<string, WrittenRefusal>>();

  constructor(refusals: Pick<Refusals, 'errorOf'>) {
    this.#refusals = refusals;
  }

  async of(refusal: Refusal, compiled: CompiledOperation, mediaType: string): Promise<WrittenRefusal> {
    const known = this.#written.getOrInsertComputed(refusal, () => new Map());
    const found = known.get(mediaType);
    if (found) return found;
    const written = await writeError(this.#refusals.errorOf(refusal, compiled), mediaType);
    if (hasRoomFor(compiled.document, BYTES + bytesOfText(written.text))) known.set(mediaType, written);
    return written;
  }
}

/** As Yoga answers with it. Nothing is kept. */
export async function writeError(error: GraphQLError, mediaType: string): Promise<WrittenRefusal> {
  const response = processRegularResult({ errors: [...shortErrors([error])] }, FETCH_API, mediaType);
  const text = await response.text();
  const headers = { ...Object.fromEntries(response.headers), 'content-length': Buffer.byteLength(text) };
  return { status: response.status, headers, text };
}

/** All that it needs of it. */
const FETCH_API = { Response: globalThis.Response } as unknown as FetchAPI;
