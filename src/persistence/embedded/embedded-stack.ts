import type { PGlite } from '@electric-sql/pglite';

/** Emscripten has this, though PGlite's types do not say so. */
interface WithStack {
  readonly ___stack_pointer: WebAssembly.Global<'i32'>;
}

/** The place where the stack of each open database stands while no statement runs. */
const AT_REST = new WeakMap<PGlite, number>();

export function rememberStack(pglite: PGlite): void {
  if (!AT_REST.has(pglite)) AT_REST.set(pglite, stackPointer(pglite).value);
}

/**
 * PostgreSQL leaves a statement that fails by a jump to its main loop. PGlite catches the jump in JavaScript, where the
 * stack pointer stays as deep as it was: after two thousand errors, every statement would exceed the depth of the stack.
 * Between statements nothing is on the stack.
 */
export function unwindStack(pglite: PGlite): void {
  const atRest = AT_REST.get(pglite);
  if (atRest !== undefined) stackPointer(pglite).value = atRest;
}

function stackPointer(pglite: PGlite): WithStack['___stack_pointer'] {
  const { ___stack_pointer: pointer } = pglite.Module as unknown as WithStack;
  return pointer;
}
