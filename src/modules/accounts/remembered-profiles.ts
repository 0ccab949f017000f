import { LRUCache } from 'lru-cache';
import type { Listen } from '../../database/listen.ts';
import { USER_CHANGES } from './user.entity.ts';
import type { UserProfile } from './user.queries.ts';

/** Nobody is asked for as often as the caller. */
const MOST = 2_000;
/** Longest that a change is not seen which another process has made, when its message is lost. */
const REMEMBERED_MS = 1_000;

interface Remembered {
  readonly profile: UserProfile;
  readonly until: number;
}

/**
 * Profiles of callers, as they were within the last second. A change that this process makes is seen with its commit, one
 * of another process as soon as its message comes.
 */
export class RememberedProfiles {
  readonly #profiles = new LRUCache<string, Remembered>({ max: MOST });
  #changes = 0;

  /** The profile, if it is at hand; else a promise of what `load` finds. */
  get(userId: string, load: () => Promise<UserProfile | undefined>): UserProfile | Promise<UserProfile | undefined> {
    const known = this.#profiles.get(userId);
    return known && performance.now() < known.until ? known.profile : this.#load(userId, load);
  }

  /** Forgets all: profiles change rarely, and those that are asked for come back by one statement. */
  readonly forget = (): void => {
    this.#changes += 1;
    this.#profiles.clear();
  };

  /** Hears of changes until the process ends. Without it, nothing may be remembered. */
  async keepUp(listen: Listen): Promise<() => Promise<void>> {
    return listen(USER_CHANGES, this.forget);
  }

  async #load(userId: string, load: () => Promise<UserProfile | undefined>): Promise<UserProfile | undefined> {
    const [changes, since] = [this.#changes, performance.now()];
    const profile = await load();
    // What was changed meanwhile may not be in it.
    if (profile && changes === this.#changes) {
      this.#profiles.set(userId, { profile, until: since + REMEMBERED_MS });
    }
    return profile;
  }
}
