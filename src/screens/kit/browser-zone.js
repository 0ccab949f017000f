// A new account gets the time zone of the browser. Without this script it is UTC, until somebody chooses another one.
const field = document.querySelector('form [name=timeZone]');
if (field) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? '';
