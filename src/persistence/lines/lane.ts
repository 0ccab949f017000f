import type { ClientConfig } from 'pg';
import { StatementNames } from '../prepared-statements.ts';
import type { ServerWatch } from '../server-watch.ts';
import { type Line, type LineParts, Pause } from './line.ts';

/** The lines of one purpose: they know the same names of statements, and are left alone together for a while after a loss. */
export abstract class Lane {
  protected abstract readonly lines: Iterable<Line>;
  protected readonly parts: LineParts;
  protected readonly pause = new Pause();
  #isClosed = false;

  constructor(options: ClientConfig, watch: ServerWatch, isForReads = false) {
    this.parts = { options, watch, names: new StatementNames(), isForReads };
    watch.onMove(() => {
      const lines = [...this.lines];
      for (const line of lines) line.leave();
      this.pause.end();
    });
  }

  get isOpen(): boolean {
    return !this.#isClosed && this.parts.names.areKept && this.pause.isOver;
  }

  /** For good: the pool alone is used. */
  protected readonly giveUp = (): void => {
    this.#isClosed = true;
  };

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.lines].map((line) => line.close()));
  }
}
