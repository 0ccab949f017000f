import { UsageError } from '../command.ts';
import { placeOf, positionAt, type SourceText } from './source-text.ts';

/** A template literal that is said to be GraphQL: tagged `gql` or `graphql`, given to a function of that name, or after a comment. */
const MARKED = /(?:\b(?:gql|graphql)\b\s*(?:\(\s*)?(?:\/\*\s*GraphQL\s*\*\/\s*)?|\/\*\s*GraphQL\s*\*\/\s*)`/g;
const INTERPOLATED =
  'what is interpolated into a selection cannot be read without running it; write a fragment instead.';
const COMMENTED_OUT = /^\s*(?:\/\/|\*)/;

/**
 * The GraphQL in a file: all of a `.graphql`, and what is marked as such in TypeScript and JavaScript. Found without
 * parsing the language around it, which would have to know JSX, Flow and tomorrow's syntax.
 */
export function extractDocuments(file: string, content: string): SourceText[] {
  const whole: SourceText = { file, text: content, line: 1, column: 1 };
  if (/\.(?:graphql|gql)$/.test(file)) return [whole];
  return [...content.matchAll(MARKED)].flatMap((match) => {
    const lineStart = content.lastIndexOf('\n', match.index) + 1;
    if (COMMENTED_OUT.test(content.slice(lineStart, match.index))) return [];
    const start = match.index + match[0].length;
    const end = endOfTemplate(content, start);
    return [{ ...positionAt(whole, start), text: withoutInterpolations(whole, start, end) }];
  });
}

function endOfTemplate(content: string, start: number): number {
  for (let at = start; at < content.length; at += 1) {
    if (content[at] === '\\') at += 1;
    else if (content[at] === '`') return at;
    else if (content.startsWith('${', at)) at = endOfInterpolation(content, at + 2);
  }
  return content.length;
}

/** The closing brace of an interpolation that begins at `start`; it may hold braces and templates of its own. */
function endOfInterpolation(content: string, start: number): number {
  let open = 1;
  for (let at = start; at < content.length; at += 1) {
    if (content[at] === '`') at = endOfTemplate(content, at + 1);
    else if (content[at] === '{') open += 1;
    else if (content[at] === '}' && --open === 0) return at;
  }
  return content.length;
}

/** Between definitions an interpolation can only bring fragments, which are found by their names. Inside a selection it may bring anything. */
function withoutInterpolations(file: SourceText, start: number, end: number): string {
  let text = '';
  let depth = 0;
  for (let at = start; at < end; at += 1) {
    if (file.text.startsWith('${', at)) {
      if (depth > 0) throw new UsageError(`${placeOf(positionAt(file, at))}: ${INTERPOLATED}`);
      const interpolationEnd = endOfInterpolation(file.text, at + 2);
      text += file.text.slice(at, interpolationEnd + 1).replaceAll(/[^\n\r]/g, ' ');
      at = interpolationEnd;
    } else {
      if (file.text[at] === '{') depth += 1;
      if (file.text[at] === '}') depth -= 1;
      text += file.text[at];
    }
  }
  return text;
}
