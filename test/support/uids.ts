import { newId, newUserId } from '../../src/core/id.ts';
import { Uids } from '../../src/modules/bookings/booking-key.rules.ts';
import { idOfUid, spoiltTexts, unknownId } from './ids.ts';

/** Those of tests that put the service together themselves. */
export const UIDS = new Uids(() => ({ keys: new Map([[0, new Uint8Array(32)]]), writer: 0 }));

export type UidKind = 'booking' | 'reservation';

/** A uid of what is not there; of what belongs to this owner, or to nobody. */
export function unknownUid(kind: UidKind, ownerId: string = newUserId()): string {
  const key = { ownerId, id: newId() };
  return kind === 'reservation' ? UIDS.ofReservation(key) : UIDS.of({ ...key, version: 0 });
}

/** Texts that are no uid of what `good` opens, by what is wrong with them. */
export function spoiltUids(good: string): Readonly<Record<string, string>> {
  const [tag, named, code] = [good.slice(0, 4), good.slice(4, -22), good.slice(-22)];
  const ofAnother = unknownUid(good.startsWith('uir') ? 'reservation' : 'booking');
  return {
    ...spoiltTexts(good),
    'that is the id': idOfUid(good),
    'that is the id of another kind': unknownId('eventType'),
    'of another kind': (good.startsWith('uid') ? 'uir_' : 'uid_') + named + code,
    'of a file': `ucb_${named}${code}`,
    'with the tag of an id': `bkg_${named}${code}`,
    'under a key that there is not': `${tag}1${named.slice(1)}${code}`,
    'of another version': `${tag}${named.slice(0, 1)}001${named.slice(4)}${code}`,
    'without its code': tag + named,
    'with the code of another': tag + named + ofAnother.slice(-22),
    'of another thing, with its own code': ofAnother.slice(0, -22) + code,
  };
}
