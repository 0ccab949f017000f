import { describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';

describe('PUBLIC_URL', () => {
  test.each([
    ['https://gatehouse.example', 'https://gatehouse.example'],
    ['https://gatehouse.example/', 'https://gatehouse.example'],
    ['HTTPS://Gatehouse.Example:443', 'https://gatehouse.example'],
    ['http://localhost:4000', 'http://localhost:4000'],
    ['http://bücher.example', 'http://xn--bcher-kva.example'],
  ])('%s is taken as browsers write it in Origin: %s', (given, taken) => {
    expect(readConfig({ PUBLIC_URL: given }).publicUrl).toBe(taken);
  });

  test.each([
    'https://gatehouse.example/api',
    'https://gatehouse.example/?a',
    'https://user:password@gatehouse.example',
    'ftp://gatehouse.example',
    'gatehouse.example',
  ])('%s is refused', (given) => {
    expect(() => readConfig({ PUBLIC_URL: given })).toThrow(/PUBLIC_URL (?:must be an origin|is not an http)/);
  });

  test('is refused in the same breath as other mistakes', () => {
    expect(() => readConfig({ PUBLIC_URL: 'https://gatehouse.example/api', SECRET_KEY: 'short' })).toThrow(
      /PUBLIC_URL [^]*SECRET_KEY /,
    );
  });

  test('is where the service listens when it is not set', () => {
    expect(readConfig({ PORT: '4001' }).publicUrl).toBe('http://localhost:4001');
  });
});
