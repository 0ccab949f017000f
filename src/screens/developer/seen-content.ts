import { z } from 'zod';
import type { ReviewedContent } from '../../oauth/protocol/client-review.ts';

const Seen = z.object({
  name: z.string(),
  developerName: z.string().nullable(),
  purpose: z.string(),
  logoUrl: z.string().nullable(),
  websiteUrl: z.string().nullable(),
  redirectUris: z.array(z.string()),
  scopes: z.array(z.string()),
  requiresPkce: z.boolean(),
}) satisfies z.ZodType<ReviewedContent>;

/** Reads the client as the form was shown with it: only to tell its own administrator what is different now. */
export function seenIn(form: URLSearchParams): ReviewedContent | undefined {
  try {
    return Seen.safeParse(JSON.parse(form.get('seen') ?? '')).data;
  } catch {
    return undefined;
  }
}
