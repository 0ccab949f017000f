/** A string, which may be a name, and the braces of objects. The end of a string is never looked for twice: valid JSON has it. */
const STRING_OR_BRACE = /"[^"\\]*(?:\\.[^"\\]*)*"?(\s*:)?|[{}]/gs;

/** A name in an object of a JSON text. */
export interface JsonName {
  readonly name: string;
  /** Which object has it, counted by where they begin: the outermost is 1. */
  readonly object: number;
}

/** The names in valid JSON text, repetitions among them, which `JSON.parse` loses. A brace in a string is none. */
export function* namesIn(json: string): Generator<JsonName> {
  const open: number[] = [];
  let objects = 0;
  for (const [token, colon] of json.matchAll(STRING_OR_BRACE)) {
    if (token === '{') open.push((objects += 1));
    else if (token === '}') open.pop();
    else if (colon !== undefined) {
      yield { name: String(JSON.parse(token.slice(0, -colon.length))), object: open.at(-1) ?? 0 };
    }
  }
}

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = ['"', '\\', ',', '[', '{'].map((sign) => sign.charCodeAt(0));

/**
 * Whether a JSON text holds more than so many values, or lists and objects: told before it is parsed, since an object of 60,000
 * names takes a hundred times as long as a text of its length.
 */
export function holdsMore(json: string, most: number): boolean {
  if (json.length <= most) return false;
  let [commas, beginnings, isInText] = [0, 0, false];
  for (let index = 0; index < json.length; index += 1) {
    const sign = json.charCodeAt(index);
    if (isInText) {
      if (sign === BACKSLASH) index += 1;
      else if (sign === QUOTE) isInText = false;
    } else if (sign === QUOTE) isInText = true;
    else if (sign === COMMA) commas += 1;
    else if (sign === BRACKET || sign === BRACE) beginnings += 1;
    if (commas > most || beginnings > most) return true;
  }
  return false;
}
