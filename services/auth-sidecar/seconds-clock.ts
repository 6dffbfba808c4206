/** A clock in seconds since 1970. */
export type SecondsClock = () => number;

/** The machine's clock in whole seconds. */
export const secondsNow: SecondsClock = () => Math.floor(Date.now() / 1000);
