import { z } from 'zod';
import { INSTANTS_IN_WORDS, instantFrom } from '../../../core/instant.ts';
import { Problem } from '../../../core/problem.ts';
import { localeNamed, shown, urlMistake } from '../../../core/text.ts';

const text = z
  .string()
  .max(200)
  .regex(/^[\x21-\x7e]+$/, 'is not 1 to 200 visible ASCII characters');
const url = z.string().refine((value) => !urlMistake(['url'], value), 'is not an https address');
const instant = z.string().transform((value, { issues }) => {
  const found = instantFrom(value);
  if (found && found.epochMilliseconds >= 0) return found.toString();
  const message = found ? 'is before 1970' : `is not an instant such as 2026-12-01T09:00:00Z, ${INSTANTS_IN_WORDS}`;
  issues.push({ code: 'custom', message, input: value });
  return z.NEVER;
});
const about = { bookingId: z.string().max(200), id: text };

const Message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session.started'), data: z.object({ ...about, startedAt: instant }) }),
  z.object({ type: z.literal('session.ended'), data: z.object({ ...about, endedAt: instant }) }),
  z.object({
    type: z.literal('recording.ready'),
    data: z.object({ ...about, url, durationInSeconds: z.int().min(0).max(1_000_000).nullish() }),
  }),
  z.object({
    type: z.literal('transcript.ready'),
    data: z.object({
      ...about,
      url,
      language: z
        .string()
        .refine((value) => localeNamed(value) !== undefined, 'is not a language tag')
        .nullish(),
    }),
  }),
  z.object({
    type: z.literal('reference.created'),
    data: z.object({ ...about, app: text, url: url.nullish() }),
  }),
]);

/**
 * A message of a conferencing provider about a booking; each `id` is its own, and the same however often it is sent.
 */
export type ConferencingMessage = z.infer<typeof Message>;

const TYPES: readonly string[] = Message.options.map(({ shape }) => shape.type.value);

/** Reads a message; members that are not known are passed over. @throws Problem BAD_REQUEST, UNKNOWN_TYPE, INVALID_MESSAGE */
export function conferencingMessage(body: string): ConferencingMessage {
  const value = jsonOf(body);
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
  if (typeof type === 'string' && !TYPES.includes(type)) {
    throw new Problem('UNKNOWN_TYPE', `The type ${shown(type)} is not known; send one of ${TYPES.join(', ')}.`);
  }
  const parsed = Message.safeParse(value);
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'the body'}: ${message}`);
  throw new Problem('INVALID_MESSAGE', `The message cannot be read: ${wrong.join('; ')}.`);
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new Problem('BAD_REQUEST', 'The body is not JSON; send an object with type and data.');
  }
}
