/** The field that looks for a time zone, in German. */
import type { ZONE_EN } from './zone-words.en.ts';

export const ZONE_DE: typeof ZONE_EN = {
  label: 'Zeiten in einer anderen Zeitzone anzeigen',
  placeholder: 'Stadt, zum Beispiel Paris',
  button: 'Zeitzone ändern',
  unknown:
    'Diese Zeitzone kennen wir nicht, oder es könnten mehrere sein. Geben Sie eine größere Stadt in Ihrer Nähe ein und wählen Sie aus der Liste.',
};
