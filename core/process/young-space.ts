import { setFlagsFromString } from 'node:v8';

let matters = true;

/**
 * Keeps V8 from growing its space for young objects from here on, up to 32 MB, where nearly nothing outlives a moment or nearly
 * everything stays: it buys no time there.
 */
export const holdYoungSpace = (): void => {
  if (matters) setFlagsFromString('--semi-space-growth-factor=1');
};

/** Lets V8 grow its space for young objects again, as it does by default. */
export const releaseYoungSpace = (): void => {
  if (matters) setFlagsFromString('--semi-space-growth-factor=2');
};

/** Runs what makes too little for the space to grow: to load what changes it takes 3 ms. */
export function leaveYoungSpace<Value>(run: () => Value): Value {
  matters = false;
  try {
    return run();
  } finally {
    matters = true;
  }
}
