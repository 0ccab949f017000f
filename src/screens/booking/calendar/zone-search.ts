import { timeZoneNamed } from '../../../core/text.ts';

/** The zones to choose from. */
export const ZONES: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone')];
const REGIONS = [
  ...new Set(ZONES.filter((zone) => zone.includes('/')).map((zone) => zone.slice(0, zone.indexOf('/')))),
];

/**
 * The zone that somebody means: its name in any capitals (`europe/berlin`), its city (`new york`, also in a spelling that zones
 * had before), or the beginning of one city alone (`reykj`). Undefined where it is none, or could be several.
 */
export function zoneSaid(text: string): string | undefined {
  const said = text.trim().replace(/\s+/g, '_');
  const named = timeZoneNamed(said);
  if (named !== undefined) return named;
  const ofCity = REGIONS.map((region) => timeZoneNamed(`${region}/${said}`)).find((zone) => zone !== undefined);
  if (ofCity !== undefined || said === '') return ofCity;
  const beginning = said.toLowerCase();
  const [only, another] = ZONES.filter((zone) => cityOf(zone).startsWith(beginning));
  return another === undefined ? only : undefined;
}

function cityOf(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1).toLowerCase();
}
