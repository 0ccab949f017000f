import { macOf } from '../../core/secret.ts';

/** Apps that can be connected, by the slugs that locations name. */
export const APPS = { video: 'Video link', zoom: 'Zoom' } as const;
export type AppSlug = keyof typeof APPS;

export function isApp(slug: string): slug is AppSlug {
  return Object.hasOwn(APPS, slug);
}

/** Those that are connected by OAuth, at a provider of that key. */
export const OAUTH_APPS = ['zoom'] as const satisfies readonly AppSlug[];
export type OAuthApp = (typeof OAUTH_APPS)[number];

export function isOAuthApp(slug: string): slug is OAuthApp {
  return (OAUTH_APPS as readonly string[]).includes(slug);
}

/** The service's own video links: a room at this address for each booking. */
export interface Rooms {
  /** With or without a slash at its end. */
  readonly baseUrl: string;
  /** Derives the names of rooms; 32 bytes, for nothing else. */
  readonly key: Uint8Array;
}

interface Room {
  /** 128 bits that nobody can guess. */
  readonly id: string;
  readonly url: string;
}

/** Where a booking meets: the same when it moves to another time, since its `icsId` stays. */
export function roomOf({ baseUrl, key }: Rooms, icsId: string): Room {
  const id = macOf(key, 'room', icsId).toString('base64url', 0, 16);
  return { id, url: `${baseUrl.replace(/\/$/, '')}/${id}` };
}
