/** The one client of the contest, which every authorization server knows. */
import { createHash } from 'node:crypto';

export const clientId = 'bench-app';
export const clientSecret = 'bench-secret';
export const redirectUri = 'https://127.0.0.1/cb';
export const verifier = 'v'.repeat(64);
export const challenge = createHash('sha256').update(verifier).digest('base64url');
