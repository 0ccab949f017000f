/** Where a text stands, for people: lines and columns count from 1. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A piece of a file that is GraphQL, with where it begins. */
export interface SourceText extends Position {
  readonly text: string;
}

/** The place of an offset into a text that begins at `start`. */
export function positionAt(start: SourceText, offset: number): Position {
  const before = start.text.slice(0, offset).split(LINE_BREAK);
  const last = before.at(-1) ?? '';
  const isFirstLine = before.length === 1;
  return {
    file: start.file,
    line: start.line + before.length - 1,
    column: last.length + (isFirstLine ? start.column : 1),
  };
}

/** The place of a line and column (from 1) of a text that begins at `start`. */
export function positionOf(
  start: SourceText,
  { line, column }: { readonly line: number; readonly column: number },
): Position {
  return { file: start.file, line: start.line + line - 1, column: line === 1 ? start.column + column - 1 : column };
}

/** `file:line:column`, which terminals and editors open. */
export function placeOf({ file, line, column }: Position): string {
  return `${file}:${line}:${column}`;
}

/** As GraphQL counts lines. */
export const LINE_BREAK = /\r\n|[\n\r]/;
