import { setFlagsFromString } from 'node:v8';

let matters = true;

/**
 * Stops V8 from growing its young generation further (up to 32 MB). Use it where nearly all objects
 * die at once, or nearly all survive: there a larger space saves no time.
 */
export const holdYoungSpace = (): void => {
  if (matters) setFlagsFromString('--semi-space-growth-factor=1');
};

/** Lets V8 grow its young generation again, as by default. */
export const releaseYoungSpace = (): void => {
  if (matters) setFlagsFromString('--semi-space-growth-factor=2');
};

/**
 * Runs work that creates too little garbage to matter: loading the module that changes the flag
 * takes 3 ms.
 */
export function leaveYoungSpace<Value>(run: () => Value): Value {
  matters = false;
  try {
    return run();
  } finally {
    matters = true;
  }
}
