import { z } from 'zod';
import { buildSchemas } from '../../schema.ts';
import { type Explanation, explain, type Unexplained } from '../../scopes/explain.ts';
import type { ClientScopes } from '../../scopes/scope-advice.ts';
import { UsageError } from '../command.ts';

/** Says what one operation requires. */
export type Explain = (query: string) => Explanation | Unexplained | Promise<Explanation | Unexplained>;

/** Explains with the schema of this very version. */
export function ownSchemaExplainer(client?: ClientScopes): Explain {
  const { rules } = buildSchemas().forTokens;
  return (query) => explain(rules, { query, ...(client && { client }) });
}

const Errors = z.object({
  errors: z
    .array(
      z.object({
        message: z.string(),
        locations: z.array(z.object({ line: z.number(), column: z.number() })).optional(),
        extensions: z.object({ code: z.string() }).optional(),
      }),
    )
    .min(1),
});
const FieldNeed = z.object({
  coordinate: z.string(),
  level: z.enum(['USER', 'TEAM', 'ORGANIZATION']),
  path: z.array(z.string()),
  requires: z.array(z.string()),
  conditional: z.boolean(),
  location: z.object({ line: z.number(), column: z.number() }).optional(),
});
const Answer = z.object({
  scopes: z.array(z.string()),
  public: z.boolean(),
  fields: z.array(FieldNeed),
  alternatives: z.record(z.string(), z.array(z.string())),
  conditional: z.array(FieldNeed),
  client: z.object({ notEnabled: z.array(z.string()), authorizeUrl: z.string().optional() }).optional(),
});

/** Asks a running service, whose schema may be of another version. @throws UsageError when it does not explain */
export function remoteExplainer(baseUrl: string, clientId?: string): Explain {
  const url = new URL('/graphql/scopes', baseUrl);
  return async (query) => {
    const response = await ask(url, { query, ...(clientId !== undefined && { clientId }) });
    const body: unknown = await response.json().catch(() => undefined);
    const answer = Answer.safeParse(body);
    if (response.ok && answer.success) return answer.data as Explanation;
    const errors = Errors.safeParse(body);
    const [first] = errors.data?.errors ?? [];
    // An error with a code of its own is about the request; the others are about the document.
    if (response.status === 400 && errors.success && !first?.extensions) return errors.data as Unexplained;
    throw new UsageError(`${url.href} answered ${response.status}${first ? `: ${first.message}` : ''}`);
  };
}

async function ask(url: URL, question: object): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(question),
    });
  } catch (error) {
    throw new UsageError(`${url.href} cannot be reached: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
