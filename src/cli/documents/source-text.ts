/** Where a text stands, for people: lines and columns count from 1. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Something wrong with a document or a file, and where. */
export interface Fault extends Position {
  readonly message: string;
}

/** A text of a file, with the position of each of its places. */
export interface SourceText {
  readonly file: string;
  readonly text: string;
  readonly at: (offset: number) => Position;
}

/** Line breaks as GraphQL counts them. */
export const LINE_BREAKS = /\r\n|[\n\r]/g;

export function wholeFile(file: string, text: string): SourceText {
  let starts: readonly number[] | undefined;
  const at = (offset: number): Position => {
    starts ??= lineStarts(text);
    const line = starts.findLastIndex((start) => start <= offset);
    return { file, line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
  return { file, text, at };
}

export function partOf({ file, text, at }: SourceText, start: number, end: number): SourceText {
  return { file, text: text.slice(start, end), at: (offset) => at(start + offset) };
}

/** A text that is put together of pieces that are written at these offsets of a source. */
export function pieced(
  { file, at }: SourceText,
  pieces: readonly { readonly text: string; readonly offset: number }[],
): SourceText {
  const starts: number[] = [];
  let text = '';
  for (const piece of pieces) {
    starts.push(text.length);
    text += piece.text;
  }
  return {
    file,
    text,
    at: (offset) => {
      const index = Math.max(
        starts.findLastIndex((start) => start <= offset),
        0,
      );
      return at((pieces[index]?.offset ?? 0) + offset - (starts[index] ?? 0));
    },
  };
}

/** The place of a line and column (from 1) of a text. */
export function positionOf(
  source: SourceText,
  { line, column }: { readonly line: number; readonly column: number },
): Position {
  return source.at((lineStarts(source.text)[line - 1] ?? source.text.length) + column - 1);
}

/** `file:line:column`, which terminals and editors open. */
export function placeOf({ file, line, column }: Position): string {
  return `${file}:${line}:${column}`;
}

function lineStarts(text: string): number[] {
  return [0, ...text.matchAll(LINE_BREAKS).map(({ index, 0: lineBreak }) => index + lineBreak.length)];
}
