import type { ClientConfig } from 'pg';
import { StatementNames } from '../prepared-statements.ts';
import { type Line, Pause } from './line.ts';

/** The lines of one purpose: they know the same names of statements, and are left alone together for a while after a loss. */
export abstract class Lane {
  protected abstract readonly lines: Iterable<Line>;
  protected readonly options: ClientConfig;
  protected readonly names = new StatementNames();
  protected readonly pause = new Pause();
  #isClosed = false;

  constructor(options: ClientConfig) {
    this.options = options;
  }

  get isOpen(): boolean {
    return !this.#isClosed && this.names.areKept && this.pause.isOver;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.lines].map((line) => line.close()));
  }
}
