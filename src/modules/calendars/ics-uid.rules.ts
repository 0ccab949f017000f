/** This stands behind the id. */
export const ICS_UID_SUFFIX = '@gatehouse';
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Calendars know a booking by this (RFC 5545 §3.8.4.7). */
export function icsUid(icsId: string): string {
  return `${icsId}${ICS_UID_SUFFIX}`;
}

/** The id in a UID that has the form of a booking's; null for any other event's. */
export function icsIdOf(uid: string): string | null {
  const id = uid.slice(0, -ICS_UID_SUFFIX.length);
  return uid.endsWith(ICS_UID_SUFFIX) && UUID.test(id) ? id : null;
}
