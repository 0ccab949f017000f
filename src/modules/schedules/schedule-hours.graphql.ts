import { builder, type InputBuilder } from '../../graphql/builder.ts';
import { reads } from '../../scopes/declare.ts';
import { WeekDay } from '../accounts/accounts.graphql.ts';
import { WEEK_DAYS } from './schedule.rules.ts';
import {
  type WeeklyHoursInput as Hours,
  MAX_NAME_LENGTH,
  MAX_OVERRIDES,
  MAX_WEEKLY_HOURS,
  type DateOverrideInput as Override,
} from './schedule-input.rules.ts';

const data = reads('SCHEDULE');

export const WeeklyHours = builder.objectRef<Hours>('WeeklyHours').implement({
  description: 'Hours of each of these days, on the wall clock of the schedule’s zone.',
  fields: (t) => ({
    days: t.field({
      type: [WeekDay],
      price: { max: WEEK_DAYS.length },
      requires: data,
      description: 'The days that have these hours, each once.',
      resolve: ({ days }) => [...days],
    }),
    start: t.expose('start', { type: 'LocalTime', requires: data, description: 'As `HH:MM`, such as `09:00`.' }),
    end: t.expose('end', {
      type: 'LocalTime',
      requires: data,
      description: 'As `HH:MM`; `24:00` is the end of the day.',
    }),
  }),
});

export const DateOverride = builder.objectRef<Override>('DateOverride').implement({
  description: 'Hours that stand for those of the week on one date, or, without hours, a day off.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', requires: data, description: 'As `YYYY-MM-DD`, such as `2026-12-24`.' }),
    start: t.expose('start', {
      type: 'LocalTime',
      nullable: true,
      requires: data,
      description: 'As `HH:MM`; null on a day off.',
    }),
    end: t.expose('end', {
      type: 'LocalTime',
      nullable: true,
      requires: data,
      description: 'As `HH:MM`; null on a day off.',
    }),
  }),
});

const WeeklyHoursInput = builder.inputType('WeeklyHoursInput', {
  description: 'Hours of each of these days, on the wall clock of the schedule’s zone.',
  fields: (t) => ({
    days: t.field({
      type: [WeekDay],
      required: true,
      description: 'The days that have these hours: one or more, each once.',
    }),
    start: t.field({ type: 'LocalTime', required: true, description: 'As `HH:MM`, such as `09:00`.' }),
    end: t.field({
      type: 'LocalTime',
      required: true,
      description: 'As `HH:MM`, after the start; `24:00` is the end of the day.',
    }),
  }),
});

const DateOverrideInput = builder.inputType('DateOverrideInput', {
  description: 'Hours that stand for those of the week on one date. Without start and end, the day is off.',
  fields: (t) => ({
    date: t.field({ type: 'Date', required: true, description: 'As `YYYY-MM-DD`, such as `2026-12-24`.' }),
    start: t.field({ type: 'LocalTime', description: 'As `HH:MM`, such as `09:00`.' }),
    end: t.field({ type: 'LocalTime', description: 'As `HH:MM`, after the start; `24:00` is the end of the day.' }),
  }),
});

const NAME = `What you call it, which bookers do not see: at most ${MAX_NAME_LENGTH} characters in one line.`;

/** The input of a new schedule. */
export function newScheduleFields(t: InputBuilder) {
  return {
    name: t.string({ required: true, description: NAME }),
    timeZone: t.field({
      type: 'TimeZone',
      description: 'An IANA name, such as `Europe/Berlin`; the user’s own, if left out.',
    }),
    isDefault: t.boolean({
      description: 'True takes the default from the schedule that has it. The first schedule is the default anyway.',
    }),
    availability: t.field({
      type: [WeeklyHoursInput],
      description: `The hours of a week: at most ${MAX_WEEKLY_HOURS} entries. Monday to Friday, 09:00 to 17:00, if left out.`,
    }),
    overrides: t.field({
      type: [DateOverrideInput],
      description: `Dates that differ from the week: at most ${MAX_OVERRIDES}. None, if left out.`,
    }),
  };
}

/** The input of a change of a schedule. */
export function schedulePatchFields(t: InputBuilder) {
  return {
    name: t.string({ description: NAME }),
    timeZone: t.field({ type: 'TimeZone', description: 'An IANA name, such as `Europe/Berlin`.' }),
    isDefault: t.boolean({
      description: 'True takes the default from the schedule that has it; false is refused for the default itself.',
    }),
    availability: t.field({
      type: [WeeklyHoursInput],
      description: `Replaces all hours of the week: at most ${MAX_WEEKLY_HOURS} entries.`,
    }),
    overrides: t.field({ type: [DateOverrideInput], description: `Replaces all overrides: at most ${MAX_OVERRIDES}.` }),
  };
}
