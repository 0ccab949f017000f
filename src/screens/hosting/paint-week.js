// Paints hours of the week into the fields of the form, which stay what is read and sent. Without this script there is no picture.
const picture = document.querySelector('svg[data-week]');
const told = document.querySelector('[data-week-told]');
const names = [...document.querySelectorAll('[data-week-day]')].map((name) => name.textContent);
const days = [...document.querySelectorAll('[data-hours-of]')];
const DAY = 24 * 60;
const STEP = 30;

draw(days.map(hoursOf));
// The browser may fill in what was typed before, on the way back.
addEventListener('pageshow', () => draw(days.map(hoursOf)));
picture.closest('form').addEventListener('input', () => draw(days.map(hoursOf)));

picture.addEventListener('pointerdown', (down) => {
  if (down.button !== 0) return;
  const week = days.map(hoursOf);
  const from = cellAt(down);
  const isAdded = !week[from.day].some(([start, end]) => start <= from.start && from.start + STEP <= end);
  const listening = new AbortController();
  const { signal } = listening;
  let to = from;
  const show = () => {
    draw(painted(week, from, to, isAdded));
    told.textContent = textOf(from, to);
  };
  const end = (isMeant) => {
    listening.abort();
    told.replaceChildren();
    if (isMeant) for (const [day, hours] of painted(week, from, to, isAdded).entries()) write(day, hours, week[day]);
    draw(days.map(hoursOf));
  };
  picture.setPointerCapture(down.pointerId);
  picture.addEventListener(
    'pointermove',
    (event) => {
      to = cellAt(event);
      show();
    },
    { signal },
  );
  // Half an hour is too narrow for the tip of a finger.
  const isTap = () => down.pointerType === 'touch' && to.day === from.day && to.start === from.start;
  picture.addEventListener('pointerup', () => end(!isTap()), { signal });
  picture.addEventListener('pointercancel', () => end(false), { signal });
  addEventListener('keydown', ({ key }) => key === 'Escape' && end(false), { signal });
  show();
});

function cellAt({ clientX, clientY }) {
  const { left, top, width, height } = picture.getBoundingClientRect();
  return {
    day: cellOf((clientY - top) / height, days.length),
    start: cellOf((clientX - left) / width, DAY / STEP) * STEP,
  };
}

function cellOf(part, count) {
  return Math.min(count - 1, Math.max(0, Math.floor(part * count)));
}

/** What lies between two cells, with both, whichever is first. */
function spanOf(from, to) {
  return {
    first: Math.min(from.day, to.day),
    last: Math.max(from.day, to.day),
    start: Math.min(from.start, to.start),
    end: Math.max(from.start, to.start) + STEP,
  };
}

/** The hours of each day once those from one cell to another one are added, or taken away. */
function painted(week, from, to, isAdded) {
  const { first, last, start, end } = spanOf(from, to);
  return week.map((hours, day) => {
    if (day < first || day > last) return hours;
    const others = hours.flatMap((one) => [
      [one[0], Math.min(one[1], start)],
      [Math.max(one[0], end), one[1]],
    ]);
    return joined(isAdded ? [...others, [start, end]] : others);
  });
}

/** In order, and as one where they touch. */
function joined(hours) {
  const found = [];
  for (const [start, end] of hours.filter(([from, to]) => from < to).toSorted(([a], [b]) => a - b)) {
    const before = found.at(-1);
    if (before && start <= before[1]) before[1] = Math.max(before[1], end);
    else found.push([start, end]);
  }
  return found;
}

function draw(week) {
  const shapes = week.flatMap((hours, day) =>
    hours.map(([start, end]) => {
      const shape = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
      const place = { x: start, y: day + 0.12, width: end - start, height: 0.76 };
      for (const [name, value] of Object.entries(place)) shape.setAttribute(name, value);
      return shape;
    }),
  );
  picture.replaceChildren(...shapes);
}

function hoursOf(day) {
  return linesOf(day).map(hoursIn).filter(Array.isArray);
}

function linesOf(day) {
  return [...day.querySelectorAll('.from-to')];
}

/** @returns start and end in minutes of the day, null of an empty line, undefined of one that says no hours (yet) */
function hoursIn(line) {
  const texts = [...line.querySelectorAll('input')].map(({ value }) => value.trim());
  if (texts.every((text) => text === '')) return null;
  const [start, end] = texts.map((text) => /^(\d\d?):([0-5]\d)$/.exec(text)).map((at) => at && at[1] * 60 + +at[2]);
  return start !== null && end !== null && start < end && end <= DAY ? [start, end] : undefined;
}

/** Writes what has changed. A line in which hours are still being typed stays as it is. */
function write(index, hours, before) {
  if (hours === before) return;
  const day = days[index];
  const lines = linesOf(day).filter((line) => hoursIn(line) !== undefined);
  while (lines.length < hours.length) lines.push(addLine(day));
  for (const [at, line] of lines.entries()) {
    for (const [part, field] of line.querySelectorAll('input').entries()) {
      field.value = hours[at] ? timeOf(hours[at][part]) : '';
    }
  }
}

function addLine(day) {
  const lines = linesOf(day);
  const line = lines.at(-1).cloneNode(true);
  const number = lines.length;
  for (const [part, field] of line.querySelectorAll('input').entries()) {
    const label = line.querySelectorAll('label')[part];
    field.name = field.id = label.htmlFor = `${day.dataset.hoursOf}-${number}-${part === 0 ? 'start' : 'end'}`;
    label.textContent = label.textContent.replace(/\d+/, number + 1);
    field.removeAttribute('aria-invalid');
    field.removeAttribute('aria-describedby');
  }
  day.append(line);
  return line;
}

function timeOf(minutes) {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

/** `Mon – Fri, 09:00 – 17:00` */
function textOf(from, to) {
  const { first, last, start, end } = spanOf(from, to);
  const which = first === last ? names[first] : `${names[first]} – ${names[last]}`;
  return `${which}, ${timeOf(start)} – ${timeOf(end)}`;
}
