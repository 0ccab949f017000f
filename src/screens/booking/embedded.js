// Tells the website around this page, once it asks, how high the page is, and again when that changes. Others are not answered.
const origins = document.currentScript.dataset.origins.split(' ');
addEventListener('message', function answer({ source, origin, data }) {
  if (source !== parent || !origins.includes(origin) || data?.gatehouse !== 'embed') return;
  removeEventListener('message', answer);
  const tell = (more) => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    parent.postMessage({ gatehouse: 'height', height, ...more }, origin);
  };
  // Where a page of its own would be scrolled to.
  tell({ begins: document.querySelector(':target')?.getBoundingClientRect().top ?? 0 });
  new ResizeObserver(() => tell()).observe(document.body);
});
// Browsers give no focus by `autofocus` in frames; a form that comes back was sent by who is here.
document.querySelector('.summary')?.focus();
