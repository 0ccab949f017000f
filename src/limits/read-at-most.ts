import type { IncomingMessage } from 'node:http';

/**
 * A body, whatever length was announced; undefined when it is larger than that. The rest is then left alone and not
 * cancelled, which would end the connection before the answer is out.
 */
export async function readAtMost(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = body?.getReader();
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    size += part.value.byteLength;
    if (size > maxBytes) return undefined;
    parts.push(part.value);
  }
  return Buffer.concat(parts);
}

/**
 * The same for a request as Node gives it. What is too much is taken and dropped, so that the answer can be read. Nothing
 * happens when the client goes away before the end: nobody waits for an answer then.
 */
export function readIncoming(
  request: IncomingMessage,
  maxBytes: number,
  then: (bytes: Buffer | undefined) => void,
): void {
  let parts: Buffer[] = [];
  let size = 0;
  request.on('data', (part: Buffer) => {
    size += part.length;
    if (size <= maxBytes) parts.push(part);
    else if (size - part.length <= maxBytes) {
      parts = [];
      then(undefined);
    }
  });
  request.once('end', () => {
    if (size <= maxBytes) then(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts));
  });
}
