// Settings shared by every peer; the runner gives them.
export const databaseUrl = process.env.DATABASE_URL;
export const stateDir = process.env.BENCH_STATE;
export const issuer = 'http://127.0.0.1/bench';
export const audience = 'scheduling-api';
export const alg = 'ES256';
export const poolSize = 10;
export const port = Number(process.env.PORT ?? 0);
export const host = '127.0.0.1';
