import * as fc from 'fast-check';

const character = fc.oneof(
  fc.integer({ min: 0, max: 0x7f }),
  // Lone surrogates among them.
  fc.integer({ min: 0x80, max: 0xffff }),
  fc.integer({ min: 0x1_0000, max: 0x10_ffff }),
);

/** Whatever a string of JavaScript can hold: control characters, lone surrogates, anything. */
export function anyText(minLength = 0, maxLength = 50): fc.Arbitrary<string> {
  return fc.array(character, { minLength, maxLength }).map((codes) => String.fromCodePoint(...codes));
}
