/** The text that somebody sees of the HTML of a mail, and where it leads. */
export function shownIn(html: string): { readonly text: string; readonly links: readonly string[] } {
  const body = html.slice(html.indexOf('<body'));
  return {
    text: unescaped(body.replaceAll(/<[^>]*>/g, ' ')),
    links: [...body.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => unescaped(href)),
  };
}

/**
 * Finds what a plain text says and the HTML does not: the words of each line, one after the other, and its addresses,
 * which the HTML may have as links.
 */
export function missingIn(html: string, text: string): readonly string[] {
  const { text: shown, links } = shownIn(html);
  const said = ` ${words(shown).join(' ')} `;
  const isSaid = (line: string): boolean => said.includes(` ${words(line).join(' ')} `);
  return text.split('\n').filter((line) => {
    if (words(line).length === 0 || isSaid(line)) return false;
    const addresses = line.match(/https?:\/\/[^\s<>]+/g) ?? [];
    const rest = addresses.reduce((left, address) => left.replace(address, ''), line);
    const isThere = words(rest).length === 0 || isSaid(rest);
    return !isThere || addresses.some((address) => !links.includes(address));
  });
}

/** Words of the HTML that stand neither in the text nor among these. */
export function addedIn(html: string, text: string, others: readonly string[]): readonly string[] {
  const known = new Set([text, ...others].flatMap(words));
  return [...new Set(words(shownIn(html).text))].filter((word) => !known.has(word));
}

function words(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

function unescaped(text: string): string {
  return text.replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}
