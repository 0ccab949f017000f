/** Plays many histories on PostgreSQL: `npm run check:model -- --histories 5000 --seed 1`. */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { withPostgres } from '../../bench/own-postgres.ts';
import { checkHistories } from './check-histories.ts';
import { Service } from './service.ts';

const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: '5000' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
  },
});
await withPostgres(async (serverUrl) => {
  const service = await Service.onPostgres(serverUrl);
  try {
    const first = Number(values.seed);
    const seeds = Array.from({ length: Number(values.histories) }, (_, n) => first + n);
    const failure = await checkHistories(service, seeds, { onProgress: (count) => console.log(`${count} histories`) });
    console.log(failure ?? `${seeds.length} histories, all by the rules`);
    if (failure !== undefined) process.exitCode = 1;
  } finally {
    await service.close();
  }
});
