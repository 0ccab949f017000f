import { namesIn } from '../../../core/json-text.ts';
import { gather, MAX_PARAMETERS, type SentParameters } from '../sent-parameters.ts';

/**
 * Reads a flat JSON object as parameters: texts, with null for an omitted one, and for `resource` also a list of texts.
 * Any other value is kept as one that cannot be used. Undefined when the body is no JSON object, or has more than
 * MAX_PARAMETERS members.
 */
export function readJsonBody(body: string): SentParameters | undefined {
  const members = parseObject(body);
  const names = members ? topLevelNames(body) : [];
  if (!members || names.length > MAX_PARAMETERS) return undefined;
  // JSON.parse keeps the last of equal names. The others have no value here, but are there, so that the repetition is found.
  const pairs = names.flatMap((name, index) => {
    const texts = names.indexOf(name) === index ? textsOf(name, members.get(name)) : [undefined];
    return texts.map((text) => [name, text] as const);
  });
  return gather(pairs);
}

/** As a Map: a member named `__proto__` is a member like any other. */
function parseObject(body: string): ReadonlyMap<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? new Map(Object.entries(value)) : undefined;
  } catch {
    return undefined;
  }
}

function textsOf(name: string, value: unknown): readonly (string | undefined)[] {
  if (typeof value === 'string') return [value];
  if (value === null) return [''];
  const isListOfTexts = Array.isArray(value) && value.every((item) => typeof item === 'string');
  return name === 'resource' && isListOfTexts ? value : [undefined];
}

/** The names of the outermost object, with repetitions. */
function topLevelNames(json: string): readonly string[] {
  return [...namesIn(json)].filter(({ object }) => object === 1).map(({ name }) => name);
}
