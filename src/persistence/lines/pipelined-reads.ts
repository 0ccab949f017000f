import type { ReadLane } from '../../database/lanes.ts';
import type { Compiled } from '../../database/sql.ts';
import { Lane, Line } from './line.ts';

const CONNECTIONS = 4;
/** With this many statements on their way, another connection is opened. */
const MANY = 2;
/** With this many statements waiting, each waits shorter for a connection of the pool. */
const MOST = 64;

/** A few connections of a process on which reads are pipelined (PostgreSQL §55.2.4). They are opened when there is need. */
export class PipelinedReads extends Lane implements ReadLane {
  protected readonly lines: Line[] = [];

  read<Row>(statement: Compiled<Row>): Promise<Row[]> {
    return this.#shortest()?.send<Row>(statement) ?? nobody();
  }

  #shortest(): Line | undefined {
    let shortest: Line | undefined;
    for (const line of this.lines) if (line.isReady && line.waiting < (shortest?.waiting ?? MOST)) shortest = line;
    const isLong = !shortest || shortest.waiting >= MANY;
    if (isLong && this.lines.length < CONNECTIONS && this.lines.every(({ isReady }) => isReady)) this.#open();
    return shortest;
  }

  /** Nobody waits for it: until it is ready, the others do, or the pool. */
  #open(): void {
    const line = new Line(this.parts, {
      onPooled: this.giveUp,
      onLost: () => {
        this.lines.splice(this.lines.indexOf(line), 1);
        this.pause.afterLossOf(line);
      },
    });
    this.lines.push(line);
  }
}

function nobody(): Promise<never> {
  return Promise.reject(new Error('No line is ready, or all are long.'));
}
