import type { FieldRule } from '../../../core/fields.ts';
import type { Mistake } from '../../../core/problem.ts';
import { nameOf, type Path, shown } from '../../../core/text.ts';

export const EMBED_ORIGIN_CODES = ['INVALID_URL', 'TOO_MANY'] as const;

export const MAX_EMBED_ORIGINS = 20;
/** The longest name of a host (RFC 1035 §2.3.4), with scheme and port. */
export const MAX_ORIGIN_LENGTH = 267;
export const ORIGIN_IN_WORDS = 'a website’s scheme and host without a path, such as `https://www.example.com`';

/**
 * Each stands in a header between spaces and semicolons (Content-Security-Policy, `frame-ancestors`), so only what cannot be
 * anything but a host in ASCII and a port is taken: no wildcard, no user, no quotes. CSP 3 §6.7.2.8 matches no IP address
 * but 127.0.0.1. A page of `http` could be changed on its way to the visitor; what runs on one's own machine cannot.
 */
const HTTPS = /^https:\/\/(?!\d[\d.]*(?::|$))[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?$/;
const OWN_MACHINE = /^https?:\/\/(?:localhost|127\.0\.0\.1)(?::\d{1,5})?$/;

/** The websites whose pages may show the booking page in a frame, each once, as browsers write their origins. */
export const EMBED_ORIGINS_FIELD: FieldRule<readonly string[]> = {
  tidy: (origins) => [...new Set(origins.map(tidyOrigin))],
  check: embedOriginMistakes,
};

/**
 * Tidies an origin: an address that is copied from the address bar ends in a slash, and capitals of a host and the port
 * of its scheme say nothing.
 */
function tidyOrigin(text: string): string {
  const typed = text.trim().replace(/\/$/, '');
  const lower = typed.toLowerCase();
  return isOrigin(lower) ? (URL.parse(lower)?.origin ?? typed) : typed;
}

export function embedOriginMistakes(path: Path, origins: readonly string[]): readonly Mistake[] {
  if (origins.length > MAX_EMBED_ORIGINS) {
    const message = `The ${nameOf(path)} are ${origins.length}; at most ${MAX_EMBED_ORIGINS} are possible.`;
    return [{ code: 'TOO_MANY', message, path, bounds: { given: origins.length, most: MAX_EMBED_ORIGINS } }];
  }
  return origins.flatMap((origin, index) =>
    isOrigin(origin) ? [] : [{ code: 'INVALID_URL', message: whyNot(origin), path: [...path, String(index)] }],
  );
}

function isOrigin(text: string): boolean {
  return text.length <= MAX_ORIGIN_LENGTH && (HTTPS.test(text) || OWN_MACHINE.test(text)) && URL.canParse(text);
}

/** Says what to write in its place, where that can be told. A password in it is not repeated. */
function whyNot(text: string): string {
  const meant = /[\s*]/.test(text) ? '' : (URL.parse(text)?.origin ?? '').replace(/^http:/, 'https:');
  const example = isOrigin(meant) ? meant : 'https://www.example.com';
  const said = shown(text.replace(/\/\/[^/]*@/, '//…@'));
  return `${said} is not the https address of a website without a path, user or wildcard; write it as ${example}.`;
}
