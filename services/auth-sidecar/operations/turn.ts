let count = 1;
let turn = 0;

/**
 * The system clock in milliseconds since 1970, read once per turn of the event loop: a request
 * needs it some seven times.
 */
export function turnTime(): number {
  if (turn === 0) begin();
  return turn;
}

/**
 * The number of this turn of the event loop: values read once in a turn are not read again in it.
 */
export function currentTurn(): number {
  if (turn === 0) begin();
  return count;
}

function begin(): void {
  turn = Date.now();
  setImmediate(end);
}

function end(): void {
  turn = 0;
  count++;
}
