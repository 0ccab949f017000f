/** The field that looks for a time zone, in English. */
export const ZONE_EN = {
  label: 'Show times in another time zone',
  placeholder: 'City, such as Lisbon',
  button: 'Change time zone',
  unknown:
    'We don’t know that time zone, or it could be one of several. Type a larger city near you, and choose from the list.',
};
