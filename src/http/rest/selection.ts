import { getNamedType, isLeafType, isObjectType } from 'graphql';
import { covers, FIRST_PARTY_BIT, NO_SCOPES, NOBODY_BIT, type ScopeSet, union } from '../../scopes/scope-set.ts';
import type { ObjectAt } from './chain.ts';

/** Every mutation is asked for this beside its own fields. */
export const USER_ERRORS = 'userErrors { code message path }';

/** These name a thing: all of it requires what they require. */
const KEYS = ['id', 'uid'] as const;

/**
 * The fields of a thing that anyone who may see it at all may see: without arguments, at the same level, requiring nothing more.
 * Lists of other things have paths of their own.
 */
export function fieldsOfThing(object: ObjectAt, without: readonly string[] = []): string {
  return fieldsWithin(object, union(object.required, scopesOfKey(object)), without);
}

/** The fields of a mutation's payload that its own scope shows. */
export function fieldsOfPayload(payload: ObjectAt): string {
  return fieldsWithin(payload, payload.required, ['userErrors']);
}

/** The same with the thing that was made or changed, which takes the scope to read it too. */
export function fieldsOfShownPayload(payload: ObjectAt): string {
  const rules = [...payload.rule.fields.values()].map(({ judgements }) => judgements[payload.standing].required);
  const allowed = rules
    .filter((one) => !covers(one, NOBODY_BIT) && !covers(one, FIRST_PARTY_BIT))
    .reduce(union, payload.required);
  return fieldsWithin(payload, allowed, ['userErrors']);
}

function scopesOfKey({ rule, standing }: ObjectAt): ScopeSet {
  const key = KEYS.map((name) => rule.fields.get(name)).find((field) => field !== undefined);
  return key?.judgements[standing].required ?? NO_SCOPES;
}

/** `without`: fields that are left out, inner ones as `attendees.notes`. */
function fieldsWithin(
  { type, rule, standing }: Omit<ObjectAt, 'required'>,
  allowed: ScopeSet,
  without: readonly string[],
): string {
  return Object.values(type.getFields())
    .filter(({ args, deprecationReason }) => args.length === 0 && deprecationReason == null)
    .filter(({ name }) => !without.includes(name))
    .flatMap(({ name, type: returned }) => {
      const field = rule.fields.get(name);
      // A field that enters another level leads to another thing.
      if (!field || field.judgements[standing].standing !== standing) return [];
      if (!covers(allowed, field.judgements[standing].required)) return [];
      const named = getNamedType(returned);
      if (isLeafType(named)) return name;
      const [below] = field.output;
      if (!isObjectType(named) || !below || named === type) return [];
      const inner = without.filter((one) => one.startsWith(`${name}.`)).map((one) => one.slice(name.length + 1));
      const selected = fieldsWithin({ type: named, rule: below, standing }, allowed, inner);
      return selected === '' ? [] : `${name} { ${selected} }`;
    })
    .join(' ');
}
