import { bytesOf, CACHES } from '../../core/caches.ts';
import type { Listen } from '../../database/listen.ts';
import { together } from '../../database/together.ts';
import { USER_CHANGES } from './user.entity.ts';
import type { UserProfile } from './user.queries.ts';

/** Longest that a change is not seen which another process has made, when its message is lost. */
const REMEMBERED_MS = 1_000;
/** Profiles that are asked for often, and will be due as soon as this, are loaded along with those that are due now. */
const SOON_DUE_MS = 500;
const LOADED_AT_ONCE = 100;

interface Remembered {
  readonly profile: UserProfile;
  readonly until: number;
  /** Since it was loaded. */
  isAskedFor: boolean;
}

/** Finds several by one statement; those that do not exist are left out. */
type LoadProfiles = (userIds: readonly string[]) => Promise<ReadonlyMap<string, UserProfile>>;

interface Asked {
  readonly userId: string;
  readonly load: LoadProfiles;
}

/**
 * Profiles of callers, as they were within the last second. A change that this process makes is seen with its commit, one
 * of another process as soon as its message comes.
 */
export class RememberedProfiles {
  /** Kept from the first use on: no profile is asked for as often as the caller's. */
  readonly #profiles = CACHES.share<Remembered>({ name: 'profiles', weigh: bytesOf, fromFirstUse: true });
  readonly #loadTogether = together((asked: readonly Asked[]) => this.#load(asked), {
    mostItems: LOADED_AT_ONCE,
    when: (begin) => queueMicrotask(begin),
  });
  #changes = 0;

  /** The profile, if it is at hand; else a promise of what `load` finds. */
  get(userId: string, load: LoadProfiles): UserProfile | Promise<UserProfile | undefined> {
    const known = this.#profiles.get(userId, 'KNOWN');
    if (!known || performance.now() >= known.until) return this.#loadTogether({ userId, load });
    known.isAskedFor = true;
    return known.profile;
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

  async #load(asked: readonly Asked[]): Promise<readonly (UserProfile | undefined)[]> {
    const [changes, since] = [this.#changes, performance.now()];
    const userIds = new Set(asked.map(({ userId }) => userId));
    this.#addSoonDue(userIds, since);
    const found = (await asked[0]?.load([...userIds])) ?? new Map<string, UserProfile>();
    // A profile that was changed meanwhile may be old.
    if (changes === this.#changes) {
      const until = since + REMEMBERED_MS;
      for (const [userId, profile] of found) this.#profiles.set(userId, { profile, until, isAskedFor: false }, 'KNOWN');
    }
    return asked.map(({ userId }) => found.get(userId));
  }

  #addSoonDue(userIds: Set<string>, now: number): void {
    // The profiles come in the order in which they were loaded.
    for (const [userId, { until, isAskedFor }] of this.#profiles.entries()) {
      if (userIds.size >= LOADED_AT_ONCE || until - now >= SOON_DUE_MS) return;
      if (now - until > REMEMBERED_MS) this.#profiles.delete(userId);
      else if (isAskedFor) userIds.add(userId);
    }
  }
}
