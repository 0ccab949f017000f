/**
 * For other websites. Each link with `data-gatehouse-embed` to a booking page of ours becomes a frame with that page, and a
 * frame with `data-gatehouse-embed` or made so is kept as high as what is in it:
 *
 *   <a href="https://…/book/ada/intro" data-gatehouse-embed>Book a time</a>
 *   <script defer src="https://…/embed.js"></script>
 *
 * It loads nothing else, sets no cookie and talks to nobody but the frames, and to them only by our own origin.
 */
(() => {
  /** A page that may not be framed here does not answer: then the link comes back. */
  const TIMEOUT_IN_MS = 5_000;
  const HEIGHTS = { first: 640, least: 120, most: 10_000 };
  const { origin } = new URL(document.currentScript.src);
  /** How many pages each frame has shown. */
  const frames = new Map();

  const size = (frame) => {
    frames.set(frame, 0);
    const ask = () => frame.contentWindow?.postMessage({ gatehouse: 'embed' }, origin);
    frame.addEventListener('load', ask);
    // It was there before this script: nothing of another origin can be looked into.
    if (frame.contentDocument === null) ask();
  };

  addEventListener('message', (message) => {
    const { gatehouse, height, begins } = message.data ?? {};
    if (message.origin !== origin || gatehouse !== 'height' || !Number.isFinite(height)) return;
    for (const [frame, pages] of frames) {
      if (frame.contentWindow !== message.source) continue;
      frame.style.height = `${Math.min(Math.max(height, HEIGHTS.least), HEIGHTS.most)}px`;
      if (!Number.isFinite(begins)) continue;
      frames.set(frame, pages + 1);
      // Who has sent a long form is at its end, and the next page may be short: never down, where nobody has been yet.
      const above = frame.getBoundingClientRect().top + begins;
      if (pages > 0 && above < 0) scrollBy(0, above);
    }
  });

  const replace = (link) => {
    const address = new URL(link.href);
    if (address.origin !== origin || !address.pathname.startsWith('/book/')) return;
    address.searchParams.set('embed', '1');
    const frame = document.createElement('iframe');
    frame.src = address.href;
    frame.title = link.textContent.trim();
    frame.referrerPolicy = 'no-referrer';
    Object.assign(frame.style, { display: 'block', width: '100%', height: `${HEIGHTS.first}px`, border: '0' });
    const giveUp = () => {
      if (frames.get(frame) > 0) return;
      frames.delete(frame);
      frame.remove();
      link.hidden = false;
    };
    size(frame);
    frame.addEventListener('load', () => setTimeout(giveUp, TIMEOUT_IN_MS), { once: true });
    link.hidden = true;
    link.after(frame);
  };

  const start = () => {
    for (const element of document.querySelectorAll('[data-gatehouse-embed]')) {
      element.removeAttribute('data-gatehouse-embed');
      if (element instanceof HTMLIFrameElement) size(element);
      if (element instanceof HTMLAnchorElement) replace(element);
    }
  };
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start);
  else start();
})();
