export * from 'jose';
export * from './auth.mjs';
export * from './config.mjs';
export * from './data.mjs';
export * from './schema.mjs';
