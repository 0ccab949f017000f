import type { GraphQLError } from 'graphql';
import { type FetchAPI, processRegularResult } from 'graphql-yoga';
import { shortErrors } from '../short-errors.ts';

/** The answer of an operation that is refused. */
export interface WrittenRefusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly text: string;
}

const WRITTEN = new WeakMap<GraphQLError, Map<string, WrittenRefusal>>();

/** What Yoga answers with, written by Yoga; once for an error that comes again. */
export async function writtenRefusal(error: GraphQLError, mediaType: string): Promise<WrittenRefusal> {
  const known = WRITTEN.getOrInsertComputed(error, () => new Map());
  const written = known.get(mediaType) ?? (await write(error, mediaType));
  known.set(mediaType, written);
  return written;
}

async function write(error: GraphQLError, mediaType: string): Promise<WrittenRefusal> {
  const response = processRegularResult({ errors: [...shortErrors([error])] }, FETCH_API, mediaType);
  const text = await response.text();
  const headers = { ...Object.fromEntries(response.headers), 'content-length': Buffer.byteLength(text) };
  return { status: response.status, headers, text };
}

/** All that it needs of it. */
const FETCH_API = { Response: globalThis.Response } as unknown as FetchAPI;
