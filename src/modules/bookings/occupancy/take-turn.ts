import { Problem } from '../../../core/problem.ts';

/** A slot cannot be had. The same request at the same moment would get the same answer. */
export class SlotClosed extends Problem {}

/** Somebody who waits for their turn. */
interface Waiting {
  /** All that decides whether the request can succeed; undefined for callers who must be served one by one. */
  readonly question: string | undefined;
  begin(): void;
  refuse(refusal: SlotClosed): void;
}

/** The line of callers who book one event type in this process. */
interface Line {
  /** How many have the turn. */
  active: number;
  /** The callers who wait, in their order. */
  readonly waiting: Set<Waiting>;
}

/** Under a lock, one gets ready while another one has it; without, a few share the connections with everybody else. */
export const AT_ONCE = { counted: 2, free: 4 } as const;

/** The waiting calls by event type; an entry exists as long as somebody has the turn. */
const LINES = new Map<string, Line>();

/**
 * Lets those who book one event type in this process take turns, `atOnce` of them at a time. The database would make them
 * wait for each other in any case, but there each would wait while it holds one of the few connections, and a storm on one
 * event type would leave none to anybody else.
 *
 * When a slot turns out to be closed, that is also the answer to all who were waiting with the same question when the
 * turn began, since it was found out after their requests had come.
 */
export async function inTurn<Result>(
  eventTypeId: string,
  question: string | undefined,
  atOnce: number,
  work: (hasWaited: boolean) => Promise<Result>,
): Promise<Result> {
  const line = lineOf(eventTypeId);
  const hasWaited = await turnIn(line, question, atOnce);
  const alike = question === undefined ? [] : [...line.waiting].filter((other) => other.question === question);
  try {
    return await work(hasWaited);
  } catch (error) {
    if (error instanceof SlotClosed) for (const other of alike) if (line.waiting.delete(other)) other.refuse(error);
    throw error;
  } finally {
    passOn(eventTypeId, line);
  }
}

function lineOf(eventTypeId: string): Line {
  const known = LINES.get(eventTypeId) ?? { active: 0, waiting: new Set() };
  LINES.set(eventTypeId, known);
  return known;
}

/** @returns whether others were first. @throws SlotClosed when somebody before has found out */
async function turnIn(line: Line, question: string | undefined, atOnce: number): Promise<boolean> {
  if (line.active < atOnce) {
    line.active += 1;
    return false;
  }
  const { promise, resolve: begin, reject: refuse } = Promise.withResolvers<void>();
  line.waiting.add({ question, begin, refuse });
  await promise;
  return true;
}

function passOn(eventTypeId: string, line: Line): void {
  const [next] = line.waiting;
  if (next) {
    line.waiting.delete(next);
    next.begin();
    return;
  }
  line.active -= 1;
  if (line.active === 0) LINES.delete(eventTypeId);
}
