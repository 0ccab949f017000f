import type { Command } from './command.ts';

export const command: Command = {
  usage: 'start',
  summary: 'runs the service until it is told to stop (SIGTERM, SIGINT)',
  run: async () => {
    await import('../main.ts');
    return 0;
  },
};
