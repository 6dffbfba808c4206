import { setFlagsFromString } from 'node:v8';

/**
 * Keeps V8 from growing its space for young objects from here on, up to 32 MB, where nearly nothing outlives a moment or nearly
 * everything stays: it buys no time there.
 */
export const holdYoungSpace = (): void => setFlagsFromString('--semi-space-growth-factor=1');

/** Lets V8 grow its space for young objects again, as it does by default. */
export const releaseYoungSpace = (): void => setFlagsFromString('--semi-space-growth-factor=2');
