// A new account is offered the time zone of the browser. Without this script it is UTC, until somebody chooses another one.
const field = document.querySelector('form [name=timeZone]');
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (field && zone) {
  if (![...field.options].some(({ value }) => value === zone)) field.add(new Option(zone.replaceAll('_', ' '), zone));
  field.value = zone;
}
