import type { Html, Viewer } from '../kit/layout.ts';
import { secretPage as shownOnce } from '../kit/page-parts.ts';
import { clientPath } from './client-paths.ts';

export interface SecretPage {
  readonly viewer: Viewer;
  readonly title: string;
  readonly clientId: string;
  readonly secret: string;
  /** Says what to do with it. */
  readonly advice: string;
}

/** A secret of a client, this once: it is stored as a hash only. */
export function secretPage({ clientId, ...page }: SecretPage): Html {
  return shownOnce({ ...page, of: ['Client ID', clientId], onwardPath: clientPath(clientId) });
}
