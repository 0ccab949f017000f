/**
 * Makes `cafe-code` of `Café & Code`. A name without any letter or digit that an address can have gives an empty text.
 */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-|-$/g, '');
}

/** Stands for a slug while the name is missing too, so that only the missing name is reported; nothing is made with it. */
const OF_NO_NAME = 'unnamed';

/** The slug as it was typed, else one made of the name. */
export function slugFrom(typed: string, name: string): string {
  return typed.trim() || (name.trim() === '' ? OF_NO_NAME : slugOf(name));
}
