import { Problem } from '../../core/problem.ts';
import { MAX_METADATA } from '../../core/text.ts';
import { type RawBuilder, sql } from '../sql.ts';
import { violatedConstraint } from '../violated-constraint.ts';

type Keys = Readonly<Record<string, string | null>>;

/**
 * For the values of an update: metadata with these keys put in and those that are null taken away, whatever others put in
 * at the same moment.
 */
export function withMergedMetadata<Values extends { readonly metadata?: Keys | undefined }>(
  values: Values,
): Omit<Values, 'metadata'> & { readonly metadata?: RawBuilder<Record<string, string>> } {
  const { metadata, ...others } = values;
  if (metadata === undefined) return others;
  const merged = sql<Record<string, string>>`jsonb_strip_nulls(metadata || ${JSON.stringify(metadata)}::jsonb)`;
  return { ...others, metadata: merged };
}

/** The check that counts the keys after a merge. */
export function metadataCheck(table: string) {
  return {
    name: `${table}_metadata_check`,
    expression: `jsonb_array_length(jsonb_path_query_array(metadata, '$.keyvalue()')) <= ${MAX_METADATA.keys}`,
  };
}

/** Told where an update with merged metadata failed. @throws Problem TOO_MANY, or the error */
export function rethrowForMetadata(error: unknown): never {
  if (!violatedConstraint(error)?.endsWith('_metadata_check')) throw error;
  const message = `With the keys that are there already, the metadata would have more than ${MAX_METADATA.keys}; take some away by giving null for them.`;
  throw new Problem('TOO_MANY', message, ['metadata']);
}
