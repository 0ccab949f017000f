/** A thread that makes the files of an embedded database and ends: PostgreSQL's `initdb` takes a second, and 400 MB. */
import { workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { DurableFolder, durableParameters, syncWholeFolder } from './durable-folder.ts';

const folder: string = workerData;
const pglite = new PGlite({
  fs: new DurableFolder(folder),
  startParams: durableParameters(PGlite.defaultStartParams),
});
await pglite.waitReady;
await pglite.close();
await syncWholeFolder(folder);
