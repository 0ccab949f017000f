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
