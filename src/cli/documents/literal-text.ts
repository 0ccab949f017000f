import { Lexer, Source, TokenKind } from 'graphql';
import { type Fault, pieced, type SourceText } from './source-text.ts';

/** A part of a literal, by its offsets in the script: what stands between quotes, backticks and interpolations. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

type Piece = { readonly text: string; readonly offset: number };

const ESCAPE = /\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2})|(\r\n|[\s\S]))/gi;
const ESCAPED: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  '0': '\0',
  // A line that goes on.
  '\n': '',
  '\r': '',
  '\r\n': '',
  '\u2028': '',
  '\u2029': '',
};
const OPENING: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.PAREN_L, TokenKind.BRACKET_L]);
const CLOSING: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.PAREN_R, TokenKind.BRACKET_R]);

const INTERPOLATED =
  'what is interpolated inside a definition cannot be read without running it; write a fragment instead.';

/**
 * The text that a literal stands for. Between definitions an interpolation can only bring others, which are found where
 * they are written. Inside a definition it may bring anything.
 */
export function literalText(script: SourceText, spans: readonly Span[]): SourceText | Fault {
  const pieces: Piece[] = [];
  for (const [index, { start, end }] of spans.entries()) {
    pieces.push(...cooked(script.text.slice(start, end), start));
    if (index === spans.length - 1) break;
    if (isInsideDefinition(pieces.map(({ text }) => text).join('')))
      return { ...script.at(end), message: INTERPOLATED };
    pieces.push({ text: ' ', offset: end });
  }
  return pieced(script, pieces);
}

/** The literal's text without its escapes, as the running program has it. */
function cooked(raw: string, offset: number): Piece[] {
  const pieces: Piece[] = [];
  let after = 0;
  for (const { index, 0: escape, 1: point, 2: unit, 3: byte, 4: other = '' } of raw.matchAll(ESCAPE)) {
    const code = point ?? unit ?? byte;
    pieces.push({ text: raw.slice(after, index), offset: offset + after });
    pieces.push({ text: code === undefined ? (ESCAPED[other] ?? other) : characterOf(code), offset: offset + index });
    after = index + escape.length;
  }
  return [...pieces, { text: raw.slice(after), offset: offset + after }];
}

function characterOf(hexadecimal: string): string {
  const code = Number.parseInt(hexadecimal, 16);
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '\uFFFD';
}

function isInsideDefinition(text: string): boolean {
  const lexer = new Lexer(new Source(text));
  let depth = 0;
  try {
    for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
      if (OPENING.has(token.kind)) depth += 1;
      if (CLOSING.has(token.kind)) depth -= 1;
    }
  } catch {
    // The file ends in the middle of a string.
    return true;
  }
  return depth > 0;
}
