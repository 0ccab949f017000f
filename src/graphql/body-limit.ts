import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';

const WHOLE_NUMBER = /^\d+$/;

/**
 * Refuses bodies that are too large. One whose length is announced is measured by the announcement, since Node's parser
 * takes no more than that, and is read as it comes; only one that comes in chunks is counted, which costs a stream.
 */
export function useBodyLimit(maxBytes: number): Plugin {
  return {
    onRequestParse({ request, requestParser, setRequestParser, fetchAPI }) {
      const length = request.headers.get('content-length');
      if (length === null) {
        setRequestParser(async (asked) => {
          const body = await readAtMost(maxBytes, asked.body);
          return requestParser?.(
            new fetchAPI.Request(asked.url, { method: 'POST', headers: asked.headers, body }),
          ) as never;
        });
      } else if (!WHOLE_NUMBER.test(length)) {
        throw bodyError(400, 'BAD_REQUEST', 'The Content-Length is not a whole number; leave it to your HTTP library.');
      } else if (Number(length) > maxBytes) throw tooLarge(maxBytes);
    },
  };
}

async function readAtMost(maxBytes: number, body: ReadableStream<Uint8Array> | null): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = body?.getReader();
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    size += part.value.byteLength;
    // The rest is left alone and not cancelled, which would end the connection before the answer is out.
    if (size > maxBytes) throw tooLarge(maxBytes);
    parts.push(part.value);
  }
  return Buffer.concat(parts);
}

function tooLarge(maxBytes: number): GraphQLError {
  return bodyError(413, 'REQUEST_ENTITY_TOO_LARGE', `The body is larger than ${maxBytes} bytes; send less.`);
}

function bodyError(status: number, code: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status } } });
}
