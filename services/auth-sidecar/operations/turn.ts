let count = 1;
let known = 0;

/** The machine's clock in milliseconds since 1970, read once in each turn of the event loop: a request asks for it some seven times. */
export function turnTime(): number {
  if (known === 0) begin();
  return known;
}

/** The turn of the event loop that this is: what was asked for once in a turn needn't be asked for again. */
export function currentTurn(): number {
  if (known === 0) begin();
  return count;
}

function begin(): void {
  known = Date.now();
  setImmediate(end);
}

function end(): void {
  known = 0;
  count++;
}
