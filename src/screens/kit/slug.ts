/** `Café & Code` is `cafe-code`. Of a name without any letter or digit that an address can have: empty. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-|-$/g, '');
}
