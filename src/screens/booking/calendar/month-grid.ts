import { WEEK_DAYS, type WeekDay } from '../../../modules/accounts/account.rules.ts';

/** A month in rows of seven days; undefined where a week reaches beyond it. */
export function weeksOf(
  month: Temporal.PlainYearMonth,
  weekStart: WeekDay,
): readonly (readonly (Temporal.PlainDate | undefined)[])[] {
  const first = month.toPlainDate({ day: 1 });
  const lead = (first.dayOfWeek - 1 - WEEK_DAYS.indexOf(weekStart) + 7) % 7;
  const rows = Math.ceil((lead + month.daysInMonth) / 7);
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: 7 }, (_day, column) => {
      const day = row * 7 + column - lead;
      return day >= 0 && day < month.daysInMonth ? first.add({ days: day }) : undefined;
    }),
  );
}

/** The days of the week, in the order of the reader's calendar. */
export function weekDaysFrom(weekStart: WeekDay): readonly WeekDay[] {
  const start = WEEK_DAYS.indexOf(weekStart);
  return [...WEEK_DAYS.slice(start), ...WEEK_DAYS.slice(0, start)];
}
