/** Seeds of histories that have failed, each with what it showed. They are played first. */
export const FAILED_SEEDS: Readonly<Record<number, string>> = {
  101: 'a seat is not offered where it is',
  117: 'clocks go forward within hours of work',
  126: 'a limit that is left out of an update stays',
  127: 'a slot that ends after the last date of a window',
  215: 'a meeting that stands, off the grid of new hours',
  301: 'a booking is handed over before its message is written',
  305: 'who moves stays with their host',
  320: 'the last seat moves, and its meeting keeps its seats',
  421: 'an absence is gone before it is told of',
  430: 'a request moves and ends before its mail is written',
  432: 'clocks go back by half an hour',
  900_051: 'a slot is taken on a day whose last booking is only reserved',
  20_785_013: 'a booking is handed over before others are told that it was made',
  20_786_033: 'somebody joins a meeting as its last seat moves away',
  20_786_055: 'a slot is kept, and then its notice gets longer',
};
