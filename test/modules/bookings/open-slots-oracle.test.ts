import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { slotsByMinute } from './support/minute-oracle.ts';
import { openSlots } from './support/open-slots.ts';
import { SCENES, slotCases } from './support/slot-cases.ts';

const CASES_A_SCENE = 200;

describe('the open slots are those that a look at every single minute finds', () => {
  test.each(SCENES.map((scene) => [new Date(scene.start).toISOString().slice(0, 10), scene.zones.join(', '), scene]))(
    'around %s in %s',
    (_date, _zones, scene) => {
      let found = 0;
      fc.assert(
        fc.property(slotCases(scene), ({ request, bookings }) => {
          const slots = openSlots(request);
          found += slots.length;
          expect(slots.map(({ start, hostIds }) => ({ start, hostIds }))).toEqual(slotsByMinute(request, bookings));
        }),
        { numRuns: CASES_A_SCENE },
      );
      // An oracle that never finds anything proves nothing.
      expect(found).toBeGreaterThan(CASES_A_SCENE);
    },
  );
});
