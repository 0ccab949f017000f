/** Zones and languages of readers: most are the same few, and there are thousands. */
const MOST = 200;

const FORMATS = new Map<string, Intl.DateTimeFormat>();

/** A format of times, made once: that takes longer than to use it. @throws RangeError for what is no language or zone */
export function dateTimeFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  const known = FORMATS.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat(locale, options);
  if (FORMATS.size >= MOST) FORMATS.delete(FORMATS.keys().next().value ?? key);
  FORMATS.set(key, format);
  return format;
}

/** `America/New York`: the name of a time zone as people read it; `timeZone` is its IANA name. */
export function zoneName(timeZone: string): string {
  return timeZone.replaceAll('_', ' ');
}
