const MAX_LENGTH = 8_192;

/**
 * Where to go on after signing in: a path of this service, or `/`. Browsers take `//evil.test`, `/\evil.test` and, once
 * dots are resolved, `/.//evil.test` for another host, and drop tabs and line breaks before they look.
 */
export function localPath(text: string | null | undefined, publicUrl: string): string {
  if (text == null || text.length > MAX_LENGTH || !/^\/[!-[\]-~]*$/.test(text)) return '/';
  const url = URL.parse(text, publicUrl);
  if (!url || url.origin !== new URL(publicUrl).origin || url.pathname.startsWith('//')) return '/';
  return url.pathname + url.search;
}
