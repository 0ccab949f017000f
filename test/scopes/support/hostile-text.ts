import { type Arbitrary, array, integer } from 'fast-check';

/** Any JavaScript string: control characters and lone surrogates included. */
export const hostileText: Arbitrary<string> = array(integer({ min: 0, max: 0xffff })).map((codes) =>
  String.fromCharCode(...codes),
);
