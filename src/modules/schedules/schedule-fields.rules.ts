import { lineField, TIME_ZONE_FIELD } from '../../core/field-rules.ts';
import type { FieldRules } from '../../core/fields.ts';
import { availabilityMistakes, MAX_NAME_LENGTH, overrideMistakes, type ScheduleInput } from './schedule-input.rules.ts';

/** Each field of a schedule by itself: no rule of theirs needs two of them, so a patch is checked as it is. */
export const SCHEDULE_FIELDS: FieldRules<ScheduleInput> = {
  name: lineField(MAX_NAME_LENGTH),
  timeZone: TIME_ZONE_FIELD,
  // Hours that overlap stay as they were typed; calculations count each minute once.
  availability: {
    tidy: (hours) => hours.map(({ days, start, end }) => ({ days, start, end })),
    check: availabilityMistakes,
  },
  overrides: {
    tidy: (overrides) => overrides.map(({ date, start = null, end = null }) => ({ date, start, end })),
    check: overrideMistakes,
  },
};
