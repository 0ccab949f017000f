import type { IncomingMessage } from 'node:http';

/**
 * The body of a request as Node gives it; undefined when it is larger. The rest of it is then taken and dropped, so that
 * the answer can be read. It never resolves when the client goes away before the end: nobody waits for an answer then.
 */
export function readIncoming(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    let parts: Buffer[] = [];
    let size = 0;
    request.on('data', (part: Buffer) => {
      size += part.length;
      if (size <= maxBytes) return void parts.push(part);
      parts = [];
      resolve(undefined);
    });
    request.once('end', () => resolve(parts.length === 1 ? parts[0] : Buffer.concat(parts)));
  });
}
