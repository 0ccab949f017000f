// Shows times in the browser's own zone where nobody has chosen one. Without this script, they are in that of the host.
const form = document.querySelector('form.zone[data-guessed]');
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (form && zone && zone !== form.dataset.guessed) {
  const query = new URLSearchParams(new FormData(form));
  query.set('timeZone', zone);
  location.replace(`${form.action}?${query}${location.hash}`);
}
