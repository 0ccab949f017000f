import { expect, test } from 'vitest';
import { failureOf } from '../../src/database/failure.ts';

/** As the driver's error arrives: with PostgreSQL's code, in another error. */
function failed(code: string): Error {
  return new Error('A statement failed.', { cause: Object.assign(new Error('as PostgreSQL says'), { code }) });
}

test.each([
  ['a deadlock', '40P01', { status: 503, code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '5' } }, 1],
  ['a conflict of serializable transactions', '40001', { status: 503, code: 'SERVICE_UNAVAILABLE' }, 1],
  ['a lost connection', '08006', { status: 503, code: 'SERVICE_UNAVAILABLE' }, 0],
  ['a broken constraint that nobody expected', '23505', { status: 500, code: 'INTERNAL_SERVER_ERROR' }, 1],
])('%s (%s) is told to its caller, and logged where it is a fault of ours', (_what, code, told, logged) => {
  const reports: unknown[] = [];
  expect(failureOf(failed(code), (error) => reports.push(error))).toMatchObject(told);
  expect(reports).toHaveLength(logged);
});
