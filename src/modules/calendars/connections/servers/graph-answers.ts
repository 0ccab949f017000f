import { z } from 'zod';
import { instantFrom } from '../../../../core/instant.ts';

/** The answers of Microsoft Graph (v1.0), as far as they are read here. */

/** It becomes part of addresses, and is stored. */
const Id = z.string().regex(/^[!-~]{1,1024}$/);

export const GraphUser = z.object({ mail: z.string().nullish(), userPrincipalName: z.string().nullish() });

export const GraphCalendar = z.object({
  id: Id,
  name: z.string().nullish(),
  canEdit: z.boolean().nullish(),
  isDefaultCalendar: z.boolean().nullish(),
});

/** With `Prefer: outlook.timezone="UTC"`: `2026-12-01T09:00:00.0000000`. */
const InUtc = z.object({ dateTime: z.string().refine(isDateTime), timeZone: z.literal('UTC') });

/** A time that there is, in a year that calendars can write. */
function isDateTime(text: string): boolean {
  return instantFrom(`${text}Z`) !== undefined;
}

const Event = z.object({
  start: InUtc,
  end: InUtc,
  isAllDay: z.boolean().nullish(),
  isCancelled: z.boolean().nullish(),
  showAs: z.string().nullish(),
  responseStatus: z.object({ response: z.string().nullish() }).nullish(),
  singleValueExtendedProperties: z.array(z.object({ id: z.string(), value: z.string().nullish() })).nullish(),
});
export const GraphEvent = Event.refine(({ start, end }) => start.dateTime.slice(0, 19) <= end.dateTime.slice(0, 19));
export type GraphEvent = z.infer<typeof GraphEvent>;

export const GraphEntry = z.object({ id: Id, '@odata.etag': Id.nullish() });

/** Twice as many as are asked for: nobody has us look at millions. */
const MAX_ITEMS = 1_000;
const Items = z.custom<readonly unknown[]>((value) => Array.isArray(value) && value.length <= MAX_ITEMS);

/** A page of a list, whose items are read one by one. */
export const GraphPage = z.object({ value: Items, '@odata.nextLink': z.string().min(1).nullish() });
