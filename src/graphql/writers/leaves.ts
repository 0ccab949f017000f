import { type GraphQLLeafType, isEnumType } from 'graphql';
import { answeredInstant } from '../../core/instant.ts';
import { isText } from '../scalars/text-scalars.ts';

/** How values of a scalar or an enum are written: as the executor serializes them, then as JSON. */
export function leafWriter(type: GraphQLLeafType): (value: unknown) => string {
  const own = isEnumType(type) ? undefined : isText(type.name) ? ofText : WRITERS[type.name];
  return (value) => own?.(value) ?? serialized(type, value);
}

/** Writes values of the usual type of these scalars; undefined for others. */
const WRITERS: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  ID: ofText,
  DateTime: (value) => (typeof value === 'number' ? `"${answeredInstant(value)}"` : undefined),
  Boolean: (value) => (typeof value === 'boolean' ? String(value) : undefined),
  Int: (value) => (Number.isInteger(value) && value === ((value as number) | 0) ? String(value) : undefined),
};

function ofText(value: unknown): string | undefined {
  return typeof value === 'string' ? JSON.stringify(value) : undefined;
}

function serialized(type: GraphQLLeafType, value: unknown): string {
  if (value instanceof Error) throw value;
  const serialized: unknown = type.serialize(value);
  const text = serialized == null ? undefined : JSON.stringify(serialized);
  if (text === undefined) throw new TypeError(`${type.name} has no such value.`);
  return text;
}
