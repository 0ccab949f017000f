import { describe, expect, test } from 'vitest';
import { isPublicAddress, outboundAddressMistake } from '../../src/outbound/guarded-addresses.ts';

const codeOf = (url: string) => outboundAddressMistake(['url'], url, false)?.code;

describe('an address is refused when it is saved', () => {
  test.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.0.0.1/',
    'https://017700000001/',
    'https://0177.0.0.01/',
    'https://127.0.0.1./',
    'https://%31%32%37.0.0.1/',
    'https://１２７.0.0.1/',
    'https://0/',
    'https://0.0.0.0/',
    'https://10.1.2.3/',
    'https://172.16.0.1/',
    'https://172.31.255.255/',
    'https://192.168.1.1/',
    'https://3232235777/',
    'https://100.64.0.1/',
    'https://100.100.100.200/',
    'https://169.254.169.254/latest/meta-data/',
    'https://0xa9fea9fe/',
    'https://192.0.0.192/',
    'https://198.18.0.1/',
    'https://203.0.113.1/',
    'https://224.0.0.1/',
    'https://240.0.0.1/',
    'https://255.255.255.255/',
    'https://[::]/',
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://[::ffff:0:10.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[64:ff9b::169.254.169.254]/',
    'https://[64:ff9b:1::a9fe:a9fe]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:7f00:1::]/',
    'https://[fe80::1]/',
    'https://[fec0::1]/',
    'https://[fc00::1]/',
    'https://[fd00:ec2::254]/',
    'https://[ff02::1]/',
    'https://[2001:db8::1]/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://api.localhost/',
    'https://printer.local/',
    'https://metadata.google.internal/computeMetadata/',
    'https://nas.home.arpa/',
  ])('%s', (url) => {
    expect(codeOf(url)).toBe('PRIVATE_ADDRESS');
  });

  test.each(['http://example.com/', 'ftp://example.com/', 'https://a@example.com/', 'https://'])(
    '%s, by its form',
    (url) => {
      expect(codeOf(url)).toBe('INVALID_URL');
    },
  );
});

test.each([
  'https://example.com/hook',
  'https://93.184.216.34/',
  'https://[2606:2800:220:1::1]/',
  'https://localhost.example.com/',
  'https://internal.example/',
  'https://example.com:8443/?a=1',
])('%s may be saved', (url) => {
  expect(codeOf(url)).toBeUndefined();
});

test('the message names the address, and what to do', () => {
  expect(outboundAddressMistake(['url'], 'https://[::1]/x', false)).toEqual({
    code: 'PRIVATE_ADDRESS',
    message: 'The URL "https://[::1]/x" does not lead to the public internet; give an address that others can reach.',
    path: ['url'],
  });
});

test('a text that is no address is not public', () => {
  expect(['', 'example.com', '1.2.3.4.5', '::g'].filter(isPublicAddress)).toEqual([]);
});
