/** How much a text message takes: networks send it in parts, and each costs (3GPP TS 23.038 and 23.040). */

/** The alphabet of 7 bits (GSM 03.38), and what takes two places in it. */
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const EXTENDED = new Set('^{}\\[~]|€');
/** How many places a message has by itself, and each of several parts. */
const PLACES = { GSM: { alone: 160, part: 153 }, UCS2: { alone: 70, part: 67 } } as const;
const CUT_OFF = '...';

/**
 * These characters look the same as others in a message, and would make it twice as long: one of them takes it out of
 * the alphabet.
 */
const LOOKS_LIKE: readonly (readonly [RegExp, string])[] = [
  [/[\u00a0\u2000-\u200a\u202f]/gu, ' '],
  [/[\u2010-\u2015]/gu, '-'],
  [/[\u2018\u2019\u201a]/gu, "'"],
  [/[\u201c\u201d\u201e]/gu, '"'],
  [/\u2026/gu, '...'],
];

/** The text in characters that messages have: typographic spaces, dashes and quotation marks as plain ones. */
export function plainForSms(text: string): string {
  return LOOKS_LIKE.reduce((plain, [from, to]) => plain.replaceAll(from, to), text);
}

/** In how many parts a text is sent: 160 characters of the 7-bit alphabet in one, or 153 each; of any others 70, or 67. */
export function smsParts(text: string): number {
  const sizes = Array.from(text, (one) => (BASIC.has(one) ? 1 : EXTENDED.has(one) ? 2 : undefined));
  const isGsm = !sizes.includes(undefined);
  const { alone, part } = isGsm ? PLACES.GSM : PLACES.UCS2;
  const taken = isGsm ? sizes.map((size) => size ?? 0) : Array.from(text, ({ length }) => length);
  if (taken.reduce((sum, size) => sum + size, 0) <= alone) return 1;
  let [parts, left]: [number, number] = [1, part];
  // Nothing that takes two places is divided.
  for (const size of taken) {
    if (size > left) [parts, left] = [parts + 1, part];
    left -= size;
  }
  return parts;
}

/** The text, or as much of its beginning as goes into so many parts, with dots behind it. */
export function fittingSms(text: string, most: number): string {
  if (smsParts(text) <= most) return text;
  const characters = [...new Intl.Segmenter('en').segment(text)].map(({ segment }) => segment);
  const beginning = (count: number): string => `${characters.slice(0, count).join('').trimEnd()}${CUT_OFF}`;
  let [fits, tooLong] = [0, characters.length];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (smsParts(beginning(middle)) <= most) fits = middle;
    else tooLong = middle;
  }
  return beginning(fits);
}
