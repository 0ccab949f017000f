import {
  ID_TAGS,
  type IdKind,
  idOf,
  type OwnedId,
  type OwnedKind,
  ownedIdOf,
  type PlainKind,
} from '../../src/core/id.ts';
import { type RawBuilder, sql } from '../../src/database/sql.ts';

const KINDS = new Map(Object.entries(ID_TAGS).map(([kind, tag]) => [tag as string, kind as IdKind]));

/** The UUID, as the tables have it, of an id that the API gave; of what belongs to somebody, that of the row itself. */
export function uuidOf(publicId: string): string {
  const kind = kindOf(publicId);
  return idOf(kind as PlainKind, publicId) ?? ownedIdOf(kind as OwnedKind, publicId)?.id ?? fail(publicId);
}

/** Owner and row of an id that the API gave to something that belongs to a user or a team. */
export function ownedUuidOf(publicId: string): OwnedId {
  return ownedIdOf(kindOf(publicId) as OwnedKind, publicId) ?? fail(publicId);
}

/**
 * SQL: the n-th UUID of a series, which a hexadecimal digit names. Its last bit is set, so that a team may have it, and
 * users get theirs from `newUserId`.
 */
export function uuidNumbered(series: string, n: RawBuilder<unknown> = sql`n`): RawBuilder<string> {
  return sql<string>`(${series} || lpad(to_hex((${n})::bigint * 2 + 1), 31, '0'))::uuid`;
}

function kindOf(publicId: string): IdKind {
  return KINDS.get(publicId.slice(0, 3)) ?? fail(publicId);
}

function fail(text: string): never {
  throw new Error(`${text} is no public id.`);
}
