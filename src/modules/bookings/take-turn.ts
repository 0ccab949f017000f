import { Problem } from '../../core/problem.ts';

/** A slot cannot be had. Whoever asks the same at the same moment would hear the same. */
export class SlotClosed extends Problem {}

/** Somebody who waits for their turn. */
interface Waiting {
  /** All that decides whether they can have what they want; undefined for whoever must be heard in any case. */
  readonly question: string | undefined;
  begin(): void;
  refuse(refusal: SlotClosed): void;
}

/** Who waits in this process, by event type, in their order; there is a line as long as somebody has the turn. */
const LINES = new Map<string, Set<Waiting>>();

/**
 * Lets those who book one event type in this process do so one after the other. The database makes them wait for each
 * other in any case, but there each would wait with one of the few connections in hand, and a storm on one event type
 * would leave none to anybody else.
 *
 * When a slot turns out to be closed, that is also the answer to all who were waiting with the same question when the
 * turn began, since it was found out after they had asked.
 */
export async function inTurn<Result>(
  eventTypeId: string,
  question: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  const line = await turnAt(eventTypeId, question);
  const alike = question === undefined ? [] : [...line].filter((other) => other.question === question);
  try {
    return await work();
  } catch (error) {
    if (error instanceof SlotClosed) for (const other of alike) if (line.delete(other)) other.refuse(error);
    throw error;
  } finally {
    const [next] = line;
    if (next) line.delete(next);
    else LINES.delete(eventTypeId);
    next?.begin();
  }
}

/** Answers the line behind whoever has the turn. @throws SlotClosed when somebody before has found out */
async function turnAt(eventTypeId: string, question: string | undefined): Promise<Set<Waiting>> {
  const line = LINES.get(eventTypeId);
  if (!line) {
    const begun = new Set<Waiting>();
    LINES.set(eventTypeId, begun);
    return begun;
  }
  const { promise, resolve: begin, reject: refuse } = Promise.withResolvers<void>();
  line.add({ question, begin, refuse });
  await promise;
  return line;
}
