import type { IncomingMessage, ServerResponse } from 'node:http';
import { Ending, GivenUp, statementsUntil } from '../database/deadline.ts';

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A request may take half of it to arrive (start.ts); every kind of answer has a shorter time of its own. */
const LONGEST_REQUEST_MS = 30_000;

/**
 * The door of every request: statements end when nobody waits for the answer any more. Otherwise each client that goes
 * away, and asks again, would leave one more connection behind that is busy.
 */
export function whileClientWaits(listener: Listener): Listener {
  return (request, response) => {
    const ending = new Ending();
    const giveUp = (message: string): void => ending.end(new GivenUp(message));
    const timer = setTimeout(giveUp, LONGEST_REQUEST_MS, 'The request has taken too long.');
    response.once('close', () => {
      clearTimeout(timer);
      if (!response.writableFinished) giveUp('The client has gone away.');
    });
    return statementsUntil(ending, () => listener(request, response));
  };
}
