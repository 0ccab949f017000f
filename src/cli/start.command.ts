import process from 'node:process';
import { readConfig } from '../config.ts';
import { start } from '../start.ts';
import type { Command } from './command.ts';

export const command: Command = {
  usage: 'start',
  summary: 'runs the service until it is told to stop (SIGTERM, SIGINT)',
  run: async () => {
    await start(readConfig(process.env));
    return 0;
  },
};
