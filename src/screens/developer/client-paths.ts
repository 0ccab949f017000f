/** Where the pages of clients are. An id may hold any visible character, so it is escaped. */
export const CLIENTS_PATH = '/settings/developer/oauth';
export const REVIEWS_PATH = '/admin/oauth';

export function clientPath(clientId: string): string {
  return `${CLIENTS_PATH}/${encodeURIComponent(clientId)}`;
}

export function reviewPath(clientId: string): string {
  return `${REVIEWS_PATH}/${encodeURIComponent(clientId)}`;
}
