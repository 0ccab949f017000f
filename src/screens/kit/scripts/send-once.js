// Holds back the second press of a button while the first is on its way. Without this script, the server finds that a form came twice.
for (const form of document.querySelectorAll('form[data-once]')) {
  let isSent = false;
  form.addEventListener('submit', (event) => {
    if (isSent) event.preventDefault();
    isSent = true;
  });
  // Back from the next page, it may be sent again.
  addEventListener('pageshow', () => {
    isSent = false;
  });
}
