/** Zoom's answers, as far as they are read; undefined: it is something else. */
import { z } from 'zod';
import { urlMistake } from '../../core/text.ts';
import type { MadeMeeting } from './meeting-provider.ts';

const Made = z.object({
  id: z.union([z.int(), z.string().regex(/^\d{1,20}$/)]).transform(String),
  join_url: z.string().refine((url) => !urlMistake(['url'], url)),
});
const Listed = z.object({
  meetings: z.array(Made.extend({ agenda: z.string().nullish() })),
  next_page_token: z.string().max(1_000).nullish(),
});
const Refusal = z.object({ code: z.int() });

export function made(body: Buffer): MadeMeeting | undefined {
  const { success, data } = Made.safeParse(jsonOf(body));
  return success ? { id: data.id, url: data.join_url } : undefined;
}

/** `next` asks for the next page; empty: this is the last one. */
export function listed(body: Buffer) {
  const { success, data } = Listed.safeParse(jsonOf(body));
  if (!success) return undefined;
  const meetings = data.meetings.map(({ id, join_url: url, agenda }) => ({ id, url, agenda: agenda ?? '' }));
  return { meetings, next: data.next_page_token ?? '' };
}

/** Zoom's own number of an error. */
export function code(body: Buffer): number | undefined {
  return Refusal.safeParse(jsonOf(body)).data?.code;
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
