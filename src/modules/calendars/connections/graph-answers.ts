import { z } from 'zod';

/** What Microsoft Graph answers (v1.0), as far as it is read here. */

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
const InUtc = z.object({ dateTime: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/), timeZone: z.literal('UTC') });

export const GraphEvent = z.object({
  start: InUtc,
  end: InUtc,
  isAllDay: z.boolean().nullish(),
  isCancelled: z.boolean().nullish(),
  showAs: z.string().nullish(),
  responseStatus: z.object({ response: z.string().nullish() }).nullish(),
  singleValueExtendedProperties: z.array(z.object({ id: z.string(), value: z.string().nullish() })).nullish(),
});
export type GraphEvent = z.infer<typeof GraphEvent>;

export const GraphEntry = z.object({ id: Id, '@odata.etag': Id.nullish() });

/** A page of a list, whose items are read one by one. */
export const GraphPage = z.object({ value: z.array(z.unknown()), '@odata.nextLink': z.string().nullish() });
