import { Problem } from '../../core/problem.ts';
import { nameOf, shown } from '../../core/text.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import type { WorkflowStep } from './workflow.rules.ts';
import { slugsAsked } from './workflow-variables.rules.ts';

/**
 * Requires that a form asks what the texts of a workflow use: one of those that it names, or else any of the team,
 * where it has one by now.
 * @throws Problem UNKNOWN_VARIABLE
 */
export async function requireAsked(
  em: Em,
  teamId: string,
  routingFormIds: readonly string[] | null,
  steps: readonly WorkflowStep[],
  path: readonly [string],
): Promise<void> {
  const asked = steps.flatMap(({ subject, body }, index) =>
    Object.entries({ subject: subject ?? '', body }).flatMap(([name, text]) =>
      slugsAsked(text).map((slug) => ({ slug, path: [...path, String(index), name] as const })),
    ),
  );
  if (asked.length === 0) return;
  const found = await row(
    em,
    sql<{ forms: number; slugs: readonly string[] }>`
      select count(distinct f.id)::int as forms, coalesce(array_agg(distinct field->>'slug'), '{}') as slugs
      from routing_forms f left join jsonb_array_elements(f.fields) as field on true
      where f.owner_id = ${teamId} and (${routingFormIds}::uuid[] is null or f.id = any(${routingFormIds}::uuid[]))`,
  );
  if (!found || found.forms === 0) return;
  const known = new Set(found.slugs);
  Problem.throwIfAny(
    asked.flatMap(({ slug, path: place }) => {
      if (known.has(slug)) return [];
      const message = `The ${nameOf(place)} has the answer to the question ${shown(slug)}, which no form of the workflow asks; name one by its slug.`;
      return [{ code: 'UNKNOWN_VARIABLE' as const, message, path: place }];
    }),
  );
}
